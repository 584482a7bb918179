"""The hopper in stick, slip and flight: forces of the ground, accelerations, what a phase requires.

Right for the document's multipliers, which leave out F_q: with B + G - F_q for its B + G,

    lambda = (W M^-1 W^T)^-1 W M^-1 (B + G - F_q)                              sticking
    lambda_n,slip = W_n M^-1 (B + G - F_q) / (W_n M^-1 (W_n - sigma mu W_t)^T),
    lambda_t = -sigma mu lambda_n,  sigma the sign of the sliding velocity      slipping

Only P stands on the ground. Frames, shapes and the source: `closed_form.model`. Functions of
a phase take states that are in it: in stick x' = y' = 0, in slip y' = 0.
"""

from functools import partial

import numpy as np

from footfall.hybrid import contact
from footfall.hybrid.component_first import Number, State, stacked
from footfall.hybrid.contact import ContactPhase, PointMotion
from footfall.machines.hopper.closed_form.model import ContactResponse, Hopper, P, Point

JumpPhase = ContactPhase  # of P
SIGMA = contact.SIGMA


# --- motion ------------------------------------------------------------------------------------


def force(machine: Hopper, phase: JumpPhase, x: State, torque: Number = 0.0) -> State:
    """Force of the ground on P, (lambda_t, lambda_n), shape (2, ...) [N]; torque: tau [N m]."""
    along, up = _force(machine, phase, machine.response(x, torque))
    zeros = 0.0 * x[0]  # in flight the force has none of its own
    return stacked(along + zeros, up + zeros)


def acceleration(machine: Hopper, phase: JumpPhase, x: State, torque: Number = 0.0) -> State:
    """Q'' (4, ...) [m/s^2, rad/s^2] of a phase; what the ground holds is exactly 0."""
    return stacked(*_acceleration(machine, phase, x, torque))


def derivative(machine: Hopper, phase: JumpPhase, x: State, torque: Number = 0.0) -> State:
    """Rates x' = (q', q'') of a phase, shape of x."""
    return stacked(*x[4:], *_acceleration(machine, phase, x, torque))


def point_motion(machine: Hopper, phase: JumpPhase, x: State, torque: Number = 0.0) -> PointMotion:
    """Force of the ground on P and its accelerations along the ground and off it."""
    r = machine.response(x, torque)
    t, n = _force(machine, phase, r)
    leaving = r.normal if phase == JumpPhase.FLIGHT else 0.0
    return PointMotion(t, n, _sliding(phase, r, t, n), leaving)


# --- what a phase requires ---------------------------------------------------------------------


def consistent_phases(
    machine: Hopper, x: State, torque: float = 0.0, still: float = 0.0
) -> tuple[JumpPhase, ...]:
    """Every phase that one real state with P on the ground may go on in.

    One, as a rule. Several or none where mu exceeds A_nn/|A_tn| (Painleve): then a sliding point
    may be pressed or leave, or can do neither without an impulse. Needed after impacts, jumps of
    the torque, and where a condition is lost. still: speeds up to it count as 0 [m/s]. Raises
    ValueError for a point that moves into the ground, which calls for an impact.
    """
    motion = partial(point_motion, machine, x=x, torque=torque)
    velocity = float(x[4]), float(x[5])
    return contact.consistent_phases(motion, machine.parameters.mu, velocity, still)


# --- Painleve ----------------------------------------------------------------------------------


def critical_friction(machine: Hopper, q: State, point: Point = P) -> Number:
    """A_nn/|A_tn|: the mu above which a sliding point may meet the paradox; not analytic."""
    A = machine.contact_matrix(q, point)
    with np.errstate(divide="ignore"):
        return A[1, 1] / np.abs(A[0, 1])


# --- the pieces --------------------------------------------------------------------------------


def _sticking(r: ContactResponse) -> tuple[Number, Number]:
    """Force that takes the acceleration of P away, by Cramer's rule."""
    determinant = r.A_tt * r.A_nn - r.A_tn * r.A_tn
    return (
        (r.A_tn * r.normal - r.A_nn * r.along) / determinant,
        (r.A_tn * r.along - r.A_tt * r.normal) / determinant,
    )


def _slipping(machine: Hopper, r: ContactResponse, sigma: float) -> tuple[Number, Number]:
    """Force on the cone that takes the normal acceleration of P away."""
    push = sigma * machine.parameters.mu
    up = -r.normal / (r.A_nn - push * r.A_tn)
    return -push * up, up


def _force(machine: Hopper, phase: JumpPhase, r: ContactResponse) -> tuple[Number, Number]:
    if phase == JumpPhase.STICK:
        return _sticking(r)
    if phase == JumpPhase.FLIGHT:
        return 0.0, 0.0
    return _slipping(machine, r, SIGMA[phase])


def _acceleration(
    machine: Hopper, phase: JumpPhase, x: State, torque: Number
) -> tuple[Number, Number, Number, Number]:
    """q'', with x'' = y'' = 0 of a point that stands and y'' = 0 of one that slides."""
    r = machine.response(x, torque)
    turn_1, turn_2 = r.turns
    if phase == JumpPhase.FLIGHT:
        return r.along, r.normal, turn_1, turn_2 - turn_1
    t, n = _force(machine, phase, r)
    turn_1 = turn_1 + r.by_t[0] * t + r.by_n[0] * n
    turn_2 = turn_2 + r.by_t[1] * t + r.by_n[1] * n
    return _sliding(phase, r, t, n), 0.0, turn_1, turn_2 - turn_1


def _sliding(phase: JumpPhase, r: ContactResponse, t: Number, n: Number) -> Number:
    """Acceleration of P along the ground."""
    return 0.0 if phase == JumpPhase.STICK else r.along + r.A_tt * t + r.A_tn * n
