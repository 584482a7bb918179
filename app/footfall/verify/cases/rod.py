"""A rod that slides on its lower end: regularly, and in Painleve's region."""

import math

import numpy as np

from footfall.arrays import Array
from footfall.textbook.planar_impact import stopping
from footfall.textbook.rod import Rod
from footfall.trajectory import Trajectory
from footfall.verify.case import case
from footfall.verify.observables import (
    at,
    last_position,
    normal_impulse,
    position,
    position_of,
    times,
    velocity,
    velocity_of,
)

ROD = Rod(m=1.0, l=0.5, g=9.81)
SLIDE_ANGLE, SLIDE_SPEED, SLIDE_MU = math.radians(50.0), 2.0, 0.3
JAM_ANGLE, JAM_SPEED, JAM_MU = math.atan(2.0), 1.0, 1.6
_STEPS = (4e-3, 2e-3, 1e-3, 5e-4)
_DT = _STEPS[-1]
_LATER = 0.3  # s
_SOON = 0.02  # s: time enough for a compliant contact to jam

_LANDING = ROD.slide(SLIDE_ANGLE, SLIDE_SPEED, SLIDE_MU)
_FLAT = _LANDING.path(_LANDING.time)
_FLAT_SPEED = ROD.fall_flat(_FLAT[2], _FLAT[3], SLIDE_MU)
_DECELERATION = SLIDE_MU * ROD.g
_MID_FALL = _LANDING.path(_LATER)

_JAMMED = ROD.jam(JAM_ANGLE, JAM_SPEED)
_SWING = ROD.hinged(JAM_ANGLE, float(_JAMMED[2]), _LATER)


def _slid(time: Array) -> Array:
    """X of the centre [m]: sliding fall, then flat with friction until it rests."""
    after = np.clip(time - _LANDING.time, 0.0, abs(_FLAT_SPEED) / _DECELERATION)
    braked = abs(_FLAT_SPEED) * after - 0.5 * _DECELERATION * after**2
    return _LANDING.path(np.minimum(time, _LANDING.time))[0] - braked


def _start_force(trajectory: Trajectory) -> float:
    """Normal force on the lower end in the first step [N]."""
    return float(normal_impulse(trajectory, "rod::lower")[1] / times(trajectory)[1])


def _landing(trajectory: Trajectory) -> float:
    """End of the first step in which the upper end is pushed [s]."""
    pushed = normal_impulse(trajectory, "rod::upper") > 0.0
    return float(times(trajectory)[np.flatnonzero(pushed)[0]])


def _tip_speed(trajectory: Trajectory) -> Array:
    """Sliding velocity of the lower end [m/s]."""
    theta, omega = position(trajectory, "theta"), velocity(trajectory, "theta")
    return velocity(trajectory, "x") + ROD.l * np.sin(theta) * omega


_SLIDE = case(
    "rod_slide",
    _STEPS,
    {
        "normal force at the start": (
            ROD.sliding_force(SLIDE_ANGLE, 0.0, SLIDE_MU),
            _start_force,
            1e-9,
        ),
        "angle at 0.3 s": (
            float(_MID_FALL[1]),
            lambda t: at(_LATER, t, position(t, "theta")),
            1e-5,
        ),
        "centre at 0.3 s": (float(_MID_FALL[0]), lambda t: at(_LATER, t, position(t, "x")), 1e-6),
        "time at which it lies flat": (_LANDING.time, _landing, 1.5 * _DT),
        "resting place of the centre": (float(_slid(np.array(10.0))), last_position("x"), 1e-3),
    },
    position_of("x"),
    _slid,
)

_JAM = case(
    "rod_jam",
    _STEPS,
    {
        "normal impulse of the first step": (
            float(stopping(ROD.delassus(JAM_ANGLE), np.array([0.0, -JAM_SPEED]))[0]),
            lambda t: float(normal_impulse(t, "rod::lower")[1]),
            2.0 * ROD.m * ROD.g * _DT,
        ),
        "rate of turn after the first step": (
            float(_JAMMED[2]),
            lambda t: float(velocity(t, "theta")[1]),
            ROD.g / ROD.l * _DT,
        ),
        "rate of turn after 0.02 s": (
            float(_SWING(_SOON)[1]),
            lambda t: at(_SOON, t, velocity(t, "theta")),
            1e-3,
        ),
        "sliding velocity after 0.02 s": (
            0.0,
            lambda t: at(_SOON, t, _tip_speed(t)),
            0.5 * ROD.l * float(_JAMMED[2]) ** 2 * _DT,
        ),
        "angle after 0.3 s": (float(_SWING(_LATER)[0]), last_position("theta"), 2.0 * _DT),
    },
    velocity_of("theta"),
    lambda time: np.where(time > 0.0, _SWING(time)[1], 0.0),
)

CASES = (_SLIDE, _JAM)
