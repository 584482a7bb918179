"""Dense factors of M, of the trees of a network and in the step of second order.

Impulses of bilateral rows G v = 0: with M = L L^T and H = G L^-T those that bring G v to zero are
-(H H^T)^+ G v; the pseudo-inverse allows rows that are redundant.
"""

from typing import NamedTuple

import numpy as np

from footfall.arrays import Array
from footfall.jit import njit


@njit
def cholesky(matrix: Array) -> Array:
    """Lower Cholesky factor of a small symmetric positive definite matrix.

    NaN where it is not definite.
    """
    n = matrix.shape[0]
    lower = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            total = matrix[i, j]
            for k in range(j):
                total -= lower[i, k] * lower[j, k]
            if i == j:
                lower[i, i] = np.sqrt(total) if total > 0.0 else np.nan
            else:
                lower[i, j] = total / lower[j, j]
    return lower


@njit
def forward_substitute(lower: Array, rows: Array) -> Array:
    """Solve L y = row for every row, shape (k, n) in and out."""
    count, n = rows.shape
    solved = np.empty((count, n))
    for c in range(count):
        for i in range(n):
            total = rows[c, i]
            for k in range(i):
                total -= lower[i, k] * solved[c, k]
            solved[c, i] = total / lower[i, i]
    return solved


@njit
def back_substitute(lower: Array, y: Array) -> Array:
    """Solve L^T x = y."""
    n = y.size
    x = np.empty(n)
    for i in range(n - 1, -1, -1):
        total = y[i]
        for k in range(i + 1, n):
            total -= lower[k, i] * x[k]
        x[i] = total / lower[i, i]
    return x


@njit
def after_force(lower: Array, force: Array, v: Array, dt: float) -> Array:
    """Velocity that a force leaves after a time, v + M^-1 force dt."""
    return v + dt * back_substitute(lower, forward_substitute(lower, force.reshape(1, -1))[0])


class Held(NamedTuple):
    """G (m, nv), H (m, nv) and the pseudo-inverse of H H^T (m, m)."""

    rows: Array
    half: Array
    inverse: Array


@njit
def hold(lower: Array, constraints: Array) -> Held:
    """Prepare the rows G (m, nv) of a step; m may be 0."""
    half = forward_substitute(lower, constraints)
    count = constraints.shape[0]
    inverse = np.zeros((count, count))
    if count > 0:
        inverse[:] = np.linalg.pinv(half @ half.T, 1e-12)
    return Held(constraints, half, inverse)
