"""The surface of uneven ground as convex pieces that stand on a plane, and as triangles to look at.

Frame T: the terrain's, z its normal. All engines collide with the same pieces; the plane is z = 0.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from pydrake.common import MemoryFile
from pydrake.geometry import Box, Convex, InMemoryMesh, Mesh, Shape
from pydrake.math import RigidTransform

from footfall.arrays import Array
from footfall.errors import ScenarioError

MOST_PIECES = 2000
"""Of a ground: with more, Drake needs longer to look for contacts than for anything else."""

_DEEP = 0.1  # m: how far pieces reach below the plane at least
_FLAT = 1e-9  # of the size of a grid: heights that lie on one plane


@dataclass(frozen=True)
class Piece:
    """A column of ground: the corners of its flat top (k, 3) in T, in order around it."""

    top: Array

    def shape(self, bottom: float, label: str) -> tuple[Shape, RigidTransform]:
        """Its shape down to a height, and the pose of that shape in T; upright boxes are boxes."""
        low, high = self.top.min(axis=0), self.top.max(axis=0)
        level = np.ptp(self.top[:, 2]) == 0.0 and len(self.top) == 4
        if level and np.isin(self.top[:, :2], [low[:2], high[:2]]).all():
            size = np.array([high[0] - low[0], high[1] - low[1], high[2] - bottom])
            middle = 0.5 * (low + high)
            middle[2] = 0.5 * (bottom + high[2])
            return Box(*size), RigidTransform(middle)
        foot = self.top.copy()
        foot[:, 2] = bottom
        return Convex(np.vstack((self.top, foot)).T, label), RigidTransform()

    @cached_property
    def slopes(self) -> tuple[float, float, float]:
        """Coefficients a, b, c of the top's plane, z = a + b x + c y."""
        normal = np.cross(self.top[1] - self.top[0], self.top[2] - self.top[0])
        b, c = -normal[:2] / normal[2]
        corner = self.top[0]
        return float(corner[2] - b * corner[0] - c * corner[1]), float(b), float(c)

    def contains(self, x: Array, y: Array) -> npt.NDArray[np.bool_]:
        """Return which points (n,) lie over the top, its edge included."""
        inside = np.ones(len(x), dtype=bool)
        for start, end in zip(self.top, np.roll(self.top, -1, axis=0), strict=True):
            edge = end - start
            inside &= edge[0] * (y - start[1]) - edge[1] * (x - start[0]) >= 0.0
        return inside


@dataclass(frozen=True)
class Surface:
    """Pieces of uneven ground on the plane z = 0, which goes on around them.

    Raises ScenarioError for more than ``MOST_PIECES``.
    """

    pieces: tuple[Piece, ...]

    def __post_init__(self) -> None:
        """Refuse what would take too long."""
        if len(self.pieces) > MOST_PIECES:
            raise ScenarioError(
                f"terrain: the ground has {len(self.pieces)} pieces that are not flat together, "
                f"more than {MOST_PIECES}: make it coarser or smaller."
            )

    @property
    def bottom(self) -> float:
        """Height to which pieces reach down: below the plane, so that none is thin."""
        return -max(_DEEP, self.highest)

    @cached_property
    def highest(self) -> float:
        """Height of the highest point, not below 0."""
        return max((float(piece.top[:, 2].max()) for piece in self.pieces), default=0.0)

    def heights(self, points: Array) -> Array:
        """Height (n,) of the ground straight below or above points, (n, 2) or (n, 3) [m]."""
        x, y = points[:, 0], points[:, 1]
        found = np.zeros(len(points))
        if not self.pieces or len(points) == 0:
            return found
        near = self._lows <= np.fmax.reduce(points[:, :2], axis=0)
        near &= self._highs >= np.fmin.reduce(points[:, :2], axis=0)
        for k in np.flatnonzero(near.all(axis=1)):
            low, high, piece = self._lows[k], self._highs[k], self.pieces[k]
            at = np.flatnonzero((x >= low[0]) & (x <= high[0]) & (y >= low[1]) & (y <= high[1]))
            at = at[piece.contains(x[at], y[at])]
            a, b, c = piece.slopes
            found[at] = np.maximum(found[at], a + b * x[at] + c * y[at])
        return found

    @cached_property
    def _lows(self) -> Array:
        return np.array([piece.top[:, :2].min(axis=0) for piece in self.pieces])

    @cached_property
    def _highs(self) -> Array:
        return np.array([piece.top[:, :2].max(axis=0) for piece in self.pieces])

    def mesh(self) -> Mesh:
        """The tops and the walls of the pieces, to look at."""
        lines: list[str] = []
        first = 1
        for piece in self.pieces:
            top, count = piece.top, len(piece.top)
            foot = top.copy()
            foot[:, 2] = 0.0
            normal = np.cross(top[1] - top[0], top[2] - top[0])
            normal = normal / np.linalg.norm(normal)
            lines += [f"v {x:.6g} {y:.6g} {z:.6g}" for x, y, z in (*top, *foot)]
            lines.append("vn {:.6g} {:.6g} {:.6g}".format(*normal))
            lines.append("f " + " ".join(f"{first + k}//-1" for k in range(count)))
            for k in range(count):
                ends = (first + k, first + (k + 1) % count)
                walls = (ends[0], ends[0] + count, ends[1] + count, ends[1])
                out = top[(k + 1) % count] - top[k]
                lines.append(f"vn {out[1]:.6g} {-out[0]:.6g} 0")
                lines.append("f " + " ".join(f"{corner}//-1" for corner in walls))
            first += 2 * count
        text = "\n".join(lines) + "\n"
        return Mesh(InMemoryMesh(mesh_file=MemoryFile(text, ".obj", "terrain")))


