"""Impact of the hopper: P, Q or R strikes the ground, by Chatterjee's law as item 3 has it.

    M (q'+ - q'-) = W^T Lambda,  A = W M^-1 W^T
    Lambda^I = (0, -v_n-/A_nn)         without friction, nothing left of the approach
    Lambda^II = -A^-1 v-               plastic: nothing left of the velocity at all
    Lambda = (1 + e_n) Lambda^I + kappa (Lambda^II - Lambda^I)

kappa = 1 + e_t where that stays in the friction cone, else the smaller kappa that puts Lambda on
it. The document writes e_r for e_t once and asks for e_n = e_t = 0, "frictional fully plastic".

Frames, shapes and the source: `closed_form.model`. The law: A. Chatterjee, A. Ruina: A new
algebraic rigid-body collision law based on impulse space considerations. Journal of Applied
Mechanics 65 (1998) 939-951.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from footfall.hybrid.component_first import Number, State, stacked
from footfall.machines.hopper.closed_form.model import Hopper, P, Point
from footfall.machines.hopper.closed_form.points import velocity


class HopperImpact(NamedTuple):
    """Outcome of an impact, component first.

    x: state after, of the same pose; impulse: Lambda of the ground (t, n) [N s]; kappa of the law;
    inside: whether kappa is 1 + e_t, so that friction suffices (with e_n = e_t = 0 the point then
    stands).
    """

    x: State
    impulse: State
    kappa: Number
    inside: npt.NDArray[np.bool_]


def impact(machine: Hopper, x: State, point: Point = P) -> HopperImpact:
    """State and impulse after P, Q or R has struck; x before, with the point on the ground.

    Analytic on either side of the cone. A point that slides along the ground without approach gets
    no impulse, but where its lever is negative (Painleve) one that stops it: that is the way out
    of a state in which neither slip nor flight can go on. Raises ValueError for a point that moves
    off the ground.
    """
    p, x = machine.parameters, np.asarray(x)
    v_t, v_n = velocity(machine, x, point)
    if np.any(np.real(v_n) > 0.0):
        raise ValueError(f"{point.name} moves off the ground, so that nothing strikes it")
    (A_tt, A_tn), (_, A_nn) = machine.contact_matrix(x, point)
    first = -v_n / A_nn
    slide = v_t + A_tn * first  # velocity along the ground that Lambda^I leaves
    determinant = A_tt * A_nn - A_tn * A_tn
    turn_t, turn_n = -A_nn * slide / determinant, A_tn * slide / determinant
    kappa, inside = _kappa(p.mu, (1.0 + p.e_n) * first, 1.0 + p.e_t, turn_t, turn_n)
    impulse = stacked(kappa * turn_t, (1.0 + p.e_n) * first + kappa * turn_n)
    rates = x[4:] + machine.kick(x, point, impulse)
    if point is P:
        # its velocity without the roundings of the sums above: a point that stands has exactly 0
        rates = stacked(
            (1.0 - kappa) * slide + p.e_n * A_tn * first, -p.e_n * v_n, rates[2], rates[3]
        )
    return HopperImpact(np.concatenate([x[:4] + 0.0 * rates, rates]), impulse, kappa, inside)


def _kappa(
    mu: Number, press: Number, whole: Number, turn_t: Number, turn_n: Number
) -> tuple[Any, npt.NDArray[np.bool_]]:
    """Factor of (turn_t, turn_n), and whether it is the whole one; branches by real parts."""
    size = np.where(np.real(turn_t) < 0.0, -turn_t, turn_t)
    inside = np.real(whole * size - mu * (press + whole * turn_n)) <= 0.0
    # outside the cone size - mu turn_n exceeds what the whole turn needs and is positive
    limited = mu * press / np.where(inside, 1.0, size - mu * turn_n)
    return np.where(inside, whole, limited)[()], inside
