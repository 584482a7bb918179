"""A rod that slides on its lower end: regularly, and in Painleve's region."""

import math

import numpy as np

from footfall.arrays import Array
from footfall.textbook.planar_impact import stopping
from footfall.textbook.rod import Rod
from footfall.trajectory import Trajectory
from footfall.verify.case import Case, CaseCurve, quantity
from footfall.verify.observables import (
    at,
    last_position,
    normal_impulse,
    position,
    position_curve,
    times,
    velocity,
    velocity_curve,
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


_SLIDE = Case(
    name="rod_slide",
    title="A rod slides on one end, falls flat and slides to rest",
    statement=(
        "A uniform rod slides on its lower end at 50° with 2 m/s, μ = 0.3. While it does, N = m "
        "(g − l θ'² sin θ)/(1 + 3 cos² θ − 3 μ sin θ cos θ). After 0.370 s the other end strikes: "
        "both ends are stopped together, friction takes μ l |θ'| of the speed, and the rod slides "
        "flat to rest over v²/(2 μ g)."
    ),
    source="F. Génot, B. Brogliato, European Journal of Mechanics A/Solids 18 (1999) 653–677",
    scenario="verify/rod_slide",
    steps=_STEPS,
    quantities=(
        quantity(
            "normal force at the start",
            "N",
            ROD.sliding_force(SLIDE_ANGLE, 0.0, SLIDE_MU),
            _start_force,
            1e-9,
            "rounding: the first step starts from the exact state",
        ),
        quantity(
            "angle at 0.3 s",
            "rad",
            float(_MID_FALL[1]),
            lambda t: at(_LATER, t, position(t, "theta")),
            1e-5,
            "the midpoint makes positions of second order while the contact slides on",
            order=2.0,
        ),
        quantity(
            "centre at 0.3 s",
            "m",
            float(_MID_FALL[0]),
            lambda t: at(_LATER, t, position(t, "x")),
            1e-6,
            "as the angle",
            order=2.0,
        ),
        quantity(
            "time at which it lies flat",
            "s",
            _LANDING.time,
            _landing,
            1.5 * _DT,
            "an impact takes place in the step whose middle lies behind it",
        ),
        quantity(
            "resting place of the centre",
            "m",
            float(_slid(np.array(10.0))),
            last_position("x"),
            1e-3,
            "where in its step the second end strikes is chance, which shifts the impact by v dt",
        ),
    ),
    curve=CaseCurve("centre of the rod along the ground (m)", position_curve("x"), _slid),
    drake_note=(
        "The force of the first step shows how a compliant contact starts to slide: at 0.5 ms sap "
        "pushes with 65 times the weight and similar with 21 times, for their friction lifts a "
        "sliding contact by μ |v| times a time scale. The rod still falls as it should, and in "
        "both comes to rest within 0.5 mm; lagged overrates friction in the impact, and stops it "
        "0.1 m too early."
    ),
)

_JAM = Case(
    name="rod_jam",
    title="Painlevé's rod: an impact without collision",
    statement=(
        "The rod slides towards −x at tan θ = 2 with 1 m/s and μ = 1.6 > 4/3. Now uₙ' = (1 + 3 "
        "cos² θ − 3 μ sin θ cos θ) N/m − g has a negative factor: no N ≥ 0 lets the end slide on, "
        "and none lets it lift (Painlevé's paradox). What is left is an impulse W⁻¹ (0, 1 m/s), N "
        "s on a contact that did not approach: the end stops, and θ'⁺ = 3 v sin θ/(4 l), whatever "
        "the step and the restitution; then the rod swings about it."
    ),
    source=(
        "P. Painlevé 1895; F. Génot, B. Brogliato, European Journal of Mechanics A/Solids 18 "
        "(1999) 653–677; R. I. Leine, B. Brogliato, H. Nijmeijer, ibid. 21 (2002) 869–896"
    ),
    scenario="verify/rod_jam",
    steps=_STEPS,
    quantities=(
        quantity(
            "normal impulse of the first step",
            "N s",
            float(stopping(ROD.delassus(JAM_ANGLE), np.array([0.0, -JAM_SPEED]))[0]),
            lambda t: float(normal_impulse(t, "rod::lower")[1]),
            2.0 * ROD.m * ROD.g * _DT,
            "it holds the weight of a step besides",
            order=1.0,
        ),
        quantity(
            "rate of turn after the first step",
            "rad/s",
            float(_JAMMED[2]),
            lambda t: float(velocity(t, "theta")[1]),
            ROD.g / ROD.l * _DT,
            "one step of swinging is in it, θ'' = −3 g cos θ/(4 l)",
            order=1.0,
        ),
        quantity(
            "rate of turn after 0.02 s",
            "rad/s",
            float(_SWING(_SOON)[1]),
            lambda t: at(_SOON, t, velocity(t, "theta")),
            1e-3,
            "the contact is held at velocity level and opens for a step now and then",
        ),
        quantity(
            "sliding velocity after 0.02 s",
            "m/s",
            0.0,
            lambda t: at(_SOON, t, _tip_speed(t)),
            0.5 * ROD.l * float(_JAMMED[2]) ** 2 * _DT,
            "it is held in the middle of the step; in the other half the rod turns on, l ω² dt/2",
            order=1.0,
        ),
        quantity(
            "angle after 0.3 s",
            "rad",
            float(_SWING(_LATER)[0]),
            last_position("theta"),
            2.0 * _DT,
            "first order of the swing",
            order=1.0,
        ),
    ),
    curve=CaseCurve(
        "rate of turn (rad/s)",
        velocity_curve("theta"),
        lambda time: np.where(time > 0.0, _SWING(time)[1], 0.0),
    ),
    drake_note=(
        "Compliant contact jams too, in some milliseconds: after 0.02 s the end has stopped in "
        "all three, and sap and similar turn on as the closed form says, to 5 mrad/s at 0.5 ms. "
        "Lagged comes out 0.02 rad/s too slow and is 16 mrad behind after 0.3 s. One step of 0.5 "
        "ms is too short for it: lagged has hardly begun to turn, similar lacks 0.4 rad/s."
    ),
)

CASES = (_SLIDE, _JAM)
