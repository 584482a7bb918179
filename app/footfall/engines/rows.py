"""Rows of a step, bilateral ones and those of contacts, by the Cholesky factor of M = L L^T.

Impulses of bilateral rows G v = 0 are eliminated before contact is solved: with H = G L^-T, those
that bring G v to zero are -(H H^T)^+ G v; the pseudo-inverse allows rows that are redundant. Rows
of contacts are Jacobians that friction stretches, less what cannot move. All of it in loops that
suit a few dozen velocities.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.contact.coefficients import SIDE
from footfall.jit import njit

# of the largest entry on the diagonal of W: what an entry is less than when it is rounding
RIGID = 1e-24


@njit
def cholesky(matrix: Array) -> Array:
    """Lower Cholesky factor of a small symmetric positive definite matrix.

    NaN where it is not definite.
    """
    n = matrix.shape[0]
    lower = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            total = matrix[i, j]
            for k in range(j):
                total -= lower[i, k] * lower[j, k]
            if i == j:
                lower[i, i] = np.sqrt(total) if total > 0.0 else np.nan
            else:
                lower[i, j] = total / lower[j, j]
    return lower


@njit
def forward_substitute(lower: Array, rows: Array) -> Array:
    """Solve L y = row for every row, shape (k, n) in and out."""
    count, n = rows.shape
    solved = np.empty((count, n))
    for c in range(count):
        for i in range(n):
            total = rows[c, i]
            for k in range(i):
                total -= lower[i, k] * solved[c, k]
            solved[c, i] = total / lower[i, i]
    return solved


@njit
def back_substitute(lower: Array, y: Array) -> Array:
    """Solve L^T x = y."""
    n = y.size
    x = np.empty(n)
    for i in range(n - 1, -1, -1):
        total = y[i]
        for k in range(i + 1, n):
            total -= lower[k, i] * x[k]
        x[i] = total / lower[i, i]
    return x


@njit
def after_force(lower: Array, force: Array, v: Array, dt: float) -> Array:
    """Velocity that a force leaves after a time, v + M^-1 force dt."""
    return v + dt * back_substitute(lower, forward_substitute(lower, force.reshape(1, -1))[0])


class Held(NamedTuple):
    """G (m, nv), H (m, nv) and the pseudo-inverse of H H^T (m, m)."""

    rows: Array
    half: Array
    inverse: Array


@njit
def hold(lower: Array, constraints: Array) -> Held:
    """Prepare the rows G (m, nv) of a step; m may be 0."""
    half = forward_substitute(lower, constraints)
    count = constraints.shape[0]
    inverse = np.zeros((count, count))
    if count > 0:
        inverse[:] = np.linalg.pinv(half @ half.T, 1e-12)
    return Held(constraints, half, inverse)


@njit
def held_velocity(lower: Array, held: Held, v: Array) -> Array:
    """The velocity nearest to v in the metric of M that satisfies G v = 0."""
    if held.rows.shape[0] == 0:
        return v
    return v - back_substitute(lower, held.half.T @ (held.inverse @ (held.rows @ v)))


@njit
def held_rows(held: Held, half: Array) -> Array:
    """Rows J L^-T (k, nv) without their part along the constraints."""
    if held.rows.shape[0] == 0:
        return half
    return half - (half @ held.half.T) @ held.inverse @ held.half


@njit
def work_of_holding(
    held: Held, half: Array, r: Array, free: Array, v: Array, v_end: Array
) -> float:
    """Work of the rows' impulses [J] in a change of velocity from v to v_end.

    free: the velocity without any impulse; r with rows half = J L^-T, not yet projected: the
    impulses of the contacts. What makes G v = 0 in spite of both is lambda.
    """
    if held.rows.shape[0] == 0:
        return 0.0
    multipliers = held.inverse @ (held.rows @ free + held.half @ (half.T @ r))
    return float(-0.5 * multipliers @ (held.rows @ (v + v_end)))


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
