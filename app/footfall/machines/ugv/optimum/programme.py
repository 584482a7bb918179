"""Refinement of a path by a nonlinear programme: angles that are no longer those of a grid.

By SNOPT or IPOPT through Drake; a solution is the best near its guess. A second solve makes the
path as smooth as it can be at the same value.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.machines.ugv.optimum.judge import Judged, judged
from footfall.machines.ugv.optimum.problem import ENERGY, Problem
from footfall.machines.ugv.optimum.rows import Rows

SOLVERS = ("snopt", "ipopt")

_ROOM = 2e-6  # rad, by which turns stay below the most: a solver's tolerance
_NO_WORSE = 1e-7  # relative, of a smoother path


@dataclass(frozen=True)
class Effort:
    """Which solver, and how many iterations at most."""

    solver: str = "snopt"
    iterations: int = 300


@dataclass(frozen=True)
class Solution:
    """Angles (2, n) [rad] at the stations, whether the solver is content, and what it says."""

    phi: Array
    solved: bool
    message: str


def refined(problem: Problem, start: Array, effort: Effort) -> tuple[Judged, str]:
    """The best path found from a start (2, n), judged as it is driven, and what the solver says.

    Raises ValueError, one line, where the vehicle has no place on the path that is found.
    """
    rows = Rows(problem, start)
    first = solve(rows, start, effort)
    best, told = judged(problem, first.phi), f"{effort.solver}: {first.message}"
    if problem.criterion == ENERGY or not best.passes:
        return best, told
    second = solve(rows, first.phi, effort, rows.epigraph(first.phi))
    smooth = judged(problem, second.phi)
    if smooth.cost <= best.cost + _NO_WORSE * abs(best.cost):
        return smooth, f"{told}, then {second.message} for the smoothest"
    return best, told


def solve(rows: Rows, path: Array, effort: Effort, kept: Array | None = None) -> Solution:
    """The best path near another one; kept: epigraph variables for the smoothest within."""
    from pydrake.solvers import IpoptSolver, MathematicalProgram, SnoptSolver

    programme = MathematicalProgram()
    x = programme.NewContinuousVariables(rows.size, "x")
    low, high = rows.box()
    start = np.clip(rows.guess(path), low, high)
    first = 2 * rows.count
    if kept is None:
        programme.AddLinearCost(rows.objective(), 0.0, x)
    else:
        low[first:] = high[first:] = kept
        start[first:] = kept
        _add_smoothness(rows, programme, x)
    programme.AddBoundingBoxConstraint(low, high, x)
    _add_rates(rows, programme, x)
    binding = programme.AddConstraint(_callable(rows), *rows.bounds(), x)
    binding.evaluator().SetGradientSparsityPattern(rows.pattern())
    solver = {"snopt": SnoptSolver, "ipopt": IpoptSolver}[effort.solver]()
    result = solver.Solve(programme, start, _options(solver.id(), effort))
    found = np.clip(result.GetSolution(x), low, high)
    message = str(result.get_solution_result()).rpartition(".")[2]
    return Solution(rows.path(found), bool(result.is_success()), message)


def _add_rates(rows: Rows, programme: Any, x: Any) -> None:  # noqa: ANN401 - Drake's
    _, first, reach = rows.steps()
    if not len(first) or not np.isfinite(reach).all():
        return
    turns = np.zeros((2 * len(first), 2 * rows.count))
    each = np.arange(len(first))
    for side in range(2):
        turns[each + side * len(first), first + side * rows.count] = -1.0
        turns[each + side * len(first), first + 1 + side * rows.count] = 1.0
    most = np.tile(np.maximum(reach - _ROOM, 0.0), 2)
    programme.AddLinearConstraint(turns, -most, most, x[: 2 * rows.count])


def _add_smoothness(rows: Rows, programme: Any, x: Any) -> None:  # noqa: ANN401 - Drake's
    way, first, _ = rows.steps()
    Q = np.zeros((2 * rows.count, 2 * rows.count))
    for side in range(2):
        a = first + side * rows.count
        np.add.at(Q, (a, a), 2.0 / way)
        np.add.at(Q, (a + 1, a + 1), 2.0 / way)
        np.add.at(Q, (a, a + 1), -2.0 / way)
        np.add.at(Q, (a + 1, a), -2.0 / way)
    programme.AddQuadraticCost(Q, np.zeros(2 * rows.count), x[: 2 * rows.count], is_convex=True)


def _callable(rows: Rows) -> Callable[[npt.NDArray[Any]], npt.NDArray[Any]]:
    """The rows as Drake calls them: of numbers, or of numbers with the identity as gradients."""
    from pydrake.autodiffutils import AutoDiffXd

    def evaluate(x: npt.NDArray[Any]) -> npt.NDArray[Any]:
        if x.dtype != object:
            return rows.values(np.asarray(x, dtype=np.float64))[0]
        found = rows.values(np.array([number.value() for number in x]))
        return np.array([AutoDiffXd(value, slopes) for value, slopes in zip(*found, strict=True)])

    return evaluate


def _options(solver: Any, effort: Effort) -> Any:  # noqa: ANN401 - Drake's ids and options
    from pydrake.solvers import SolverOptions

    options = SolverOptions()
    settings: dict[str, float] = {"max_iter": effort.iterations, "tol": 1e-7}
    if effort.solver == "snopt":
        settings = {
            "Major iterations limit": effort.iterations,
            "Iterations limit": 1000 * effort.iterations,
            "Superbasics limit": 2000,
            "Major feasibility tolerance": 1e-7,
            "Minor feasibility tolerance": 1e-7,
            "Major optimality tolerance": 1e-6,
        }
    for name, value in settings.items():
        options.SetOption(solver, name, value)
    return options