def grid_surface(x: Array, y: Array, heights: Array) -> Surface:
    """Return the surface through heights (len(y), len(x)) at points of a grid, x and y rising.

    A cell whose corners lie on one plane is flat, and so are rectangles of such cells; another is
    cut from its corner of least x and y to the opposite one. What lies at 0 is the plane.
    """
    size = max(np.ptp(x), np.ptp(y), np.ptp(heights))
    free = np.ones((len(y) - 1, len(x) - 1), dtype=bool)
    pieces: list[Piece] = []
    for i, j in np.ndindex(*free.shape):
        if not free[i, j]:
            continue
        up, right = _flat_cells(x, y, heights, free, (i, j), _FLAT * size)
        free[i : i + up, j : j + right] = False
        corners = [(i, j), (i, j + right), (i + up, j + right), (i + up, j)]
        top = np.array([[x[b], y[a], heights[a, b]] for a, b in corners])
        halves = [top] if _is_flat(top, _FLAT * size) else [top[[0, 1, 2]], top[[0, 2, 3]]]
        pieces += [Piece(half) for half in halves if half[:, 2].max() > _FLAT * size]
    return Surface(tuple(pieces))


def _is_flat(top: Array, within: float) -> bool:
    return abs(float(top[0, 2] - top[1, 2] + top[2, 2] - top[3, 2])) <= within


def _flat_cells(
    x: Array,
    y: Array,
    heights: Array,
    free: npt.NDArray[np.bool_],
    first: tuple[int, int],
    within: float,
) -> tuple[int, int]:
    """Count the rows and columns from a cell on that lie on its plane: first right, then up."""
    i, j = first
    slope_x = (heights[i, j + 1] - heights[i, j]) / (x[j + 1] - x[j])
    slope_y = (heights[i + 1, j] - heights[i, j]) / (y[i + 1] - y[i])
    plane = heights[i, j] + np.add.outer(slope_y * (y[i:] - y[i]), slope_x * (x[j:] - x[j]))
    on = np.abs(heights[i:, j:] - plane) <= within
    flat = on[:-1, :-1] & on[1:, :-1] & on[:-1, 1:] & on[1:, 1:] & free[i:, j:]
    if not flat[0, 0]:
        return 1, 1
    right = int(np.argmin(np.append(flat[0], False)))
    up = int(np.argmin(np.append(flat[:, :right].all(axis=1), False)))
    return up, right


def box_surface(boxes: Iterable[tuple[Array, Array, float]]) -> Surface:
    """Return the surface of upright boxes: the two ends along x, the two along y, the height."""
    tops = []
    for (x0, x1), (y0, y1), height in boxes:
        tops.append(
            Piece(np.array([[a, b, height] for a, b in [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]]))
        )
    return Surface(tuple(tops))
