"""Gaps and places of the points that may touch the ground, by a compiled kernel.

Frames: W world, T terrain, S the body of a shape, B its link, G the shape itself, C contact.
"""

from collections.abc import Sequence

import numpy as np
from pydrake.math import RigidTransform

from footfall.arrays import Array, Indices
from footfall.jit import njit
from footfall.plants.contacts.contact_set import GroundShape
from footfall.plants.contacts.shapes import find_supports
from footfall.plants.kinematics import Kinematics


class GroundPoints:
    """The points of all shapes on the ground, as tables that a kernel reads.

    links (n,): the link of every point.
    """

    def __init__(
        self, shapes: Sequence[GroundShape], kinematics: Kinematics, X_WT: RigidTransform
    ) -> None:
        """Take the shapes, and the pose of the terrain."""
        count = sum(len(shape.points) for shape in shapes)
        self.links = np.zeros(count, dtype=np.int64)
        self._n_W = np.ascontiguousarray(X_WT.rotation().matrix()[:, 2])
        self._level = float(self._n_W @ X_WT.translation())
        self._p_BC = np.zeros((count, 3))  # scratch where a point moves over its shape
        self._radius = np.zeros(count)
        round_shapes = [shape for shape in shapes if shape.points.num_moving > 0]
        self._moving = np.zeros((len(round_shapes), 2), dtype=np.int64)  # first point, how many
        self._semi_axes = np.zeros((len(round_shapes), 3))
        self._X_BG = np.zeros((len(round_shapes), 3, 4))
        for shape in shapes:
            X_BS = kinematics.within(shape.body.body_frame())
            places = slice(shape.first, shape.first + len(shape.points))
            self.links[places] = kinematics.link_of(shape.body)
            self._radius[places] = shape.points.radius
            for k, p_SC in enumerate(shape.points.fixed, start=shape.first):
                self._p_BC[k] = X_BS.multiply(p_SC)
        for i, shape in enumerate(round_shapes):
            X_BG = kinematics.within(shape.body.body_frame()) @ shape.points.X_BG
            moving = shape.points.num_moving
            self._moving[i] = shape.first + len(shape.points) - moving, moving
            self._semi_axes[i], self._X_BG[i] = shape.points.semi_axes, X_BG.GetAsMatrix34()

    def measure(self, poses: Array, count: int) -> tuple[Array, Array]:
        """Gaps (count,) [m] of contacts and the places (count, 3) where they would touch, in W [m].

        poses: of the links. The gap is the height of a point over the ground less its radius. Only
        the points of this object, which come first, are measured; the rest is infinity and NaN.
        """
        return _measure(
            count,
            poses,
            self.links,
            self._p_BC,
            self._radius,
            self._moving,
            self._semi_axes,
            self._X_BG,
            self._n_W,
            self._level,
        )


@njit
def _measure(
    count: int,
    poses: Array,
    links: Indices,
    p_BC: Array,
    radius: Array,
    moving: Indices,
    semi_axes: Array,
    X_BG: Array,
    n_W: Array,
    level: float,
) -> tuple[Array, Array]:
    """See ``GroundPoints.measure``."""
    gap, p_WC = np.full(count, np.inf), np.full((count, 3), np.nan)
    for i in range(moving.shape[0]):
        first = moving[i, 0]
        X_WB = poses[links[first]]
        down_G = np.zeros(3)
        for j in range(3):
            down_B = 0.0
            for k in range(3):
                down_B -= X_WB[k, j] * n_W[k]
            for k in range(3):
                down_G[k] += X_BG[i, j, k] * down_B
        supports = p_BC[first : first + moving[i, 1]]
        find_supports(semi_axes[i], down_G, X_BG[i], supports)
    for c in range(links.shape[0]):
        X_WB = poses[links[c]]
        height = -level - radius[c]
        for i in range(3):
            p = X_WB[i, 3]
            for k in range(3):
                p += X_WB[i, k] * p_BC[c, k]
            height += n_W[i] * p
            p_WC[c, i] = p - radius[c] * n_W[i]
        gap[c] = height
    return gap, p_WC
