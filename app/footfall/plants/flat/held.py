"""Bilateral rows G v = 0 that hold in a step, by the factor of M = L^T L, kept by depth.

In y = L v the metric of M is that of unit vectors, and the rows are G L^-1. Unit vectors Q that
these span do what a pseudo-inverse does, and redundant rows leave nothing in them: what holds takes
Q^T Q y from y, and from rows J L^-1 of contacts their part along Q.
"""

from footfall.arrays import Array, Indices
from footfall.jit import scratch_njit
from footfall.plants.flat.factor import solve, solve_transposed, times
from footfall.solvers.redundant import orthonormalise

# of the longest: of a row less is left beside others when it says what they say
REDUNDANT = 1e-6


@scratch_njit
def hold(
    depth: Indices,
    path: Indices,
    L: Array,
    rows: Array,
    count: int,
    half: Array,
    right: Array,
    basis: Array,
    answer: Array,
    size: Array,
    product: Array,
) -> int:
    """Fill the unit vectors Q (rank, nv) of rows G into basis (nv, nv); returns the rank.

    rows (m, nv): G in front, count of them. right (m,): b of equations G v = b, spent, whose answer
    (nv,) begins with Q y. half (nv, m), size (2, m), product (m,): scratch.
    """
    for i in range(count):
        for j in range(depth.size):
            half[j, i] = rows[i, j]
    solve_transposed(depth, path, L, half, count)
    return orthonormalise(half, count, right, REDUNDANT, basis, answer, size, product)


@scratch_njit
def hold_velocity(
    depth: Indices, path: Indices, L: Array, basis: Array, rank: int, v: Array, y: Array, z: Array
) -> None:
    """Move v (nv,) to the nearest velocity in the metric of M that the rows allow.

    y, z (nv,): scratch.
    """
    times(depth, path, L, v, y)
    for j in range(v.size):
        z[j] = 0.0
    for k in range(rank):
        along = 0.0
        for j in range(v.size):
            along += basis[k, j] * y[j]
        for j in range(v.size):
            z[j] += along * basis[k, j]
    solve(depth, path, L, z)
    for j in range(v.size):
        v[j] -= z[j]
