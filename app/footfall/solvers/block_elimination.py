"""Linear systems in blocks: one block row a tree of bodies, an entry where two trees meet.

The trees are eliminated in an order of least degree; each block on the diagonal is eliminated with
partial pivoting, without exchanges between blocks. Made for matrices I + H^T C H whose pattern is
symmetric and whose entries need not be.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array, Indices
from footfall.jit import njit


class BlockPattern(NamedTuple):
    """Places of the blocks of a matrix with fill, for n trees.

    sizes (n,) and starts (n,): of the trees' parts in a vector. order (n,): of elimination; the
    trees that meet the k-th of it and come after it are later[ends[k]:ends[k + 1]]. offset (n, n):
    where the block of two trees begins in the pool of all blocks, -1 where it is zero; size: of
    the pool.
    """

    sizes: Indices
    starts: Indices
    order: Indices
    ends: Indices
    later: Indices
    offset: Indices
    size: int


@njit
def block_pattern(sizes: Indices, starts: Indices, meets: npt.NDArray[np.bool_]) -> BlockPattern:
    """Find an order of elimination and the blocks that fill in.

    meets (n, n): the pairs of trees with a block, symmetric; becomes those with fill.
    """
    count = sizes.size
    order, ends = np.empty(count, dtype=np.int64), np.zeros(count + 1, dtype=np.int64)
    later = np.empty(count * count, dtype=np.int64)
    degree, done = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.bool_)
    for i in range(count):
        for j in range(count):
            degree[i] += i != j and meets[i, j]
    end = 0
    for step in range(count):
        tree = -1
        for i in range(count):
            if not done[i] and (tree < 0 or degree[i] < degree[tree]):
                tree = i
        done[tree], order[step] = True, tree
        begin = end
        for j in range(count):
            if not done[j] and meets[tree, j]:
                later[end] = j
                end += 1
        ends[step + 1] = end
        for k in range(begin, end):
            i = later[k]
            degree[i] -= 1
            for m in range(begin, k):
                j = later[m]
                if not meets[i, j]:
                    meets[i, j] = meets[j, i] = True
                    degree[i] += 1
                    degree[j] += 1
    offset, size = np.full((count, count), -1), 0
    for i in range(count):
        for j in range(count):
            if i == j or meets[i, j]:
                offset[i, j] = size
                size += sizes[i] * sizes[j]
    return BlockPattern(sizes, starts, order, ends, later[:end].copy(), offset, size)


@njit
def eliminate(pattern: BlockPattern, pool: Array, pivots: Indices) -> bool:
    """Factorise the blocks in a pool, in place; False where a block is singular.

    pivots (size of a vector,): receives the exchanges of rows inside the blocks.
    """
    for step in range(pattern.order.size):
        tree = pattern.order[step]
        n, at = pattern.sizes[tree], pattern.offset[tree, tree]
        if not _factorise(pool, at, n, pivots[pattern.starts[tree] :]):
            return False
        first, end = pattern.ends[step], pattern.ends[step + 1]
        own = pivots[pattern.starts[tree] :]
        for k in range(first, end):
            right = pattern.offset[tree, pattern.later[k]]
            _solve_block(pool, at, n, own, pool, right, pattern.sizes[pattern.later[k]])
        for k in range(first, end):
            row = pattern.later[k]
            for m in range(first, end):
                column = pattern.later[m]
                _subtract_product(
                    pool,
                    pattern.offset[row, column],
                    pattern.offset[row, tree],
                    pattern.offset[tree, column],
                    pattern.sizes[row],
                    n,
                    pattern.sizes[column],
                )
    return True


@njit
def substitute(pattern: BlockPattern, pool: Array, pivots: Indices, b: Array) -> None:
    """Solve with the blocks that ``eliminate`` left; b becomes the solution."""
    count = pattern.order.size
    for step in range(count):
        tree = pattern.order[step]
        n, start = pattern.sizes[tree], pattern.starts[tree]
        _solve_block(pool, pattern.offset[tree, tree], n, pivots[start:], b, start, 1)
        for k in range(pattern.ends[step], pattern.ends[step + 1]):
            row = pattern.later[k]
            at, to = pattern.offset[row, tree], pattern.starts[row]
            for i in range(pattern.sizes[row]):
                for j in range(n):
                    b[to + i] -= pool[at + i * n + j] * b[start + j]
    for step in range(count - 1, -1, -1):
        tree = pattern.order[step]
        n, start = pattern.sizes[tree], pattern.starts[tree]
        for k in range(pattern.ends[step], pattern.ends[step + 1]):
            column = pattern.later[k]
            at, source = pattern.offset[tree, column], pattern.starts[column]
            width = pattern.sizes[column]
            for i in range(n):
                for j in range(width):
                    b[start + i] -= pool[at + i * width + j] * b[source + j]


@njit
def _factorise(pool: Array, at: int, n: int, pivots: Indices) -> bool:
    """LU of the block at a place, with partial pivoting."""
    for k in range(n):
        pivot = k
        for i in range(k + 1, n):
            if abs(pool[at + i * n + k]) > abs(pool[at + pivot * n + k]):
                pivot = i
        pivots[k] = pivot
        if not abs(pool[at + pivot * n + k]) > 0.0:
            return False
        if pivot != k:
            for j in range(n):
                a, b = at + k * n + j, at + pivot * n + j
                pool[a], pool[b] = pool[b], pool[a]
        for i in range(k + 1, n):
            factor = pool[at + i * n + k] / pool[at + k * n + k]
            pool[at + i * n + k] = factor
            if factor != 0.0:
                for j in range(k + 1, n):
                    pool[at + i * n + j] -= factor * pool[at + k * n + j]
    return True


@njit
def _solve_block(
    pool: Array, at: int, n: int, pivots: Indices, b: Array, begin: int, width: int
) -> None:
    """Solve with a factorised block for b (n, width), which begins at a place of its array."""
    for k in range(n):
        if pivots[k] != k:
            for j in range(width):
                p, r = begin + k * width + j, begin + pivots[k] * width + j
                b[p], b[r] = b[r], b[p]
    for i in range(1, n):
        for k in range(i):
            factor = pool[at + i * n + k]
            if factor != 0.0:
                for j in range(width):
                    b[begin + i * width + j] -= factor * b[begin + k * width + j]
    for i in range(n - 1, -1, -1):
        for k in range(i + 1, n):
            factor = pool[at + i * n + k]
            for j in range(width):
                b[begin + i * width + j] -= factor * b[begin + k * width + j]
        for j in range(width):
            b[begin + i * width + j] /= pool[at + i * n + i]


@njit
def _subtract_product(
    pool: Array, to: int, left: int, right: int, rows: int, inner: int, columns: int
) -> None:
    """Subtract the product of two blocks from a third."""
    for i in range(rows):
        for k in range(inner):
            factor = pool[left + i * inner + k]
            if factor != 0.0:
                for j in range(columns):
                    pool[to + i * columns + j] -= factor * pool[right + k * columns + j]
