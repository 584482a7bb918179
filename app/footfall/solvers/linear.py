"""Small dense linear systems: elimination, and the shortest least-squares answer where singular."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.jit import njit

_PIVOT = 1e-11
_RANK = 1e-11
_LARGE = 48  # unknowns, from where LAPACK is quicker
_SHIFT = 1e-9  # of the largest entry, on the diagonal of a large system


@njit
def solve_linear(A: Array, b: Array, n: int, x: Array) -> bool:
    """Solve the leading n-by-n system ``A x = b`` (both kept); False if by least squares.

    The rows and columns should be scaled alike: a pivot below 1e-11 of the largest entry counts as
    zero, and then x is the shortest of the vectors that make ``|A x - b|`` least. Systems of more
    than 47 unknowns that share equations are solved with 1e-9 of the largest entry added to their
    diagonal, for Newton's method: what is singular then has short answers as well, and what is not
    has lost a factor of 1e-9 times its condition number.
    """
    largest = 0.0
    for i in range(n):
        for j in range(n):
            largest = max(largest, abs(A[i, j]))
    coupled = _coupled(A, n, _PIVOT * largest)
    size = coupled.size
    if size == n:
        return _eliminate(A, b, n, largest, x)
    part, own, answer = np.empty((size, size)), np.empty(size), np.empty(size)
    for i in range(size):
        own[i] = b[coupled[i]]
        for j in range(size):
            part[i, j] = A[coupled[i], coupled[j]]
    regular = _eliminate(part, own, size, largest, answer)
    at = 0
    for i in range(n):
        if at < size and coupled[at] == i:
            x[i] = answer[at]
            at += 1
        else:
            x[i] = b[i] / A[i, i]
    return regular


@njit
def _coupled(A: Array, n: int, least: float) -> npt.NDArray[np.int64]:
    """Indices of the unknowns that share an equation with another one.

    The rows of joint limits, dry joints and open contacts hold little but themselves. What has a
    pivot below ``least`` stays, for the elimination to find.
    """
    found = np.empty(n, dtype=np.int64)
    count = 0
    for i in range(n):
        alone = abs(A[i, i]) > least
        j = 0
        while alone and j < n:
            alone = j == i or (A[i, j] == 0.0 and A[j, i] == 0.0)
            j += 1
        if not alone:
            found[count] = i
            count += 1
    return found[:count]


@njit
def _eliminate(A: Array, b: Array, n: int, largest: float, x: Array) -> bool:
    """Solve by elimination with partial pivoting, or else by least squares."""
    if n >= _LARGE:
        _solve_shifted(A, b, n, _SHIFT * largest, x)
        return True
    lu = A[:n, :n].copy()
    for i in range(n):
        x[i] = b[i]
    for k in range(n):
        pivot = k
        for i in range(k + 1, n):
            if abs(lu[i, k]) > abs(lu[pivot, k]):
                pivot = i
        if not abs(lu[pivot, k]) > _PIVOT * largest:
            solve_least_squares(A, b, n, x)
            return False
        if pivot != k:
            for j in range(k, n):
                lu[k, j], lu[pivot, j] = lu[pivot, j], lu[k, j]
            x[k], x[pivot] = x[pivot], x[k]
        for i in range(k + 1, n):
            if lu[i, k] != 0.0:
                factor = lu[i, k] / lu[k, k]
                for j in range(k + 1, n):
                    lu[i, j] -= factor * lu[k, j]
                x[i] -= factor * x[k]
    for k in range(n - 1, -1, -1):
        for j in range(k + 1, n):
            x[k] -= lu[k, j] * x[j]
        x[k] /= lu[k, k]
    return True


@njit
def _solve_shifted(A: Array, b: Array, n: int, shift: float, x: Array) -> None:
    """Solve with ``shift`` added to the diagonal, by LAPACK; x is NaN where a number is none."""
    shifted, right = A[:n, :n].copy(), b[:n].copy()
    for k in range(n):
        shifted[k, k] += shift
    if math.isfinite(np.abs(shifted).sum() + np.abs(right).sum()):
        x[:n] = np.linalg.solve(shifted, right)
    else:
        x[:n] = math.nan


@njit
def _reflect(A: Array, k: int, n: int) -> float:
    """Householder vector of ``A[k:n, k]``, left there; the new diagonal entry is returned."""
    length = 0.0
    for i in range(k, n):
        length += A[i, k] * A[i, k]
    diagonal = -math.copysign(math.sqrt(length), A[k, k])
    A[k, k] -= diagonal
    return diagonal


@njit
def _apply(A: Array, k: int, n: int, y: Array) -> None:
    """Apply the reflection stored in ``A[k:n, k]`` to the vector y."""
    square = 0.0
    product = 0.0
    for i in range(k, n):
        square += A[i, k] * A[i, k]
        product += A[i, k] * y[i]
    if square > 0.0:
        for i in range(k, n):
            y[i] -= 2.0 * product / square * A[i, k]


@njit
def _reflect_columns(A: Array, k: int, n: int, start: int, stop: int, column: Array) -> None:
    """Apply the reflection stored in ``A[k:n, k]`` to columns of A; ``column`` (n,) is scratch."""
    for j in range(start, stop):
        for i in range(n):
            column[i] = A[i, j]
        _apply(A, k, n, column)
        for i in range(n):
            A[i, j] = column[i]


@njit
def solve_least_squares(A: Array, b: Array, n: int, x: Array) -> int:
    """Shortest least-squares answer of the leading n-by-n system; returns the rank that was found.

    Complete orthogonal decomposition: QR with column pivoting, then QR of the transposed rows.
    """
    qr = A[:n, :n].copy()
    y = b[:n].copy()
    order = np.arange(n)
    column = np.empty(n)
    diagonal = np.zeros(n)
    rank = 0
    for k in range(n):
        best = k
        longest = -1.0
        for j in range(k, n):
            length = 0.0
            for i in range(k, n):
                length += qr[i, j] * qr[i, j]
            if length > longest:
                longest = length
                best = j
        if best != k:
            for i in range(n):
                qr[i, k], qr[i, best] = qr[i, best], qr[i, k]
            order[k], order[best] = order[best], order[k]
        if not math.sqrt(longest) > _RANK * abs(diagonal[0]):
            break
        diagonal[k] = _reflect(qr, k, n)
        _reflect_columns(qr, k, n, k + 1, n, column)
        _apply(qr, k, n, y)
        rank += 1
    # rows of R transposed: n by rank, lower trapezoidal
    rt = np.zeros((n, n))
    for i in range(rank):
        rt[i, i] = diagonal[i]
        for j in range(i + 1, n):
            rt[j, i] = qr[i, j]
    second = np.zeros(n)
    for k in range(rank):
        second[k] = _reflect(rt, k, n)
        _reflect_columns(rt, k, n, k + 1, rank, column)
    # now R^T = Q2 [T; 0] with T upper triangular: T^T z = y, x = P Q2 [z; 0]
    z = np.zeros(n)
    for k in range(rank):
        total = y[k]
        for j in range(k):
            total -= rt[j, k] * z[j]
        z[k] = total / second[k]
    for k in range(rank - 1, -1, -1):
        _apply(rt, k, n, z)
    for i in range(n):
        x[order[i]] = z[i]
    return rank
