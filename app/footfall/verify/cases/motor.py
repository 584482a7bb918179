"""A motor behind a gear: what time steps make of a torque, of friction, and of the motor's line."""

import math
from dataclasses import replace

import numpy as np

from footfall.arrays import Array
from footfall.textbook.motor import GearedMotor, SpeedResponse
from footfall.trajectory import Trajectory
from footfall.verify.case import KNOWN_ENGINES, Case, CaseCurve, quantity
from footfall.verify.observables import (
    at,
    last_position,
    last_velocity,
    times,
    velocity,
    velocity_curve,
)

MOTOR = GearedMotor(J_l=0.05, J_m=3.31e-6, n=155.0, B=4.69e-6)
POWERED = replace(MOTOR, limit=0.398, stall=1.00196, no_load=904.523)
STEP = SpeedResponse(MOTOR, 0.004)
FREE = SpeedResponse(replace(MOTOR, B=0.0), 0.004)
LINE = SpeedResponse(POWERED, 1.5)

_STEPS = (8e-3, 4e-3, 2e-3, 1e-3)
_DT = _STEPS[-1]
_END = 2.4  # s
_FINE_STEPS = (8e-4, 4e-4, 2e-4, 1e-4)
_FINE = _FINE_STEPS[-1]
_FINE_END, _BENT = 0.048, 0.0136  # s; the line has bounded the torque for a while
_SOURCE = (
    "J. Kanehara, report on project TUlip (Dutch Robotics, TU Eindhoven, 2009), part I.ii; "
    "footfall.textbook.motor"
)

_STEADY = MOTOR.steady_speed(0.004)
_TAU = MOTOR.inertia / MOTOR.damping
_CORNER, _BEND = LINE.phases[1].motion, LINE.phases[1].time
_TAU_LINE = _CORNER.J / _CORNER.D
_LAST = POWERED.steady_speed(1.5)
# of the step with the corner, and of the second order
_MORE = 1.2


def _speed(trajectory: Trajectory) -> Array:
    return velocity(trajectory, "load")


def _corner_time(trajectory: Trajectory) -> float:
    """Return when the load has the speed from which on the line bounds the torque [s]."""
    return float(np.interp(_CORNER.speed, _speed(trajectory), times(trajectory)))


def _energy_left(trajectory: Trajectory) -> float:
    """Work of the motor less what friction took and what is stored, at the end [J]."""
    data = trajectory.data
    parts = data["actuator_work"] + data["damping_work"] - data["kinetic_energy"]
    return float(parts.to_numpy()[-1])


_BALANCE = quantity(
    "work of the motor that is neither stored nor lost",
    "J",
    0.0,
    _energy_left,
    1e-12,
    "rounding: every step balances the work with the friction that it takes",
)
_EXACT = "rounding: a constant acceleration is integrated exactly"

