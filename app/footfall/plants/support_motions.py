"""Motions that the equations J v = 0 and J v' + bias = 0 of a support leave, as compiled kernels.

A support is a `footfall.plants.supports.SupportRows` of a plant; its rows may say the same twice.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.jit import njit

CUT = 1e-2
"""Singular values of equations of supports below this are taken for zero [1 and m]."""

Indices = npt.NDArray[np.int64]


class Motions(NamedTuple):
    """Velocities and accelerations that a support allows, by k free ones.

    free (k,): indices; directions (nv, k): velocities that belong to unit values of the free ones;
    particular (nv, m): accelerations by what J a is to be; reach (k, r): basis of the values of the
    free ones that the support allows.
    """

    free: Indices
    directions: Array
    particular: Array
    reach: Array


@njit
def free_motions(J: Array, cut: float = CUT) -> Array:
    """Orthonormal basis (nv, n) of the velocities that satisfy J v = 0, but for what is cut."""
    _, values, rows = np.linalg.svd(np.ascontiguousarray(J))
    rank = (values > cut).sum()
    return np.ascontiguousarray(rows[rank:].T)


@njit
def motions_under(J: Array, free: Indices, others: Indices, cut: float = CUT) -> Motions:
    """Solve J v = 0 for the velocities beside the free ones.

    Where the free ones are more than the support leaves, or the others cannot be had from them
    (a singular value at the cut), the nearest motions that it allows are taken.
    """
    if len(others) == len(J):
        inverse = _inverse(J, others, cut)
        if inverse.size:
            return _solved(J, free, others, inverse)
    return _projected(J, free, cut)


@njit
def _inverse(J: Array, others: Indices, cut: float) -> Array:
    """Inverse of the columns of the others; empty where they are nearly singular."""
    columns = np.empty((len(J), len(others)))
    for k in range(len(others)):
        columns[:, k] = J[:, others[k]]
    # a smaller singular value than the cut makes the inverse larger than its reciprocal
    if np.abs(np.linalg.det(columns)) < np.finfo(np.float64).tiny:
        return np.zeros((0, 0))
    inverse = np.empty_like(columns)
    inverse[:] = np.linalg.inv(columns)
    # the smallest singular value is not below 1 over this norm
    if np.sqrt((inverse**2).sum()) * cut >= 1.0:
        return np.zeros((0, 0))
    return inverse


@njit
def _solved(J: Array, free: Indices, others: Indices, inverse: Array) -> Motions:
    k = len(free)
    columns = np.empty((len(J), k))
    directions = np.zeros((J.shape[1], k))
    for i in range(k):
        columns[:, i] = J[:, free[i]]
        directions[free[i], i] = 1.0
    rest = inverse @ columns
    particular = np.zeros((J.shape[1], len(J)))
    for i in range(len(others)):
        directions[others[i]] = -rest[i]
        particular[others[i]] = inverse[i]
    return Motions(free, directions, particular, np.eye(k))


@njit
def _projected(J: Array, free: Indices, cut: float) -> Motions:
    U, values, rows = np.linalg.svd(J)
    rank = (values > cut).sum()
    left = np.ascontiguousarray(rows[rank:].T)
    # the support may leave fewer motions than there are free ones, or more: then the least of them
    reach, sizes, turn = np.linalg.svd(left[free], full_matrices=False)
    tells = (sizes > CUT * sizes[0]).sum()
    reach = np.ascontiguousarray(reach[:, :tells])
    coordinates = np.ascontiguousarray(turn[:tells].T) / sizes[:tells]
    directions = left @ coordinates @ np.ascontiguousarray(reach.T)
    scaled = np.ascontiguousarray(rows[:rank].T) / values[:rank]
    particular = scaled @ np.ascontiguousarray(U[:, :rank].T)
    return Motions(free, directions, particular, reach)


@njit
def completed(motions: Motions, bias: Array, given: Array) -> Array:
    """Accelerations (nv,) with J a + bias = 0, the free ones as given or as near as can be."""
    rest = motions.particular @ -bias
    return rest + motions.directions @ (given - rest[motions.free])


@njit
def cheapest(motions: Motions, G: Array, K: Array, bias: Array) -> Array:
    """Accelerations (nv,) whose free ones g have the least g' G g / 2 + K' g."""
    start = (motions.particular @ -bias)[motions.free]
    across = np.ascontiguousarray(motions.reach.T)
    best = np.linalg.solve(across @ G @ motions.reach, -(across @ (K + G @ start)))
    return completed(motions, bias, start + motions.reach @ best)
