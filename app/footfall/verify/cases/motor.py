"""A motor behind a gear: what time steps make of a torque, of friction, and of the motor's line."""

import math
from dataclasses import replace

import numpy as np

from footfall.arrays import Array
from footfall.textbook.motor import GearedMotor, SpeedResponse
from footfall.trajectory import Trajectory
from footfall.verify.case import Measured, case
from footfall.verify.observables import (
    at,
    last_position,
    last_velocity,
    times,
    velocity,
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


_BALANCE: dict[str, Measured] = {
    "work of the motor that is neither stored nor lost": (0.0, _energy_left, 1e-12)
}

CASES = (
    case(
        "motor_step",
        _STEPS,
        {
            "speed of the load after 2.4 s": (
                float(STEP.speed_at(_END)),
                last_velocity("load"),
                _STEADY * _DT / (2.0 * math.e * _TAU),
            ),
            "angle of the load after 2.4 s": (
                float(STEP.angle_at(_END)),
                last_position("load"),
                0.5 * _STEADY * _DT,
            ),
            **_BALANCE,
        },
        _speed,
        STEP.speed_at,
    ),
    case(
        "motor_frictionless",
        _STEPS,
        {
            "speed of the load after 2.4 s": (
                float(FREE.speed_at(_END)),
                last_velocity("load"),
                1e-10,
            ),
            "angle of the load after 2.4 s": (
                float(FREE.angle_at(_END)),
                last_position("load"),
                1e-10,
            ),
        },
        _speed,
        FREE.speed_at,
    ),
    case(
        "motor_line",
        _FINE_STEPS,
        {
            "speed of the load after 13.6 ms": (
                float(LINE.speed_at(_BENT)),
                lambda t: at(_BENT, t, _speed(t)),
                _MORE * (_LAST - _CORNER.speed) * _FINE / (2.0 * math.e * _TAU_LINE),
            ),
            "angle of the load after 48 ms": (
                float(LINE.angle_at(_FINE_END)),
                last_position("load"),
                _MORE * 0.5 * (_LAST - _CORNER.speed) * _FINE,
            ),
            "when the line begins to bound the torque": (_BEND, _corner_time, _FINE),
            **_BALANCE,
        },
        _speed,
        LINE.speed_at,
    ),
)
