"""Path of a swinging foot: least jerk to a place that may change, and a lift that ends at rest."""

import numpy as np

from footfall.arrays import Array

HIGHEST = 0.4
"""Share of a swing at which the foot is highest."""

EARLY = 0.95
"""Share of a swing after which the foot is above its place, and turned as the ground is there."""

Motion = tuple[Array, Array, Array]
"""Position, velocity and acceleration."""


def least_jerk(share: Array) -> Array:
    """Share of a way from rest to rest after shares of its time (n,), by the quintic."""
    found: Array = share**3 * (10.0 + share * (6.0 * share - 15.0))
    return found


def towards(start: Motion, goal: Array, left: float, time: float) -> Motion:
    """Motion a time [s] after a start, on the quintic that rests at the goal after left [s]."""
    if time >= left:
        return goal, np.zeros_like(goal), np.zeros_like(goal)
    p, v, a = start
    d = goal - p
    c3 = (20.0 * d - 12.0 * v * left - 3.0 * a * left**2) / (2.0 * left**3)
    c4 = (-30.0 * d + 16.0 * v * left + 3.0 * a * left**2) / (2.0 * left**4)
    c5 = (12.0 * d - 6.0 * v * left - a * left**2) / (2.0 * left**5)
    t = time
    return (
        p + v * t + 0.5 * a * t**2 + c3 * t**3 + c4 * t**4 + c5 * t**5,
        v + a * t + 3.0 * c3 * t**2 + 4.0 * c4 * t**3 + 5.0 * c5 * t**4,
        a + 6.0 * c3 * t + 12.0 * c4 * t**2 + 20.0 * c5 * t**3,
    )


def lift(start: float, end: float, height: float, time: float, length: float) -> Motion:
    """Vertical motion of a swing: up by a height above the higher end, down, at rest at both."""
    top, up = max(start, end) + height, HIGHEST * length
    rest = np.zeros(1)
    ends = (start, top, up, time) if time < up else (top, end, length - up, time - up)
    a, b, span, t = ends
    return towards((np.array([a]), rest, rest), np.array([b]), span, t)