CASES = (
    Case(
        name="motor_step",
        title="A motor turns a load through a gear",
        statement=(
            "A rotor turns 155 times for one turn of the load, which feels its inertia and its "
            "friction times the square of that: (J_(l) + J_(m) n²) θ'' + B n² θ' = T n. From rest "
            "the speed is T/(B n) (1 − e^(−t/τ)) with τ = (J_(l) + J_(m) n²)/(B n²) = 1.15 s."
        ),
        source=_SOURCE,
        scenario="verify/motor_step",
        steps=_STEPS,
        quantities=(
            quantity(
                "speed of the load after 2.4 s",
                "rad/s",
                float(STEP.speed_at(_END)),
                last_velocity("load"),
                _STEADY * _DT / (2.0 * math.e * _TAU),
                "friction is that of the end of a step: an Euler step, dt ω∞/(2 e τ) at most",
                order=1.0,
            ),
            quantity(
                "angle of the load after 2.4 s",
                "rad",
                float(STEP.angle_at(_END)),
                last_position("load"),
                0.5 * _STEADY * _DT,
                "as the speed: a load that is behind by half a step at most",
                order=1.0,
            ),
            _BALANCE,
        ),
        curve=CaseCurve("speed of the load (rad/s)", velocity_curve("load"), STEP.speed_at),
        drake=KNOWN_ENGINES,
        drake_note=(
            "Drake's steps, too, take friction at the speed of their end, so that its speed is the "
            "rigid engine's, 0.62 mrad/s behind at the finest step; its angle is 0.71 mrad ahead. "
            "Without contact the three approximations are one. drake-continuous, "
            "integrated to 1e-10, is off by 1e-11 at every step; the work is summed up from its "
            "rows, by trapezia."
        ),
    ),
    Case(
        name="motor_frictionless",
        title="A motor without friction",
        statement=(
            "Without friction the acceleration is T n/(J_(l) + J_(m) n²), as the report prints it, "
            "at all times. How an engine advances angles is all that is left to err."
        ),
        source=_SOURCE,
        scenario="verify/motor_step",
        settings=("motors.motor.friction=0.0",),
        steps=_STEPS,
        quantities=(
            quantity(
                "speed of the load after 2.4 s",
                "rad/s",
                float(FREE.speed_at(_END)),
                last_velocity("load"),
                1e-10,
                _EXACT,
            ),
            quantity(
                "angle of the load after 2.4 s",
                "rad",
                float(FREE.angle_at(_END)),
                last_position("load"),
                1e-10,
                _EXACT,
            ),
        ),
        curve=CaseCurve("speed of the load (rad/s)", velocity_curve("load"), FREE.speed_at),
        drake=KNOWN_ENGINES,
        drake_note=(
            "Speeds are exact here, too. Drake moves the angle with the speed at the end of a step "
            "and is ahead by ω dt/2, 5.7 mrad at the finest step; the rigid engine takes the mean "
            "of the speeds at both ends, which is exact. drake-continuous is, as well."
        ),
    ),
    Case(
        name="motor_line",
        title="A motor that runs out of speed",
        statement=(
            "All the torque that there is: first the limit of the current, 0.398 N m, then what "
            "full voltage leaves of the stall torque, T_(s) (1 − w/w_(0)) at the rotor's speed w. "
            "Up to the corner the speed is as good as a straight line; from there on it tends to "
            "the speed that lasts with J/(n² (B + T_(s)/w_(0))) = 4.8 ms."
        ),
        source=_SOURCE,
        scenario="verify/motor_line",
        steps=_FINE_STEPS,
        quantities=(
            quantity(
                "speed of the load after 13.6 ms",
                "rad/s",
                float(LINE.speed_at(_BENT)),
                lambda t: at(_BENT, t, _speed(t)),
                _MORE * (_LAST - _CORNER.speed) * _FINE / (2.0 * math.e * _TAU_LINE),
                "the line is sampled at the start of a step: dt Δω/(2 e τ) at most",
                order=1.0,
            ),
            quantity(
                "angle of the load after 48 ms",
                "rad",
                float(LINE.angle_at(_FINE_END)),
                last_position("load"),
                _MORE * 0.5 * (_LAST - _CORNER.speed) * _FINE,
                "as the speed: half a step of what the line takes of it",
                order=1.0,
            ),
            quantity(
                "when the line begins to bound the torque",
                "s",
                _BEND,
                _corner_time,
                _FINE,
                "up to there only the friction errs, by a thousandth of a step",
            ),
            _BALANCE,
        ),
        curve=CaseCurve("speed of the load (rad/s)", velocity_curve("load"), LINE.speed_at),
        drake=KNOWN_ENGINES,
        drake_note=(
            "Drake's discrete engines, too, are given the torque of the start of a step: their "
            "speeds err as the rigid engine's do, and their angles are ahead by ω dt/2 besides. "
            "drake-continuous asks the motor whenever it likes and is off by 1e-11; the corner is "
            "read off rows, and the work summed up from them."
        ),
    ),
)
