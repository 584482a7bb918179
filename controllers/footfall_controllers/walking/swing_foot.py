"""Path of a swinging foot: least jerk to a place that may change, and a lift that ends at rest."""

import numpy as np

from footfall.arrays import Array

HIGHEST = 0.4
"""Share of a swing at which the foot is highest."""

EARLY = 0.95
"""Share of a swing after which the foot is above its place, and turned as the ground is there."""

Motion = tuple[Array, Array, Array]
"""Position, velocity and acceleration."""

_Powers = tuple[float, float, float, float, float]


def least_jerk(share: Array) -> Array:
    """Share of a way from rest to rest after shares of its time (n,), by the quintic."""
    found: Array = share**3 * (10.0 + share * (6.0 * share - 15.0))
    return found


def towards(start: Motion, goal: Array, left: float, time: float) -> Motion:
    """Motion a time [s] after a start, on the quintic that rests at the goal after left [s]."""
    if time >= left:
        return goal, np.zeros_like(goal), np.zeros_like(goal)
    lefts, times = _powers(left), _powers(time)
    # numbers one by one, which are two at most, are quicker than arrays of them
    each = zip(*(part.tolist() for part in (*start, goal)), strict=True)
    found = [_on_quintic(p, v, a, end, lefts, times) for p, v, a, end in each]
    place, rate, acceleration = zip(*found, strict=True)
    return np.array(place), np.array(rate), np.array(acceleration)


def _powers(x: float) -> _Powers:
    return x, x**2, x**3, x**4, x**5


def _on_quintic(
    p: float, v: float, a: float, goal: float, left: _Powers, t: _Powers
) -> tuple[float, float, float]:
    """Motion of one number on the quintic of `towards`, from the powers of both times."""
    d = goal - p
    c3 = (20.0 * d - 12.0 * v * left[0] - 3.0 * a * left[1]) / (2.0 * left[2])
    c4 = (-30.0 * d + 16.0 * v * left[0] + 3.0 * a * left[1]) / (2.0 * left[3])
    c5 = (12.0 * d - 6.0 * v * left[0] - a * left[1]) / (2.0 * left[4])
    return (
        p + v * t[0] + 0.5 * a * t[1] + c3 * t[2] + c4 * t[3] + c5 * t[4],
        v + a * t[0] + 3.0 * c3 * t[1] + 4.0 * c4 * t[2] + 5.0 * c5 * t[3],
        a + 6.0 * c3 * t[0] + 12.0 * c4 * t[1] + 20.0 * c5 * t[2],
    )


def lift(start: float, end: float, height: float, time: float, length: float) -> Motion:
    """Vertical motion of a swing: up by a height above the higher end, down, at rest at both."""
    top, up = max(start, end) + height, HIGHEST * length
    rest = np.zeros(1)
    ends = (start, top, up, time) if time < up else (top, end, length - up, time - up)
    a, b, span, t = ends
    return towards((np.array([a]), rest, rest), np.array([b]), span, t)
