"""Scale each contact so that its own block of W has size one.

With r_i = d_i r'_i and u'_i = d_i u_i the cones, the laws and the solutions stay what they were
(one positive factor a contact), while contacts on heavy and on light bodies become alike.
"""

from __future__ import annotations

import numpy as np

from footfall.arrays import Array
from footfall.jit import njit


@njit
def contact_scale(W: Array, start: int, dim: int) -> float:
    """``1/sqrt(|W_ii|)`` (Frobenius) of the contact with first row ``start``; 1 if W_ii = 0."""
    total = 0.0
    for j in range(start, start + dim):
        for k in range(start, start + dim):
            total += W[j, k] * W[j, k]
    return total**-0.25 if total > 0.0 else 1.0


@njit
def row_scales(W: Array, dim: int) -> Array:
    """The factor d of every row, equal inside a contact."""
    size = W.shape[0]
    d = np.empty(size)
    for start in range(0, size, dim):
        factor = contact_scale(W, start, dim)
        for k in range(dim):
            d[start + k] = factor
    return d


@njit
def scale_problem(W: Array, q: Array, d: Array) -> tuple[Array, Array]:
    """``(D W D, D q)`` with D = diag(d)."""
    size = q.shape[0]
    scaled_W = np.empty((size, size))
    scaled_q = np.empty(size)
    for i in range(size):
        scaled_q[i] = d[i] * q[i]
        for j in range(size):
            scaled_W[i, j] = d[i] * W[i, j] * d[j]
    return scaled_W, scaled_q
