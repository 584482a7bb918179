"""A rimless wheel that rolls down a slope: plastic impacts that hand over from foot to foot."""

import math

import numpy as np

from footfall.arrays import Array
from footfall.textbook.rimless_wheel import RimlessWheel
from footfall.trajectory import Trajectory
from footfall.verify.case import case
from footfall.verify.observables import position, times, velocity, velocity_of

WHEEL = RimlessWheel(m=1.0, J=0.05, l=0.5, n=8, gamma=math.radians(6.0), g=9.81)
START = 3.0  # rad/s, just after an impact
_STEPS = (8e-3, 4e-3, 2e-3, 1e-3, 5e-4)
_COUNT = 6  # stances; the later ones are hardly different
_STANCES = WHEEL.stances(START, _COUNT)


def _rates(trajectory: Trajectory) -> tuple[Array, Array]:
    """Times [s] and rates of turn [rad/s] at which a spoke stands along the normal of the slope."""
    t, turn, rate = times(trajectory), position(trajectory, "turn"), velocity(trajectory, "turn")
    marks = 2.0 * WHEEL.alpha * np.arange(_COUNT)
    if turn[-1] < marks[-1] or (np.diff(turn) < 0.0).any():
        raise ValueError("the wheel does not roll on")
    return np.interp(marks, turn, t), np.interp(marks, turn, rate)


def _map_line(trajectory: Trajectory) -> tuple[float, float]:
    """Slope and fixed point of the line through the squared rates of successive stances."""
    squared = _rates(trajectory)[1] ** 2
    slope, offset = np.polyfit(squared[:-1], squared[1:], 1)
    return float(slope), float(offset / (1.0 - slope))


def _both(trajectory: Trajectory) -> float:
    """Largest share of a landing's normal impulse that another foot bears [1]."""
    impulse = np.sort(trajectory.data["impulse"].sel(axis="n").to_numpy(), axis=1)[1:]
    return float((impulse[:, -2] / np.maximum(impulse[:, -1], 1e-12)).max())


CASES = (
    case(
        "rimless_wheel",
        _STEPS,
        {
            "largest error of the rate of turn in 6 stances": (
                0.0,
                lambda t: float(np.abs(_rates(t)[1] - _STANCES.rate).max()),
                1e-2,
            ),
            "largest error of the times of 6 stances": (
                0.0,
                lambda t: float(np.abs(_rates(t)[0] - _STANCES.time).max()),
                1e-2,
            ),
            "multiplier of the return map": (WHEEL.eta**2, lambda t: _map_line(t)[0], 2e-2),
            "fixed point, rate of turn squared in stance": (
                WHEEL.stance_fixed_point,
                lambda t: _map_line(t)[1],
                6e-2,
            ),
            "largest share that a second foot bears": (0.0, _both, 1e-9),
        },
        velocity_of("turn"),
        lambda time: WHEEL.motion(START, time)[1],
    ),
)
