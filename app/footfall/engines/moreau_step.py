"""One Moreau step at velocity level, fused into one compiled kernel.

    M_M (v_E - v_A) = (h_M + B tau) dt + J_M^T Lambda
    xi_n = gamma_En + e_n gamma_An >= 0,  Lambda_n >= 0,  xi_n Lambda_n = 0
    |Lambda_t| <= mu Lambda_n, against gamma_Et where it slips
    G v_E = 0 for bilateral constraints, with multipliers of their own

after Moreau (1988) as given by Leine & Glocker (2003); gamma = J_M v, so that the approach velocity
gamma_A is taken at the midpoint, as in the listing of the biped report.
"""

import numpy as np
import numpy.typing as npt

from footfall.contact import add_restitution, classify
from footfall.engines.record import IMPULSE, MODE, VELOCITY, WORK
from footfall.jit import njit
from footfall.solvers.kernels import solve_kernel

Array = npt.NDArray[np.float64]

# what ``classify`` takes for zero: a share of the largest impulse, and a share of this speed [m/s]
MODE_TOLERANCE = 1e-8
MODE_SPEED = 1.0


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
def free_velocity(mass: Array, force: Array, v_a: Array, dt: float, constraints: Array) -> Array:
    """End velocity of a step without contact, under the bilateral rows G v_E = 0, (m, nv)."""
    lower = cholesky(mass)
    velocity = _unconstrained(lower, force, v_a, dt)
    if constraints.shape[0] == 0:
        return velocity
    held, inverse = _bilateral(lower, constraints)
    return velocity - back_substitute(lower, held.T @ (inverse @ (constraints @ velocity)))


@njit
def _unconstrained(lower: Array, force: Array, v_a: Array, dt: float) -> Array:
    """v_A + M^-1 force dt."""
    return v_a + dt * back_substitute(lower, forward_substitute(lower, force.reshape(1, -1))[0])


@njit
def _bilateral(lower: Array, constraints: Array) -> tuple[Array, Array]:
    """L^-1 G^T as rows, (m, nv), and the pseudo-inverse of G M^-1 G^T: rows may be redundant."""
    held = forward_substitute(lower, constraints)
    inverse: Array = np.linalg.pinv(held @ held.T, 1e-12)  # type: ignore[assignment] # pinv has no dtype
    return held, inverse


@njit
def contact_step(
    mass: Array,
    force: Array,
    v_a: Array,
    dt: float,
    constraints: Array,
    jacobian: Array,
    active: npt.NDArray[np.int64],
    mu: Array,
    e_n: Array,
    preload: Array,
    dim: int,
    before: Array,
    after: Array,
    method: int,
    tolerance: float,
    prox_parameter: float,
    max_iterations: int,
) -> tuple[Array, Array, Array, Array, float, int, int, int]:
    """Step with the k active of n contacts; fills their rows of ``after``.

    constraints (m, nv): bilateral rows G. jacobian (k, 3, nv), rows [n, t, s]; active (k,) indices;
    mu, e_n (n,). preload (n,) [N]: normal force that dry joints are given, 0 for contacts, whose
    normal impulse is sought. before, after: rows of the records of the last step, whose impulses
    are the guess, and of this one. Returns v_E, then W, q and r of the contact problem, and the
    solver's residual, rung, iterations, status.
    """
    count, nv = active.size, v_a.size
    rows = np.empty((count * dim, nv))
    guess = np.empty(count * dim)
    mu_active, e_active = np.empty(count), np.empty(count)
    for i in range(count):
        mu_active[i], e_active[i] = mu[active[i]], e_n[active[i]]
        for d in range(dim):
            rows[i * dim + d] = jacobian[i, d]
            guess[i * dim + d] = before[active[i], IMPULSE + d]
    lower = cholesky(mass)
    half = forward_substitute(lower, rows)
    v_free = _unconstrained(lower, force, v_a, dt)
    if constraints.shape[0] > 0:
        held, inverse = _bilateral(lower, constraints)
        v_free -= back_substitute(lower, held.T @ (inverse @ (constraints @ v_free)))
        half -= (half @ held.T) @ inverse @ held
    delassus = half @ half.T
    gamma_a = rows @ v_a
    q = rows @ v_free
    add_restitution(q, gamma_a[::dim], e_active, dim)
    _give_normal_impulses(delassus, q, preload, active, dt, dim)
    r, _, residual, rung, iterations, status = solve_kernel(
        delassus, q, mu_active, dim, guess, method, tolerance, prox_parameter, max_iterations
    )
    v_e = v_free + back_substitute(lower, half.T @ r)
    gamma_e = rows @ v_e
    impulse, velocity = np.zeros((count, 3)), np.zeros((count, 3))
    for i in range(count):
        work = 0.0
        for d in range(dim):
            k = i * dim + d
            impulse[i, d], velocity[i, d] = r[k], gamma_e[k]
            after[active[i], IMPULSE + d], after[active[i], VELOCITY + d] = r[k], gamma_e[k]
            work += 0.5 * r[k] * (gamma_a[k] + gamma_e[k])
        after[active[i], WORK] = work
    modes = classify(impulse, velocity, mu_active, MODE_TOLERANCE, MODE_SPEED)
    for i in range(count):
        after[active[i], MODE] = modes[i]
    return v_e, delassus, q, r, residual, rung, iterations, status


@njit
def _give_normal_impulses(
    delassus: Array, q: Array, preload: Array, active: npt.NDArray[np.int64], dt: float, dim: int
) -> None:
    """Put rows into the problem that make r_n = preload dt, in place.

    A dry joint moves nothing along its normal row, so a row of its own, W_nn r_n - W_nn preload dt
    = 0, gives the normal impulse and leaves the rest of the problem as it is. The side row of a
    spatial problem gets W_ss likewise, for it moves nothing either.
    """
    for i in range(active.size):
        given = preload[active[i]] * dt
        if given > 0.0:
            n, t = i * dim, i * dim + 1
            delassus[n, n] = delassus[t, t]
            q[n] = -delassus[n, n] * given
            if dim == 3:
                delassus[n + 2, n + 2] = delassus[t, t]
