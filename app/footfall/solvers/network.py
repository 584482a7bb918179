"""Contacts between trees of bodies as a network: W = H H^T in blocks, never formed.

Its solvers take a problem in this form with contacts that are scaled alike, and with memory for its
Newton matrix. Sweeps of Gauss-Seidel over its contacts stand here as well.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array, Indices
from footfall.jit import njit
from footfall.solvers.block_elimination import BlockPattern, block_pattern
from footfall.solvers.gauss_seidel import solve_contact
from footfall.solvers.natural_map import (
    POWER_STEPS,
    SETTLED,
    power_start,
    scaled_residual,
    unbounded_residual,
)


class Network(NamedTuple):
    """Contacts between trees of bodies, in factored form: W = H H^T.

    rows (k, 2, dim, widest): the blocks of H of each contact, for the one or two trees (k, 2) that
    it touches; -1 for none. sizes, starts (n,): of the trees' parts in x. given (k,): normal
    impulses that are known [N s], NaN where they are sought.
    """

    rows: Array
    trees: Indices
    sizes: Indices
    starts: Indices
    given: Array


@njit
def spread(network: Network, r: Array) -> Array:
    """X = H^T r, (sum of sizes,)."""
    rows, trees = network.rows, network.trees
    dim = rows.shape[2]
    x = np.zeros(network.sizes.sum())
    for i in range(trees.shape[0]):
        for side in range(2):
            tree = trees[i, side]
            if tree < 0:
                continue
            start = network.starts[tree]
            for d in range(dim):
                impulse = r[i * dim + d]
                if impulse != 0.0:
                    for v in range(network.sizes[tree]):
                        x[start + v] += rows[i, side, d, v] * impulse
    return x


@njit
def gather(network: Network, x: Array, q: Array) -> Array:
    """U = H x + q, (k*dim,)."""
    rows, trees = network.rows, network.trees
    dim = rows.shape[2]
    u = q.copy()
    for i in range(trees.shape[0]):
        for side in range(2):
            tree = trees[i, side]
            if tree < 0:
                continue
            start = network.starts[tree]
            for d in range(dim):
                total = 0.0
                for v in range(network.sizes[tree]):
                    total += rows[i, side, d, v] * x[start + v]
                u[i * dim + d] += total
    return u


@njit
def largest_eigenvalue(network: Network) -> float:
    """|W|_2 from below, by power iteration; a smaller one makes the natural map stricter."""
    count = network.trees.shape[0] * network.rows.shape[2]
    r, none = power_start(count), np.zeros(count)
    norm = 0.0
    for _ in range(POWER_STEPS):
        length = math.sqrt((r * r).sum())
        if length == 0.0:
            return 0.0
        r = gather(network, spread(network, r / length), none)
        last, norm = norm, math.sqrt((r * r).sum())
        if norm - last <= SETTLED * norm:
            break
    return norm


@njit
def contact_sizes(network: Network) -> Array:
    """|W_ii| (Frobenius) of every contact, (k,)."""
    rows = network.rows
    sizes = np.zeros(rows.shape[0])
    for i in range(rows.shape[0]):
        for a in range(rows.shape[2]):
            for b in range(rows.shape[2]):
                entry = 0.0
                for side in range(2):
                    for v in range(rows.shape[3]):
                        entry += rows[i, side, a, v] * rows[i, side, b, v]
                sizes[i] += entry * entry
        sizes[i] = math.sqrt(sizes[i])
    return sizes


@njit
def matrix_of(network: Network) -> Array:
    """W = H H^T, (k*dim, k*dim)."""
    rows, trees = network.rows, network.trees
    count, dim = rows.shape[0], rows.shape[2]
    W = np.zeros((count * dim, count * dim))
    for i in range(count):
        for j in range(i + 1):
            for left in range(2):
                tree = trees[i, left]
                if tree < 0:
                    continue
                for right in range(2):
                    if trees[j, right] == tree:
                        for a in range(dim):
                            for b in range(dim):
                                entry = 0.0
                                for v in range(network.sizes[tree]):
                                    entry += rows[i, left, a, v] * rows[j, right, b, v]
                                W[i * dim + a, j * dim + b] += entry
            for a in range(dim):
                for b in range(dim):
                    W[j * dim + b, i * dim + a] = W[i * dim + a, j * dim + b]
    return W


@njit
def fill_blocks(network: Network, pattern: BlockPattern, slope: Array, pool: Array) -> None:
    """Write I + H^T C H into the pool."""
    pool[:] = 0.0
    rows, trees, sizes = network.rows, network.trees, network.sizes
    dim = rows.shape[2]
    for tree in range(sizes.size):
        at = pattern.offset[tree, tree]
        for v in range(sizes[tree]):
            pool[at + v * sizes[tree] + v] = 1.0
    product = np.empty((dim, rows.shape[3]))
    for i in range(trees.shape[0]):
        if slope[i, 0, 0] == 0.0 and slope[i, 1, 1] == 0.0 and slope[i, dim - 1, dim - 1] == 0.0:
            continue
        for right in range(2):
            column = trees[i, right]
            if column < 0:
                continue
            n = sizes[column]
            for d in range(dim):
                for v in range(n):
                    total = 0.0
                    for e in range(dim):
                        total += slope[i, d, e] * rows[i, right, e, v]
                    product[d, v] = total
            for left in range(2):
                row = trees[i, left]
                if row < 0:
                    continue
                at = pattern.offset[row, column]
                for w in range(sizes[row]):
                    for d in range(dim):
                        factor = rows[i, left, d, w]
                        if factor != 0.0:
                            for v in range(n):
                                pool[at + w * n + v] += factor * product[d, v]


@njit
def pattern_of(network: Network) -> BlockPattern:
    """Places of the blocks of I + H^T C H."""
    count = network.sizes.size
    meets = np.zeros((count, count), dtype=np.bool_)
    for i in range(network.trees.shape[0]):
        a, b = network.trees[i]
        if a >= 0 and b >= 0:
            meets[a, b] = meets[b, a] = True
    return block_pattern(network.sizes, network.starts, meets)


_SPREAD = 10.0  # of the scales of the contacts: beyond, the scaled problem is judged as well


class ScaledProblem(NamedTuple):
    """A problem whose contacts are scaled alike; d: the scales of its rows."""

    network: Network
    q: Array
    mu: Array
    d: Array
    norm: float
    unscaled_q: Array
    unscaled_norm: float
    spread_out: bool


class NewtonMatrix(NamedTuple):
    """Memory for the Newton matrix."""

    pattern: BlockPattern
    pool: Array
    pivots: npt.NDArray[np.int64]
    slope: Array


@njit
def scaled_problem(network: Network, q: Array, mu: Array) -> ScaledProblem:
    """Scale a problem with q (k*dim,), mu (k,)."""
    dim = network.rows.shape[2]
    own = contact_sizes(network)
    scale, d = np.ones(own.size), np.ones(q.size)
    for i in range(own.size):
        if own[i] > 0.0:
            scale[i] = own[i] ** -0.5
        for k in range(dim):
            d[i * dim + k] = scale[i]
    scaled = Network(
        network.rows * scale.reshape(-1, 1, 1, 1),
        network.trees,
        network.sizes,
        network.starts,
        network.given / scale,
    )
    spread_out = scale.max() > _SPREAD * scale.min()
    norm = largest_eigenvalue(scaled) if spread_out else 0.0
    return ScaledProblem(scaled, d * q, mu, d, norm, q, largest_eigenvalue(network), spread_out)


@njit
def newton_matrix(network: Network) -> NewtonMatrix:
    """Make room for the Newton matrices of a network."""
    pattern, dim = pattern_of(network), network.rows.shape[2]
    return NewtonMatrix(
        pattern,
        np.empty(pattern.size),
        np.empty(network.sizes.sum(), dtype=np.int64),
        np.empty((network.trees.shape[0], dim, dim)),
    )


@njit
def judged(problem: ScaledProblem, r: Array) -> tuple[float, Array]:
    """Residual of the natural map for scaled impulses, and their velocities u = W r + q."""
    network, dim = problem.network, problem.network.rows.shape[2]
    u = gather(network, spread(network, r), problem.q)
    for i in range(problem.mu.size):
        if not math.isnan(network.given[i]):
            u[i * dim] = 0.0
    d, mu = problem.d, problem.mu
    q, norm = problem.unscaled_q, problem.unscaled_norm
    if not problem.spread_out:
        return scaled_residual(q, mu, dim, norm, d * r, u / d), u
    residual = unbounded_residual(q, mu, dim, norm, d * r, u / d)
    return max(residual, scaled_residual(problem.q, mu, dim, problem.norm, r, u)), u


@njit
def length_of(vector: Array, start: int, count: int) -> float:
    """Euclidean length of so many entries of a vector."""
    total = 0.0
    for k in range(start, start + count):
        total += vector[k] * vector[k]
    return math.sqrt(total)


@njit
def sweep(network: Network, q: Array, mu: Array, count: int, r: Array) -> None:
    """Make so many sweeps from the impulses r (k*dim,), in place.

    Each contact is solved exactly with the others held, as in ``gauss_seidel``, by the velocities
    x = H^T r, so that a sweep costs as much as the contacts are many. q (k*dim,), mu (k,): as in a
    contact problem; no normal impulses are given.
    """
    dim = network.rows.shape[2]
    blocks, x = _own_blocks(network), spread(network, r)
    local, new = np.empty(dim), np.empty(dim)
    for _ in range(count):
        for i in range(mu.size):
            a, block = i * dim, blocks[i]
            _own_velocities(network, i, x, local)
            for k in range(dim):
                local[k] += q[a + k]
                for j in range(dim):
                    local[k] -= block[k, j] * r[a + j]
            solve_contact(block, 0, local, mu[i], r[a : a + dim], new)
            for k in range(dim):
                change = new[k] - r[a + k]
                r[a + k] = new[k]
                _move(network, i, k, change, x)


@njit
def _own_blocks(network: Network) -> Array:
    """W_ii of every contact, (k, dim, dim)."""
    rows = network.rows
    count, _, dim, _ = rows.shape
    blocks = np.zeros((count, dim, dim))
    for i in range(count):
        for side in range(2):
            if network.trees[i, side] >= 0:
                half = np.ascontiguousarray(rows[i, side])
                blocks[i] += half @ half.T
    return blocks


@njit
def _own_velocities(network: Network, i: int, x: Array, u: Array) -> None:
    """Write H_i x of a contact."""
    u[:] = 0.0
    for side in range(2):
        tree = network.trees[i, side]
        if tree >= 0:
            start = network.starts[tree]
            for d in range(u.size):
                for v in range(network.sizes[tree]):
                    u[d] += network.rows[i, side, d, v] * x[start + v]


@njit
def _move(network: Network, i: int, d: int, impulse: float, x: Array) -> None:
    """Add what an impulse along an axis of a contact does to x."""
    if impulse == 0.0:
        return
    for side in range(2):
        tree = network.trees[i, side]
        if tree >= 0:
            start = network.starts[tree]
            for v in range(network.sizes[tree]):
                x[start + v] += network.rows[i, side, d, v] * impulse
