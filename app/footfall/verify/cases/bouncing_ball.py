"""A ball that bounces infinitely often in a finite time: restitution, and what comes after it."""

import itertools

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.textbook.bouncing_ball import BouncingBall
from footfall.trajectory import Trajectory
from footfall.verify.case import Case, CaseCurve, quantity
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
    Case(
        name="bouncing_ball",
        title="A ball bounces infinitely often in a finite time",
        statement=(
            "A ball falls from h = 0.5 m onto the ground with Newton's restitution e = 0.7. It "
            "lands at t₀ = √(2h/g), its flights are shorter by e each time, and infinitely many "
            "impacts accumulate at t∞ = t₀ (1 + e)/(1 − e) = 1.809 s (Zeno); then it lies still. "
            "An event-driven simulation ends before t∞; time stepping goes through it without "
            "noticing."
        ),
        source=(
            "geometric series, footfall.textbook.bouncing_ball; B. Brogliato, Nonsmooth "
            "Mechanics, 3rd ed., Springer 2016"
        ),
        scenario="verify/bouncing_ball",
        steps=_STEPS,
        quantities=(
            quantity(
                "largest error of the first 8 impact times",
                "s",
                0.0,
                _impact_error,
                5.0 * _DT,
                "an impact takes place in the step after the ground was met, and every one passes "
                "its delay on to the next",
                order=1.0,
            ),
            quantity(
                "largest error of the heights after 1 to 7 bounces",
                "m",
                0.0,
                _height_error,
                BALL.g * BALL.first_impact * _DT,
                "an impact turns the velocity of the step before it, which lacks g dt at most: "
                "v g dt/g of height",
                order=1.0,
            ),
            quantity(
                "time of the last motion, t∞",
                "s",
                BALL.end,
                _rest,
                10.0 * _DT,
                "flights shorter than a step are not resolved; speeds then halve from step to step",
                order=1.0,
            ),
            quantity(
                "speed at the end",
                "m/s",
                0.0,
                last_velocity("ball_vz"),
                1e-9,
                "speeds shrink by e every other step once the flights are shorter than one",
            ),
            quantity(
                "gap at the end",
                "m",
                0.0,
                lambda trajectory: float(_gap(trajectory)[-1]),
                0.5 * BALL.g * _DT**2,
                "a flight of less than a step ends below the ground by g dt²/2 at most",
                order=2.0,
            ),
        ),
        curve=CaseCurve(
            "gap between ball and ground (m)",
            lambda trajectory: (times(trajectory), _gap(trajectory)),
            BALL.height,
        ),
        drake_note=(
            "Drake's contact has no restitution; the little that its ball bounces is what its "
            "dissipation leaves, so its impact times and heights are those of another problem. "
            "At the end it lies as deep in the ground as its spring is compressed: 3 µm with sap, "
            "98 µm with lagged and similar."
        ),
    ),
)
