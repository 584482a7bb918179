"""Looking at one model file, with a slider for every joint."""

from pathlib import Path

from pydrake.geometry import Meshcat
from pydrake.multibody.parsing import AddModel, ModelDirective
from pydrake.visualization import ModelVisualizer

from footfall.errors import ModelError
from footfall.plants.model_check import check_files
from footfall.resources import PACKAGE, share_root


def view_model(model: str, meshcat: Meshcat, *, loop_once: bool = False) -> None:
    """Show a model until the user stops it in the browser; loop_once returns after one frame.

    model: the name of a machine that ships, a package:// URL, or a path to an URDF or SDF. Raises ModelError, one
    line, for a model that is missing or broken.
    """
    name = model_file(model)
    directive = ModelDirective(add_model=AddModel(name="model", file=name))
    checked = check_files([directive])
    visualizer = ModelVisualizer(meshcat=meshcat)
    visualizer.package_map().AddMap(checked.packages)
    try:
        visualizer.AddModels(str(checked.files[0]))
        visualizer.Run(loop_once=loop_once)
    except (RuntimeError, SystemExit) as error:
        message = f"{name} cannot be shown ({' '.join(str(error).split())}): mend the file."
        raise ModelError(message) from error


def model_file(model: str) -> str:
    """Return the path or URL of a model, which may be the bare name of a machine that ships."""
    if "://" in model or Path(model).exists():
        return model
    for kind in ("urdf", "sdf"):
        place = f"{kind}/{model}/{model}.{kind}"
        if (share_root() / place).is_file():
            return f"package://{PACKAGE}/{place}"
    if Path(model).suffix:
        return model
    message = f"there is no model '{model}': give a path to an URDF or SDF, or one of {', '.join(_machines())}."
    raise ModelError(message)


def _machines() -> list[str]:
    kinds = ("urdf", "sdf")
    return sorted(
        {path.parent.name for kind in kinds for path in share_root().glob(f"{kind}/*/*.{kind}")}
    )
