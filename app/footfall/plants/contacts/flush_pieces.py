"""Contacts with the sides of pieces that lie in the ground, which are none of its surface.

A plate whose top is level with the ground has sides that are hidden in it. A foot that a landing
has pressed into the ground meets them when it comes from there, and would stop. As long as it is
deeper in the ground than in such a side, that contact is left out. `tiles` does the same for the
pieces of uneven ground.

Frames: W world.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from pydrake.math import RigidTransform

from footfall.arrays import Array
from footfall.jit import njit
from footfall.plants.contacts.contact_set import BodyPair, GroundShape
from footfall.plants.contacts.solids import HULL, Solid, posed
from footfall.plants.kinematics import Kinematics

Indices = npt.NDArray[np.int64]

_LEVEL = 1e-6  # m: what rises above the ground by no more lies in it
_UPRIGHT = 1.0 - 1e-9  # cosine to the ground's normal of contacts with the top


class FlushPieces:
    """The contacts of shapes that may stand on the ground with fixed pieces that lie in it."""

    def __init__(
        self,
        pairs: Sequence[BodyPair],
        ground: Sequence[GroundShape],
        kinematics: Kinematics,
        X_WT: RigidTransform,
    ) -> None:
        """Take all pairs, the shapes with points on the ground, and the pose of the terrain."""
        self._n_W = np.ascontiguousarray(X_WT.rotation().matrix()[:, 2])
        level = float(self._n_W @ X_WT.translation()) + _LEVEL
        on_ground = {shape.geometry: shape for shape in ground}
        rows = []
        for number, pair in enumerate(pairs):
            for moving, body, solid, sign in (
                (pair.a, pair.body_b, pair.solid_b, 1),
                (pair.b, pair.body_a, pair.solid_a, -1),
            ):
                if kinematics.link_of(body) != 0 or moving not in on_ground:
                    continue
                fixed = posed(solid, kinematics.within(body.body_frame()))
                if _reach(fixed, self._n_W) <= level:
                    shape = on_ground[moving]
                    points = shape.first, shape.first + len(shape.points)
                    rows.append((pair.first, pair.first + len(pair), number, sign, *points))
        self._rows = np.array(rows, dtype=np.int64).reshape(-1, 6)
        if rows:  # compiled now, so that the first touch takes no longer than others
            _leave_out(self._rows[:0], self._n_W, np.zeros((0, 3)), np.zeros(0))

    def __len__(self) -> int:
        """Count the pairs."""
        return len(self._rows)

    def leave_out_sides(self, normals: Array, gap: Array) -> None:
        """Give contacts with sides that are hidden in the ground the gap infinity.

        normals (pairs, 3): from b to a, in W. gap (n,) [m]: of all contacts.
        """
        _leave_out(self._rows, self._n_W, normals, gap)


def _reach(solid: Solid, n_W: Array) -> float:
    """Greatest height of a solid along a unit vector [m]; infinity for one that is no hull."""
    if solid.kind != HULL:
        return np.inf
    return float((solid.vertices @ n_W).max()) + solid.radius


@njit
def _leave_out(rows: Indices, n_W: Array, normals: Array, gap: Array) -> None:
    """See ``FlushPieces.leave_out_sides``."""
    for row in rows:
        upright = row[3] * (normals[row[2]] * n_W).sum()
        if upright >= _UPRIGHT:
            continue
        depth = gap[row[4] : row[5]].min()
        for contact in range(row[0], row[1]):
            if depth <= gap[contact] <= 0.0:
                gap[contact] = np.inf
