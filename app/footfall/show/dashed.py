"""Dashed lines on the ground in a Meshcat scene, whose ends go along with bodies.

Frames: W world, T terrain (z its normal), L a line: its origin below the start, a little above the
ground, x towards the end.
"""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from pydrake.geometry import Meshcat
from pydrake.math import RigidTransform, RotationMatrix
from pydrake.multibody.tree import BodyIndex, RigidBody

from footfall.arrays import Array
from footfall.errors import ModelError
from footfall.plants.loading.load import Model
from footfall.registry.dashed import DashedLine
from footfall.show.colours import to_rgba
from footfall.show.extent import sizes_of
from footfall.wording import did_you_mean

# over the distance between two marks on the ground
_DASH, _PERIOD, _WIDTH = 0.12, 0.2, 0.04
_HEIGHT = 0.01  # so high that neither marks nor markings of a field show through
_LEAST = 1e-9  # rounding: a dash that is shorter is none, one that lacks it is whole
_PIECES = 12  # of a dash: the end of a line is right to the length of one
_INDICES = 6  # of the two triangles of a piece
_FIRST_REACH = 40  # dashes; a mesh is made anew for a line that is longer
_SHOWN = "geometry[drawRange].count"  # three.js: how many indices of a mesh are drawn


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
            count = float(_INDICES * pieces)
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
    bodies = [plant.get_body(BodyIndex(i)) for i in range(plant.num_bodies())]
    named = {body.scoped_name().get_full(): body for body in bodies}
    if end not in named:
        message = f"there is no body '{end}' for a dashed line to end at; "
        raise ModelError(message + did_you_mean(end, list(named)))
    return named[end], np.zeros(3)
