"""A nonlinear programme, solved by SNOPT or IPOPT through Drake.

    least f(z)  with  lower <= x <= upper,  lower <= A x <= upper,  lower <= g_k(z) <= upper

x are the variables in the caller's units, z = x/scale what the solver sees. Bounds, linear
constraints, start and result are in x. The objective and the constraint groups g_k are functions of
z, whose gradients the caller gives. The programme need not be convex: a solution is the best near
its start.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from footfall.analysis.context import Interrupted
from footfall.arrays import Array, Indices
from footfall.interrupt import heard

SOLVERS = ("snopt", "ipopt")
_MINOR_PER_MAJOR = 5  # iterations of one quadratic subproblem of SNOPT, of its own at most
_OPTIMALITY = 1e-5  # SNOPT's tolerance of gradients


class ConstraintGroup(Protocol):
    """Nonlinear constraints of some of the variables."""

    @property
    def variables(self) -> Indices:
        """Indices of the variables (n,) that it depends on."""

    def bounds(self) -> tuple[Array, Array]:
        """Lower and upper bounds (m,) of its values."""

    def pattern(self) -> list[tuple[int, int]]:
        """Row and column of every entry of the Jacobian that may differ from 0."""

    def values(self, z: Array) -> Array:
        """Values (m,) at its scaled variables (n,)."""

    def gradients(self, z: Array) -> tuple[Array, Array]:
        """Values (m,), and their Jacobian (m, n) with respect to its scaled variables."""


@dataclass(frozen=True)
class LinearConstraint:
    """lower <= coefficients x[variables] <= upper, of (m, n) coefficients."""

    coefficients: Array
    variables: Indices
    lower: Array
    upper: Array


@dataclass(frozen=True)
class LinearCost:
    """coefficients times z[variables], (n,) each."""

    coefficients: Array
    variables: Indices


@dataclass(frozen=True)
class QuadraticCost:
    """Half of z[variables]^T Q z[variables], with Q (n, n) positive semidefinite."""

    Q: Array
    variables: Indices


@dataclass(frozen=True)
class Effort:
    """Solver of a programme, and the effort that it may make.

    iterations: at most. tolerance: of constraints, in scaled units.
    """

    solver: str = "snopt"
    iterations: int = 400
    tolerance: float = 1e-7


@dataclass(frozen=True)
class ProgrammeResult:
    """Variables x that a solver ended at, whether they solve the programme, and what it says."""

    values: Array
    solved: bool
    message: str


@dataclass(frozen=True)
class NonlinearProgramme:
    """Bounds, scales (n,), objective and constraints."""

    lower: Array
    upper: Array
    scale: Array
    objective: LinearCost | QuadraticCost
    groups: Sequence[ConstraintGroup]
    linear: Sequence[LinearConstraint] = ()

    def solve(self, start: Array, effort: Effort) -> ProgrammeResult:
        """Solve from a start (n,), which need not obey the constraints.

        Raises Interrupted where Ctrl-C comes that is heard around it.
        """
        from pydrake.solvers import IpoptSolver, MathematicalProgram, SnoptSolver

        programme, scale = MathematicalProgram(), self.scale
        z = programme.NewContinuousVariables(len(scale), "z")
        programme.AddBoundingBoxConstraint(self.lower / scale, self.upper / scale, z)
        for row in self.linear:
            weights = row.coefficients * scale[row.variables]
            programme.AddLinearConstraint(weights, row.lower, row.upper, z[row.variables])
        for group in self.groups:
            function = _drake_function(group)
            binding = programme.AddConstraint(function, *group.bounds(), z[group.variables])
            binding.evaluator().SetGradientSparsityPattern(group.pattern())
        _add_objective(programme, self.objective, z)
        solver = {"snopt": SnoptSolver, "ipopt": IpoptSolver}[effort.solver]()
        try:
            result = solver.Solve(programme, start / scale, _options(solver.id(), effort))
        except RuntimeError as error:  # what SNOPT makes of it
            if heard():
                raise Interrupted from error
            raise
        message = str(result.get_solution_result()).rpartition(".")[2]
        return ProgrammeResult(result.GetSolution(z) * scale, bool(result.is_success()), message)


def _add_objective(programme: Any, objective: LinearCost | QuadraticCost, z: Any) -> None:  # noqa: ANN401 - Drake's
    variables = z[objective.variables]
    if isinstance(objective, LinearCost):
        programme.AddLinearCost(objective.coefficients, 0.0, variables)
    else:
        zeros = np.zeros(len(variables))
        programme.AddQuadraticCost(objective.Q, zeros, variables, is_convex=True)


def _drake_function(group: ConstraintGroup) -> Callable[[npt.NDArray[Any]], npt.NDArray[Any]]:
    """A group as Drake calls it: of numbers, or of numbers with the identity as gradients."""
    from pydrake.autodiffutils import AutoDiffXd

    def evaluate(z: npt.NDArray[Any]) -> npt.NDArray[Any]:
        if heard():
            raise Interrupted
        if z.dtype != object:
            return group.values(np.asarray(z, dtype=np.float64))
        rows = group.gradients(np.array([number.value() for number in z]))
        return np.array([AutoDiffXd(value, slopes) for value, slopes in zip(*rows, strict=True)])

    return evaluate


def _options(solver: Any, effort: Effort) -> Any:  # noqa: ANN401 - Drake's ids and options
    from pydrake.solvers import SolverOptions

    options = SolverOptions()
    settings: dict[str, float] = {"max_iter": effort.iterations, "tol": effort.tolerance}
    if effort.solver == "snopt":
        settings = {
            "Major iterations limit": effort.iterations,
            "Minor iterations limit": _MINOR_PER_MAJOR * effort.iterations,
            "Iterations limit": 1000 * effort.iterations,
            "Superbasics limit": 2000,
            "Major feasibility tolerance": effort.tolerance,
            "Minor feasibility tolerance": min(effort.tolerance, 1e-6),
            "Major optimality tolerance": _OPTIMALITY,
        }
    for name, value in settings.items():
        options.SetOption(solver, name, value)
    return options
