"""Blocks on a slope that rest, or slide and stop, turn, or are pushed across it.

Coordinates: x down the slope, y across it, z its normal (the frame "terrain").
"""

import math

import numpy as np

from footfall.arrays import Array
from footfall.textbook.incline import Across, Straight
from footfall.trajectory import Trajectory
from footfall.verify.case import Case, CaseCurve, Quantity, quantity
from footfall.verify.observables import (
    falls_below,
    largest_angular_velocity,
    last_position,
    last_velocity,
    position,
    position_curve,
    times,
    velocity,
    velocity_curve,
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
_TEXTBOOK = "any text on mechanics; footfall.textbook.incline"

THRESHOLD = Case(
    name="incline_threshold",
    title="Sticking or sliding, decided by a millionth of friction",
    statement=(
        "A block rests on a slope of α = 20° if and only if µ ≥ tan α. Two free blocks stand on it "
        "with four feet each, one with µ = tan α (1 + 10⁻⁶), one with µ = tan α (1 − 10⁻⁶). The "
        "first must not move at all, the second has to slide with the acceleration g sin α · 10⁻⁶, "
        "which is 1.7 µm in the first second."
    ),
    source=_TEXTBOOK,
    scenario="verify/incline_threshold",
    steps=_STEPS,
    quantities=(
        quantity(
            "way of the block that sticks",
            "m",
            0.0,
            last_position("sticks_block_x"),
            1e-12,
            "rounding of the contact problem, which is solved exactly",
        ),
        quantity(
            "way of the block that slides",
            "m",
            float(HANGS.slid_down(np.array(1.0))),
            last_position("slides_block_x"),
            1e-14,
            "rounding: 10^(−16) of friction is 10^(−10) of what it leaves of gravity",
        ),
    ),
    curve=CaseCurve(
        "way of the block that slides (m)", position_curve("slides_block_x"), HANGS.slid_down
    ),
    drake_note=(
        "Regularised friction has no threshold: a block that sticks creeps. After a second at the "
        "finest step both blocks have crept 2 to 4 µm with sap and 3 to 4 mm with lagged and "
        "similar; with sap and lagged it is more at larger steps."
    ),
)

HOLD = Case(
    name="incline_hold",
    title="Static friction holds what kinetic friction would not",
    statement=(
        "Three blocks on a slope with µ_(k) = 0.3 < tan α < µ_(s) = 0.45. The first rests and "
        "stays. The second is given 0.1 m/s downwards and slides on, with g(sin α − µ_(k) cos α). "
        "The third is sent up with v₀ = 1.005 m/s, climbs by v₀²/(2g(sin α + µ_(k) cos α)), and "
        "stays where it stops: at that instant it does not slide, and static friction holds it. "
        "The instant lies within a step, whose beginning knows nothing of it."
    ),
    source=_TEXTBOOK,
    scenario="verify/incline_hold",
    steps=_STEPS,
    quantities=(
        quantity(
            "highest place of the block sent up, at the end",
            "m",
            -CLIMBS.turn_distance,
            last_position("climbs_block_x"),
            CLIMBS.deceleration_upwards * _DT**2 / 8.0,
            "it stops at the end of a step: a dt²/8 at most",
            order=2.0,
        ),
        quantity(
            "way of the block that rests",
            "m",
            0.0,
            last_position("rests_block_x"),
            1e-12,
            "rounding of the contact problem, which is solved exactly",
        ),
        quantity(
            "way of the block that slides",
            "m",
            float(GOES.slid_down(np.array(_END))),
            last_position("goes_block_x"),
            1e-10,
            "rounding: constant acceleration is integrated exactly",
        ),
    ),
    curve=CaseCurve(
        "way of the block sent up (m)",
        position_curve("climbs_block_x"),
        lambda t: CLIMBS.slid_up(t, holds=True),
    ),
    drake_note=(
        "Drake's discrete contact knows only the kinetic coefficient: the block that should rest "
        "slides 0.12 m, and the one that should stay above slides back, 0.07 m in the time."
    ),
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


_AHEAD = "friction takes the direction of the velocity at the end of a step, dt/2 ahead"


def _spin(body: str, tolerance: float = 1e-9) -> Quantity:
    """Angular velocity of a body that only slides."""
    reason = "the solver's residual of 10^(−10), times the steps"
    measure = largest_angular_velocity(body)
    return quantity("largest angular velocity", "rad/s", 0.0, measure, tolerance, reason)


STOP = Case(
    name="incline_stop",
    title="A box slides down a slope and stops",
    statement=(
        "A box, free in space and touching with its corners, is pushed down a slope of α = 20° "
        "with v₀ = 1 m/s. Friction of µ = 0.6 > tan α stops it after T = v₀/(g(µ cos α − sin α)) "
        "and a way of v₀T/2, and from then on it rests. The loads of the corners are statically "
        "indeterminate, the motion is not."
    ),
    source=_TEXTBOOK,
    scenario="verify/incline_stop",
    steps=_SLIDING_STEPS,
    quantities=(
        quantity(
            "way until it rests",
            "m",
            STOPS.stop_distance,
            last_position("box_x"),
            abs(STOPS.acceleration) * _FINEST**2 / 8.0,
            "constant deceleration is integrated exactly, but the stop comes at the end of a step: "
            "a dt²/8 at most",
            order=2.0,
        ),
        quantity(
            "time at which it is slower than 1 cm/s",
            "s",
            STOPS.stop_time + _SLOW / STOPS.acceleration,
            falls_below(_SLOW, lambda trajectory: np.abs(velocity(trajectory, "box_vx"))),
            1e-10,
            "rounding, for the deceleration is constant until the last step",
        ),
        quantity(
            "speed at the end",
            "m/s",
            0.0,
            last_velocity("box_vx"),
            1e-12,
            "rounding: set-valued friction holds it at rest",
        ),
        _spin("box"),
    ),
    curve=CaseCurve(
        "velocity down the slope (m/s)",
        velocity_curve("box_vx"),
        lambda t: np.maximum(STOPS.v0 + STOPS.acceleration * t, 0.0),
    ),
    drake_note=(
        "Drake's point contact lets a box touch a plane in one point at a time, its deepest "
        "corner, so that it rattles where it should slide; that is no matter of friction. The "
        "problems with a block on four feet tell about its friction."
    ),
)

RETURN = Case(
    name="incline_return",
    title="A block slides up a slope, turns and comes back",
    statement=(
        "A block is pushed up a slope of α = 20° with v₀ = 1.5 m/s, and friction of µ = 0.2 < "
        "tan α cannot hold it. It climbs by v₀²/(2g(sin α + µ cos α)), friction changes its sign, "
        "and it is back with the speed v₀ √((tan α − µ)/(tan α + µ))."
    ),
    source=_TEXTBOOK,
    scenario="verify/incline_return",
    steps=_SLIDING_STEPS,
    quantities=(
        quantity(
            "highest place",
            "m",
            -RETURNS.turn_distance,
            lambda trajectory: float(position(trajectory, "block_x").min()),
            RETURNS.deceleration_upwards * _FINEST**2,
            "friction keeps one sign, or sticks, for all of the step in which it turns",
        ),
        quantity(
            "speed when it is back",
            "m/s",
            RETURNS.return_speed,
            lambda trajectory: _back(trajectory)[1],
            RETURNS.deceleration_upwards * _FINEST**2,
            "the height that is lost or won in the step in which it turns",
        ),
        quantity(
            "time when it is back",
            "s",
            RETURNS.return_time,
            lambda trajectory: _back(trajectory)[0],
            _FINEST,
            "the step in which it turns is a step with another friction",
        ),
        _spin("block"),
    ),
    curve=CaseCurve("way down the slope (m)", position_curve("block_x"), RETURNS.slid_up),
    drake_note=(
        "Drake's errors of place shrink in proportion to the step. With sap the block trembles on "
        "its feet while it slides, with about 2 rad/s at every step, and with similar less as the "
        "step shrinks; their speeds are a few mm/s off at the finest."
    ),
)

CURVED = Case(
    name="incline_across",
    title="A block pushed across a slope: friction in two dimensions",
    statement=(
        "A block is pushed across a slope of α = 20° with v₀ = 1 m/s; µ = 0.55 > tan α. Friction "
        "is against the velocity, gravity is not, so that it curves down: with φ the angle of the "
        "velocity from the line of fall, u = tan(φ/2) and κ = µ/tan α, the speed is "
        "v = ½v₀ u^(κ−1) (1 + u²), and it stops, moving straight down, at the time "
        "v₀κ/(g sin α (κ² − 1)) in x = v₀²/(4g sin α (κ² − 1)), y = 2κv₀²/(g sin α (4κ² − 1)). "
        "With a pyramid in place of Coulomb's cone it would take another path."
    ),
    source=(
        "C. and A. Aghamohammadi, Slipping and rolling on an inclined plane, European Journal of "
        "Physics 32 (2011) 1049, section II; for µ = tan α I. E. Irodov, Problems in General "
        "Physics, 1.106"
    ),
    scenario="verify/incline_across",
    steps=_SLIDING_STEPS,
    quantities=(
        quantity(
            "way down the slope",
            "m",
            ACROSS.stop_place[0],
            last_position("block_x"),
            ACROSS.v0 * _FINEST,
            _AHEAD,
            order=1.0,
        ),
        quantity(
            "way across the slope",
            "m",
            ACROSS.stop_place[1],
            last_position("block_y"),
            ACROSS.v0 * _FINEST,
            _AHEAD,
            order=1.0,
        ),
        quantity(
            "speed while it moves at 45°",
            "m/s",
            ACROSS.speed(math.pi / 4.0),
            _speed_at_45_degrees,
            G * ACROSS.mu * _FINEST,
            _AHEAD,
            order=1.0,
        ),
        quantity(
            "time at which it is slower than 1 cm/s",
            "s",
            ACROSS.slow_time(_SLOW),
            falls_below(_SLOW, _speed),
            _FINEST,
            _AHEAD,
            order=1.0,
        ),
        _spin("block", 1e-8),
    ),
    curve=CaseCurve(
        "velocity down the slope (m/s)",
        velocity_curve("block_vx"),
        lambda t: ACROSS.velocity(t)[:, 0],
    ),
    drake_note=(
        "With lagged Drake is as good as the rigid engine here, and its errors shrink in "
        "proportion to the step; with sap and similar the block trembles on its feet, with 2 to 4 "
        "rad/s, and the errors are larger and irregular."
    ),
)

CASES = (THRESHOLD, HOLD, STOP, RETURN, CURVED)
