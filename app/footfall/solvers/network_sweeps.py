"""Gauss-Seidel sweeps over the contacts of a problem in factored form."""

from __future__ import annotations

import numpy as np

from footfall.arrays import Array
from footfall.jit import njit
from footfall.solvers.gauss_seidel import projected_step, solve_planar, solve_spatial
from footfall.solvers.network import Network, spread


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
            _velocities(network, i, x, local)
            for k in range(dim):
                local[k] += q[a + k]
                for j in range(dim):
                    local[k] -= block[k, j] * r[a + j]
            if dim == 2:
                found = solve_planar(block, 0, local, mu[i], new)
            else:
                found = solve_spatial(block, 0, local, mu[i], new)
            if not found:
                projected_step(block, 0, dim, local, mu[i], r[a : a + dim], new)
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
def _velocities(network: Network, i: int, x: Array, u: Array) -> None:
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
