"""Dense contact problems solved for velocities: W = H H^T is taken apart first."""

from __future__ import annotations

import math

import numpy as np

from footfall.arrays import Array
from footfall.jit import njit
from footfall.solvers.natural_map import scaled_residual, velocity
from footfall.solvers.network import Network
from footfall.solvers.velocity_space import solve_in_velocities

_RANK = 1e-12  # of the largest eigenvalue
_SYMMETRIC = 1e-10  # of the largest entry


@njit
def solve_factored(
    W: Array, q: Array, mu: Array, dim: int, norm: float, tolerance: float, cap: int, r: Array
) -> tuple[float, int]:
    """Find impulses without a guess, in at most so many Newton steps.

    Returns the residual, infinite where W is not symmetric and positive semidefinite, and the
    steps; r receives the impulses.
    """
    if np.abs(W - W.T).max() > _SYMMETRIC * np.abs(W).max():
        return math.inf, 0
    values, vectors = np.linalg.eigh(W)
    if values[0] < -_SYMMETRIC * values[-1]:
        return math.inf, 0
    first = np.searchsorted(values, _RANK * values[-1])
    rank = values.size - first
    rows = np.zeros((mu.size, 2, dim, rank))
    for i in range(mu.size):
        for k in range(dim):
            rows[i, 0, k] = vectors[i * dim + k, first:] * np.sqrt(values[first:])
    trees = np.full((mu.size, 2), -1, dtype=np.int64)
    trees[:, 0] = 0
    sizes, starts = np.array([rank]), np.array([0])
    network = Network(rows, trees, sizes, starts, np.full(mu.size, math.nan))
    r[:] = 0.0
    _, steps = solve_in_velocities(network, q, mu, tolerance, cap, r)
    u = np.empty(q.size)
    velocity(W, q, r, u)
    return scaled_residual(q, mu, dim, norm, r, u), steps
