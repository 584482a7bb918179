"""``solve``: the contact problem for callers in plain Python."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.solvers.contact_problem import ContactNotSolved, ContactProblem, Impulses
from footfall.solvers.enumeration import MAX_CONTACTS
from footfall.solvers.kernels import FALLBACK_CHAIN, solve_kernel
from footfall.solvers.problem import (
    ENUMERATION,
    FIXED_POINT,
    GAUSS_SEIDEL,
    NEWTON,
    PROXIMAL,
    SETTLED_MODES,
    SolverStage,
    SolverStatus,
)

METHODS: Final[dict[str, int]] = {
    "fallback-chain": FALLBACK_CHAIN,
    "enumeration": ENUMERATION,
    "newton": NEWTON,
    "gauss-seidel": GAUSS_SEIDEL,
    "proximal": PROXIMAL,
    "settled-modes": SETTLED_MODES,
    "fixed-point": FIXED_POINT,
}

_ALIASES = {"ladder": "fallback-chain"}


def method_name(name: str) -> str:
    """Return the key of METHODS that a name or its alias stands for; another name as it is."""
    return _ALIASES.get(name, name)


def solve(
    W: npt.ArrayLike,
    q: npt.ArrayLike,
    mu: npt.ArrayLike,
    dim: int,
    guess: npt.ArrayLike | None = None,
    *,
    method: str = "fallback-chain",
    tolerance: float = 1e-10,
    r_parameter: float = 0.5,
    max_iterations: int = 0,
) -> Impulses:
    """Find the contact impulses r with u = W r + q that the natural map accepts.

    ``W`` (n*dim, n*dim) in 1/kg, ``q`` (n*dim,) in m/s (with restitution already in q_n), ``mu``
    (n,) or one number, ``dim`` 2 or 3; per contact [n, t] or [n, t, s]; ``guess`` (n*dim,) in N s,
    zero if None. Accepted: r_n >= 0, u_n >= 0, u_n r_n = 0, |r_T| <= mu r_n, and
    r_T = -mu r_n u_T/|u_T| where u_T is not zero, all together to ``tolerance`` in the scaled
    natural map (see :mod:`footfall.solvers.natural_map`). Where the laws leave several solutions,
    one of them comes back (see :mod:`footfall.solvers.enumeration` for which).

    ``method`` is a key of METHODS or its alias (see :func:`method_name`); ``r_parameter`` (kg)
    belongs to "fixed-point"; a positive ``max_iterations`` caps the iterations (of each stage, for
    "fallback-chain").

    Raises ContactNotSolved (with the problem inside) where nothing was accepted, RunError for
    numbers that are not finite, ValueError for shapes, names or parameters that make no sense.
    """
    friction = np.asarray(mu, dtype=np.float64)
    if friction.ndim == 0 and dim in (2, 3):
        friction = np.full(np.size(q) // dim, float(friction))
    problem = ContactProblem(np.asarray(W), np.asarray(q), friction, dim)
    code = METHODS.get(method_name(method))
    if code is None:
        raise ValueError(f"no contact solver is called {method!r}: use one of {', '.join(METHODS)}")
    if code == ENUMERATION and (dim != 2 or problem.mu.size > MAX_CONTACTS):
        raise ValueError(f"enumeration is for up to {MAX_CONTACTS} planar contacts")
    if not (tolerance > 0.0 and r_parameter > 0.0):
        raise ValueError("tolerance and r_parameter must be positive")
    options = (tolerance, r_parameter, max_iterations)
    impulses = _call(problem, _start(problem, guess), code, options)
    if impulses.status != SolverStatus.SOLVED:
        raise ContactNotSolved(problem, impulses, tolerance)
    return impulses


def _start(problem: ContactProblem, guess: npt.ArrayLike | None) -> Array:
    """The guess as an array, which is checked; zeros if there is none."""
    if guess is None:
        return np.zeros_like(problem.q)
    start = np.ascontiguousarray(guess, dtype=np.float64)
    if start.shape != problem.q.shape or not np.all(np.isfinite(start)):
        raise ValueError(f"guess must be {problem.q.shape} finite numbers")
    return start


def _call(
    problem: ContactProblem, start: Array, code: int, options: tuple[float, float, int]
) -> Impulses:
    W, q, mu, dim = problem.W, problem.q, problem.mu, problem.dim
    r, u, residual, stage, used, status = solve_kernel(W, q, mu, dim, start, code, *options)
    return Impulses(r, u, residual, SolverStage(stage), used, SolverStatus(status))
