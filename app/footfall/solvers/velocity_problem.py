"""A contact problem in factored form as its solvers take it: scaled, and with its Newton matrix."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.jit import njit
from footfall.solvers.block_elimination import BlockPattern
from footfall.solvers.natural_map import scaled_residual, unbounded_residual
from footfall.solvers.network import (
    Network,
    contact_sizes,
    gather,
    largest_eigenvalue,
    pattern_of,
    spread,
)

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
