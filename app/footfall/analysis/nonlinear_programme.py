"""A nonlinear programme, solved by SNOPT or IPOPT through Drake.

    least f(z)  with  lower <= x <= upper,  lower <= A x <= upper,  lower <= g_k(z) <= upper

x are the variables in the caller's units, z = x/scale what the solver sees. Bounds, linear
constraints, start and result are in x. The objective and the constraint groups g_k are functions of
z, whose gradients the caller gives. The programme need not be convex: a solution is the best near
its start.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from footfall.analysis.context import Interrupted
from footfall.arrays import Array, Indices
from footfall.hybrid.component_first import STEP
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
class ComplexStepGroup:
    """Constraints lower <= function(v) <= upper, of one form for several sets of variables.

    columns (m, k): indices of k sets of m variables; units (m, k), or one for all: what a scaled
    variable stands for; function: (m, batch) -> (rows, batch), taking complex numbers; lower, upper
    (rows,), or (rows, k) where they differ from set to set.
    """

    name: str
    columns: Indices
    units: Array | float
    function: Callable[[Any], Any]
    lower: Array
    upper: Array

    @cached_property
    def variables(self) -> Indices:
        """Variables that any of the sets has, sorted."""
        return np.unique(self.columns)

    @cached_property
    def _local(self) -> Indices:
        return np.searchsorted(self.variables, self.columns)

    def bounds(self) -> tuple[Array, Array]:
        """Lower and upper bounds of all values."""
        shape = (len(self.lower), self.columns.shape[1])
        lower, upper = (one.reshape(len(one), -1) for one in (self.lower, self.upper))
        return np.broadcast_to(lower, shape).ravel(), np.broadcast_to(upper, shape).ravel()

    def pattern(self) -> list[tuple[int, int]]:
        """Row and column of every entry of the Jacobian that may differ from 0."""
        m, sets = self.columns.shape
        rows = np.arange(len(self.lower) * sets).reshape(-1, 1, sets)
        shape = (len(self.lower), m, sets)
        pairs = np.broadcast_to(rows, shape), np.broadcast_to(self._local, shape)
        return list(zip(pairs[0].ravel().tolist(), pairs[1].ravel().tolist(), strict=True))

    def values(self, z: Array) -> Array:
        """Values of the constraints at scaled variables z, in the order of `variables`."""
        return np.asarray(self.function(z[self._local] * self.units), dtype=np.float64).ravel()

    def gradients(self, z: Array) -> tuple[Array, Array]:
        """Values, and their Jacobian with respect to z, by steps into the complex numbers."""
        m, sets = self.columns.shape
        batch = np.repeat((z[self._local] * self.units)[:, None, :], m + 1, axis=1).astype(complex)
        each = np.arange(m)
        batch[each, each + 1] += 1j * STEP
        values = self.function(batch.reshape(m, -1)).reshape(-1, m + 1, sets)
        slopes = values[:, 1:].imag / STEP * self.units
        jacobian = np.zeros((len(values), sets, len(self.variables)))
        for k in range(sets):
            jacobian[:, k, self._local[:, k]] = slopes[:, :, k]
        return values[:, 0].real.ravel(), jacobian.reshape(-1, len(self.variables))


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
