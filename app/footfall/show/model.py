"""Looking at one model file, with a slider for every joint."""

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import yaml
from pydrake.geometry import Meshcat, Role
from pydrake.multibody.parsing import PackageMap, Parser
from pydrake.multibody.plant import AddMultibodyPlantSceneGraph, MultibodyPlant
from pydrake.multibody.tree import BodyIndex
from pydrake.systems.framework import DiagramBuilder
from pydrake.visualization import ModelVisualizer

from footfall.errors import ModelError
from footfall.folder_lock import temporary_folder
from footfall.plants.drake_warnings import listening
from footfall.plants.joints import joints_of
from footfall.plants.model_check import check_files, known_packages
from footfall.plants.prepared_files import Prepared, prepared_file
from footfall.plants.remarks import remarks_of
from footfall.plants.xacro_files import ALONE, Argument
from footfall.resources import forget_downloads, model_file
from footfall.show.camera import camera_before, place_camera
from footfall.show.extent import bounds
from footfall.show.stage import is_drawn

_ASIDE = np.array([0.6, -1.0, 0.25])  # from the model to the camera: planar ones show both legs
_MARGIN = 1.3
_COLLISION = "/drake/proximity"  # where Drake's visualizer puts collision shapes, hidden


def view_model(
    model: str,
    meshcat: Meshcat,
    *,
    arguments: Mapping[str, Argument] | None = None,
    loop_once: bool = False,
    tell: Callable[[str], None] = lambda _line: None,
    verbose: bool = False,
) -> None:
    """Show a model until the user stops it in the browser; loop_once returns after one frame.

    model: the name of a machine that ships, a package:// URL, or a path to a URDF, SDF, MJCF or
    xacro file. arguments: of a xacro file. Where Meshcat does not draw some of its meshes,
    collision shapes are shown as well, and tell hears of it, as of what Drake leaves out;
    verbose: in its own words, too. Raises ModelError, one line, for a model that is missing or
    broken.
    """
    name = model_file(model, arguments=bool(arguments))
    with prepared_file(name, arguments or {}, known_packages({})) as files, listening() as said:

        def tell_remarks() -> None:
            remarks = remarks_of(said, files.notes)
            for line in (*remarks.lines(), *(remarks.raw if verbose else ())):
                tell(line)

        _view(name, files, meshcat, loop_once=loop_once, tell=tell, tell_remarks=tell_remarks)


def _view(
    name: str,
    files: Prepared,
    meshcat: Meshcat,
    *,
    loop_once: bool,
    tell: Callable[[str], None],
    tell_remarks: Callable[[], None],
) -> None:
    """Show the one model of files that are there as long as the user looks."""
    checked = check_files(files.directives, files.packages)
    path = checked.files[0].resolve()
    try:
        held, missing = _prepare(path, checked.packages, meshcat)
        with temporary_folder() as folder:
            visualizer = ModelVisualizer(meshcat=meshcat)
            visualizer.package_map().AddMap(checked.packages)
            visualizer.AddModels(_directives(Path(folder), path, held))
            visualizer.Finalize()
            if missing:
                meshcat.SetProperty(_COLLISION, "visible", True)
                kinds = ", ".join(sorted(missing))
                tell(f"Meshcat does not draw {kinds} meshes: collision shapes are shown as well")
            tell_remarks()
            tell("Esc in the browser, or Ctrl-C here, ends")
            visualizer.Run(loop_once=loop_once)
    except (RuntimeError, SystemExit) as error:
        reason = " ".join(str(error).split())
        raise ModelError(f"{name} cannot be shown ({reason}): mend the file.") from error


def _prepare(path: Path, packages: PackageMap, meshcat: Meshcat) -> tuple[list[str], set[str]]:
    """Put the camera before a model.

    Returns the links that must be welded to the world, and the formats of meshes that stay unseen.
    """
    builder = DiagramBuilder()
    plant, scene_graph = AddMultibodyPlantSceneGraph(builder, 0.0)
    parser = Parser(plant)
    forget_downloads(parser.package_map())
    parser.package_map().AddMap(packages)
    parser.AddModels(str(path))
    held = _massless_roots(plant)
    for name in held:
        plant.WeldFrames(plant.world_frame(), plant.GetFrameByName(name))
    plant.Finalize()
    diagram = builder.Build()
    q = plant.GetPositions(plant.GetMyContextFromRoot(diagram.CreateDefaultContext()))
    low, high = (ends[0] for ends in bounds(plant, scene_graph, q[None, None]))
    place_camera(meshcat, camera_before(0.5 * (low + high), _MARGIN * (high - low), _ASIDE))
    inspector = scene_graph.model_inspector()
    seen = (inspector.GetShape(g) for g in inspector.GetAllGeometryIds(Role.kIllustration))
    return held, {shape.source().extension() for shape in seen if not is_drawn(shape)}


def _massless_roots(plant: MultibodyPlant) -> list[str]:
    """Links that no joint holds and that cannot float; a scenario welds them to its ground."""
    held = {joint.child_body().index() for joint in joints_of(plant)}
    held.add(plant.world_body().index())
    bodies = [plant.get_body(BodyIndex(i)) for i in range(plant.num_bodies())]
    loose = [body for body in bodies if body.index() not in held]
    return [body.name() for body in loose if body.default_mass() == 0.0]


def _directives(folder: Path, path: Path, held: list[str]) -> Path:
    """Write what Drake's visualizer, which can reload files, is to load."""
    model = {"add_model": {"name": ALONE, "file": path.as_uri()}}
    welds = [{"add_weld": {"parent": "world", "child": f"{ALONE}::{name}"}} for name in held]
    file = folder / "view.dmd.yaml"
    file.write_text(yaml.safe_dump({"directives": [model, *welds]}), encoding="utf-8")
    return file
