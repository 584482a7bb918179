"""Blocks on a slope that rest, or slide and stop, turn, or are pushed across it.

Coordinates: x down the slope, y across it, z its normal (the frame "terrain").
"""

import math

import numpy as np

from footfall.arrays import Array
from footfall.textbook.incline import Across, Straight
from footfall.trajectory import Trajectory
from footfall.verify.case import Measured, case
from footfall.verify.observables import (
    falls_below,
    largest_angular_velocity,
    last_position,
    last_velocity,
    position,
    position_of,
    times,
    velocity,
    velocity_of,
)

G = 9.81  # m/s^2
ALPHA = math.radians(20.0)
HAIR = 1e-6  # how far friction is from tan(alpha), relative to it
ABOVE, BELOW = math.tan(ALPHA) * (1.0 + HAIR), math.tan(ALPHA) * (1.0 - HAIR)

HANGS = Straight(ALPHA, BELOW, G, v0=0.0)
GOES = Straight(ALPHA, 0.3, G, v0=0.1)
CLIMBS = Straight(ALPHA, 0.3, G, v0=1.005)

_STEPS = (8e-3, 4e-3, 2e-3, 1e-3)
_DT = _STEPS[-1]
_END = 0.64  # s: when three blocks have done what they do

THRESHOLD = case(
    "incline_threshold",
    _STEPS,
    {
        "way of the block that sticks": (0.0, last_position("sticks_block_x"), 1e-12),
        "way of the block that slides": (
            float(HANGS.slid_down(np.array(1.0))),
            last_position("slides_block_x"),
            1e-14,
        ),
    },
    position_of("slides_block_x"),
    HANGS.slid_down,
)

HOLD = case(
    "incline_hold",
    _STEPS,
    {
        "highest place of the block sent up, at the end": (
            -CLIMBS.turn_distance,
            last_position("climbs_block_x"),
            CLIMBS.deceleration_upwards * _DT**2 / 8.0,
        ),
        "way of the block that rests": (0.0, last_position("rests_block_x"), 1e-12),
        "way of the block that slides": (
            float(GOES.slid_down(np.array(_END))),
            last_position("goes_block_x"),
            1e-10,
        ),
    },
    position_of("climbs_block_x"),
    lambda t: CLIMBS.slid_up(t, holds=True),
)


STOPS = Straight(ALPHA, 0.6, G, v0=1.0)
RETURNS = Straight(ALPHA, 0.2, G, v0=1.5)
ACROSS = Across(ALPHA, 0.55, G, v0=1.0)

_SLOW = 1e-2  # m/s: slower than this it is as good as stopped, also where friction creeps
_SLIDING_STEPS = (8e-3, 4e-3, 2e-3, 1e-3, 5e-4)
_FINEST = _SLIDING_STEPS[-1]


def _speed(trajectory: Trajectory) -> Array:
    speed: Array = np.hypot(velocity(trajectory, "block_vx"), velocity(trajectory, "block_vy"))
    return speed


def _speed_at_45_degrees(trajectory: Trajectory) -> float:
    """Speed [m/s] at the first time at which the block moves as much down as across."""
    down, across = velocity(trajectory, "block_vx"), velocity(trajectory, "block_vy")
    after = int(np.flatnonzero(down >= across)[0])
    less = down - across
    share = less[after - 1] / (less[after - 1] - less[after])
    speed = _speed(trajectory)
    return float(speed[after - 1] + share * (speed[after] - speed[after - 1]))


def _back(trajectory: Trajectory) -> tuple[float, float]:
    """Time [s] and speed [m/s] at which the block that slid up passes its start again."""
    t, x, v = times(trajectory), position(trajectory, "block_x"), velocity(trajectory, "block_vx")
    before = int(np.flatnonzero((x[:-1] < 0.0) & (x[1:] >= 0.0))[-1])
    share = x[before] / (x[before] - x[before + 1])
    return tuple(a[before] + share * (a[before + 1] - a[before]) for a in (t, v))


def _spin(body: str, tolerance: float = 1e-9) -> dict[str, Measured]:
    """Angular velocity of a body that only slides."""
    return {"largest angular velocity": (0.0, largest_angular_velocity(body), tolerance)}


STOP = case(
    "incline_stop",
    _SLIDING_STEPS,
    {
        "way until it rests": (
            STOPS.stop_distance,
            last_position("box_x"),
            abs(STOPS.acceleration) * _FINEST**2 / 8.0,
        ),
        "time at which it is slower than 1 cm/s": (
            STOPS.stop_time + _SLOW / STOPS.acceleration,
            falls_below(_SLOW, lambda trajectory: np.abs(velocity(trajectory, "box_vx"))),
            1e-10,
        ),
        "speed at the end": (0.0, last_velocity("box_vx"), 1e-12),
        **_spin("box"),
    },
    velocity_of("box_vx"),
    lambda t: np.maximum(STOPS.v0 + STOPS.acceleration * t, 0.0),
)

RETURN = case(
    "incline_return",
    _SLIDING_STEPS,
    {
        "highest place": (
            -RETURNS.turn_distance,
            lambda trajectory: float(position(trajectory, "block_x").min()),
            RETURNS.deceleration_upwards * _FINEST**2,
        ),
        "speed when it is back": (
            RETURNS.return_speed,
            lambda trajectory: _back(trajectory)[1],
            RETURNS.deceleration_upwards * _FINEST**2,
        ),
        "time when it is back": (
            RETURNS.return_time,
            lambda trajectory: _back(trajectory)[0],
            _FINEST,
        ),
        **_spin("block"),
    },
    position_of("block_x"),
    RETURNS.slid_up,
)

CURVED = case(
    "incline_across",
    _SLIDING_STEPS,
    {
        "way down the slope": (ACROSS.stop_place[0], last_position("block_x"), ACROSS.v0 * _FINEST),
        "way across the slope": (
            ACROSS.stop_place[1],
            last_position("block_y"),
            ACROSS.v0 * _FINEST,
        ),
        "speed while it moves at 45°": (
            ACROSS.speed(math.pi / 4.0),
            _speed_at_45_degrees,
            G * ACROSS.mu * _FINEST,
        ),
        "time at which it is slower than 1 cm/s": (
            ACROSS.slow_time(_SLOW),
            falls_below(_SLOW, _speed),
            _FINEST,
        ),
        **_spin("block", 1e-8),
    },
    velocity_of("block_vx"),
    lambda t: ACROSS.velocity(t)[:, 0],
)

CASES = (THRESHOLD, HOLD, STOP, RETURN, CURVED)
