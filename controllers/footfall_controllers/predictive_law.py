"""Optimal accelerations of a prediction, (3.136) to (3.149), as a compiled kernel.

Source: G. Ozyurt, 3-D humanoid gait simulation using an optimal predictive control (METU 2005).
"""

from typing import NamedTuple

import numpy as np

from footfall.arrays import Array, Indices
from footfall.jit import njit
from footfall.plants.support_motions import cheapest, completed, motions_under


class Weights(NamedTuple):
    """Weights of the performance measure (3.136).

    h, r (m,): of errors of position and velocity; s (k,): of accelerations; power: of the net power
    of the actuators; horizon: dt [s].
    """

    h: Array
    r: Array
    s: Array
    power: float
    horizon: float


class Prediction(NamedTuple):
    """Tracked coordinates p and equations of the support, now and at q + q' dt.

    v (nv,); error (m,): p - p*; rate (m,): p'; wanted (m,): v*; J, bias: of the support now; J_p
    (m, nv) and J_then: Jacobians of coordinates and support then. Mv (nv,): momenta; load (nv,):
    bias forces less gravity's; these two count with a weight of power alone.
    """

    v: Array
    error: Array
    rate: Array
    wanted: Array
    J: Array
    bias: Array
    J_p: Array
    J_then: Array
    Mv: Array
    load: Array


@njit
def optimal_accelerations(
    weights: Weights, found: Prediction, free: Indices, others: Indices, cut: float
) -> Array:
    """Return v' (nv,) whose free ones minimise the performance measure."""
    dt = weights.horizon
    here = motions_under(found.J, free, others, cut)
    J_p = found.J_p @ motions_under(found.J_then, free, others, cut).directions
    J_pT = np.ascontiguousarray(J_p.T)
    then = J_p @ found.v[free]
    L1 = found.error + 0.5 * (found.rate + then) * dt
    L2 = then - found.wanted
    h, r = weights.h.reshape(-1, 1), dt**2 * weights.r.reshape(-1, 1)
    G = J_pT @ ((0.25 * dt**4 * h + dt**2 * r) * J_p) + np.diag(4.0 * dt**4 * weights.s)
    K = J_pT @ (0.5 * dt**2 * weights.h * L1 + dt**3 * weights.r * L2)
    if weights.power > 0.0:
        rest = completed(here, found.bias, np.zeros(len(free)))
        slope = np.ascontiguousarray(here.directions.T) @ found.Mv
        weight = weights.power * dt**2
        G += weight * np.outer(slope, slope)
        K += weight * slope * (found.Mv @ rest + found.v @ found.load)
    return cheapest(here, G, K, found.bias)
