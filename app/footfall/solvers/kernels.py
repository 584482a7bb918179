"""``solve_kernel``: the contact problem for callers that are compiled themselves."""

from __future__ import annotations

import math

import numpy as np

from footfall.arrays import Array
from footfall.jit import njit
from footfall.solvers.enumeration import MAX_CONTACTS, enumerate_modes
from footfall.solvers.fallback_chain import solve_with_fallbacks
from footfall.solvers.fixed_point import solve_fixed_point
from footfall.solvers.gauss_seidel import solve_by_modes, solve_gauss_seidel
from footfall.solvers.natural_map import (
    natural_map_residual,
    spectral_norm,
    unbounded_residual,
    velocity,
)
from footfall.solvers.newton import SPREAD, row_scales, scale_problem, solve_newton
from footfall.solvers.problem import (
    ENUMERATION,
    FIXED_POINT,
    GAUSS_SEIDEL,
    NEWTON,
    NONE,
    NOT_SOLVED,
    OWN,
    PROXIMAL,
    SETTLED_MODES,
    SOLVED,
)
from footfall.solvers.proximal import solve_proximal

FALLBACK_CHAIN = NONE  # no single stage: one after another
_SHARPEST = 1e-3  # of the tolerance


@njit
def _sum_of_sizes(values: Array) -> float:
    total = 0.0
    for value in values:
        total += abs(value)
    return total


@njit
def _dispatch(
    W: Array,
    q: Array,
    mu: Array,
    dim: int,
    norm: float,
    method: int,
    tolerance: float,
    r_parameter: float,
    cap: int,
    r: Array,
) -> tuple[float, int, int]:
    """Run one method from the guess in r; (residual, stage, iterations)."""
    if method == FALLBACK_CHAIN:
        return solve_with_fallbacks(W, q, mu, dim, norm, tolerance, cap, r)
    residual = math.inf
    used = 0
    if method == ENUMERATION:
        if dim == 2 and mu.shape[0] <= MAX_CONTACTS:
            residual, used = enumerate_modes(W, q, mu, norm, tolerance, r)
    elif method == NEWTON:
        cap = cap if cap > 0 else 100
        residual, used = solve_newton(W, q, mu, dim, norm, tolerance, cap, r)
    elif method == GAUSS_SEIDEL:
        cap = cap if cap > 0 else 20000
        residual, used = solve_gauss_seidel(W, q, mu, dim, norm, tolerance, cap, r)
    elif method == PROXIMAL:
        cap = cap if cap > 0 else 200
        residual, used = solve_proximal(W, q, mu, dim, norm, tolerance, cap, r)
    elif method == SETTLED_MODES:
        cap = cap if cap > 0 else 20000
        residual, used = solve_by_modes(W, q, mu, dim, norm, tolerance, cap, r)
    elif method == FIXED_POINT:
        cap = cap if cap > 0 else 100000
        residual, used = solve_fixed_point(W, q, mu, dim, norm, tolerance, cap, r_parameter, r)
    elif method == OWN:  # whose answer is the guess
        residual = natural_map_residual(W, q, mu, dim, r)
    return residual, method, used


@njit
def _solve_scaled(
    W: Array,
    q: Array,
    mu: Array,
    dim: int,
    norm: float,
    d: Array,
    method: int,
    tolerance: float,
    cap: int,
    r: Array,
    u: Array,
) -> tuple[float, int, int]:
    """Solve the problem whose contacts are scaled alike; accept only if both maps do.

    Beside a contact with a much larger W_ii the natural map hardly sees the velocity of a heavy
    one, so here the map of the scaled problem is asked as well. The larger residual comes back.
    """
    Ws, qs = scale_problem(W, q, d)
    scaled_norm = spectral_norm(Ws)
    x = r / d
    aim = tolerance
    total = 0
    while True:
        inner, stage, used = _dispatch(Ws, qs, mu, dim, scaled_norm, method, aim, 1.0, cap, x)
        total += used
        for i in range(d.shape[0]):
            r[i] = d[i] * x[i]
        velocity(W, q, r, u)
        residual = max(inner, unbounded_residual(q, mu, dim, norm, r, u))
        if residual <= tolerance or inner > aim or aim < _SHARPEST * tolerance:
            return residual, stage, total
        if not math.isfinite(residual):  # impulses that ran away: from there is no way back
            x[:] = 0.0
        aim *= 0.01


@njit
def solve_kernel(
    W: Array,
    q: Array,
    mu: Array,
    dim: int,
    guess: Array,
    method: int,
    tolerance: float,
    r_parameter: float,
    max_iterations: int,
) -> tuple[Array, Array, float, int, int, int]:
    """Solve one contact problem; returns (r, u, residual, stage, iterations, status).

    Shapes as in :class:`~footfall.solvers.contact_problem.ContactProblem`, all arrays
    C-contiguous; ``guess`` (n*dim,) is kept. ``method`` is 0 for the fallback chain, else the value
    of a :class:`~footfall.solvers.problem.SolverStage`, of which OWN but judges the guess.
    ``r_parameter`` belongs to the fixed point. ``max_iterations`` caps the iterations of the method
    (of each stage, for the fallback chain); 0 leaves each its own cap. Nothing is raised: status 1
    (NOT_SOLVED) says that the natural map refused the best try, that a number was not finite, or
    that the method cannot play (enumeration beyond three planar contacts).

    In compiled code hand over dim, method and max_iterations as variables: numba compiles
    everything anew for literals.
    """
    n = mu.shape[0]
    r = guess.copy()
    u = np.zeros(q.shape[0])
    if n == 0:
        return r, u, 0.0, NONE, 0, SOLVED
    size_q = _sum_of_sizes(q)
    if not math.isfinite(size_q + _sum_of_sizes(W.ravel())):
        r[:] = 0.0
        return r, u, math.inf, NONE, 0, NOT_SOLVED
    if size_q == 0.0:
        r[:] = 0.0
        return r, u, 0.0, NONE, 0, SOLVED
    norm = spectral_norm(W)
    d = row_scales(W, dim)
    if method == FIXED_POINT or d.max() <= SPREAD * d.min():
        residual, stage, used = _dispatch(
            W, q, mu, dim, norm, method, tolerance, r_parameter, max_iterations, r
        )
        velocity(W, q, r, u)
    else:
        residual, stage, used = _solve_scaled(
            W, q, mu, dim, norm, d, method, tolerance, max_iterations, r, u
        )
    return r, u, residual, stage, used, SOLVED if residual <= tolerance else NOT_SOLVED
