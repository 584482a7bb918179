"""Page of one model: its layers, a slider for every joint, masses, and the posture as YAML."""

from collections.abc import Callable

from pydrake.geometry import Meshcat

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
        self._display.frame(scene, scene.q, scene.centre(), {})
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
