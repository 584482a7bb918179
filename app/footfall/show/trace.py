"""Lines in a Meshcat scene: paths of chosen points of a machine, and dashed lines on the ground.

Paths are thin tubes that grow while it moves; ends of dashed lines go along with bodies.

Frames: W world; F the frame that a point P is fixed to, B its body; G a collision shape, whose
origin is the point of a contact; T terrain (z its normal); L a dashed line: its origin below the
start, a little above the ground, x towards the end.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from pydrake.geometry import Meshcat, Role
from pydrake.math import RigidTransform, RotationMatrix
from pydrake.multibody.tree import FrameIndex, RigidBody

from footfall.arrays import Array
from footfall.errors import ModelError
from footfall.plants.coordinates import bodies_of
from footfall.plants.loading.load import Model
from footfall.registry.dashed import DashedLine
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
        p_WP = np.empty((len(self._points), 3))
        for index, (body, p_BP) in enumerate(self._points):
            p_WP[index] = body.EvalPoseInWorld(self._context).multiply(p_BP)
        return p_WP


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


def draw_traces(
    meshcat: Meshcat,
    model: Model,
    path: str,
    traced: Sequence[Traced],
    q: Array,
    times: Array | None = None,
) -> None:
    """Draw the paths of points at q (k, nq); in a recording they grow with its times (k,) [s]."""
    if not traced or len(q) < 2:
        return
    points = TracedPoints(model, traced)
    rows = np.unique(np.linspace(0, len(q) - 1, _MOST_PIECES + 1).astype(int))
    places = np.array([points.places(row) for row in q[rows]])
    for index, trace in enumerate(traces_of(traced)):
        own = f"{path}/{trace.name}"
        _draw(meshcat, own, places[:, index], trace.colour, _radius(model))
        if times is not None:
            for pieces, row in enumerate(rows):
                shown = float(_INDICES * pieces)
                meshcat.SetProperty(f"{own}/<object>", _SHOWN, shown, times[row])


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
    along = np.tile([1.0, 0.0, 0.0], (len(points) + 1, 1))  # the last row: of what never moved
    along[moved] = steps[moved] / lengths[moved, None]
    last = np.full(len(points), -1)
    last[moved] = moved
    return along[np.maximum.accumulate(last)]


# over the distance between two marks on the ground
_DASH, _PERIOD, _WIDTH = 0.12, 0.2, 0.04
_HEIGHT = 0.01  # so high that neither marks nor markings of a field show through
_LEAST = 1e-9  # rounding: a dash that is shorter is none, one that lacks it is whole
_PIECES = 12  # of a dash: the end of a line is right to the length of one
_DASH_INDICES = 6  # of the two triangles of a piece
_FIRST_REACH = 40  # dashes; a mesh is made anew for a line that is longer


class LinesOnGround:
    """Positions of the dashed lines of a model; width of a dash [m]."""

    def __init__(self, model: Model, lines: Sequence[DashedLine]) -> None:
        """Find the bodies; raises ModelError for a name that none has."""
        self._plant = model.plant
        self._context = model.plant.CreateDefaultContext()
        self._X_WT = model.spec.terrain.X_WTerrain()
        self._ends = [[_end(model, end) for end in (line.start, line.end)] for line in lines]
        self.unit = sizes_of(model).marks
        self.width = _WIDTH * self.unit

    def place(self, q: Array) -> list[tuple[RigidTransform, float]]:
        """X_WL and length [m] of every line at positions q (nq,)."""
        self._plant.SetPositions(self._context, q)
        return [self._place(*(self._on_ground(*end) for end in ends)) for ends in self._ends]

    def dashes(self, length: float) -> Array:
        """Begin and end of the dashes of a line of a length, (n, 2) along x of L [m]."""
        begins = _PERIOD * self.unit * np.arange(math.ceil(length / (_PERIOD * self.unit)))
        ends = np.minimum(begins + _DASH * self.unit, length)
        seen = ends - begins > _LEAST * self.unit
        return np.column_stack((begins, ends))[seen]

    def _on_ground(self, body: RigidBody, p_BE: Array) -> Array:
        """p_TE along the ground."""
        p_WE = body.EvalPoseInWorld(self._context).multiply(p_BE)
        p_TE: Array = self._X_WT.inverse().multiply(p_WE)[:2]
        return p_TE

    def _place(self, start: Array, end: Array) -> tuple[RigidTransform, float]:
        x, y = end - start
        R_TL = RotationMatrix.MakeZRotation(math.atan2(y, x))
        return self._X_WT @ RigidTransform(R_TL, [*start, _HEIGHT * self.unit]), math.hypot(x, y)


class DashedLines:
    """Dashed lines below one Meshcat path, which ``draw`` lays from place to place."""

    def __init__(
        self, meshcat: Meshcat, model: Model, path: str, lines: Sequence[DashedLine]
    ) -> None:
        """Find the ends; raises ModelError for a body that there is not."""
        self._meshcat = meshcat
        self._lines = LinesOnGround(model, lines)
        self._looks = [(f"{path}/{index}", line.colour) for index, line in enumerate(lines)]
        self._reach = [0] * len(self._looks)

    def draw(self, q: Array, time: float | None = None) -> None:
        """Lay the lines at positions q (nq,); time: of a recording [s], None draws at once."""
        for line, (X_WL, length) in enumerate(self._lines.place(q)):
            path = self._looks[line][0]
            pieces = shown_pieces(length / self._lines.unit)
            self._reach_out(line, pieces)
            self._meshcat.SetTransform(path, X_WL, time)
            count = float(_DASH_INDICES * pieces)
            self._meshcat.SetProperty(f"{path}/<object>", _SHOWN, count, time)

    def _reach_out(self, line: int, pieces: int) -> None:
        """Make the mesh of a line long enough."""
        dashes = math.ceil(pieces / _PIECES)
        if dashes <= self._reach[line] > 0:
            return
        self._reach[line] = max(_FIRST_REACH, 2 * dashes)
        vertices, faces = dashes_along_x(self._reach[line])
        path, colour = self._looks[line]
        vertices *= self._lines.unit
        self._meshcat.SetTriangleMesh(path, vertices.T, faces.T, to_rgba(colour))


def shown_pieces(length: float) -> int:
    """Pieces of dashes that a line of a length shows; in units between two ground marks."""
    whole, rest = divmod(length + _LEAST, _PERIOD)
    return int(whole) * _PIECES + min(int(rest / _DASH * _PIECES), _PIECES)


def dashes_along_x(number: int) -> tuple[Array, npt.NDArray[np.int32]]:
    """Flat dashes from the origin along x in pieces: vertices (n, 3) and triangles (m, 3).

    In units of the distance between two ground marks; the pieces follow each other along x.
    """
    starts = _PERIOD * np.arange(number)[:, None] + _DASH / _PIECES * np.arange(_PIECES)
    corners = np.zeros((starts.size, 4, 3))
    corners[:, :, 0] = starts.reshape(-1, 1) + _DASH / _PIECES * np.array([0.0, 1.0, 1.0, 0.0])
    corners[:, :, 1] = 0.5 * _WIDTH * np.array([-1.0, -1.0, 1.0, 1.0])
    first = 4 * np.arange(starts.size)[:, None, None]
    faces = first + np.array([[0, 1, 2], [0, 2, 3]])
    return corners.reshape(-1, 3), faces.reshape(-1, 3).astype(np.int32)


def _end(model: Model, end: str | tuple[float, float, float]) -> tuple[RigidBody, Array]:
    """The body that an end belongs to, the world's for a point in W, and p_BE."""
    plant = model.plant
    if not isinstance(end, str):
        return plant.world_body(), np.array(end, dtype=float)
    named = {body.scoped_name().get_full(): body for body in bodies_of(plant)}
    if end not in named:
        message = f"there is no body '{end}' for a dashed line to end at; "
        raise ModelError(message + did_you_mean(end, list(named)))
    return named[end], np.zeros(3)
