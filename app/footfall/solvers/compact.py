"""``solve_compact``: the contact problem on the rows that there are, without allocation.

A stop of a joint and a dry joint have one row each, where ``solve_kernel`` takes ``dim`` rows of
every contact.
"""

from __future__ import annotations

import math
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
from footfall.solvers.kernels import FALLBACK_CHAIN, solve_kernel
from footfall.solvers.problem import NEWTON, NONE

__all__ = [
    "DRY",
    "STOP",
    "SURFACE",
    "CompactScratch",
    "compact_scratch",
    "expand",
    "full_row",
    "solve_compact",
]


class CompactScratch(NamedTuple):
    """Memory for ``solve_compact``: hand over all three arrays."""

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
def _by_chain(
    p: CompactProblem,
    r: Array,
    u: Array,
    method: int,
    tolerance: float,
    prox_parameter: float,
    max_iterations: int,
) -> tuple[float, int, int]:
    W, q, mu, guess = expand(p.contacts, p.kind, p.first, p.dim, p.mu, p.bound, p.W, p.q, r)
    full_r, full_u, residual, stage, iterations, _ = solve_kernel(
        W, q, mu, p.dim, guess, method, tolerance, prox_parameter, max_iterations
    )
    for i in range(p.contacts):
        for k in range(p.first[i], p.first[i + 1]):
            at = full_row(p.kind, p.first, p.dim, i, k)
            r[k], u[k] = full_r[at], full_u[at]
    return residual, stage, iterations


@scratch_njit
def solve_compact(
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
    prox_parameter: float,
    max_iterations: int,
    matrix: Array,
    vectors: Array,
    indices: Indices,
) -> tuple[float, int, int]:
    """Solve a contact problem on its own rows; returns (residual, stage, iterations).

    ``count`` contacts; ``kind`` (count,): SURFACE with rows n, t[, s], STOP with row n alone (r >=
    0), DRY with row t alone (|r| <= bound); ``first`` (count + 1,): the first row of each, and
    after the last. ``mu`` (count,) of surfaces, ``bound`` (count,) [N s] of dry joints. ``W`` (n,
    n) symmetric and positive semidefinite, ``q`` (n,); ``r`` (n,) holds a guess [N s] and gets the
    answer, ``u`` (n,) gets W r + q [m/s]. Arrays may be larger: the leading part counts. The other
    arguments are those of ``solve_kernel``, and the arrays of ``compact_scratch``.

    The fallback chain has Newton's method on these rows before it, which allocates nothing. What
    that does not solve, and other methods, go to ``solve_kernel`` by ``expand``.
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
    p = CompactProblem(count, kind, first, dim, mu, bound, W, q, matrix, vectors, indices)
    many, used = n >= MANY, 0
    if method == FALLBACK_CHAIN and size < math.inf and not (cold and many):
        most = FIRST_STEPS if many else NEWTON_STEPS
        if max_iterations > 0:
            most = min(most, max_iterations)
        residual, used = newton_on_rows(p, r, u, tolerance, most)
        if residual <= tolerance:
            return residual, NEWTON, used
    residual, stage, more = _by_chain(p, r, u, method, tolerance, prox_parameter, max_iterations)
    return residual, stage, used + more
