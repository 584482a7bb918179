"""Sweeps of Gauss-Seidel until the modes of the contacts settle, then Newton's method.

Which of many contacts are open, stick or slip is what costs Newton's method its steps, and a sweep
costs far less than a factorisation: it finds them, while its own last digits come slowly. With the
modes known, Newton's method is a solution of linear equations.
"""

from __future__ import annotations

import math

import numpy as np

from footfall.arrays import Array, Indices
from footfall.jit import njit
from footfall.solvers.gauss_seidel import coupled_contacts, sweep
from footfall.solvers.natural_map import ran_away, scaled_residual, velocity
from footfall.solvers.newton import solve_newton

_BURST = 20  # sweeps between two looks at the modes
_NEWTON_STEPS = 10
_NEARER = 0.01  # of the residual: then the modes that misled Newton's method are tried again
_INSIDE = 1.0 - 1e-12  # of the cone: friction of a contact that sticks


@njit
def solve_by_modes(
    W: Array,
    q: Array,
    mu: Array,
    dim: int,
    norm: float,
    tolerance: float,
    sweeps: int,
    r: Array,
) -> tuple[float, int]:
    """Improve r from the guess that it holds, by at most so many sweeps and Newton steps between.

    Returns the residual, and sweeps and Newton steps together; r receives the best impulses.
    """
    starts, others = coupled_contacts(W, dim)
    u, modes = np.empty(q.shape[0]), np.full(mu.shape[0], -1, dtype=np.int64)
    x = r.copy()
    velocity(W, q, r, u)
    best, total = scaled_residual(q, mu, dim, norm, r, u), 0
    tried_at = math.inf  # residual at which Newton's method was tried with these modes
    for _ in range(0, sweeps, _BURST):
        for _ in range(_BURST):
            sweep(W, q, mu, dim, starts, others, x)
        total += _BURST
        if ran_away(q, x, norm):
            break
        velocity(W, q, x, u)
        residual = scaled_residual(q, mu, dim, norm, x, u)
        if residual < best:
            best = residual
            r[:] = x
        changed = _changed(mu, dim, x, modes)
        if changed:
            tried_at = math.inf
        if (not changed or residual <= tolerance) and residual < _NEARER * tried_at:
            tried_at = residual
            trial = x.copy()
            residual, used = solve_newton(W, q, mu, dim, norm, tolerance, _NEWTON_STEPS, trial)
            total += used
            if residual < best:
                best = residual
                r[:] = trial
        if best <= tolerance:
            break
    return best, total


@njit
def _changed(mu: Array, dim: int, r: Array, modes: Indices) -> bool:
    """Write the modes of the contacts (0 open, 1 sticking, 2 slipping); True if one is new."""
    changed = False
    for i in range(mu.shape[0]):
        a = i * dim
        friction = 0.0
        for k in range(a + 1, a + dim):
            friction += r[k] * r[k]
        mode = 0
        if r[a] > 0.0:
            mode = 1 if math.sqrt(friction) < _INSIDE * mu[i] * r[a] else 2
        changed = changed or modes[i] != mode
        modes[i] = mode
    return changed
