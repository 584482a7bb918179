"""Paths of chosen points of a machine in a Meshcat scene, as thin tubes that grow while it moves.

Frames: W world; G a collision shape, whose origin is the point.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from pydrake.geometry import Meshcat, Role

from footfall.errors import ModelError
from footfall.plants.load import Model
from footfall.show.colours import to_rgba, trace_colour
from footfall.show.extent import sizes_of
from footfall.studies import get_study

Array = npt.NDArray[np.float64]

_RADIUS = 0.016  # over the length of an arrow of one weight
_MOST_PIECES = 600  # of a path: more cannot be told apart
_SIDES = 4
_INDICES = 6 * _SIDES  # of the triangles of one piece
_SHOWN = "geometry[drawRange].count"  # three.js: how many indices of a mesh are drawn
_AT_A_TIME = 64  # points of a live path that are sent anew in every frame


@dataclass(frozen=True)
class Trace:
    """How the path of a point is seen: its name and colour."""

    name: str
    colour: str


def traced_by(study: str) -> tuple[str, ...]:
    """Contacts whose paths the study of a name wants to be seen; none for the empty name."""
    found = get_study(study)
    return () if found is None else found.traced


def traces_of(contacts: Sequence[str]) -> list[Trace]:
    """The legend of the paths of contacts, given by name as in ``hopper::P``."""
    return [
        Trace(contact.rpartition("::")[2], trace_colour(place))
        for place, contact in enumerate(contacts)
    ]


class TracedPoints:
    """The points of contacts of a model.

    contacts: names of collision shapes, model and name of the shape: ``hopper::P``.
    """

    def __init__(self, model: Model, contacts: Sequence[str]) -> None:
        """Find the shapes; raises ModelError for a name that none has."""
        inspector = model.scene_graph.model_inspector()
        named = {inspector.GetName(g): g for g in inspector.GetAllGeometryIds(Role.kProximity)}
        self.contacts = tuple(contacts)
        self._plant = model.plant
        self._context = model.plant.CreateDefaultContext()
        self._points = []
        for contact in contacts:
            if contact not in named:
                raise ModelError(
                    f"no collision shape is called {contact}, whose path is to be drawn: choose "
                    f"from {', '.join(sorted(named))}."
                )
            body = self._plant.GetBodyFromFrameId(inspector.GetFrameId(named[contact]))
            self._points.append((body, inspector.GetPoseInFrame(named[contact]).translation()))

    def places(self, q: Array) -> Array:
        """p_WG of every point at positions q (nq,), shape (points, 3) [m]."""
        self._plant.SetPositions(self._context, q)
        found = np.empty((len(self._points), 3))
        for place, (body, p_BG) in enumerate(self._points):
            found[place] = body.EvalPoseInWorld(self._context).multiply(p_BG)
        return found


def record_traces(
    meshcat: Meshcat, model: Model, path: str, contacts: Sequence[str], times: Array, q: Array
) -> None:
    """Add the paths of contacts at q (k, nq) to a recording, growing with times (k,) [s] of it."""
    if not contacts or len(times) < 2:
        return
    points = TracedPoints(model, contacts)
    places = np.array([points.places(row) for row in q])
    kept = np.unique(np.linspace(0, len(times) - 1, _MOST_PIECES + 1).astype(int))
    for place, trace in enumerate(traces_of(contacts)):
        own = f"{path}/{trace.name}"
        _draw(meshcat, own, places[kept, place], trace.colour, _radius(model))
        for pieces, row in enumerate(kept):
            meshcat.SetProperty(f"{own}/<object>", _SHOWN, float(_INDICES * pieces), times[row])


class LiveTraces:
    """Paths of contacts that grow by a point at every call of ``extend``."""

    def __init__(self, meshcat: Meshcat, model: Model, path: str, contacts: Sequence[str]) -> None:
        """Take the points; raises ModelError for a name that no collision shape has."""
        self._meshcat, self._path = meshcat, path
        self._points = TracedPoints(model, contacts)
        self._traces = traces_of(contacts)
        self._radius = _radius(model)
        self._begun: list[Array] = []
        self._finished = 0

    def extend(self, q: Array) -> None:
        """Draw the paths as far as positions q (nq,)."""
        if not self._traces:
            return
        self._begun.append(self._points.places(q))
        if len(self._begun) < 2:
            return
        places = np.array(self._begun)
        for place, trace in enumerate(self._traces):
            own = f"{self._path}/{trace.name}/{self._finished}"
            _draw(self._meshcat, own, places[:, place], trace.colour, self._radius)
        if len(self._begun) == _AT_A_TIME:
            self._begun = self._begun[-1:]
            self._finished += 1


def _radius(model: Model) -> float:
    return _RADIUS * sizes_of(model).weight


def _draw(meshcat: Meshcat, path: str, points: Array, colour: str, radius: float) -> None:
    """Put a tube through points (k, 3) into Meshcat."""
    vertices, faces = tube(points, radius)
    meshcat.SetTriangleMesh(path, vertices.T, faces.T, to_rgba(colour))


def tube(points: Array, radius: float) -> tuple[Array, npt.NDArray[np.int32]]:
    """A square tube through points (k, 3): vertices (4 k, 3) and triangles (8 (k - 1), 3).

    The triangles of a piece between two points follow those of the pieces before it.
    """
    along = _directions(points)
    upright = np.abs(along[:, 1]) > 0.9  # nearly along y
    helper = np.where(upright[:, None], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0])
    across = np.cross(helper, along)
    across /= np.linalg.norm(across, axis=1)[:, None]
    other = np.cross(along, across)
    ring = np.stack((across, other, -across, -other), axis=1)
    vertices = points[:, None] + radius * ring
    side = np.arange(_SIDES)
    following = (side + 1) % _SIDES
    first = np.stack((side, following, side + _SIDES), axis=1)
    second = np.stack((following, following + _SIDES, side + _SIDES), axis=1)
    piece = np.stack((first, second), axis=1).reshape(-1, 3)
    starts = _SIDES * np.arange(len(points) - 1)
    faces = starts[:, None, None] + piece
    return vertices.reshape(-1, 3), faces.reshape(-1, 3).astype(np.int32)


def _directions(points: Array) -> Array:
    """Unit vectors along a path at its points, (k, 3); where it rests, the last one before."""
    steps = np.gradient(points, axis=0)
    lengths = np.linalg.norm(steps, axis=1)
    found = np.empty_like(steps)
    last = np.array([1.0, 0.0, 0.0])
    for k, (step, length) in enumerate(zip(steps, lengths, strict=True)):
        if length > 0.0:
            last = step / length
        found[k] = last
    return found
