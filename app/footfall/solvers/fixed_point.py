"""The augmented-Lagrangian fixed point of a Jacobi type that Moreau steppers often carry.

``Lambda_N <- max(0, Lambda_N - r u_N)``, ``Lambda_T <- prox_C(Lambda_T - r u_T)`` with C the disc
of radius mu Lambda_N^k, all contacts at once (biped report, part II, section v, step 5, which calls
it a modified Newton algorithm, and the listing Time_Stepping_Method_Moreau). The friction disc has
the normal impulse of the iteration before, as the listing has it; the text writes that of the same
iteration, which has the same fixed points. It contracts only for r below about 2/|W|.
"""

from __future__ import annotations

import math

import numpy as np

from footfall.arrays import Array
from footfall.jit import njit
from footfall.solvers.natural_map import impulse_scale, scaled_residual, velocity

_DIVERGED = 1e12


@njit
def solve_fixed_point(
    W: Array,
    q: Array,
    mu: Array,
    dim: int,
    norm: float,
    tolerance: float,
    max_iterations: int,
    parameter: float,
    r: Array,
) -> tuple[float, int]:
    """Iterate from the guess in r with the given ``parameter`` (in kg, like r = 0.5 of the report).

    Stops where |dLambda_N| + |dLambda_T| is below the tolerance (of the impulse scale) *and* the
    natural map accepts; also where the impulses run away or ``max_iterations`` are used up.
    Returns the residual and the number of iterations.
    """
    size = q.shape[0]
    u = np.zeros(size)
    start = impulse_scale(q, u, norm)  # u is still zero: |q|/|W|
    for value in r:
        start = max(start, abs(value))
    residual = math.inf
    velocity(W, q, r, u)
    for iteration in range(1, max_iterations + 1):
        change_n = 0.0
        change_t = 0.0
        largest = 0.0
        for i in range(mu.shape[0]):
            a = i * dim
            radius = mu[i] * max(0.0, r[a])
            normal = max(0.0, r[a] - parameter * u[a])
            change_n += (normal - r[a]) ** 2
            largest = max(largest, normal)
            r[a] = normal
            length = 0.0
            for k in range(a + 1, a + dim):
                length += (r[k] - parameter * u[k]) ** 2
            length = math.sqrt(length)
            shrink = 1.0 if length <= radius else radius / length
            for k in range(a + 1, a + dim):
                tangent = shrink * (r[k] - parameter * u[k])
                change_t += (tangent - r[k]) ** 2
                r[k] = tangent
        velocity(W, q, r, u)
        change = math.sqrt(change_n) + math.sqrt(change_t)
        if not largest <= _DIVERGED * start:
            return scaled_residual(q, mu, dim, norm, r, u), iteration
        if change <= tolerance * impulse_scale(q, r, norm):
            residual = scaled_residual(q, mu, dim, norm, r, u)
            if residual <= tolerance or change == 0.0:
                return residual, iteration
    return scaled_residual(q, mu, dim, norm, r, u), max_iterations
