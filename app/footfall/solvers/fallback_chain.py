"""The fallback chain of solvers: the cheap and exact first, the best try handed on to the next.

The last resort of Newton's method leaves out contacts that others nearly repeat. Two points that
rounding tells apart, with two coefficients of friction, say: one bears, the other is a hair's
breadth open, and between them W has no digits left for Newton's method to see that. One that bears
is taken for open, and the rest is solved; the natural map of the whole judges.
"""

from __future__ import annotations

import math

import numpy as np

from footfall.arrays import Array
from footfall.jit import njit
from footfall.solvers.enumeration import MAX_CONTACTS, enumerate_modes
from footfall.solvers.gauss_seidel import solve_by_modes
from footfall.solvers.natural_map import scaled_residual, velocity
from footfall.solvers.newton import solve_newton
from footfall.solvers.problem import (
    ENUMERATION,
    NEWTON,
    NONE,
    PROXIMAL,
    SETTLED_MODES,
    VELOCITY_SPACE,
)
from footfall.solvers.proximal import solve_proximal
from footfall.solvers.velocity_space import solve_factored

_MOST = 2  # contacts that are left out


@njit
def solve_without_some(
    W: Array, q: Array, mu: Array, dim: int, norm: float, tolerance: float, steps: int, r: Array
) -> tuple[float, int]:
    """Improve r from the try that it holds; returns the residual and the Newton steps.

    steps: bound on those of each try.
    """
    some, base, nearest = np.arange(mu.size), r.copy(), r.copy()
    trial, u, total = np.empty(q.size), np.empty(q.size), 0
    velocity(W, q, r, u)
    best = scaled_residual(q, mu, dim, norm, r, u)
    for _ in range(_MOST):
        least, leaves = math.inf, -1
        for i in some:
            if base[i * dim] <= 0.0 or least <= tolerance:
                continue
            rest = some[some != i]
            rows = (dim * rest.reshape(-1, 1) + np.arange(dim)).ravel()
            own = np.ascontiguousarray(W[rows][:, rows])
            for warm in (1.0, 0.0):
                x = warm * base[rows]
                total += solve_newton(own, q[rows], mu[rest], dim, norm, tolerance, steps, x)[1]
                trial[:] = 0.0
                trial[rows] = x
                velocity(W, q, trial, u)
                residual = scaled_residual(q, mu, dim, norm, trial, u)
                if residual < least:
                    least, leaves = residual, int(i)
                    nearest[:] = trial
        if least < best:
            best = least
            r[:] = nearest
        if best <= tolerance or leaves < 0:
            break
        base[:] = nearest
        some = some[some != leaves]
    return best, total


NEWTON_STEPS = 40
_OUTER_STEPS = 300
MANY = 60  # rows, from where sweeps cost far less than Newton steps
FIRST_STEPS, MODE_SWEEPS = 10, 400
_INSIDE_STEPS = 600


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

    Enumeration (up to three planar contacts), a few steps of Newton's method from the guess and
    from zero, interior points, more steps of Newton's method, proximal regularisation around the
    best and around zero, and, with up to 60 rows, Newton without one or two of the contacts. With
    60 rows and more, sweeps that find the modes for Newton come before the interior points.
    ``limit`` caps the iterations of each stage where it is positive. Returns the residual, the
    stage that reached it, and the iterations of all stages together; r receives the best impulses.
    """
    best = math.inf
    stage = NONE
    total = 0
    guess = r.copy()
    newton_steps = min(NEWTON_STEPS, limit) if limit > 0 else NEWTON_STEPS
    if dim == 2 and mu.shape[0] <= MAX_CONTACTS:
        best, used = enumerate_modes(W, q, mu, norm, tolerance, r)
        stage = ENUMERATION
        total += used
        if best <= tolerance:
            return best, stage, total
    cold = not np.any(guess != 0.0)
    many = W.shape[0] >= MANY
    if many:
        best, stage, total = _solve_many(W, q, mu, dim, norm, tolerance, limit, cold, r)
        if best <= tolerance:
            return best, stage, total
    trial = guess.copy()
    few = min(FIRST_STEPS, newton_steps)
    for attempt in range(2 if newton_steps > few else 1):
        first = attempt == 0
        steps = few if first else newton_steps
        for start in range(1 if cold else 2):
            if first and many and start == 0 and not cold:
                continue  # that was the first of many
            trial[:] = guess
            if start == 1:
                trial[:] = 0.0
            residual, used = solve_newton(W, q, mu, dim, norm, tolerance, steps, trial)
            total += used
            best, stage = _keep_better(best, stage, r, residual, NEWTON, trial)
            if best <= tolerance:
                return best, stage, total
        if first:
            inside = min(_INSIDE_STEPS, limit) if limit > 0 else _INSIDE_STEPS
            residual, used = solve_factored(W, q, mu, dim, norm, tolerance, inside, trial)
            total += used
            best, stage = _keep_better(best, stage, r, residual, VELOCITY_SPACE, trial)
            if best <= tolerance:
                return best, stage, total
    outer = min(_OUTER_STEPS, limit) if limit > 0 else _OUTER_STEPS
    trial[:] = r
    for _ in range(2):
        residual, used = solve_proximal(W, q, mu, dim, norm, tolerance, outer, trial)
        total += used
        best, stage = _keep_better(best, stage, r, residual, PROXIMAL, trial)
        if best <= tolerance:
            break
        trial[:] = 0.0
    if best > tolerance and W.shape[0] <= MANY:
        trial[:] = r
        residual, used = solve_without_some(W, q, mu, dim, norm, tolerance, newton_steps, trial)
        total += used
        best, stage = _keep_better(best, stage, r, residual, NEWTON, trial)
    return best, stage, total


@njit
def _solve_many(
    W: Array,
    q: Array,
    mu: Array,
    dim: int,
    norm: float,
    tolerance: float,
    limit: int,
    cold: bool,
    r: Array,
) -> tuple[float, int, int]:
    """A few Newton steps, unless the guess in r is cold, and sweeps that find the modes."""
    best, stage, total = math.inf, NONE, 0
    trial = r.copy()
    if not cold:
        steps = min(FIRST_STEPS, limit) if limit > 0 else FIRST_STEPS
        best, total = solve_newton(W, q, mu, dim, norm, tolerance, steps, trial)
        stage = NEWTON
        r[:] = trial
    if best > tolerance:
        sweeps = min(MODE_SWEEPS, limit) if limit > 0 else MODE_SWEEPS
        residual, used = solve_by_modes(W, q, mu, dim, norm, tolerance, sweeps, trial)
        total += used
        best, stage = _keep_better(best, stage, r, residual, SETTLED_MODES, trial)
    return best, stage, total
