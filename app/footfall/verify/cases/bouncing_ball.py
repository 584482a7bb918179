"""A ball that bounces infinitely often in a finite time: restitution, and what comes after it."""

import itertools

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.textbook.bouncing_ball import BouncingBall
from footfall.trajectory import Trajectory
from footfall.verify.case import case
from footfall.verify.observables import last_velocity, position, times, velocity

BALL = BouncingBall(h=0.5, e=0.7, g=9.81)
RADIUS = 0.1  # m
_STEPS = (8e-3, 4e-3, 2e-3, 1e-3, 5e-4)
_DT = _STEPS[-1]
_IMPACTS = 8  # the eighth flight lasts 53 ms, which is seven of the coarsest steps
_STILL = 1e-6  # m/s: slower than this it lies still


def _gap(trajectory: Trajectory) -> Array:
    return position(trajectory, "ball_z") - RADIUS


def _bounces(trajectory: Trajectory) -> tuple[npt.NDArray[np.intp], Array]:
    """Rows before the ball turns from down to up, and the times at which it does [s]."""
    t, v = times(trajectory), velocity(trajectory, "ball_vz")
    before = np.flatnonzero((v[:-1] < 0.0) & (v[1:] > 0.0))
    share = v[before] / (v[before] - v[before + 1])
    return before, t[before] + share * (t[before + 1] - t[before])


def _impact_error(trajectory: Trajectory) -> float:
    _, impacts = _bounces(trajectory)
    exact = BALL.impact_times(_IMPACTS)
    return float(np.abs(impacts[:_IMPACTS] - exact).max()) if len(impacts) >= _IMPACTS else np.nan


def _height_error(trajectory: Trajectory) -> float:
    rows, _ = _bounces(trajectory)
    gap, edges = _gap(trajectory), rows[:_IMPACTS]
    if len(edges) < _IMPACTS:
        return np.nan
    peaks = [gap[a:b].max() for a, b in itertools.pairwise(edges)]
    return float(np.abs(peaks - BALL.peaks(_IMPACTS - 1)).max())


def _rest(trajectory: Trajectory) -> float:
    moving = np.abs(velocity(trajectory, "ball_vz")) > _STILL
    if moving[-1]:
        return np.nan
    return float(times(trajectory)[np.flatnonzero(moving)[-1]])


CASES = (
    case(
        "bouncing_ball",
        _STEPS,
        {
            "largest error of the first 8 impact times": (0.0, _impact_error, 5.0 * _DT),
            "largest error of the heights after 1 to 7 bounces": (
                0.0,
                _height_error,
                BALL.g * BALL.first_impact * _DT,
            ),
            "time of the last motion, t∞": (BALL.end, _rest, 10.0 * _DT),
            "speed at the end": (0.0, last_velocity("ball_vz"), 1e-9),
            "gap at the end": (
                0.0,
                lambda trajectory: float(_gap(trajectory)[-1]),
                0.5 * BALL.g * _DT**2,
            ),
        },
        _gap,
        BALL.height,
    ),
)
