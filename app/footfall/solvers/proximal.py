"""Proximal regularisation: a sequence of better-conditioned problems around the last impulses.

Each outer step solves (W + alpha D^-2, q - alpha D^-2 r_k) by Newton's method, backed by sweeps of
Gauss-Seidel; a fixed point in r solves the problem itself. alpha falls while this succeeds and
grows where it fails (Acary and Brogliato, Numerical Methods for Nonsmooth Dynamical Systems, 2008).
"""

from __future__ import annotations

import math

import numpy as np

from footfall.arrays import Array
from footfall.jit import njit
from footfall.solvers.gauss_seidel import solve_gauss_seidel
from footfall.solvers.natural_map import scaled_residual, velocity
from footfall.solvers.newton import row_scales, solve_newton

_NEWTON_STEPS = 30
_SWEEPS = 30
_STRONGEST = 1e3
_COARSEST = 1e-9  # tolerance of an outer step: impulses that are less exact draw its centre aside


@njit
def solve_proximal(
    W: Array,
    q: Array,
    mu: Array,
    dim: int,
    norm: float,
    tolerance: float,
    max_iterations: int,
    r: Array,
) -> tuple[float, int]:
    """Improve r from the guess it holds; returns the best residual and the outer steps.

    ``max_iterations`` caps the steps inside each outer step as well.
    """
    size = q.shape[0]
    newton_steps = min(_NEWTON_STEPS, max_iterations)
    sweeps = min(_SWEEPS, max_iterations)
    aim = min(tolerance, _COARSEST)
    d = row_scales(W, dim)
    u = np.empty(size)
    centre = r.copy()
    trial = r.copy()
    near_W = W.copy()
    near_q = q.copy()
    alpha = 1.0
    best = math.inf
    for step in range(1, max_iterations + 1):
        for i in range(size):
            pull = alpha / (d[i] * d[i])
            near_W[i, i] = W[i, i] + pull
            near_q[i] = q[i] - pull * centre[i]
        trial[:] = centre
        inner, _ = solve_newton(near_W, near_q, mu, dim, norm, 0.1 * aim, newton_steps, trial)
        if not inner <= aim:
            solve_gauss_seidel(near_W, near_q, mu, dim, norm, 0.1 * aim, sweeps, trial)
            inner, _ = solve_newton(near_W, near_q, mu, dim, norm, 0.1 * aim, newton_steps, trial)
        velocity(W, q, trial, u)
        residual = scaled_residual(q, mu, dim, norm, trial, u)
        if residual < best:
            best = residual
            r[:] = trial
        if best <= tolerance:
            return best, step
        if inner <= aim:
            centre[:] = trial
            alpha *= 0.3
        elif alpha < _STRONGEST:
            alpha *= 5.0
        else:
            return best, step
    return best, max_iterations
