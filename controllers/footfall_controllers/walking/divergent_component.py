"""Feedback of the capture point: by the zero-moment point, and by the place of the next step."""

import numpy as np

from footfall.arrays import Array


def convex_hull(points: Array) -> Array:
    """Corners (m, 2) of the hull of points (n, 2), counter-clockwise; two for points on a line."""
    # points within a nanometre are one
    ordered = sorted({(round(float(x), 9), round(float(y), 9)) for x, y in points})
    if len(ordered) < 3:
        return np.array(ordered)
    sides: list[list[tuple[float, float]]] = []
    for row in (ordered, ordered[::-1]):
        side: list[tuple[float, float]] = []
        for p in row:
            while len(side) > 1 and _turn(side[-2], side[-1], p) <= 0.0:
                side.pop()
            side.append(p)
        sides.append(side[:-1])
    return np.array(sides[0] + sides[1])


def _turn(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def nearest_inside(hull: Array, point: Array) -> Array:
    """Return the point of a convex hull (m, 2), counter-clockwise, that is nearest to a point."""
    if len(hull) == 1:
        return hull[0]
    ahead = np.roll(hull, -1, axis=0) - hull
    to = point - hull
    if len(hull) > 2 and (ahead[:, 0] * to[:, 1] - ahead[:, 1] * to[:, 0] >= 0.0).all():
        return point
    share = np.clip((to * ahead).sum(axis=1) / (ahead**2).sum(axis=1), 0.0, 1.0)
    feet = hull + share[:, None] * ahead
    nearest: Array = feet[((feet - point) ** 2).sum(axis=1).argmin()]
    return nearest


def shrunk(hull: Array, share: float) -> Array:
    """Return a hull that is smaller about its middle by a share."""
    middle = hull.mean(axis=0)
    smaller: Array = middle + (1.0 - share) * (hull - middle)
    return smaller


def zero_moment_point(error: Array, zmp: Array, gain: float, w: float) -> Array:
    """Return the zero-moment point that lets an error of the capture point decay at a gain [1/s].

    x' - x_r' = w (x - z) - w (x_r - z_r) = -gain (x - x_r).
    """
    return zmp + (1.0 + gain / w) * error


def step_shift(error: Array, room: Array, left: float, w: float) -> Array:
    """Return the shift of the next step (2,) [m] that an error of the capture point asks for.

    room: largest shift of the zero-moment point (2,) [m] for the rest of the step; left: that
    rest [s]. What a constant shift of the zero-moment point cannot take out of the error at the
    step's end, error e^(w left) - shift (e^(w left) - 1), the foot has to follow.
    """
    grows = np.exp(w * left)
    shift = np.clip(error * grows / (grows - 1.0), -room, room)
    left_over: Array = error * grows - shift * (grows - 1.0)
    return left_over
