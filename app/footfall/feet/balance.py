"""Balance of a robot: zero-moment point, capture point, support polygon, and margins to its edge.

Frames: W world (z up). The ground is the plane through W's origin with the normal n_W.
"""

import numpy as np
import xarray as xr
from scipy.spatial import ConvexHull, QhullError

from footfall.arrays import Array, Flags
from footfall.feet.gait import WINDOW, sample_rows, spread
from footfall.trajectory.contact_table import occurring


def zero_moment_point(force_W: Array, moment_W: Array, n_W: Array) -> Array:
    """Point of the ground plane about which ground forces have no moment along the plane, (N, 3).

    force_W (N, 3) [N], moment_W (N, 3) about W's origin [N m]: sums of the forces of the ground on
    the robot. NaN without a force along n_W. With all contacts in the plane it is the centre of
    pressure of the whole ground, and on level ground the zero-moment point (Vukobratovic & Borovac
    2004). Forces on contacts beside the plane, as on a step, count with their moments.
    """
    normal = force_W @ n_W
    with np.errstate(divide="ignore", invalid="ignore"):
        point: Array = np.cross(n_W, moment_W) / normal[:, None]
    point[~(normal > 0.0)] = np.nan
    return point


def below(p_W: Array, n_W: Array) -> Array:
    """Points of the ground plane straight below points (N, 3) [m]."""
    down = p_W.copy()
    down[:, 2] = -(p_W[:, :2] @ n_W[:2]) / n_W[2]
    return down


def capture_point(p_WCcm: Array, v_WCcm: Array, n_W: Array, gravity: float) -> Array:
    """Instantaneous capture point on the ground plane, (N, 3) [m] (Pratt et al. 2006).

    Below the centre of mass, moved along its horizontal velocity over omega = sqrt(g / height). NaN
    without gravity and for a centre of mass that is not above the ground.
    """
    height = p_WCcm[:, 2] - below(p_WCcm, n_W)[:, 2]
    time = np.full(len(height), np.nan)
    if gravity > 0.0:
        time[height > 0.0] = np.sqrt(height[height > 0.0] / gravity)
    ahead = p_WCcm.copy()
    ahead[:, :2] += time[:, None] * v_WCcm[:, :2]
    point = below(ahead, n_W)
    point[np.isnan(time)] = np.nan
    return point


def support_polygon(places: Array) -> Array:
    """Corners (m, 2) of the convex hull of places (k, 2), counter-clockwise.

    Two corners where all places lie on a line, one where they coincide.
    """
    if len(places) == 0:
        return np.zeros((0, 2))
    if len(places) > 2:
        try:
            return places[ConvexHull(places).vertices]
        except QhullError:  # all on a line
            pass
    direction = places[np.linalg.norm(places - places[0], axis=1).argmax()] - places[0]
    along = (places - places[0]) @ direction
    ends = places[[int(along.argmin()), int(along.argmax())]]
    return ends if (ends[0] != ends[1]).any() else ends[:1]


def margins(corners: Array, points: Array, *, planar: bool) -> Array:
    """Distances (k,) [m] of points (k, 2) to the edge of a polygon: positive inside, else negative.

    A line and a point have no inside; of a planar robot, whose polygon is a stretch of x, the
    inside of the stretch counts. NaN without a polygon.
    """
    if len(corners) == 0:
        return np.full(len(points), np.nan)
    if planar:
        low, high = corners[:, 0].min(), corners[:, 0].max()
        return np.minimum(points[:, 0] - low, high - points[:, 0])
    edge, arm = np.roll(corners, -1, axis=0) - corners, points[:, None] - corners
    square = (edge**2).sum(axis=1)
    share = np.clip((arm * edge).sum(axis=2) / np.where(square > 0.0, square, 1.0), 0.0, 1.0)
    away: Array = np.linalg.norm(arm - share[..., None] * edge, axis=2).min(axis=1)
    left = edge[:, 0] * arm[..., 1] - edge[:, 1] * arm[..., 0] >= 0.0
    inside = (len(corners) > 2) & left.all(axis=1)
    return np.where(inside, away, -away)


NEAR = 1e-3
"""m: a point of a standing foot with a smaller gap can bear a load, whether it does or not."""

_MOST_POLYGONS = 2_500  # of a run; between them margins are interpolated

SUPPORT_POINTS = {
    "centre of mass": "com",
    "zero-moment point": "zero_moment_point",
    "capture point": "capture_point",
}
"""Points whose margins are measured, with their variables."""


class Support:
    """Places that carry a robot, by row of a trajectory with its feet.

    Of feet in contact these are all points that bore a load in the last ``WINDOW``, or whose gap is
    at most ``NEAR``: which corners of a sole carry is up to a solver, as it is of a table with many
    legs. Of other links they are the points that bore a load.
    """

    def __init__(self, data: xr.Dataset) -> None:
        """Take what was recorded of the contacts with the ground."""
        there = occurring(data)
        own = there[data["ground_contact"].to_numpy()[there] == 1]
        data = data.isel(contact=own)
        impulse, gap = data["impulse"].isel(axis=0).to_numpy(), data["gap"].to_numpy()
        ever = np.flatnonzero((impulse > 0.0).any(axis=0) | (gap <= NEAR).any(axis=0))
        data, impulse, gap = data.isel(contact=ever), impulse[:, ever], gap[:, ever]
        feet = data["foot"].values.tolist()
        names = data["foot_of_contact"].values.tolist()
        self._foot = np.array([feet.index(name) if name else -1 for name in names], dtype=np.int64)
        self._time = data["time"].to_numpy()
        self._loaded = impulse > 0.0
        self._near = gap <= NEAR
        self._places = data["contact_point"].to_numpy()[:, :, :2]
        self._stands = data["foot_contact"].to_numpy() == 1

    def polygon(self, row: int) -> Array:
        """Corners (m, 2) of the support polygon in the horizontal plane [m]; see support_polygon.

        None while no foot is in contact and no other link bears a load.
        """
        since = int(np.searchsorted(self._time, self._time[row] - WINDOW, side="right"))
        loaded: Flags = np.any(self._loaded[min(since, row) : row + 1], axis=0)
        carries: Flags = loaded.copy()
        own = self._foot >= 0
        stands = self._stands[row, self._foot[own]]
        carries[own] = stands & (loaded[own] | self._near[row, own])
        places = self._places[row, carries]
        return support_polygon(places[np.isfinite(places).all(axis=1)])


def support_margins(data: xr.Dataset, *, planar: bool) -> Array:
    """Return the margins (N, points) [m] of ``SUPPORT_POINTS``, seen from above."""
    support = Support(data)
    points = np.stack([data[name].to_numpy()[:, :2] for name in SUPPORT_POINTS.values()], axis=1)
    rows = sample_rows(len(points), _MOST_POLYGONS)
    sampled = [margins(support.polygon(int(row)), points[row], planar=planar) for row in rows]
    return spread(np.array(sampled), rows, len(points))
