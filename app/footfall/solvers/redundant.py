"""Equations of which some may say what others say: what is left of them, in loops of their own.

LAPACK takes tens of microseconds for a few dozen equations, and wakes its threads for them.
"""

import math

from footfall.arrays import Array
from footfall.jit import scratch_njit

_LOST = 1e-2  # of a square: what is left of a row by less is orthogonal once it is made so again


@scratch_njit
def orthonormalise(
    columns: Array,
    count: int,
    right: Array,
    cut: float,
    basis: Array,
    answer: Array,
    size: Array,
    product: Array,
) -> int:
    """Turn equations a_i . y = b_i into e_k . y = c_k with unit vectors orthogonal to each other.

    columns (n, m): the a_i in front, count of them, and right (m,): the b_i, both spent. basis
    (min(n, m), n): the e_k as rows, and answer (min(n, m),): the c_k. Equations are taken in the
    order of what is left of them beside those that were, as in a QR decomposition with column
    pivoting; where it is less than the share ``cut`` of the longest, they say what others say, and
    are dropped. The shortest y is the sum of c_k e_k. size (2, m), product (m,): scratch. Returns
    the number of the e_k.
    """
    n = columns.shape[0]
    for i in range(count):
        size[0, i] = 0.0
    for j in range(n):
        for i in range(count):
            size[0, i] += columns[j, i] * columns[j, i]
    longest = 0.0
    for i in range(count):
        size[1, i] = size[0, i]
        longest = max(longest, size[0, i])
    least, rank = cut * cut * longest, 0
    while rank < n:
        best = -1
        for i in range(count - 1, -1, -1):
            if not size[0, i] > least:
                count -= 1
                _move(columns, right, size, count, i)
                best = i if best == count else best
            elif best < 0 or size[0, i] > size[0, best]:
                best = i
        if best < 0:
            break
        _take_unit(columns, right, size, best, rank, basis, answer)
        count -= 1
        _move(columns, right, size, count, best)
        _take_out(columns, right, size, count, rank, basis, answer, product)
        rank += 1
    return rank


@scratch_njit
def _move(columns: Array, right: Array, size: Array, a: int, b: int) -> None:
    """Put an equation into the place of another one."""
    if a != b:
        for j in range(columns.shape[0]):
            columns[j, b] = columns[j, a]
        right[b], size[0, b], size[1, b] = right[a], size[0, a], size[1, a]


@scratch_njit
def _take_unit(
    columns: Array, right: Array, size: Array, best: int, k: int, basis: Array, answer: Array
) -> None:
    """Make an equation that of a unit vector, which is orthogonal to those before to rounding."""
    n = columns.shape[0]
    c = right[best]
    for j in range(n):
        basis[k, j] = columns[j, best]
    if size[0, best] < _LOST * size[1, best]:
        for i in range(k):
            along = 0.0
            for j in range(n):
                along += basis[i, j] * basis[k, j]
            for j in range(n):
                basis[k, j] -= along * basis[i, j]
            c -= along * answer[i]
    square = 0.0
    for j in range(n):
        square += basis[k, j] * basis[k, j]
    length = math.sqrt(square)
    for j in range(n):
        basis[k, j] /= length
    answer[k] = c / length


@scratch_njit
def _take_out(
    columns: Array,
    right: Array,
    size: Array,
    count: int,
    k: int,
    basis: Array,
    answer: Array,
    product: Array,
) -> None:
    """Take from the equations that are left what one of a unit vector says."""
    n = columns.shape[0]
    for i in range(count):
        product[i] = size[0, i] = 0.0
    for j in range(n):
        share = basis[k, j]
        if share != 0.0:
            for i in range(count):
                product[i] += share * columns[j, i]
    for j in range(n):
        share = basis[k, j]
        for i in range(count):
            left = columns[j, i] - share * product[i]
            columns[j, i] = left
            size[0, i] += left * left
    for i in range(count):
        right[i] -= product[i] * answer[k]
