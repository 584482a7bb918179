"""Centre of pressure with the force of the whole ground, and support polygon of what stands there.

Frames: W world, T terrain (z its normal). The moments of all forces of the ground have none along
it about their centre of pressure, which on level ground is the zero-moment point.
"""

import numpy as np
import numpy.typing as npt
from pydrake.geometry import Cylinder, Meshcat, Rgba
from pydrake.math import RigidTransform, RotationMatrix

from footfall.arrays import Array
from footfall.feet.balance import support_polygon
from footfall.plants.loading.load import Model
from footfall.show.forces import Arrow, force_scale

PRESSURE_COLOUR = Rgba(0.84, 0.15, 0.16)
_RADIUS, _THICK = 0.07, 0.01  # over the length of one weight
_LEAST = 0.05  # weights: less does not tell where it acts


def centre_of_pressure(p_WC: Array, force_W: Array, normal_W: Array) -> Array:
    """Return the point of the plane through the origin with a normal (3,) where forces act [m].

    p_WC, force_W: points and forces (n, 3). NaN where they do not push together.
    """
    push = float(normal_W @ force_W.sum(axis=0))
    if not push > 0.0:
        return np.full(3, np.nan)
    share = p_WC.T @ force_W  # of each place in each force
    m_x, m_y, m_z = share[1, 2] - share[2, 1], share[2, 0] - share[0, 2], share[0, 1] - share[1, 0]
    x, y, z = normal_W
    return np.array([y * m_z - z * m_y, z * m_x - x * m_z, x * m_y - y * m_x]) / push


class PressureCentre:
    """A disc on the ground at the centre of pressure, with the force of the whole ground."""

    def __init__(self, meshcat: Meshcat, path: str, model: Model) -> None:
        """Put disc and arrow into Meshcat, hidden."""
        self._meshcat, self._disc = meshcat, f"{path}/disc"
        self._scale = force_scale(model)
        self._R_WT: RotationMatrix = model.spec.terrain.X_WTerrain().rotation()
        disc = Cylinder(_RADIUS * self._scale.length, _THICK * self._scale.length)
        meshcat.SetObject(self._disc, disc, PRESSURE_COLOUR)
        meshcat.SetProperty(self._disc, "visible", value=False)
        self._arrow = Arrow(meshcat, f"{path}/force", PRESSURE_COLOUR, self._scale)

    def draw(self, p_WC: Array, force_W: Array, time: float | None = None) -> None:
        """Draw for forces (n, 3) [N] of the ground at points (n, 3) [m]; time: of a recording [s].

        Nothing is drawn where hardly anything pushes.
        """
        normal = self._R_WT.matrix()[:, 2]
        total = force_W.sum(axis=0)
        shown = float(normal @ total) > _LEAST * self._scale.weight
        self._meshcat.SetProperty(self._disc, "visible", shown, time)
        if not shown:
            self._arrow.draw(np.zeros(3), (0.0, 0.0, 0.0), time)
            return
        place = centre_of_pressure(p_WC, force_W, normal)
        self._meshcat.SetTransform(self._disc, RigidTransform(self._R_WT, place), time)
        self._arrow.draw(place, total.tolist(), time)


SUPPORT_COLOUR = Rgba(0.94, 0.89, 0.26, 0.6)
_LIFT, _WIDTH = 0.012, 0.02  # over the length of one weight
_BEARS = 1e-3  # weights: what bears less does not count
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
        pressed = normal_force > _BEARS * self._scale.weight
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
        self._meshcat.SetTriangleMesh(self._path, vertices, _fan(len(outline)).T, SUPPORT_COLOUR)


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
