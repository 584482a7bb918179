"""Pairs of solids that may be near: by boxes along the axes of the world, then by planes.

Where two solids have been apart there is a plane between them. Kept in the frame of one of them it
goes on separating the two for many steps, and says at little cost that they are far apart.

Frames: W world, A and B the links of the solids of a pair.
"""

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.jit import njit
from footfall.plants.contacts.separation import support
from footfall.plants.contacts.solid_table import SolidTable, solid_at
from footfall.plants.contacts.vectors import Vector, dot, row, scaled

Indices = npt.NDArray[np.int64]


@njit
def near_pairs(
    table: SolidTable, pairs: Indices, planes_A: Array, poses: Array, reach: float
) -> Indices:
    """Indices of the pairs whose boxes overlap and of which no plane shows a distance above reach.

    pairs (p, 2): the solids a, b. planes_A (p, 3): unit normals from b to a in the frame of a's
    link, zero where none is known. poses (links, 3, 4).
    """
    low, high = _boxes(table, poses)
    found = np.empty(pairs.shape[0], dtype=np.int64)
    count = 0
    for k in range(pairs.shape[0]):
        a, b = pairs[k]
        overlap = True
        for d in range(3):
            overlap = overlap and low[a, d] <= high[b, d] and low[b, d] <= high[a, d]
        if not overlap:
            continue
        n_A = row(planes_A, k)
        if dot(n_A, n_A) > 0.5:
            n_W = turned(poses[table.links[a]], n_A)
            if separation_along(table, a, b, poses, n_W) > reach:
                continue
        found[count] = k
        count += 1
    return found[:count]


@njit
def separation_along(table: SolidTable, a: int, b: int, poses: Array, n_W: Vector) -> float:
    """By how much a plane across n_W separates solid a from b, (n_W from b to a) [m]."""
    X_WA, X_WB = poses[table.links[a]], poses[table.links[b]]
    n_A, n_B = turned_back(X_WA, n_W), turned_back(X_WB, n_W)
    on_a = support(solid_at(table, a), scaled(-1.0, n_A))
    on_b = support(solid_at(table, b), n_B)
    origins = (X_WA[0, 3] - X_WB[0, 3], X_WA[1, 3] - X_WB[1, 3], X_WA[2, 3] - X_WB[2, 3])
    return dot(n_W, origins) + dot(n_A, on_a) - dot(n_B, on_b)


@njit
def turned(X: Array, v: Vector) -> Vector:
    """A vector given in the frame of a pose (3, 4), in the frame in which the pose is given."""
    return (
        X[0, 0] * v[0] + X[0, 1] * v[1] + X[0, 2] * v[2],
        X[1, 0] * v[0] + X[1, 1] * v[1] + X[1, 2] * v[2],
        X[2, 0] * v[0] + X[2, 1] * v[1] + X[2, 2] * v[2],
    )


@njit
def turned_back(X: Array, v: Vector) -> Vector:
    """The other way round."""
    return (
        X[0, 0] * v[0] + X[1, 0] * v[1] + X[2, 0] * v[2],
        X[0, 1] * v[0] + X[1, 1] * v[1] + X[2, 1] * v[2],
        X[0, 2] * v[0] + X[1, 2] * v[1] + X[2, 2] * v[2],
    )


@njit
def _boxes(table: SolidTable, poses: Array) -> tuple[Array, Array]:
    """Lowest and highest coordinates in W of boxes around the solids' own ones, (n, 3) each."""
    low, high = np.empty_like(table.centres), np.empty_like(table.centres)
    for k in range(table.links.shape[0]):
        X = poses[table.links[k]]
        for d in range(3):
            middle, half = X[d, 3], 0.0
            for i in range(3):
                middle += X[d, i] * table.centres[k, i]
                half += abs(X[d, i]) * table.halves[k, i]
            low[k, d], high[k, d] = middle - half, middle + half
    return low, high
