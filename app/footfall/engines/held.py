"""Bilateral rows of a step, G v = 0, by the factor of M = L^T L.

Their impulses are eliminated before contact is solved: with H = G L^-1, those that bring G v to
zero are -(H H^T)^+ G v; the pseudo-inverse allows rows that are redundant. G and H are kept as
their transposes, (nv, m).
"""

from typing import NamedTuple

import numpy as np

from footfall.arrays import Array, Indices
from footfall.engines.factored import solve
from footfall.jit import njit


class Held(NamedTuple):
    """G (nv, m), H (nv, m) and the pseudo-inverse of H H^T (m, m)."""

    G: Array
    H: Array
    inverse: Array


@njit
def hold(depth: Indices, path: Indices, L: Array, G: Array, H: Array, inverse: Array) -> None:
    """Fill H and the pseudo-inverse for the rows G (nv, m); m may be 0."""
    count = G.shape[1]
    if count == 0:
        return
    H[:] = G
    for k in range(depth.size - 1, -1, -1):
        for i in range(count):
            H[k, i] /= L[k, depth[k]]
        for d in range(depth[k]):
            for i in range(count):
                H[path[k, d], i] -= L[k, d] * H[k, i]
    inverse[:] = np.linalg.pinv(H.T @ H, 1e-12)


@njit
def keep_held(
    depth: Indices,
    path: Indices,
    L: Array,
    G: Array,
    H: Array,
    inverse: Array,
    v: Array,
    out: Array,
) -> None:
    """Fill the velocity nearest to v in the metric of M that satisfies G v = 0."""
    out[:] = v
    if G.shape[1] == 0:
        return
    change = H @ (inverse @ (G.T @ v))
    solve(depth, path, L, change)
    for k in range(v.size):
        out[k] -= change[k]


@njit
def project_rows(H: Array, inverse: Array, n: int, Y: Array) -> Array:
    """Take from n rows Y (nv, n) their part along the constraints; returns H Y^T (m, n) before."""
    along = H.T @ np.ascontiguousarray(Y[:, :n])
    spread = H @ (inverse @ along)
    for k in range(Y.shape[0]):
        for i in range(n):
            Y[k, i] -= spread[k, i]
    return along


@njit
def work_of_holding(
    G: Array, inverse: Array, along: Array, r: Array, free: Array, v: Array, v_end: Array
) -> float:
    """Work of the rows' impulses [J] in a change of velocity from v to v_end.

    free: the velocity without any impulse; r (n,): impulses of the contacts, along (m, n): H Y^T of
    their rows. What makes G v = 0 in spite of both is lambda.
    """
    if G.shape[1] == 0:
        return 0.0
    multipliers = inverse @ (G.T @ free + along @ r)
    return float(-0.5 * multipliers @ (G.T @ (v + v_end)))
