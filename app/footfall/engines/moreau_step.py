"""One Moreau step at velocity level, fused into one compiled kernel.

    M_M (v_E - v_A) = (h_M + B tau) dt + J_M^T Lambda,      xi = gamma_E + e_n gamma_A
    xi_n >= 0,  Lambda_n >= 0,  xi_n Lambda_n = 0;          Coulomb between gamma_Et and Lambda_t

after Moreau (1988) as given by Leine & Glocker (2003); gamma = J_M v, so that the approach velocity
gamma_A is taken at the midpoint, as in the listing of the biped report.
"""

import numpy as np
import numpy.typing as npt

from footfall.contact import newton
from footfall.jit import njit
from footfall.solvers.kernels import solve_kernel

Array = npt.NDArray[np.float64]


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
def free_velocity(mass: Array, force: Array, v_a: Array, dt: float) -> Array:
    """v_A + M^-1 force dt: the end velocity of a step without contact."""
    lower = cholesky(mass)
    y = forward_substitute(lower, force.reshape(1, -1))[0]
    return v_a + dt * back_substitute(lower, y)


@njit
def contact_step(
    mass: Array,
    force: Array,
    v_a: Array,
    dt: float,
    jacobian: Array,
    mu: Array,
    e_n: Array,
    dim: int,
    guess: Array,
    method: int,
    tolerance: float,
    prox_parameter: float,
    max_iterations: int,
) -> tuple[Array, Array, Array, Array, Array, Array, float, int, int, int]:
    """Step with contacts.

    jacobian: (k, 3, nv), rows [n, t, s]; guess: (k, 3) impulses. Returns the end velocity, the
    impulses (k, 3), the end velocities gamma_E (k, 3), the contact work Lambda . (gamma_A +
    gamma_E) / 2 (k,), then W and q of the contact problem, and the solver's residual, rung,
    iterations, status.
    """
    count, nv = jacobian.shape[0], v_a.size
    rows = np.empty((count * dim, nv))
    for i in range(count):
        for d in range(dim):
            rows[i * dim + d] = jacobian[i, d]
    lower = cholesky(mass)
    solved = forward_substitute(lower, np.concatenate((rows, force.reshape(1, -1))))
    half = solved[: count * dim]
    v_free = v_a + dt * back_substitute(lower, solved[-1])
    delassus = half @ half.T
    gamma_a = rows @ v_a
    q = rows @ v_free
    newton(q, gamma_a[::dim], e_n, dim)
    start = np.empty(count * dim)
    for i in range(count):
        for d in range(dim):
            start[i * dim + d] = guess[i, d]
    r, _, residual, rung, iterations, status = solve_kernel(
        delassus, q, mu, dim, start, method, tolerance, prox_parameter, max_iterations
    )
    v_e = v_free + back_substitute(lower, half.T @ r)
    gamma_e = rows @ v_e
    impulse = np.zeros((count, 3))
    velocity = np.zeros((count, 3))
    work = np.zeros(count)
    for i in range(count):
        for d in range(dim):
            k = i * dim + d
            impulse[i, d], velocity[i, d] = r[k], gamma_e[k]
            work[i] += 0.5 * r[k] * (gamma_a[k] + gamma_e[k])
    return v_e, impulse, velocity, work, delassus, q, residual, rung, iterations, status
