"""Balance of a robot: zero-moment point, capture point, and margins to the support polygon.

Frames: W world (z up). The ground is the plane through W's origin with the normal n_W.
"""

import numpy as np
from scipy.spatial import ConvexHull, QhullError

from footfall.arrays import Array
from footfall.jit import njit


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
    return _margins(corners, points)


@njit
def _margins(corners: Array, points: Array) -> Array:
    """See ``margins``, of corners (m, 2) that are not those of a planar robot."""
    count = len(corners)
    found = np.empty(len(points))
    for k in range(len(points)):
        if np.isnan(points[k]).any():
            found[k] = np.nan
            continue
        nearest, inside = np.inf, count > 2
        for corner in range(count):
            a, b = corners[corner], corners[(corner + 1) % count]
            edge_x, edge_y = b[0] - a[0], b[1] - a[1]
            arm_x, arm_y = points[k, 0] - a[0], points[k, 1] - a[1]
            length = edge_x**2 + edge_y**2
            share = (arm_x * edge_x + arm_y * edge_y) / length if length > 0.0 else 0.0
            share = min(max(share, 0.0), 1.0)
            nearest = min(nearest, np.hypot(arm_x - share * edge_x, arm_y - share * edge_y))
            inside &= edge_x * arm_y - edge_y * arm_x >= 0.0
        found[k] = nearest if inside else -nearest
    return found
