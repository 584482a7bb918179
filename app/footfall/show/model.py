"""Looking at one model file, with a slider for every joint."""

from pathlib import Path

import numpy as np
from pydrake.geometry import Meshcat
from pydrake.multibody.parsing import AddModel, ModelDirective, Parser
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import BodyIndex
from pydrake.visualization import ModelVisualizer

from footfall.errors import ModelError
from footfall.plants.model_check import check_files
from footfall.resources import PACKAGE, share_root
from footfall.show.camera import place_camera
from footfall.show.extent import bounds

_ASIDE = np.array([0.6, -1.0, 0.25])  # from the model to the camera


def view_model(model: str, meshcat: Meshcat, *, loop_once: bool = False) -> None:
    """Show a model until the user stops it in the browser; loop_once returns after one frame.

    model: the name of a machine that ships, a package:// URL, or a path to a URDF or SDF. Raises
    ModelError, one line, for a model that is missing or broken.
    """
    name = model_file(model)
    directive = ModelDirective(add_model=AddModel(name="model", file=name))
    checked = check_files([directive])
    visualizer = ModelVisualizer(meshcat=meshcat)
    visualizer.package_map().AddMap(checked.packages)
    try:
        visualizer.AddModels(str(checked.files[0]))
        _hold_massless_roots(visualizer.parser().plant())
        visualizer.Finalize()
        _look(meshcat, visualizer.parser())
        visualizer.Run(loop_once=loop_once)
    except (RuntimeError, SystemExit) as error:
        message = f"{name} cannot be shown ({' '.join(str(error).split())}): mend the file."
        raise ModelError(message) from error


def _look(meshcat: Meshcat, parser: Parser) -> None:
    """Put the camera before the model, aside of the plane in which planar machines move."""
    plant = parser.plant()
    q = plant.GetPositions(plant.CreateDefaultContext())
    low, high = (ends[0] for ends in bounds(plant, parser.scene_graph(), q[None, None]))
    place_camera(meshcat, 0.5 * (low + high), 1.3 * (high - low), _ASIDE)


def _hold_massless_roots(plant: MultibodyPlant) -> None:
    """Weld links that nothing holds and that cannot float to the world; a scenario would."""
    joints = [plant.get_joint(index) for index in plant.GetJointIndices()]
    held = {joint.child_body().index() for joint in joints} | {plant.world_body().index()}
    for index in (BodyIndex(i) for i in range(plant.num_bodies())):
        body = plant.get_body(index)
        if index not in held and body.default_mass() == 0.0:
            plant.WeldFrames(plant.world_frame(), body.body_frame())


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
    known = ", ".join(_machines())
    raise ModelError(f"there is no model '{model}': give a URDF or SDF file, or one of {known}.")


def _machines() -> list[str]:
    kinds = ("urdf", "sdf")
    return sorted(
        {path.parent.name for kind in kinds for path in share_root().glob(f"{kind}/*/*.{kind}")}
    )
