"""Support polygon: the hull of what a machine stands on, as a thin plate on the ground.

Frames: W world, T terrain (z its normal).
"""

import numpy as np
import numpy.typing as npt
from pydrake.geometry import Meshcat, Rgba

from footfall.arrays import Array
from footfall.feet.balance import support_polygon
from footfall.plants.loading.load import Model
from footfall.show.arrows import force_scale

COLOUR = Rgba(0.94, 0.89, 0.26, 0.6)
_LIFT, _WIDTH = 0.012, 0.02  # over the length of one weight
_LEAST = 1e-3  # weights: what bears less does not count
_MOVED = 1e-3  # of the length of one weight: less is not drawn anew


class SupportPolygon:
    """The hull of the contacts that press the ground, at a Meshcat path."""

    def __init__(self, meshcat: Meshcat, path: str, model: Model) -> None:
        """Nothing is drawn before ``draw``."""
        self._meshcat, self._path = meshcat, path
        self._scale = force_scale(model)
        self._X_WT = model.spec.terrain.X_WTerrain()
        self._pressed = np.zeros((0, 3))  # p_TC of what was drawn

    def draw(self, p_WC: Array, normal_force: Array) -> None:
        """Draw it for normal forces (n,) [N] of the ground at points (n, 3) [m]."""
        pressed = normal_force > _LEAST * self._scale.weight
        p_TC = self._X_WT.inverse().multiply(p_WC[pressed].T).T.reshape(-1, 3)
        if len(p_TC) == len(self._pressed) and (
            np.abs(p_TC - self._pressed).max(initial=0.0) < _MOVED * self._scale.length
        ):
            return
        self._pressed = p_TC
        outline = _outline(p_TC, _WIDTH * self._scale.length)
        if len(outline) == 0:
            self._meshcat.Delete(self._path)
            return
        lifted = outline + np.array([0.0, 0.0, _LIFT * self._scale.length])
        vertices = np.asarray(self._X_WT.multiply(lifted.T))
        self._meshcat.SetTriangleMesh(self._path, vertices, _fan(len(outline)).T, COLOUR)


def _outline(p_TC: Array, width: float) -> Array:
    """Corners (m, 3) of the hull in T; of a line, a strip of a width; of a point, a square [m]."""
    corners = support_polygon(p_TC[:, :2])
    if len(corners) == 0:
        return np.zeros((0, 3))
    if len(corners) < 3:
        along = corners[-1] - corners[0]
        length = float(np.hypot(*along))
        along = along / length if length > 0.0 else np.array([1.0, 0.0])
        aside = 0.5 * width * np.array([-along[1], along[0]])
        ahead = 0.5 * width * along if length == 0.0 else np.zeros(2)
        first, last = corners[0] - ahead, corners[-1] + ahead
        corners = np.array([first - aside, last - aside, last + aside, first + aside])
    return np.column_stack((corners, np.full(len(corners), float(p_TC[:, 2].mean()))))


def _fan(count: int) -> npt.NDArray[np.int32]:
    """Triangles (count - 2, 3) of a convex polygon."""
    later = np.arange(1, count - 1)
    return np.column_stack((np.zeros_like(later), later, later + 1)).astype(np.int32)
