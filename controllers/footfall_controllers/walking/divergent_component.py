"""Feedback of the capture point: by the zero-moment point, and by the place of the next step."""

from collections.abc import Sequence

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


def _turn(a: Sequence[float], b: Sequence[float], c: Sequence[float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def nearest_inside(hull: Array, point: Array) -> Array:
    """Return the point of a convex hull (m, 2), counter-clockwise, that is nearest to a point."""
    if len(hull) == 1:
        return hull[0]
    corners, to = hull.tolist(), point.tolist()
    sides = list(zip(corners, [*corners[1:], corners[0]], strict=True))
    if len(hull) > 2 and all(_turn(start, end, to) >= 0.0 for start, end in sides):
        return point
    feet = [_nearest_on(start, end, to) for start, end in sides]
    return np.array(min(feet, key=lambda foot: _squared(foot[0] - to[0], foot[1] - to[1])))


def _nearest_on(a: Sequence[float], b: Sequence[float], to: Sequence[float]) -> tuple[float, float]:
    """Point of the line from a to b that is nearest to a point."""
    x, y = b[0] - a[0], b[1] - a[1]
    share = ((to[0] - a[0]) * x + (to[1] - a[1]) * y) / _squared(x, y)
    share = min(max(share, 0.0), 1.0)
    return a[0] + share * x, a[1] + share * y


def _squared(x: float, y: float) -> float:
    return x * x + y * y


def shrunk(hull: Array, share: float) -> Array:
    """Return a hull that is smaller about its middle by a share."""
    middle = np.add.reduce(hull, axis=0) / len(hull)  # hull.mean(axis=0), in half the time
    return middle + (1.0 - share) * (hull - middle)


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
    shift = np.minimum(np.maximum(error * grows / (grows - 1.0), -room), room)
    return error * grows - shift * (grows - 1.0)
