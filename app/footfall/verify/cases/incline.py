"""Blocks on a slope that rest or do not: the threshold of sticking, and static friction above it.

Coordinates: x down the slope, y across it, z its normal (the frame "terrain").
"""

import math

import numpy as np

from footfall.textbook.incline import Straight
from footfall.verify.case import Case, CaseCurve, Quantity
from footfall.verify.observables import last_position, position_curve

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
        Quantity(
            "way of the block that sticks",
            "m",
            0.0,
            last_position("sticks_block_x"),
            1e-12,
            "rounding of the contact problem, which is solved exactly",
        ),
        Quantity(
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
        Quantity(
            "highest place of the block sent up, at the end",
            "m",
            -CLIMBS.turn_distance,
            last_position("climbs_block_x"),
            CLIMBS.deceleration_upwards * _DT**2 / 8.0,
            "it stops at the end of a step: a dt²/8 at most",
            order=2.0,
        ),
        Quantity(
            "way of the block that rests",
            "m",
            0.0,
            last_position("rests_block_x"),
            1e-12,
            "rounding of the contact problem, which is solved exactly",
        ),
        Quantity(
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

CASES = (THRESHOLD, HOLD)
