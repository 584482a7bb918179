"""M = L^T L by depth, and what is solved with it: free velocities, rows of contacts, bilateral rows.

M is kept by velocity and depth, as `footfall.plants.flat.dynamics` gives it, and so is L, whose row
k has entries at the ancestors of k alone (R. Featherstone, Rigid Body Dynamics Algorithms, Springer
2008, section 6.5). Rows J (n, nv) are kept as their transpose, (nv, n), in which loops run along
rows; Y = J L^-1 likewise, so that J M^-1 J^T = Y^T Y.
"""

import math

from footfall.arrays import Array, Flags, Indices
from footfall.jit import njit


@njit
def factor(depth: Indices, path: Indices, mass: Array, L: Array) -> bool:
    """Fill L (nv, depths) from M by depth; False where M is not definite."""
    for k in range(depth.size):
        for d in range(depth[k] + 1):
            L[k, d] = mass[k, d]
    for k in range(depth.size - 1, -1, -1):
        n = depth[k]
        if not L[k, n] > 0.0:
            return False
        pivot = math.sqrt(L[k, n])
        L[k, n] = pivot
        for d in range(n):
            L[k, d] /= pivot
        for d in range(n):
            i, h = path[k, d], L[k, d]
            for e in range(d + 1):
                L[i, e] -= h * L[k, e]
    return True


@njit
def times_mass(depth: Indices, path: Indices, mass: Array, x: Array, out: Array) -> None:
    """Fill M x (nv,)."""
    for k in range(depth.size):
        n = depth[k]
        total = mass[k, n] * x[k]
        for d in range(n):
            j = path[k, d]
            total += mass[k, d] * x[j]
            out[j] += mass[k, d] * x[k]
        out[k] = total


@njit
def solve_transposed(depth: Indices, path: Indices, L: Array, x: Array) -> None:
    """Solve L^T y = x in place."""
    for k in range(depth.size - 1, -1, -1):
        n = depth[k]
        x[k] /= L[k, n]
        for d in range(n):
            x[path[k, d]] -= L[k, d] * x[k]


@njit
def solve(depth: Indices, path: Indices, L: Array, x: Array) -> None:
    """Solve L y = x in place."""
    for k in range(depth.size):
        n = depth[k]
        total = x[k]
        for d in range(n):
            total -= L[k, d] * x[path[k, d]]
        x[k] = total / L[k, n]


@njit
def half_rows(
    depth: Indices, path: Indices, L: Array, used: Flags, J: Array, n: int, Y: Array
) -> None:
    """Fill Y = J L^-1 of n rows; used (nv,): the velocities of which they may have entries."""
    for k in range(depth.size):
        if used[k]:
            for i in range(n):
                Y[k, i] = J[k, i]
    for k in range(depth.size - 1, -1, -1):
        if not used[k]:
            continue
        inverse = 1.0 / L[k, depth[k]]
        for i in range(n):
            Y[k, i] *= inverse
        for d in range(depth[k]):
            j, h = path[k, d], L[k, d]
            for i in range(n):
                Y[j, i] -= h * Y[k, i]


@njit
def gram(used: Flags, Y: Array, n: int, W: Array) -> None:
    """Fill W = Y^T Y (n, n)."""
    for i in range(n):
        for j in range(n):
            W[i, j] = 0.0
    for k in range(used.size):
        if used[k]:
            for i in range(n):
                y = Y[k, i]
                if y != 0.0:
                    for j in range(i + 1):
                        W[i, j] += y * Y[k, j]
    for i in range(n):
        for j in range(i):
            W[j, i] = W[i, j]


@njit
def along_rows(used: Flags, J: Array, n: int, v: Array, out: Array) -> None:
    """Fill J v (n,)."""
    for i in range(n):
        out[i] = 0.0
    for k in range(used.size):
        if used[k] and v[k] != 0.0:
            for i in range(n):
                out[i] += J[k, i] * v[k]


@njit
def by_rows(used: Flags, Y: Array, n: int, r: Array, out: Array) -> None:
    """Fill Y r (nv,), of which nothing is elsewhere than at the used velocities."""
    for k in range(used.size):
        total = 0.0
        if used[k]:
            for i in range(n):
                total += Y[k, i] * r[i]
        out[k] = total
