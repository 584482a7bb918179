"""The pieces of the compass's equations of motion, and its rates at many states, compiled.

The pieces take numbers or arrays, real or complex: sines, cosines and speeds of footfall.textbook.
compass, whose letters these are. Of a few walkers at once, thirty operations on arrays take ten
times as long as the arithmetic in them; hence the kernel.
"""

import numpy as np
from numba.extending import register_jitable

from footfall.hybrid.component_first import Number, State
from footfall.jit import njit


@register_jitable
def inertia(leg: Number, stance: Number, coupling: Number, c2: Number) -> tuple[Number, Number]:
    """A11 and A12 [kg m^2]; A22 is that of the leg."""
    bent = coupling * c2
    return stance + leg + 2.0 * bent, leg + bent


@register_jitable
def coriolis(coupling: Number, s2: Number, w1: Number, w2: Number) -> tuple[Number, Number]:
    """H1 and H2 [N m]."""
    bent = coupling * s2
    return -bent * w2 * (2.0 * w1 + w2), bent * w1 * w1


@register_jitable
def gravity(
    weights: tuple[Number, Number],
    slope: tuple[Number, Number],
    sines: tuple[Number, Number],
    cosines: tuple[Number, Number],
) -> tuple[Number, Number]:
    """Q1 and Q2 [N m], the sums of angles by their theorem.

    weights: of leg 1 and leg 2 times their arms [N m]. slope: its sine and cosine.
    """
    (s1, s2), (c1, c2) = sines, cosines
    lean = s1 * slope[1] - c1 * slope[0]  # of leg 1 from the vertical
    upright = c1 * slope[1] + s1 * slope[0]
    second = -weights[1] * (lean * c2 + upright * s2)
    return second - weights[0] * lean, second


@register_jitable
def acceleration(
    constants: tuple[Number, ...],
    sines: tuple[Number, Number],
    cosines: tuple[Number, Number],
    speeds: tuple[Number, Number],
    torque: Number,
) -> tuple[Number, Number]:
    """q1'' and q2'' by Cramer's rule [rad/s^2]; constants: `Compass.constants`."""
    leg, stance, coupling, weight_1, weight_2, sin_slope, cos_slope = constants
    a11, a12 = inertia(leg, stance, coupling, cosines[1])
    h1, h2 = coriolis(coupling, sines[1], speeds[0], speeds[1])
    g1, g2 = gravity((weight_1, weight_2), (sin_slope, cos_slope), sines, cosines)
    r1, r2 = -h1 - g1, torque - h2 - g2
    determinant = a11 * leg - a12 * a12
    return (leg * r1 - a12 * r2) / determinant, (a11 * r2 - a12 * r1) / determinant


def rates(constants: State, x: State, torque: Number) -> State:
    """Rates of states x (4, k) of walkers with constants (7, k) or (7, 1) under torques [N m]."""
    kind = np.result_type(constants, x, torque, np.float64)
    out = np.empty(x.shape, kind)
    _fill(
        constants.astype(kind, copy=False),
        x.astype(kind, copy=False),
        np.asarray(torque, kind).reshape(-1),
        out,
    )
    return out


@njit
def _fill(constants: State, x: State, torque: State, out: State) -> None:
    # of one column for all states, without a view of as many, which takes as long as the rest
    own_constants, own_torque = int(constants.shape[1] > 1), int(len(torque) > 1)
    for k in range(x.shape[1]):
        q1, q2, w1, w2 = x[0, k], x[1, k], x[2, k], x[3, k]
        c = constants[:, k * own_constants]
        out[0, k], out[1, k] = w1, w2
        out[2, k], out[3, k] = acceleration(
            (c[0], c[1], c[2], c[3], c[4], c[5], c[6]),
            (np.sin(q1), np.sin(q2)),
            (np.cos(q1), np.cos(q2)),
            (w1, w2),
            torque[k * own_torque],
        )
