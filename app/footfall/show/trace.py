"""Paths of chosen points of a machine in a Meshcat scene, as thin tubes that grow while it moves.

Frames: W world; F the frame that a point P is fixed to, B its body; G a collision shape, whose
origin is the point of a contact.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from pydrake.geometry import Meshcat, Role
from pydrake.multibody.tree import FrameIndex, RigidBody

from footfall.arrays import Array
from footfall.errors import ModelError
from footfall.plants.loading.load import Model
from footfall.registry.traced import Traced, TracedPoint
from footfall.show.colours import to_rgba, trace_colour
from footfall.show.extent import sizes_of
from footfall.wording import did_you_mean

_RADIUS = 0.016  # over the length of an arrow of one weight
_MOST_PIECES = 600  # of a path: more cannot be told apart
_SIDES = 4
_INDICES = 6 * _SIDES  # of the triangles of one piece
_SHOWN = "geometry[drawRange].count"  # three.js: how many indices of a mesh are drawn
_AT_A_TIME = 64  # points of a live path that are sent anew in every frame


@dataclass(frozen=True)
class Trace:
    """Name and colour of the path of a point."""

    name: str
    colour: str


def traces_of(points: Sequence[Traced]) -> list[Trace]:
    """The legend of the paths of points; a contact is called as it is in its model."""
    return [
        Trace(
            point.name if isinstance(point, TracedPoint) else point.rpartition("::")[2],
            trace_colour(index),
        )
        for index, point in enumerate(points)
    ]


class TracedPoints:
    """Points of a model: of contacts, or fixed to frames."""

    def __init__(self, model: Model, points: Sequence[Traced]) -> None:
        """Find them; raises ModelError for a contact or a frame that there is not."""
        self._plant = model.plant
        self._context = model.plant.CreateDefaultContext()
        self._points = [
            _in_frame(model, point) if isinstance(point, TracedPoint) else _of_contact(model, point)
            for point in points
        ]

    def places(self, q: Array) -> Array:
        """p_WP of every point at positions q (nq,), shape (points, 3) [m]."""
        self._plant.SetPositions(self._context, q)
        found = np.empty((len(self._points), 3))
        for index, (body, p_BP) in enumerate(self._points):
            found[index] = body.EvalPoseInWorld(self._context).multiply(p_BP)
        return found


def _of_contact(model: Model, contact: str) -> tuple[RigidBody, Array]:
    """Body and p_BG of a collision shape, called by model and shape."""
    inspector = model.scene_graph.model_inspector()
    named = {inspector.GetName(g): g for g in inspector.GetAllGeometryIds(Role.kProximity)}
    if contact not in named:
        raise ModelError(
            f"no collision shape is called {contact}, whose path is to be drawn: choose "
            f"from {', '.join(sorted(named))}."
        )
    body = model.plant.GetBodyFromFrameId(inspector.GetFrameId(named[contact]))
    return body, inspector.GetPoseInFrame(named[contact]).translation()


def _in_frame(model: Model, point: TracedPoint) -> tuple[RigidBody, Array]:
    """Body and p_BP of a point that is fixed to a frame."""
    plant = model.plant
    frames = [plant.get_frame(FrameIndex(i)) for i in range(plant.num_frames())]
    named = {frame.scoped_name().get_full(): frame for frame in frames}
    if point.frame not in named:
        message = f"there is no frame '{point.frame}' for the path of {point.name}; "
        raise ModelError(message + did_you_mean(point.frame, list(named)))
    X_BF = named[point.frame].GetFixedPoseInBodyFrame()
    return named[point.frame].body(), X_BF.multiply(np.array(point.place))


def record_traces(
    meshcat: Meshcat, model: Model, path: str, traced: Sequence[Traced], times: Array, q: Array
) -> None:
    """Add the paths of points at q (k, nq) to a recording, growing with times (k,) [s] of it."""
    if not traced or len(times) < 2:
        return
    points = TracedPoints(model, traced)
    places = np.array([points.places(row) for row in q])
    kept = np.unique(np.linspace(0, len(times) - 1, _MOST_PIECES + 1).astype(int))
    for index, trace in enumerate(traces_of(traced)):
        own = f"{path}/{trace.name}"
        _draw(meshcat, own, places[kept, index], trace.colour, _radius(model))
        for pieces, row in enumerate(kept):
            meshcat.SetProperty(f"{own}/<object>", _SHOWN, float(_INDICES * pieces), times[row])


def draw_traces(
    meshcat: Meshcat, model: Model, path: str, traced: Sequence[Traced], times: Array, q: Array
) -> None:
    """Draw the whole paths of points at q (k, nq) at once; times (k,) [s]."""
    if not traced or len(times) < 2:
        return
    points = TracedPoints(model, traced)
    kept = np.unique(np.linspace(0, len(times) - 1, _MOST_PIECES + 1).astype(int))
    places = np.array([points.places(row) for row in q[kept]])
    for index, trace in enumerate(traces_of(traced)):
        _draw(meshcat, f"{path}/{trace.name}", places[:, index], trace.colour, _radius(model))


class LiveTraces:
    """Paths of points that grow by a point at every call of ``extend``."""

    def __init__(self, meshcat: Meshcat, model: Model, path: str, traced: Sequence[Traced]) -> None:
        """Take the points; raises ModelError for one that the model lacks."""
        self._meshcat, self._path = meshcat, path
        self._points = TracedPoints(model, traced)
        self._traces = traces_of(traced)
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
        for index, trace in enumerate(self._traces):
            own = f"{self._path}/{trace.name}/{self._finished}"
            _draw(self._meshcat, own, places[:, index], trace.colour, self._radius)
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
    return vertices.reshape(-1, 3), _faces(len(points) - 1)


@lru_cache(maxsize=2 * _AT_A_TIME)
def _faces(pieces: int) -> npt.NDArray[np.int32]:
    """Triangles of a tube of so many pieces."""
    side = np.arange(_SIDES)
    following = (side + 1) % _SIDES
    first = np.stack((side, following, side + _SIDES), axis=1)
    second = np.stack((following, following + _SIDES, side + _SIDES), axis=1)
    piece = np.stack((first, second), axis=1).reshape(-1, 3)
    faces = (_SIDES * np.arange(pieces))[:, None, None] + piece
    return faces.reshape(-1, 3).astype(np.int32)


def _directions(points: Array) -> Array:
    """Unit vectors along a path at its points, (k, 3); where it rests, the last one before."""
    steps = np.gradient(points, axis=0)
    lengths = np.linalg.norm(steps, axis=1)
    moved = np.flatnonzero(lengths > 0.0)
    found = np.tile([1.0, 0.0, 0.0], (len(points) + 1, 1))  # the last row: of what never moved
    found[moved] = steps[moved] / lengths[moved, None]
    last = np.full(len(points), -1)
    last[moved] = moved
    return found[np.maximum.accumulate(last)]
