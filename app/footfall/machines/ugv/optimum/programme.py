"""Refinement of a path by a nonlinear programme: angles that are no longer those of a grid.

By SNOPT or IPOPT; a solution is the best near its guess. A second solve makes the path as smooth as
it can be at the same value.
"""

from dataclasses import dataclass, replace

import numpy as np

from footfall.analysis.nonlinear_programme import (
    Effort,
    LinearConstraint,
    LinearCost,
    NonlinearProgramme,
    QuadraticCost,
)
from footfall.arrays import Array, Indices
from footfall.machines.ugv.optimum.constraints import PathConstraints
from footfall.machines.ugv.optimum.path_evaluation import EvaluatedPath, evaluate_path
from footfall.machines.ugv.optimum.problem import SUMS, Problem

_ROUNDS = 8  # of solves with larger margins
_ROOM = 2e-6  # rad, by which turns stay below the most: a solver's tolerance
_NO_WORSE = 1e-7  # relative, of a smoother path
_OPTIMALITY, _MINOR_ITERATIONS = 1e-6, 500


@dataclass(frozen=True)
class PathSolution:
    """Angles (2, n) [rad] at the stations, whether the solver is content, and what it says."""

    phi: Array
    solved: bool
    message: str


def refined(problem: Problem, start: Array, effort: Effort) -> tuple[EvaluatedPath, str]:
    """The best path found from a start (2, n), judged as it is driven, and what the solver says.

    The programme holds limits at stations; where its path breaks them between, it is solved again
    with margins that are larger by what is lacking. Raises ValueError, one line, where the vehicle
    has no place on the path that is found.
    """
    held = problem
    for times in range(1, _ROUNDS + 1):
        rows = PathConstraints(held, start)
        first = solve(rows, start, effort)
        best, message = evaluate_path(problem, first.phi), f"{effort.solver}: {first.message}"
        tightened = best.tightened(held.limits, times)
        if tightened == held.limits:
            break
        held, start = replace(problem, limits=tightened), first.phi
    if problem.criterion in SUMS or not best.passes:
        return best, message
    second = solve(rows, first.phi, effort, rows.epigraph(first.phi))
    smooth = evaluate_path(problem, second.phi)
    if smooth.cost <= best.cost + _NO_WORSE * abs(best.cost):
        return smooth, f"{message}, then {second.message} for the smoothest"
    return best, message


def solve(
    rows: PathConstraints, path: Array, effort: Effort, kept: Array | None = None
) -> PathSolution:
    """The best path near another one; kept: epigraph variables for the smoothest within."""
    low, high = rows.box()
    start = np.clip(rows.guess(path), low, high)
    first = 2 * rows.count
    objective: LinearCost | QuadraticCost
    if kept is None:
        objective = LinearCost(rows.objective(), np.arange(rows.size))
    else:
        low[first:] = high[first:] = kept
        start[first:] = kept
        objective = _roughness(rows)
    programme = NonlinearProgramme(
        low, high, np.ones(rows.size), objective, [_Limits(rows)], _rates(rows)
    )
    found = programme.solve(
        start, replace(effort, optimality=_OPTIMALITY, minor_iterations=_MINOR_ITERATIONS)
    )
    return PathSolution(rows.path(np.clip(found.values, low, high)), found.solved, found.message)


@dataclass(frozen=True)
class _Limits:
    """All rows as one constraint group, of all variables."""

    rows: PathConstraints
    name: str = "limits"

    @property
    def variables(self) -> Indices:
        return np.arange(self.rows.size)

    def bounds(self) -> tuple[Array, Array]:
        return self.rows.bounds()

    def pattern(self) -> list[tuple[int, int]]:
        return self.rows.pattern()

    def values(self, z: Array) -> Array:
        return self.rows.values(z)[0]

    def gradients(self, z: Array) -> tuple[Array, Array]:
        return self.rows.values(z)


def _rates(rows: PathConstraints) -> list[LinearConstraint]:
    """Turns of the legs between stations, where they are bounded."""
    _, first, reach = rows.steps()
    if not len(first) or not np.isfinite(reach).all():
        return []
    turns = np.zeros((2 * len(first), 2 * rows.count))
    each = np.arange(len(first))
    for side in range(2):
        turns[each + side * len(first), first + side * rows.count] = -1.0
        turns[each + side * len(first), first + 1 + side * rows.count] = 1.0
    most = np.tile(np.maximum(reach - _ROOM, 0.0), 2)
    return [LinearConstraint(turns, np.arange(2 * rows.count), -most, most)]


def _roughness(rows: PathConstraints) -> QuadraticCost:
    """Squares of the turns over the ways on which they are made."""
    spacing, first, _ = rows.steps()
    Q = np.zeros((2 * rows.count, 2 * rows.count))
    for side in range(2):
        a = first + side * rows.count
        np.add.at(Q, (a, a), 2.0 / spacing)
        np.add.at(Q, (a + 1, a + 1), 2.0 / spacing)
        np.add.at(Q, (a, a + 1), -2.0 / spacing)
        np.add.at(Q, (a + 1, a), -2.0 / spacing)
    return QuadraticCost(Q, np.arange(2 * rows.count))
