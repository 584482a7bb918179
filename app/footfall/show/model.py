"""Looking at one model file, which is read again when it changes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml
from pydrake.geometry import Meshcat, Role
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import BodyIndex

from footfall.errors import ModelError
from footfall.folder_lock import temporary_folder
from footfall.plants.coordinates import joints_of
from footfall.plants.loading.load import read_file
from footfall.plants.loading.model_files import ALONE, Argument, stem_of
from footfall.plants.loading.model_warnings import ModelWarnings, warnings_of
from footfall.plants.loading.uris import Packages, known_packages
from footfall.plants.messages import listening
from footfall.resources import model_file, parser_of
from footfall.show.live.controls import Controls
from footfall.show.live.model_page import CLOSED, ModelPage
from footfall.show.live.model_scene import COLLISION, ModelScene
from footfall.show.visible import is_drawn


def view_model(
    model: str,
    meshcat: Meshcat,
    controls: Controls | None = None,
    *,
    arguments: Mapping[str, Argument] | None = None,
    interrupted: Callable[[], bool] = lambda: True,
    tell: Callable[[str], None] = lambda _line: None,
    verbose: bool = False,
) -> None:
    """Show a model until its page is closed or somebody interrupts; at once if nobody says when.

    model: the name of a machine that ships, a package:// URL, or a path to a URDF, SDF, MJCF or
    xacro file. arguments: of a xacro file. controls: of the page. Where Meshcat does not draw some
    of its meshes, collision shapes are shown as well, and tell hears of it, as of what Drake leaves
    out; verbose: in its own words, too. A file that changes is read again; one that is broken then
    leaves what was shown, with a line on the page. Raises ModelError, one line, for a model that is
    missing or broken at first.
    """
    name = model_file(model, arguments=bool(arguments))
    page = ModelPage(meshcat, controls or Controls(), stem_of(name))
    files, first = [Path(name)], True
    while True:
        stamps = _stamps(files)
        try:
            seen = _read(name, arguments or {}, meshcat)
        except ModelError as error:
            if first:
                raise
            page.say(str(error))
        else:
            files = seen.files
            stamps = _stamps(files)
            if first:
                for line in (*seen.warnings.lines(), *(seen.warnings.raw if verbose else ())):
                    tell(line)
            page.put(seen.scene, _unseen(seen, page, tell))
            first = False
        if page.run(interrupted, _ChangeOf(files, stamps)) == CLOSED:
            return


def _unseen(seen: "_Seen", page: ModelPage, tell: Callable[[str], None]) -> str:
    """Show collision shapes where meshes are not drawn, and return a line about it."""
    if not seen.missing:
        return ""
    page.shown[COLLISION] = True
    kinds = ", ".join(sorted(seen.missing))
    line = f"Meshcat does not draw {kinds} meshes: collision shapes are shown as well"
    tell(line)
    return line


@dataclass(frozen=True)
class _ChangeOf:
    """Says whether files have changed since the times that they had."""

    files: Sequence[Path]
    stamps: Sequence[float]

    def __call__(self) -> bool:
        return _stamps(self.files) != self.stamps


def _stamps(files: Sequence[Path]) -> list[float]:
    """Times when files were changed last, 0 for one that is not there."""
    return [path.stat().st_mtime if path.is_file() else 0.0 for path in files]


@dataclass(frozen=True, eq=False)
class _Seen:
    """Scene of a model; its files; formats of meshes that stay unseen; what Drake said."""

    scene: ModelScene
    files: list[Path]
    missing: set[str]
    warnings: ModelWarnings


def _read(name: str, arguments: Mapping[str, Argument], meshcat: Meshcat) -> _Seen:
    """Read a model and put it into the scene; raises ModelError for a broken one."""
    with read_file(name, arguments, known_packages({})) as files, listening() as warnings:
        checked = files.check()
        path = checked.files[0]
        held = _held(path, files.packages)
        with temporary_folder() as folder:
            directives = str(_directives(Path(folder), path, held))
            declared = [*(each.constraint for each in checked.constraints), *files.mended.couplers]
            scene = ModelScene(meshcat, directives, files.packages, declared)
        inspector = scene.scene_graph.model_inspector()
        shapes = (inspector.GetShape(g) for g in inspector.GetAllGeometryIds(Role.kIllustration))
        missing = {shape.source().extension() for shape in shapes if not is_drawn(shape)}
        notes = (*files.mended.notes, *map(files.with_sources, checked.physics.notes))
        return _Seen(scene, [Path(name), path], missing, warnings_of(warnings, notes))


def _held(path: Path, packages: Packages) -> list[str]:
    """Return the links that must be welded to the world for a model to be simulated at all."""
    plant = MultibodyPlant(0.0)
    parser_of(plant, packages).AddModels(str(path))
    return _massless_roots(plant)


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
