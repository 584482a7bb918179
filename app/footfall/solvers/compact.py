"""The contact problem on the rows that there are, without allocation.

A stop of a joint and a dry joint have one row each, where ``solve_kernel`` takes ``dim`` rows of
every contact.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from footfall.arrays import Array, Indices
from footfall.jit import njit, scratch_njit
from footfall.solvers.compact_newton import (
    DRY,
    INDICES,
    STOP,
    SURFACE,
    VECTORS,
    CompactProblem,
    newton_on_rows,
)
from footfall.solvers.fallback_chain import FIRST_STEPS, MANY, NEWTON_STEPS
from footfall.solvers.kernels import FALLBACK_CHAIN
from footfall.solvers.problem import NEWTON, NONE

__all__ = [
    "DRY",
    "STOP",
    "SURFACE",
    "CompactScratch",
    "Solve",
    "compact_scratch",
    "expand",
    "full_row",
    "solve_by_chain",
    "solve_on_rows",
]


Solve = Callable[[Array, Array, Array, Array], tuple[Array, Array, float, int, int]]
"""Solver of a problem (W, q, mu, guess): gives r, u, residual, stage and iterations."""


class CompactScratch(NamedTuple):
    """Memory for ``solve_on_rows``: hand over all three arrays."""

    matrix: Array
    vectors: Array
    indices: Indices


@njit
def compact_scratch(rows: int, contacts: int, dim: int) -> CompactScratch:
    """Return memory for problems of up to so many rows and contacts."""
    size = max(rows, contacts * dim)
    return CompactScratch(
        np.zeros((rows, rows + 1)),
        np.zeros((VECTORS, size)),
        np.zeros((INDICES, size), dtype=np.int64),
    )


@scratch_njit
def full_row(kind: Indices, first: Indices, dim: int, i: int, k: int) -> int:
    """Row that row k of contact i has where each contact has ``dim`` rows."""
    return i * dim + k - first[i] + (1 if kind[i] == DRY else 0)


@njit
def expand(
    count: int,
    kind: Indices,
    first: Indices,
    dim: int,
    mu: Array,
    bound: Array,
    W: Array,
    q: Array,
    r: Array,
) -> tuple[Array, Array, Array, Array]:
    """Return (W, q, mu, guess) of the same problem with ``dim`` rows a contact, for solve_kernel.

    Rows that the compact problem lacks, and rows of zeros, are given a diagonal of their own. A
    stop has r_t = 0 by friction of 0; a dry joint has a normal row that makes r_n = bound, and a
    coefficient of 1.
    """
    size, n = count * dim, first[count]
    full_W, full_q, guess = np.zeros((size, size)), np.zeros(size), np.zeros(size)
    coefficients = np.empty(count)
    place = np.empty(n, dtype=np.int64)
    for i in range(count):
        for k in range(first[i], first[i + 1]):
            place[k] = full_row(kind, first, dim, i, k)
    for j in range(n):
        full_q[place[j]], guess[place[j]] = q[j], r[j]
        for k in range(n):
            full_W[place[j], place[k]] = W[j, k]
    for i in range(count):
        start = i * dim
        largest = 0.0
        for k in range(start, start + dim):
            largest = max(largest, full_W[k, k])
        for k in range(start, start + dim):
            if full_W[k, k] == 0.0:
                full_W[k, k] = largest if largest > 0.0 else 1.0
        coefficients[i] = mu[i] if kind[i] == SURFACE else 0.0
        if kind[i] == DRY:
            coefficients[i] = 1.0
            full_q[start] = -full_W[start, start] * bound[i]
            guess[start] = bound[i]
    return full_W, full_q, coefficients, guess


@njit
def _contract(
    count: int, kind: Indices, first: Indices, dim: int, full: Array, compact: Array
) -> None:
    """Fill rows of a compact problem with those of the same one with all rows."""
    for i in range(count):
        for k in range(first[i], first[i + 1]):
            compact[k] = full[full_row(kind, first, dim, i, k)]


def solve_by_chain(
    count: int,
    kind: Indices,
    first: Indices,
    dim: int,
    mu: Array,
    bound: Array,
    W: Array,
    q: Array,
    r: Array,
    u: Array,
    solve: Solve,
) -> tuple[float, int, int]:
    """Solve a problem, as ``solve_on_rows`` takes it, by what solves one with all rows.

    Returns residual, stage and iterations.
    """
    full_r, full_u, residual, stage, iterations = solve(
        *expand(count, kind, first, dim, mu, bound, W, q, r)
    )
    _contract(count, kind, first, dim, full_r, r)
    _contract(count, kind, first, dim, full_u, u)
    return residual, stage, iterations


@scratch_njit
def solve_on_rows(
    count: int,
    kind: Indices,
    first: Indices,
    dim: int,
    mu: Array,
    bound: Array,
    W: Array,
    q: Array,
    r: Array,
    u: Array,
    method: int,
    tolerance: float,
    max_iterations: int,
    matrix: Array,
    vectors: Array,
    indices: Indices,
) -> tuple[float, int, int]:
    """Solve a contact problem on its own rows by Newton's method, which allocates nothing.

    ``count`` contacts; ``kind`` (count,): SURFACE with rows n, t[, s], STOP with row n alone (r >=
    0), DRY with row t alone (|r| <= bound); ``first`` (count + 1,): the first row of each, and
    after the last. ``mu`` (count,) of surfaces, ``bound`` (count,) [N s] of dry joints. ``W`` (n,
    n) symmetric and positive semidefinite, ``q`` (n,); ``r`` (n,) holds a guess [N s] and gets the
    answer, ``u`` (n,) gets W r + q [m/s]. Arrays may be larger: the leading part counts. The other
    arguments are those of ``solve_kernel``, and the arrays of ``compact_scratch``.

    Returns residual, stage and iterations. What this leaves with more than the tolerance, and other
    methods than the fallback chain, of which nothing is tried, are for ``solve_by_chain``.
    """
    n = first[count]
    size, cold = 0.0, True
    for i in range(n):
        size += abs(q[i])
        cold = cold and r[i] == 0.0
    if size == 0.0:
        for i in range(n):
            r[i] = u[i] = 0.0
        return 0.0, NONE, 0
    many = n >= MANY
    if method != FALLBACK_CHAIN or not size < math.inf or (cold and many):
        return math.inf, NONE, 0
    p = CompactProblem(count, kind, first, dim, mu, bound, W, q, matrix, vectors, indices)
    most = FIRST_STEPS if many else NEWTON_STEPS
    if max_iterations > 0:
        most = min(most, max_iterations)
    residual, used = newton_on_rows(p, r, u, tolerance, most)
    return residual, NEWTON, used
