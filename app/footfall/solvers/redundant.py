"""Contacts left out that others nearly repeat: the last resort of Newton's method.

Two points that rounding tells apart, with two coefficients of friction, say: one bears, the other
is a hair's breadth open, and between them W has no digits left for Newton's method to see that. One
that bears is taken for open, and the rest is solved; the natural map of the whole judges.
"""

from __future__ import annotations

import math

import numpy as np

from footfall.arrays import Array
from footfall.jit import njit
from footfall.solvers.natural_map import scaled_residual, velocity
from footfall.solvers.newton import solve_newton

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
