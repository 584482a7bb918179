"""Bilateral rows G v = 0 that hold in a step, by the factor of M = L^T L, kept by depth.

In y = L v the metric of M is that of unit vectors, and the rows are G L^-1. Unit vectors Q that
these span do what a pseudo-inverse does, and redundant rows leave nothing in them: what holds takes
Q^T Q y from y, and from rows J L^-1 of contacts their part along Q.
"""

from typing import NamedTuple

import numpy as np

from footfall.arrays import Array, Indices
from footfall.jit import scratch_njit
from footfall.plants.flat.factor import solve, solve_transposed, times
from footfall.solvers.redundant import orthonormalise

# of the longest: of a row less is left beside others when it says what they say
REDUNDANT = 1e-6


class Held(NamedTuple):
    """Memory for up to m equations G v = b of nv velocities.

    rows (m, nv): G; residual (m,): of the positions; right (m,): b. half (nv, m), basis (nv, nv),
    answer (nv,), size (2, m), product (m,): as ``hold`` takes them.
    """

    rows: Array
    residual: Array
    right: Array
    half: Array
    basis: Array
    answer: Array
    size: Array
    product: Array


def held_for(m: int, nv: int) -> Held:
    """Return memory for m equations of nv velocities."""
    sizes = (m, nv), m, m, (nv, m), (nv if m else 0, nv), nv, (2, m), m
    return Held(*(np.zeros(size) for size in sizes))


@scratch_njit
def hold(depth: Indices, path: Indices, L: Array, held: Held, count: int) -> int:
    """Fill the unit vectors Q (rank, nv) of the first rows G, count of them; returns the rank.

    b is spent, and the answer of the equations begins with Q y.
    """
    for i in range(count):
        for j in range(depth.size):
            held.half[j, i] = held.rows[i, j]
    solve_transposed(depth, path, L, held.half, count)
    return orthonormalise(
        held.half, count, held.right, REDUNDANT, held.basis, held.answer, held.size, held.product
    )


@scratch_njit
def change_least(
    depth: Indices, path: Indices, L: Array, held: Held, count: int, change: Array
) -> None:
    """Fill in the v (nv,) that meets the first of G v = b and is smallest in the metric of M.

    Of redundant equations those that have most to say count, and the others get what they ask for
    as far as the equations agree.
    """
    rank = hold(depth, path, L, held, count)
    for j in range(depth.size):
        change[j] = 0.0
    for k in range(rank):
        for j in range(depth.size):
            change[j] += held.answer[k] * held.basis[k, j]
    solve(depth, path, L, change)


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
