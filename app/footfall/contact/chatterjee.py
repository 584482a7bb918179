"""Chatterjee and Ruina's algebraic law for a collision of one contact.

    P_I  = -gamma_n / W_nn n           stops the approach without friction
    P_II = -W^-1 gamma                 stops the contact point
    P    = (1 + e_n) P_I + (1 + e_t) (P_II - P_I)

and where that P leaves the friction cone, the factor 1 + e_t gives way to the kappa that puts P on
it. With e_n <= 1, -1 <= e_t <= 1 the law never gives energy.

Source: A. Chatterjee, A. Ruina: A new algebraic rigid-body collision law based on impulse space
considerations. Journal of Applied Mechanics 65 (1998) 939-951.
"""

import math

import numpy as np

from footfall.arrays import Array
from footfall.jit import njit


@njit
def chatterjee_ruina(W: Array, gamma: Array, mu: float, e_n: float, e_t: float) -> Array:
    """Impulse P (dim,) [N s] of a contact that approaches with gamma (dim,) [m/s], gamma_n < 0.

    W (dim, dim) [1/kg]: the contact's own block, W_nn > 0; it may be singular along a tangent that
    the machine cannot follow, which then bears nothing.
    """
    stop = -gamma[0] / W[0, 0]
    inverse: Array = np.linalg.pinv(W, 1e-12)  # type: ignore[assignment] # pinv has no dtype
    turn = -(inverse @ gamma)  # P_II - P_I
    turn[0] -= stop
    impulse = (1.0 + e_t) * turn
    impulse[0] += (1.0 + e_n) * stop
    if _friction(impulse) <= mu * impulse[0]:
        return impulse
    kappa = mu * (1.0 + e_n) * stop / (_friction(turn) - mu * turn[0])
    impulse = kappa * turn
    impulse[0] += (1.0 + e_n) * stop
    return impulse


@njit
def _friction(impulse: Array) -> float:
    """Size of the tangential part."""
    total = 0.0
    for d in range(1, impulse.size):
        total += impulse[d] ** 2
    return math.sqrt(total)
