"""Alart and Curnier's semismooth Newton method.

Zeros of ``F_n = r_n - max(0, d_n)`` and ``F_T = r_T - P_disc(r_T - rho u_T; mu max(0, d_n))`` with
d_n = r_n - rho u_n (Alart and Curnier, Comput. Methods Appl. Mech. Eng. 92, 1991). The contacts are
scaled first, each so that its own block of W has size one: rho_i = 1/|W_ii| is one for all of them.
With r_i = d_i r'_i and u'_i = d_i u_i the cones, the laws and the solutions stay what they were
(one positive factor a contact), while contacts on heavy and on light bodies become alike.
"""

from __future__ import annotations

import math

import numpy as np

from footfall.arrays import Array
from footfall.jit import njit
from footfall.solvers.linear import solve_linear
from footfall.solvers.natural_map import scaled_residual, velocity


@njit
def contact_scale(W: Array, start: int, dim: int) -> float:
    """``1/sqrt(|W_ii|)`` (Frobenius) of the contact with first row ``start``; 1 if W_ii = 0."""
    total = 0.0
    for j in range(start, start + dim):
        for k in range(start, start + dim):
            total += W[j, k] * W[j, k]
    return total**-0.25 if total > 0.0 else 1.0


@njit
def row_scales(W: Array, dim: int) -> Array:
    """The factor d of every row, equal inside a contact."""
    size = W.shape[0]
    d = np.empty(size)
    for start in range(0, size, dim):
        factor = contact_scale(W, start, dim)
        for k in range(dim):
            d[start + k] = factor
    return d


@njit
def scale_problem(W: Array, q: Array, d: Array) -> tuple[Array, Array]:
    """``(D W D, D q)`` with D = diag(d)."""
    size = q.shape[0]
    scaled_W = np.empty((size, size))
    scaled_q = np.empty(size)
    for i in range(size):
        scaled_q[i] = d[i] * q[i]
        for j in range(size):
            scaled_W[i, j] = d[i] * W[i, j] * d[j]
    return scaled_W, scaled_q


SPREAD = 10.0  # of the scales of contacts: beyond, they are scaled alike, and judged so as well
_HALVINGS = 12
POLISHED = 1e-4  # of the tolerance: an answer that is only just accepted gets some more steps
POLISH_STEPS = 4
_STUCK_STEPS = 4  # steps in a row that no halving makes better: then other solvers do more


@njit
def _alart_curnier(mu: Array, dim: int, r: Array, u: Array, F: Array) -> float:
    """Write F(r) for the scaled problem and return ``|F|^2``."""
    total = 0.0
    for i in range(mu.shape[0]):
        a = i * dim
        pressed = max(0.0, r[a] - u[a])
        radius = mu[i] * pressed
        length = 0.0
        for k in range(a + 1, a + dim):
            length += (r[k] - u[k]) ** 2
        length = math.sqrt(length)
        shrink = 1.0 if length <= radius else radius / length
        F[a] = r[a] - pressed
        total += F[a] * F[a]
        for k in range(a + 1, a + dim):
            F[k] = r[k] - shrink * (r[k] - u[k])
            total += F[k] * F[k]
    return total


@njit
def _jacobian(W: Array, mu: Array, dim: int, r: Array, u: Array, J: Array) -> None:
    """Write an element of the generalized Jacobian dF/dr for the scaled problem."""
    size = W.shape[0]
    for i in range(mu.shape[0]):
        a = i * dim
        pressed = r[a] - u[a]
        radius = mu[i] * max(0.0, pressed)
        length = 0.0
        for k in range(a + 1, a + dim):
            length += (r[k] - u[k]) ** 2
        length = math.sqrt(length)
        for j in range(size):
            J[a, j] = W[a, j] if pressed > 0.0 else 0.0
        if pressed <= 0.0:
            J[a, a] = 1.0
        if length <= radius and pressed > 0.0:
            for k in range(a + 1, a + dim):
                for j in range(size):
                    J[k, j] = W[k, j]
            continue
        for k in range(a + 1, a + dim):
            for j in range(size):
                J[k, j] = 0.0
            J[k, k] = 1.0
        if pressed <= 0.0:
            continue
        # F_T = r_T - mu d_n e, e = x/|x|: dF_T = dr_T - mu e dd_n - (radius/|x|) (I - e e^T) dx
        for k in range(a + 1, a + dim):
            along = (r[k] - u[k]) / length
            push = mu[i] * along
            for j in range(size):
                J[k, j] += push * W[a, j]
            J[k, a] -= push
            for m in range(a + 1, a + dim):
                other = (r[m] - u[m]) / length
                turn = radius / length * ((1.0 if k == m else 0.0) - along * other)
                if turn != 0.0:
                    for j in range(size):
                        J[k, j] += turn * W[m, j]
                    J[k, m] -= turn


@njit
def solve_newton(
    W: Array,
    q: Array,
    mu: Array,
    dim: int,
    norm: float,
    tolerance: float,
    max_iterations: int,
    r: Array,
) -> tuple[float, int]:
    """Improve r from the guess it holds; stops where the natural map accepts or nothing helps.

    r receives the best iterate. Returns its residual and the number of Newton steps. Accepted
    impulses, as those of the last step often are, get some steps more unless they are exact: a
    machine at rest would else pick up the error that every step may have.
    """
    size = q.shape[0]
    d = row_scales(W, dim)
    Ws, qs = scale_problem(W, q, d)
    x = r / d
    y = np.empty(size)
    u = np.empty(size)
    trial = np.empty(size)
    F = np.empty(size)
    J = np.empty((size, size))
    step = np.empty(size)
    best = math.inf
    accepted = 0
    stuck = 0
    for iteration in range(max_iterations + 1):
        velocity(Ws, qs, x, y)
        merit = _alart_curnier(mu, dim, x, y, F)
        for i in range(size):
            trial[i] = d[i] * x[i]
            u[i] = y[i] / d[i]
        residual = scaled_residual(q, mu, dim, norm, trial, u)
        if residual < best:
            best = residual
            r[:] = trial
        if best <= tolerance:
            accepted += 1
        done = best <= POLISHED * tolerance or accepted > POLISH_STEPS
        if done or iteration == max_iterations or stuck > _STUCK_STEPS:
            return best, iteration
        _jacobian(Ws, mu, dim, x, y, J)
        solve_linear(J, F, size, step)
        length = 1.0
        for halving in range(_HALVINGS + 1):
            if halving == _HALVINGS:  # no descent: take the whole step, and count it
                length = 1.0
                stuck += 1
            for i in range(size):
                trial[i] = x[i] - length * step[i]
            if halving == _HALVINGS:
                break
            velocity(Ws, qs, trial, y)
            if _alart_curnier(mu, dim, trial, y, u) <= (1.0 - 1e-4 * length) * merit:
                stuck = 0
                break
            length *= 0.5
        x[:] = trial
    return best, max_iterations
