"""Basin of attraction of the compass' gait, with a hip that helps and without, for sweeps.

Starts are just after a heel strike: y = (q1, q1', q2'). Those drawn at random in a box tell how
large the basin is; those of a slice at the gait's own angle, over both rates, show its shape. Each
is walked until it is near the gait or falls.
"""

import math
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

from footfall.analysis.functions import Case, labelled
from footfall.analysis.shares import wilson
from footfall.arrays import Array
from footfall.errors import ScenarioError
from footfall.hybrid import HybridSystem, batch_step
from footfall.machines.compass.closed_form.model import Compass
from footfall.machines.compass.cycle import find_cycle
from footfall.machines.compass.model import exact_walker
from footfall.machines.compass.system import (
    BEHIND,
    SECTION,
    STRIKE,
    after_strike,
    ground_force,
    old_foot_leaves,
    walking_system,
)
from footfall_controllers.energy_shaping import EnergyShapingParameters

LOWER, UPPER = np.array([0.10, -2.2, -2.0]), np.array([0.45, -0.4, 4.0])
"""Corners of the box of starts: q1 [rad], q1' and q2' [rad/s]."""
FALLS, ARRIVES, UNDECIDED = 0, 1, 2
_OUTCOME = "0: falls, 1: reaches the gait, 2: undecided"
_STEP = 0.02  # s: with Dormand and Prince's method of order 8, an error of 1e-13 a step
_MOST_TIME = 3.0  # s for a step
# rad, rad/s: from the gait in every component, which has to be a region that the gait does not let
# go, or starts that only pass by are caught
_NEAR = 0.02
_BATCH = 20_000  # starts that are walked together
_MOST = 10_000_000  # starts: some gigabytes, and days


def basin(
    case: Case,
    *,
    gain: float = 0.0,
    most_torque: float = math.inf,
    sample: int = 64_000,
    points: int = 161,
    most_steps: int = 100,
) -> xr.Dataset:
    """Share of starts from which the gait is reached, and steps to it over a slice.

    gain [s] of the hip's energy shaping, 0: passive; most_torque [N m]: bound of its torque, which
    it approaches smoothly. sample: random starts, by the scenario's seed, the same for every gain;
    points: along q1' and along q2' of the slice; most_steps: after which a start is undecided.
    Raises ScenarioError for numbers that make no basin, RunError for a walker without a gait.
    """
    if not (1 <= sample <= _MOST and points >= 2 and points**2 <= _MOST and most_steps >= 1):
        raise ScenarioError(
            f"parameters: sample is {sample}, points {points}, most_steps {most_steps}: give 1, 2 "
            f"and 1 or more, and no more than {_MOST} starts."
        )
    walker = exact_walker(case.context)
    gait = find_cycle(walker)
    goal, machine = gait.fixed_point.orbit[0], Compass(walker)
    try:
        bound = most_torque if math.isfinite(most_torque) else None
        shaping = EnergyShapingParameters(gait.energy, gain, bound)
    except ValueError as error:
        raise ScenarioError(f"parameters: {error}.") from error
    if ((goal < LOWER) | (goal > UPPER)).any():
        raise ScenarioError(
            f"the gait, {np.round(goal, 3).tolist()}, is not in the box {LOWER.tolist()} to "
            f"{UPPER.tolist()} of starts: choose a walker whose gait is."
        )
    law = shaping if gain > 0.0 else None
    walk = _Walk(machine, law, walking_system(machine, law), goal, most_steps)
    draws = np.random.default_rng(case.context.seed).random((3, sample))
    outcome, _ = walk.settle(LOWER[:, None] + (UPPER - LOWER)[:, None] * draws)
    count = int((outcome == ARRIVES).sum())
    share, low, high = wilson(count, sample)
    rate, swing = (np.linspace(LOWER[k], UPPER[k], points) for k in (1, 2))
    rates, swings = np.meshgrid(rate, swing, indexing="ij")
    slice_, steps = walk.settle(
        np.array([np.full(rates.size, goal[0]), rates.ravel(), swings.ravel()])
    )
    there = slice_ == ARRIVES
    median = float(np.median(steps[there])) if there.any() else math.nan
    numbers: dict[str, tuple[Any, str, str]] = {
        "share": (share, "1", "share of the box from which the gait is reached"),
        "share_from": (low, "1", "lower end of its interval of 95 % confidence"),
        "share_to": (high, "1", "upper end of it"),
        "slice_share": (there.mean(), "1", "share of the slice from which the gait is reached"),
        "undecided_share": ((slice_ == UNDECIDED).mean(), "1", "share of it that is undecided"),
        "median_steps": (median, "1", "median steps to the gait in the slice"),
    }
    shown = {
        "outcome": (slice_.reshape(rates.shape), "1", _OUTCOME),
        "steps": (np.where(there, steps, np.nan).reshape(rates.shape), "1", "steps to the gait"),
    }
    return (
        labelled(shown, ("rate", "swing"))
        .merge(labelled(numbers))
        .assign_coords(
            rate=("rate", rate, {"units": "rad/s", "label": "q1' after heel strike"}),
            swing=("swing", swing, {"units": "rad/s", "label": "q2' after heel strike"}),
        )
    )


class _Walk:
    """Walks starts of one walker until each is near the goal (3,), falls, or took its steps."""

    def __init__(
        self,
        machine: Compass,
        law: EnergyShapingParameters | None,
        system: HybridSystem,
        goal: Array,
        most: int,
    ) -> None:
        self._machine, self._law, self._system = machine, law, system
        self._goal, self._most = goal, most

    def settle(self, y: Array) -> tuple[Array, Array]:
        """Outcome and steps of starts y (3, k)."""
        parts = [self._settle(y[:, k : k + _BATCH]) for k in range(0, y.shape[1], _BATCH)]
        outcome, steps = np.hstack(parts)
        return outcome, steps

    def _settle(self, y: Array) -> npt.NDArray[np.int64]:
        outcome = np.full(y.shape[1], UNDECIDED)
        steps = np.zeros(y.shape[1], dtype=np.int64)
        walking = np.arange(y.shape[1])
        for step in range(self._most + 1):
            close = (np.abs(y - self._goal[:, None]) < _NEAR).all(axis=0)
            outcome[walking[close]] = ARRIVES
            walking, y = walking[~close], y[:, ~close]
            if step == self._most or not walking.size:
                break
            y, returns = self._return(y)
            steps[walking] = step + 1
            outcome[walking[~returns]] = FALLS
            walking, y = walking[returns], y[:, returns]
        return np.array([outcome, steps])

    def _return(self, y: Array) -> tuple[Array, npt.NDArray[np.bool_]]:
        """Points (3, k) after a step, and which came back; none that does not stand on one foot."""
        x = after_strike(y)
        stands = (ground_force(self._machine, self._law, x)[1] > 0.0) & old_foot_leaves(x)
        passage = batch_step(self._system, BEHIND, x, STRIKE, _MOST_TIME, _STEP)
        return passage.x[SECTION], passage.arrived & stands
