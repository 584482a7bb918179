"""Contacts between trees of bodies as a network: W = H H^T in blocks, never formed."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from footfall.arrays import Array, Indices
from footfall.jit import njit
from footfall.solvers.block_elimination import BlockPattern, block_pattern
from footfall.solvers.natural_map import POWER_STEPS, SETTLED, power_start


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
