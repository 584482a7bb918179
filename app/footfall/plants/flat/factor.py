"""The factor of a mass matrix that is kept by depth, M = L^T L, and what is solved with it.

What a tree of links leaves zero in M is zero in L as well (R. Featherstone, Rigid Body Dynamics
Algorithms, Springer 2008, section 6.5), so that L is kept by depth, too.
"""

import math

from footfall.arrays import Array, Indices
from footfall.jit import scratch_njit


@scratch_njit
def factor(depth: Indices, path: Indices, H: Array) -> bool:
    """Factor M = L^T L in place; returns whether M is positive definite."""
    for k in range(depth.size - 1, -1, -1):
        n = depth[k]
        if not H[k, n] > 0.0:
            return False
        H[k, n] = math.sqrt(H[k, n])
        for d in range(n):
            H[k, d] /= H[k, n]
        for d in range(n):
            i, share = path[k, d], H[k, d]
            if share != 0.0:
                for e in range(d + 1):
                    H[i, e] -= share * H[k, e]
    return True


@scratch_njit
def factor_of(depth: Indices, path: Indices, M: Array, L: Array) -> bool:
    """Fill L by depth with the factor of M, which stays; say whether M is positive definite."""
    for k in range(depth.size):
        for d in range(depth[k] + 1):
            L[k, d] = M[k, d]
    return factor(depth, path, L)


@scratch_njit
def solve_transposed(depth: Indices, path: Indices, L: Array, columns: Array, count: int) -> None:
    """Solve L^T y = x for the first columns (nv, m), in place."""
    for k in range(depth.size - 1, -1, -1):
        n = depth[k]
        pivot = L[k, n]
        for c in range(count):
            columns[k, c] /= pivot
        for d in range(n):
            i, share = path[k, d], L[k, d]
            if share != 0.0:
                for c in range(count):
                    columns[i, c] -= share * columns[k, c]


@scratch_njit
def solve(depth: Indices, path: Indices, L: Array, x: Array) -> None:
    """Solve L y = x (nv,) in place."""
    for k in range(depth.size):
        n = depth[k]
        total = x[k]
        for d in range(n):
            total -= L[k, d] * x[path[k, d]]
        x[k] = total / L[k, n]


@scratch_njit
def times(depth: Indices, path: Indices, L: Array, x: Array, y: Array) -> None:
    """Fill in y = L x (nv,)."""
    for k in range(depth.size):
        total = 0.0
        for d in range(depth[k] + 1):
            total += L[k, d] * x[path[k, d]]
        y[k] = total
