"""Rows of a step's contact problem: Jacobians that friction stretches, less what cannot move."""

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.contact.coefficients import SIDE
from footfall.jit import njit

# of the largest entry on the diagonal of W: what an entry is less than when it is rounding
RIGID = 1e-24


@njit
def rows_and_guess(jacobian: Array, laws: Array, last: Array, dim: int) -> tuple[Array, Array]:
    """Rows of the contact problem (k*dim, nv), and the last impulses as its guess (k*dim,).

    Friction that differs along s is isotropic once that axis is stretched by the ratio of the
    coefficients: u_s' = ratio u_s, r_s = ratio r_s'.
    """
    count, nv = laws.shape[0], jacobian.shape[2]
    rows, guess = np.empty((count * dim, nv)), np.empty(count * dim)
    for i in range(count):
        for d in range(dim):
            stretch = laws[i, SIDE] if d == 2 else 1.0
            rows[i * dim + d] = stretch * jacobian[i, d]
            guess[i * dim + d] = last[i, d] / stretch
    return rows, guess


@njit
def rigid_rows(half: Array) -> npt.NDArray[np.int64]:
    """Rows along which nothing can move, so that only rounding is left of them.

    A pair of links about one hinge has such directions, and so have joint limits.
    """
    sizes = np.zeros(half.shape[0])
    for k in range(sizes.size):
        for j in range(half.shape[1]):
            sizes[k] += half[k, j] ** 2
    return np.flatnonzero(sizes <= RIGID * sizes.max())


@njit
def let_rigid_rows_be(delassus: Array, rigid: npt.NDArray[np.int64], dim: int) -> None:
    """Give cleared rows a diagonal of their own, in place: their impulse is zero, W regular."""
    for k in rigid:
        first = k - k % dim
        largest = 0.0
        for j in range(first, first + dim):
            largest = max(largest, delassus[j, j])
        delassus[k, k] = largest if largest > 0.0 else 1.0
