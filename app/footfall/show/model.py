"""Looking at one model file, with a slider for every joint."""

import tempfile
from pathlib import Path

import numpy as np
import yaml
from pydrake.geometry import Meshcat
from pydrake.multibody.parsing import AddModel, ModelDirective, PackageMap, Parser
from pydrake.multibody.plant import AddMultibodyPlantSceneGraph, MultibodyPlant
from pydrake.multibody.tree import BodyIndex
from pydrake.systems.framework import DiagramBuilder
from pydrake.visualization import ModelVisualizer

from footfall.errors import ModelError
from footfall.plants.model_check import check_files
from footfall.resources import PACKAGE, share_root
from footfall.show.camera import place_camera
from footfall.show.extent import bounds

_ASIDE = np.array([0.6, -1.0, 0.25])  # from the model to the camera: planar ones show both legs
_MARGIN = 1.3
_NAME = "model"


def view_model(model: str, meshcat: Meshcat, *, loop_once: bool = False) -> None:
    """Show a model until the user stops it in the browser; loop_once returns after one frame.

    model: the name of a machine that ships, a package:// URL, or a path to a URDF or SDF. Raises
    ModelError, one line, for a model that is missing or broken.
    """
    name = model_file(model)
    checked = check_files([ModelDirective(add_model=AddModel(name=_NAME, file=name))])
    path = checked.files[0].resolve()
    try:
        held = _prepare(path, checked.packages, meshcat)
        with tempfile.TemporaryDirectory() as folder:
            visualizer = ModelVisualizer(meshcat=meshcat)
            visualizer.package_map().AddMap(checked.packages)
            visualizer.AddModels(_directives(Path(folder), path, held))
            visualizer.Run(loop_once=loop_once)
    except (RuntimeError, SystemExit) as error:
        reason = " ".join(str(error).split())
        raise ModelError(f"{name} cannot be shown ({reason}): mend the file.") from error


def _prepare(path: Path, packages: PackageMap, meshcat: Meshcat) -> list[str]:
    """Put the camera before a model; returns the links that must be welded to the world."""
    builder = DiagramBuilder()
    plant, scene_graph = AddMultibodyPlantSceneGraph(builder, 0.0)
    parser = Parser(plant)
    parser.package_map().AddMap(packages)
    parser.AddModels(str(path))
    held = _massless_roots(plant)
    for name in held:
        plant.WeldFrames(plant.world_frame(), plant.GetFrameByName(name))
    plant.Finalize()
    diagram = builder.Build()
    q = plant.GetPositions(plant.GetMyContextFromRoot(diagram.CreateDefaultContext()))
    low, high = (ends[0] for ends in bounds(plant, scene_graph, q[None, None]))
    place_camera(meshcat, 0.5 * (low + high), _MARGIN * (high - low), _ASIDE)
    return held


def _massless_roots(plant: MultibodyPlant) -> list[str]:
    """Links that no joint holds and that cannot float; a scenario welds them to its ground."""
    joints = [plant.get_joint(index) for index in plant.GetJointIndices()]
    held = {joint.child_body().index() for joint in joints} | {plant.world_body().index()}
    bodies = [plant.get_body(BodyIndex(i)) for i in range(plant.num_bodies())]
    loose = [body for body in bodies if body.index() not in held]
    return [body.name() for body in loose if body.default_mass() == 0.0]


def _directives(folder: Path, path: Path, held: list[str]) -> Path:
    """Write what Drake's visualizer, which can reload files, is to load."""
    model = {"add_model": {"name": _NAME, "file": path.as_uri()}}
    welds = [{"add_weld": {"parent": "world", "child": f"{_NAME}::{name}"}} for name in held]
    file = folder / "view.dmd.yaml"
    file.write_text(yaml.safe_dump({"directives": [model, *welds]}), encoding="utf-8")
    return file


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
    files = [file for kind in ("urdf", "sdf") for file in share_root().glob(f"{kind}/*/*.{kind}")]
    return sorted({file.parent.name for file in files})
