"""The fallback chain of solvers: the cheap and exact first, the best try handed on to the next."""

from __future__ import annotations

import math

from footfall.arrays import Array
from footfall.jit import njit
from footfall.solvers.enumeration import MAX_CONTACTS, enumerate_modes
from footfall.solvers.gauss_seidel import solve_gauss_seidel
from footfall.solvers.natural_map import ran_away
from footfall.solvers.newton import solve_newton
from footfall.solvers.problem import ENUMERATION, GAUSS_SEIDEL, NEWTON, NONE, PROXIMAL
from footfall.solvers.proximal import solve_proximal

_NEWTON_STEPS = 40
_SWEEPS = 20
_BURSTS = 4
_OUTER_STEPS = 300


@njit
def _keep_better(
    best: float, stage: int, r: Array, residual: float, other: int, trial: Array
) -> tuple[float, int]:
    """Put a better try, of the stage ``other``, in the place of r; return its (residual, stage)."""
    if residual < best:
        r[:] = trial
        return residual, other
    return best, stage


@njit
def solve_with_fallbacks(
    W: Array,
    q: Array,
    mu: Array,
    dim: int,
    norm: float,
    tolerance: float,
    limit: int,
    r: Array,
) -> tuple[float, int, int]:
    """Try one solver after another from the guess in r until the natural map accepts.

    Enumeration (up to three planar contacts), Newton from the guess and from zero, bursts of
    Gauss-Seidel each followed by Newton, proximal regularisation around the best and around zero.
    ``limit`` caps the iterations of each stage where it is positive. Returns the residual, the
    stage that reached it, and the iterations of all stages together; r receives the best impulses.
    """
    best = math.inf
    stage = NONE
    total = 0
    guess = r.copy()
    newton_steps = min(_NEWTON_STEPS, limit) if limit > 0 else _NEWTON_STEPS
    if dim == 2 and mu.shape[0] <= MAX_CONTACTS:
        best, used = enumerate_modes(W, q, mu, norm, tolerance, r)
        stage = ENUMERATION
        total += used
        if best <= tolerance:
            return best, stage, total
    trial = guess.copy()
    cold = True
    for i in range(trial.shape[0]):
        if trial[i] != 0.0:
            cold = False
    for start in range(1 if cold else 2):
        if start == 1:
            trial[:] = 0.0
        residual, used = solve_newton(W, q, mu, dim, norm, tolerance, newton_steps, trial)
        total += used
        best, stage = _keep_better(best, stage, r, residual, NEWTON, trial)
        if best <= tolerance:
            return best, stage, total
    trial[:] = guess
    sweeps = _SWEEPS
    for _ in range(_BURSTS):
        sweeps = min(sweeps, limit) if limit > 0 else sweeps
        residual, used = solve_gauss_seidel(W, q, mu, dim, norm, tolerance, sweeps, trial)
        total += used
        if ran_away(q, trial, norm):  # from there Newton finds at best a jam of huge impulses
            break
        best, stage = _keep_better(best, stage, r, residual, GAUSS_SEIDEL, trial)
        if best <= tolerance:
            return best, stage, total
        polished = trial.copy()
        residual, used = solve_newton(W, q, mu, dim, norm, tolerance, newton_steps, polished)
        total += used
        best, stage = _keep_better(best, stage, r, residual, NEWTON, polished)
        if best <= tolerance:
            return best, stage, total
        sweeps *= 4
    outer = min(_OUTER_STEPS, limit) if limit > 0 else _OUTER_STEPS
    trial[:] = r
    for _ in range(2):
        residual, used = solve_proximal(W, q, mu, dim, norm, tolerance, outer, trial)
        total += used
        best, stage = _keep_better(best, stage, r, residual, PROXIMAL, trial)
        if best <= tolerance:
            break
        trial[:] = 0.0
    return best, stage, total
