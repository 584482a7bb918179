"""Looking at one model file, which is read again when it changes.

Its page has layers, a slider for every joint, masses, and the posture as YAML.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import yaml
from pydrake.geometry import Meshcat, Role
from pydrake.multibody.plant import MultibodyPlant

from footfall.errors import ModelError
from footfall.folder_lock import temporary_folder
from footfall.plants.coordinates import bodies_of, joints_of
from footfall.plants.loading.load import read_file
from footfall.plants.loading.model_files import ALONE, Argument, stem_of
from footfall.plants.loading.model_warnings import ModelWarnings, warnings_of
from footfall.plants.loading.uris import Packages, known_packages
from footfall.plants.messages import listening
from footfall.resources import model_file, parser_of
from footfall.show.extent import is_drawn
from footfall.show.live.controls import Command, Controls
from footfall.show.live.display import Display
from footfall.show.live.model_scene import (
    COLLISION,
    CONTACTS,
    GROUND,
    INERTIA,
    PLACES,
    TITLES,
    VISUAL,
    ModelScene,
    moved,
)
from footfall.show.view import PLAIN

_PATIENCE = 0.2  # s between two looks at the file
_ELLIPSOIDS = 0.4  # opacity of ellipsoids of inertia
CLOSED, CHANGED = "closed", "changed"


class ModelPage:
    """Shows models one after another, as when a file changes; layers and posture stay."""

    def __init__(self, meshcat: Meshcat, controls: Controls, title: str) -> None:
        """Take a scene and a page."""
        self._meshcat, self._controls = meshcat, controls
        self._display = Display(meshcat, PLAIN)
        self._values: dict[str, float] = {}
        self.shown = dict.fromkeys(TITLES, False) | {
            VISUAL: True,
            CONTACTS: True,
            GROUND: True,
        }
        controls.tell_about(title=title, mode="model", layers=TITLES, links=[], changes=False)

    def put(self, scene: ModelScene, message: str = "") -> None:
        """Show a model; message: a line for the page."""
        self._scene = scene
        scene.pose(moved(scene, scene.default, self._values))
        for layer, shown in self.shown.items():  # what is published first says what is visible
            scene.show(layer, shown=shown)
        self._fade()
        self._display.frame(scene, scene.q, {})
        choices = self._display.choices() | {"layers": TITLES}
        self._controls.tell_about(message=message, legend=[], **choices, **scene.told())
        self._tell()

    def say(self, message: str) -> None:
        """Show a line on the page."""
        self._controls.tell_about(message=message)

    def run(self, interrupted: Callable[[], bool], changed: Callable[[], bool]) -> str:
        """Obey the page until it is closed, somebody interrupts, or the file has changed."""
        while not interrupted():
            command = self._controls.take(_PATIENCE)
            while command is not None:
                if command.name == "close":
                    return CLOSED
                self._obey(command)
                command = self._controls.take()
            if changed():
                return CHANGED
        return CLOSED

    def _obey(self, command: Command) -> None:
        scene = self._scene
        if command.name == "joint":
            self._values[command.text("joint")] = command.number("value")
            scene.pose(moved(scene, scene.default, self._values))
        elif command.name == "default":
            self._values.clear()
            scene.pose(scene.default)
            self._controls.tell_about(**scene.told())
        elif command.name == "show" and command.text("layer") in TITLES:
            layer, shown = command.text("layer"), command.values.get("shown") is True
            self.shown[layer] = shown
            scene.show(layer, shown=shown)
        elif command.name == "alpha":
            self._display.alpha = min(max(command.number("value", 1.0), 0.05), 1.0)
            self._fade()
        else:
            self._display.obey(command, scene.q)
        self._tell()

    def _fade(self) -> None:
        """Make shapes as opaque as is asked for; ellipsoids, which would hide all, at most half."""
        alpha = self._display.alpha
        for layer, most in ((VISUAL, 1.0), (COLLISION, 1.0), (INERTIA, _ELLIPSOIDS)):
            self._meshcat.SetProperty(PLACES[layer], "modulated_opacity", most * alpha)

    def _tell(self) -> None:
        self._controls.notes[:] = [*self._scene.touching, *self._scene.standing]
        self._controls.state = {
            **self._display.told(),
            "shown": self.shown,
            "status": "running",
            "yaml": self._scene.posture(),
        }


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
        if page.run(interrupted, partial(_changed, files, stamps)) == CLOSED:
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


def _changed(files: Sequence[Path], stamps: Sequence[float]) -> bool:
    """Say whether files have changed since the times that they had."""
    return _stamps(files) != stamps


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
    loose = [body for body in bodies_of(plant) if body.index() not in held]
    return [body.name() for body in loose if body.default_mass() == 0.0]


def _directives(folder: Path, path: Path, held: list[str]) -> Path:
    """Write what Drake's visualizer, which can reload files, is to load."""
    model = {"add_model": {"name": ALONE, "file": path.as_uri()}}
    welds = [{"add_weld": {"parent": "world", "child": f"{ALONE}::{name}"}} for name in held]
    file = folder / "view.dmd.yaml"
    file.write_text(yaml.safe_dump({"directives": [model, *welds]}), encoding="utf-8")
    return file
