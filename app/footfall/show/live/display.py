"""Display of a scene: camera and its presets, following, transparency, layers, links, the legend.

Layers are what contacts do, pushes, and paths.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from pydrake.geometry import Meshcat, SceneGraph
from pydrake.multibody.plant import MultibodyPlant

from footfall.arrays import Array
from footfall.plants.coordinates import bodies_of, fixed_bodies, floating_joints, full_name
from footfall.registry.traced import Traced, TracedPoint
from footfall.scenario.cameras import Camera
from footfall.show.camera import camera_before, followed_size, go_along, place_camera
from footfall.show.colours import PUSH_COLOUR, TWIST_COLOUR, from_rgba
from footfall.show.extent import bounds, centre_of_mass
from footfall.show.forces import COLOURS as ARROW_COLOURS
from footfall.show.forces import CONE_COLOUR, FORCE_COLOUR
from footfall.show.layers import TITLES, Layers, shown_at_first
from footfall.show.live.controls import Command
from footfall.show.pressure import PRESSURE_COLOUR, SUPPORT_COLOUR
from footfall.show.trace import Trace
from footfall.show.view import View


def movable_links(plant: MultibodyPlant) -> list[str]:
    """Full names of the links that can move, those free in space first, then heavy ones."""
    fixed = fixed_bodies(plant)
    free = {joint.child_body().index() for joint in floating_joints(plant).values()}
    movable = [body for body in bodies_of(plant)[1:] if body.index() not in fixed]
    context = plant.CreateDefaultContext()
    movable.sort(key=lambda body: (body.index() not in free, -body.get_mass(context)))
    return [full_name(plant, body.body_frame()) for body in movable]


def paths_of(view: View, plant: MultibodyPlant) -> tuple[Traced, ...]:
    """Return the points whose paths are drawn: those of the view, else the first movable link."""
    links = movable_links(plant)[:1]
    return view.traced or tuple(TracedPoint(link.rpartition("::")[2], link) for link in links)


PRESETS: Mapping[str, tuple[float, float, float]] = {
    "side": (0.12, -1.0, 0.24),
    "other side": (-0.12, 1.0, 0.24),
    "front": (1.0, -0.1, 0.24),
    "back": (-1.0, -0.1, 0.24),
    "corner": (0.7, -0.7, 0.4),
    "above": (0.0, -0.05, 1.0),
}
"""Cameras that every scene has: from the target to the camera in W, by name."""


class Shapes(Protocol):
    """A plant with its SceneGraph, as a model is."""

    @property
    def plant(self) -> MultibodyPlant:
        """Plant of the machine."""

    @property
    def scene_graph(self) -> SceneGraph:
        """Shapes of the machine."""


class Display:
    """Choices of a page for the picture; it is the same for live runs and replays."""

    def __init__(self, meshcat: Meshcat, view: View) -> None:
        """Take a scene; ``frame`` and ``take`` say what is in it."""
        self._meshcat, self._view = meshcat, view
        self._shapes: Shapes | None = None
        self._layers: Layers | None = None
        self._bodies: list[str] = []
        self._cameras: dict[str, Camera] = {}
        self.shown = shown_at_first(view)
        self.alpha = 1.0
        self.follows = view.camera is None
        self._start = np.zeros(3)
        self._shift = np.zeros(3)
        self._framed = False

    def take(self, layers: Layers, bodies: Sequence[str]) -> None:
        """Take the layers of a run, and the paths of machines, as the page has them by now."""
        self._layers, self._bodies = layers, list(bodies)
        for layer, shown in self.shown.items():
            layers.show(layer, shown=shown)
        self._fade()

    def frame(self, model: Shapes, q: Array, cameras: Mapping[str, Camera]) -> None:
        """Place the camera before a machine at q, once; a page that is there keeps its own.

        cameras: of the scenario.
        """
        self._shapes, self._cameras = model, dict(cameras)
        self._context = model.plant.CreateDefaultContext()
        self._start = self._centre(q)
        self._shift = np.zeros(3)
        go_along(self._meshcat, self._shift)
        if self._framed:
            return
        self._framed = True
        if self._view.camera is not None:
            place_camera(self._meshcat, self._view.camera)
        else:
            self._look_from(PRESETS["side"], q)

    def go_along(self, q: Array) -> None:
        """Follow the machine, which has come to q, if that is asked for."""
        if self.follows:
            self._shift = self._centre(q) - self._start
            go_along(self._meshcat, self._shift)

    def obey(self, command: Command, q: Array) -> bool:
        """Carry out a command about the picture, and return whether it was one."""
        if command.name == "show" and command.text("layer") in TITLES:
            layer, shown = command.text("layer"), command.values.get("shown") is True
            self.shown[layer] = shown
            if self._layers is not None:
                self._layers.show(layer, shown=shown)
        elif command.name == "alpha":
            self.alpha = min(max(command.number("value", 1.0), 0.05), 1.0)
            self._fade()
        elif command.name == "follow":
            self.follows = command.values.get("value") is True
        elif command.name == "camera":
            self._look(command.text("value"), q)
        else:
            return False
        return True

    def told(self) -> dict[str, Any]:
        """Return what the page shows of it."""
        return {"shown": self.shown, "alpha": self.alpha, "follow": self.follows}

    def choices(self) -> dict[str, Any]:
        """Return what may be chosen."""
        return {"layers": TITLES, "cameras": [*PRESETS, *self._cameras]}

    def _look(self, name: str, q: Array) -> None:
        if name in self._cameras:
            place_camera(self._meshcat, self._cameras[name])
        elif name in PRESETS:
            self._look_from(PRESETS[name], q)

    def _look_from(self, direction: tuple[float, float, float], q: Array) -> None:
        if self._shapes is None:
            return
        low, high = bounds(self._shapes.plant, self._shapes.scene_graph, q[None, None])
        target = 0.5 * (low[0] + high[0]) - self._shift
        size = followed_size(float((high - low)[0].max()))
        place_camera(self._meshcat, camera_before(target, size, np.array(direction)))

    def _centre(self, q: Array) -> Array:
        """Centre of mass of the machine at q [m]."""
        if self._shapes is None:
            return np.zeros(3)
        self._shapes.plant.SetPositions(self._context, q)
        return centre_of_mass(self._shapes.plant, self._context)

    def _fade(self) -> None:
        for path in self._bodies:
            self._meshcat.SetProperty(path, "modulated_opacity", self.alpha)


def legend(traces: Sequence[Trace], runs: Mapping[str, str | None]) -> list[dict[str, str]]:
    """Return what each colour means: runs (None: in the machine's own), forces, marks, paths."""
    of_runs = [{"name": run, "colour": colour or "", "kind": "run"} for run, colour in runs.items()]
    normal, friction = (from_rgba(ARROW_COLOURS[kind]) for kind in ("normal", "friction"))
    rows = [
        ("normal force", normal, "arrows"),
        ("friction force", friction, "arrows"),
        ("whole force in its cone", from_rgba(FORCE_COLOUR), "cones"),
        ("friction cone", from_rgba(CONE_COLOUR), "cones"),
        ("centre of pressure", from_rgba(PRESSURE_COLOUR), "pressure"),
        ("support polygon", from_rgba(SUPPORT_COLOUR), "support"),
        ("push: force", PUSH_COLOUR, "pushes"),
        ("push: torque", TWIST_COLOUR, "pushes"),
        *((f"path of {trace.name}", trace.colour, "traces") for trace in traces),
    ]
    return of_runs + [{"name": name, "colour": colour, "kind": kind} for name, colour, kind in rows]
