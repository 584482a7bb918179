"""Path of a swinging foot: least jerk to a place that may change, a lift that clears the ground.

The sole turns from the ground that it left to the ground that it lands on.
"""

import math

import numpy as np
from pydrake.common.eigen_geometry import AngleAxis
from pydrake.math import RotationMatrix

from footfall.arrays import Array
from footfall_controllers.walking.footholds import Foothold
from footfall_controllers.walking.footsteps import rotation
from footfall_controllers.walking.walking_ground import WalkingGround

HIGHEST = 0.4
"""Share of a swing at which the foot is highest."""

EARLY = 0.95
"""Share of a swing after which the foot is above its place, and turned as the ground is there."""

Motion = tuple[Array, Array, Array]
"""Position, velocity and acceleration."""

_HALF = 1e-6  # of twice the sine of a turn

_Powers = tuple[float, float, float, float, float]


def least_jerk(share: Array) -> Array:
    """Share of a way from rest to rest after shares of its time (n,), by the quintic."""
    return share**3 * (10.0 + share * (6.0 * share - 15.0))


def towards(start: Motion, goal: Array, left: float, time: float) -> Motion:
    """Motion a time [s] after a start, on the quintic that rests at the goal after left [s]."""
    if time >= left:
        return goal, np.zeros_like(goal), np.zeros_like(goal)
    lefts, times = _powers(left), _powers(time)
    # numbers one by one, which are two at most, are quicker than arrays of them
    each = zip(*(part.tolist() for part in (*start, goal)), strict=True)
    motions = [_on_quintic(p, v, a, end, lefts, times) for p, v, a, end in each]
    place, rate, acceleration = zip(*motions, strict=True)
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


_SAMPLES = np.linspace(0.1, 0.9, 33)  # of a swing; beyond, the foot is nearly where it stands
_GAP = 0.02  # m, over what is higher than the foot stood or will stand
_MOST = 0.4  # m


def clearing_height(
    ground: WalkingGround, sole: Array, ends: tuple[Foothold, Foothold], height: float, early: float
) -> float:
    """Return the lift of a swing over its higher end, by which the sole clears the ground [m].

    sole: its outline (n, 2) about its middle, in the axes of the walk. height: the least lift [m].
    early: share of the swing after which it is above its end.
    """
    if ground.flat:
        return height
    start, end = ends
    across = least_jerk(np.minimum(_SAMPLES / early, 1.0))
    places = start.place + across[:, None] * (end.place - start.place)
    off = sole @ rotation(end.heading).T
    below = places[:, None] + off
    tops = ground.heights(below.reshape(-1, 2)).reshape(len(_SAMPLES), -1)
    # the sole is inclined as the ground at both ends is, and in between in between
    first, last = (hold.normal[:2] / hold.normal[2] for hold in ends)
    slopes = first + across[:, None] * (last - first)
    tops = (tops + slopes @ off.T).max(axis=1)
    tops = np.max([tops, *_neighbours(tops)], axis=0)  # for what lies between two moments
    # a lift goes a share of the way from its end to its top: so high has that to be
    rising = _SAMPLES < HIGHEST
    share = np.where(rising, _SAMPLES / HIGHEST, (1.0 - _SAMPLES) / (1.0 - HIGHEST))
    foot = np.where(rising, start.height, end.height)
    above = tops - foot
    needed = above + np.clip(above, 0.0, _GAP)
    top = (foot + needed / least_jerk(share)).max()
    return float(np.clip(top - max(start.height, end.height), height, _MOST))


def _neighbours(values: Array) -> tuple[Array, Array]:
    """Values (n,) before and after each, the ends being their own."""
    return np.append(values[:1], values[:-1]), np.append(values[1:], values[-1:])


def turn_between(start: Array, end: Array, length: float, time: float) -> Motion:
    """Return axes (3, 3), their angular velocity and its rate (3,) a time [s] after a turn began.

    The turn is about one axis, from rest to rest by least jerk in a length of time [s].
    """
    rest, still = np.zeros(1), np.zeros(3)
    if time >= length or np.array_equal(start, end):
        return end, still, still
    angle, axis = _turn_of(end @ start.T)
    so_far, rate, acceleration = towards((rest, rest, rest), np.array([angle]), length, time)
    return _about(axis, so_far[0]) @ start, rate * axis, acceleration * axis


def _turn_of(R: Array) -> tuple[float, Array]:
    """Return the angle [rad] of a rotation, and its axis."""
    twice = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    size = math.sqrt(twice @ twice)
    if size < _HALF:  # none, or half a turn, which says nothing of its axis
        whole: AngleAxis = RotationMatrix(R).ToAngleAxis()
        return whole.angle(), whole.axis()
    return math.atan2(size, R[0, 0] + R[1, 1] + R[2, 2] - 1.0), twice / size


def _about(axis: Array, angle: float) -> Array:
    """Return the rotation (3, 3) by an angle [rad] about an axis, by Rodrigues' formula."""
    x, y, z = axis.tolist()
    s, c = math.sin(angle), 2.0 * math.sin(0.5 * angle) ** 2
    return np.array(
        [
            [1.0 - c * (y * y + z * z), c * x * y - s * z, c * x * z + s * y],
            [c * x * y + s * z, 1.0 - c * (x * x + z * z), c * y * z - s * x],
            [c * x * z - s * y, c * y * z + s * x, 1.0 - c * (x * x + y * y)],
        ]
    )
