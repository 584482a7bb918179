"""The contact problem of one step, (W, q, mu) -> impulses: its solvers and their judge."""

from footfall.solvers.api import METHODS, method_name, solve
from footfall.solvers.contact_problem import (
    ContactNotSolved,
    ContactProblem,
    Impulses,
    StepProblem,
)
from footfall.solvers.kernels import solve_kernel
from footfall.solvers.natural_map import natural_map_residual
from footfall.solvers.problem import SolverStage, SolverStatus

__all__ = [
    "METHODS",
    "ContactNotSolved",
    "ContactProblem",
    "Impulses",
    "SolverStage",
    "SolverStatus",
    "StepProblem",
    "method_name",
    "natural_map_residual",
    "solve",
    "solve_kernel",
]
