"""A path of angles as it is driven: its traversal in closed form, its value, and what it breaks."""

from dataclasses import dataclass

import numpy as np

from footfall.arrays import Array
from footfall.machines.ugv.closed_form.traversal import Traversal, traversal
from footfall.machines.ugv.optimum.problem import (
    CLEARANCE,
    ENERGY,
    ONE_PLACE,
    TORQUE_RANGE,
    Problem,
)
from footfall.machines.ugv.optimum.samples import Samples, allowed, cost, fault_at, samples_at

ROUNDING = 1e-9  # rad: of a change of angles that a solver or a grid has made


@dataclass(frozen=True, eq=False)
class EvaluatedPath:
    """A path: angles (2, n) [rad] at the stations, its traversal, and what counts along it.

    value: of the criterion, the less the better but for the clearance. fault: the first limit that
    is broken, with its place, in words; empty where it passes.
    """

    problem: Problem
    phi: Array
    traversal: Traversal
    samples: Samples
    value: float
    fault: str

    @property
    def passes(self) -> bool:
        """Return whether it keeps all limits."""
        return not self.fault

    @property
    def cost(self) -> float:
        """The value, the less the better; infinite for a path that does not pass."""
        if not self.passes:
            return float("inf")
        return -self.value if self.problem.criterion == CLEARANCE else self.value


def evaluate_path(problem: Problem, phi: Array) -> EvaluatedPath:
    """Drive a path (2, n); raises ValueError, one line, where the vehicle has no place."""
    rows = traversal(problem.parameters, problem.curve, problem.stations, *phi)
    samples = samples_at(problem, rows.pose)
    return EvaluatedPath(
        problem,
        phi,
        rows,
        samples,
        _value(problem, rows, samples),
        _fault(problem, phi, rows, samples),
    )


def value_between(path: EvaluatedPath) -> float:
    """The value of a path when ten times more places between the stations are looked at.

    NaN where the vehicle has no place at one of them.
    """
    problem, s = path.problem, path.problem.stations
    shares = np.linspace(0.0, 1.0, 10, endpoint=False)
    wide = np.diff(s) > ONE_PLACE
    inner = (s[:-1][wide, None] + np.diff(s)[wide, None] * shares).ravel()
    close = np.unique(np.concatenate((s, inner)))
    phi = np.array([np.interp(close, s, leg) for leg in path.phi])
    try:
        rows = traversal(problem.parameters, problem.curve, close, *phi)
    except ValueError:
        return float("nan")
    return _value(problem, rows, samples_at(problem, rows.pose))


def _value(problem: Problem, rows: Traversal, of: Samples) -> float:
    if problem.criterion == TORQUE_RANGE:
        return float(np.ptp(of.torque))
    if problem.criterion == ENERGY:
        return float(rows.works.supplied[-1])
    worst = float(cost(problem.criterion, of).max())
    return -worst if problem.criterion == CLEARANCE else worst


def _fault(problem: Problem, phi: Array, rows: Traversal, of: Samples) -> str:
    limits = problem.limits
    fine = allowed(limits, of)
    if not fine.all():
        index = int(np.argmin(fine))
        return f"{fault_at(limits, of, index)} at s = {rows.s[index]:.3f} m"
    turned = np.abs(np.diff(phi, axis=1)).max(axis=0)
    if (turned > problem.reach + ROUNDING).any():
        index = int(np.argmax(turned - problem.reach))
        return f"the legs turn too fast at s = {problem.stations[index]:.3f} m"
    if phi.min() < limits.least - ROUNDING or phi.max() > limits.most + ROUNDING:
        return "the legs leave their range"
    for end, angles in ((0, limits.start), (-1, limits.end)):
        if angles is not None and np.abs(phi[:, end] - angles).max() > ROUNDING:
            return "the legs do not have the angles asked for at an end"
    return ""
