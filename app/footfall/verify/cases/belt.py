"""Stick-slip: a block on a belt, static friction above kinetic."""

import numpy as np

from footfall.arrays import Array
from footfall.textbook.belt import Belt
from footfall.trajectory import Trajectory
from footfall.verify.case import case
from footfall.verify.observables import at, position, position_of, times

BELT = Belt(m=1.0, k=25.0, mu_s=0.4, mu_k=0.3, M=1e5, g=9.81)
SPEED = 0.1  # m/s, of the belt at the first break-away
BREAK_AWAY = 0.4  # s, a whole number of every step
_STEPS = (8e-3, 4e-3, 2e-3, 1e-3)
_DT = _STEPS[-1]
_PHASES = BELT.phases(SPEED, 3.0)
_AMPLITUDE = BELT.amplitude(SPEED)
_SECOND_SLIP = BREAK_AWAY + _PHASES[2].time


def _extension(time: Array) -> Array:
    """Extension [m] at times since the start of the run [s]: it begins in the stick phase."""
    W = np.sqrt(BELT.k / (BELT.M + BELT.m))
    back = W * (time - BREAK_AWAY)
    stick = BELT.break_away * np.cos(back) + SPEED / W * np.sin(back)
    later = BELT.extension(SPEED, np.maximum(time - BREAK_AWAY, 0.0))
    return np.where(time < BREAK_AWAY, stick, later)


def _first_cycle(trajectory: Trajectory) -> Array:
    """Extension up to the second break-away [m]."""
    return position(trajectory, "x")[times(trajectory) < _SECOND_SLIP - _STEPS[0]]


def _crossings(t: Array, x: Array) -> Array:
    """Return when x rises through x_k [s]; it does while it sticks, on a straight line."""
    rise = x - BELT.centre
    k = np.flatnonzero((rise[:-1] < 0.0) & (rise[1:] >= 0.0))
    return t[k] - rise[k] * (t[k + 1] - t[k]) / (rise[k + 1] - rise[k])


def _crossing(index: int, trajectory: Trajectory) -> float:
    rises = _crossings(times(trajectory), position(trajectory, "x"))
    return float(rises[index] - rises[0])


_FINE = np.linspace(0.0, 3.28, 32_801)
_EXACT = _crossings(_FINE, _extension(_FINE))

CASES = (
    case(
        "belt",
        _STEPS,
        {
            "largest extension of the first cycle": (
                BELT.centre + _AMPLITUDE,
                lambda t: float(_first_cycle(t).max()),
                1e-6,
            ),
            "smallest extension of the first cycle": (
                BELT.centre - _AMPLITUDE,
                lambda t: float(_first_cycle(t).min()),
                1e-6,
            ),
            "period of the first cycle": (
                float(_EXACT[1] - _EXACT[0]),
                lambda t: _crossing(1, t),
                1e-5,
            ),
            "length of two cycles": (float(_EXACT[2] - _EXACT[0]), lambda t: _crossing(2, t), _DT),
            "work of friction in the first slip": (
                -BELT.loss(_PHASES[0]),
                lambda t: at(_SECOND_SLIP - _STEPS[0], t, t.data["contact_work"].to_numpy()),
                1e-6,
            ),
        },
        position_of("x"),
        _extension,
    ),
)
