"""Axes [n, t, s] of contacts about their normals.

Frames: W world, T terrain, C contact. n points to the machine, or to body a of a pair. On the
ground [n, t, s] are T's [z, x, y].
"""

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import Context

from footfall.arrays import Array
from footfall.jit import njit
from footfall.plants.terrain import FRAME_NAME

_SIDEWAYS = 0.9  # cosine to the terrain's y, beyond which a normal has its s elsewhere


class ContactAxes:
    """Axes of contacts with a terrain, or between bodies.

    R_WT (3, 3). planar: whether s has no part in a normal, as in a plane.
    """

    def __init__(self, plant: MultibodyPlant, context: Context, *, planar: bool) -> None:
        """Read how the terrain of a plant lies."""
        X_WT = plant.GetFrameByName(FRAME_NAME).CalcPoseInWorld(context)
        self.R_WT: Array = np.ascontiguousarray(X_WT.rotation().matrix())
        self.planar = planar

    def about(self, n_W: Array) -> Array:
        """Axes about a normal as columns in W, (3, 3); s is T's y where the normal allows it."""
        axes: Array = axes_about(n_W, self.R_WT, self.planar).T
        return axes

    def about_each(self, normals_W: Array) -> Array:
        """Axes about each of some normals, (k, 3, 3); zero where a normal is."""
        return axes_about_each(normals_W, self.R_WT, self.planar)

    def on_ground(self) -> Array:
        """Axes of a contact with the ground as columns in W, (3, 3)."""
        return self.about(self.R_WT[:, 2])


def axes_in_terrain(normals_W: Array, R_WT: Array) -> Array:
    """Axes [n, t, s] as columns in W about reported normals, (k, 3, 3); R_WT: of the terrain."""
    return axes_about_each(np.nan_to_num(normals_W), np.ascontiguousarray(R_WT), False)


@njit
def axes_about_each(normals_W: Array, R_WT: Array, planar: bool) -> Array:
    """See ``ContactAxes.about_each``."""
    axes = np.zeros((normals_W.shape[0], 3, 3))
    for k in range(normals_W.shape[0]):
        axes[k] = axes_about(normals_W[k], R_WT, planar).T
    return axes


@njit
def axes_about(n_W: Array, R_WT: Array, planar: bool) -> Array:
    """Rows n, t, s in W; zeros for a normal of length zero."""
    axes = np.zeros((3, 3))
    n, t, s = axes[0], axes[1], axes[2]
    share = n_W[0] * R_WT[0, 1] + n_W[1] * R_WT[1, 1] + n_W[2] * R_WT[2, 1]
    for i in range(3):
        n[i] = n_W[i] - (share * R_WT[i, 1] if planar else 0.0)
    if not _normalise(n):
        return axes
    side = R_WT[:, 1 if planar or abs(share) < _SIDEWAYS else 0]
    _cross(side, n, t)
    _normalise(t)
    _cross(n, t, s)
    return axes


@njit
def _cross(a: Array, b: Array, out: Array) -> None:
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        out[i] = a[j] * b[k] - a[k] * b[j]


@njit
def _normalise(vector: Array) -> bool:
    """Bring a vector to length one; False where it has none."""
    length = np.sqrt(vector[0] ** 2 + vector[1] ** 2 + vector[2] ** 2)
    if length == 0.0:
        return False
    for i in range(3):
        vector[i] /= length
    return True
