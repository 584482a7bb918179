"""The hopper in stick, slip and flight: forces of the ground, accelerations, what a phase requires.

Right for the document's multipliers, which leave out F_q: with B + G - F_q for its B + G,

    lambda = (W M^-1 W^T)^-1 W M^-1 (B + G - F_q)                              sticking
    lambda_n,slip = W_n M^-1 (B + G - F_q) / (W_n M^-1 (W_n - sigma mu W_t)^T),
    lambda_t = -sigma mu lambda_n,  sigma the sign of the sliding velocity      slipping

Only P stands on the ground. Frames, shapes and the source: `closed_form.model`. Functions of
a phase take states that are in it: in stick x' = y' = 0, in slip y' = 0.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from footfall.hybrid import contact
from footfall.hybrid.component_first import Number, State, parts, stacked
from footfall.hybrid.contact import ContactPhase, PointMotion
from footfall.machines.hopper.closed_form.model import ContactResponse, Hopper, P, Point

JumpPhase = ContactPhase  # of P
SIGMA = contact.SIGMA


# --- motion ------------------------------------------------------------------------------------


def force(machine: Hopper, phase: JumpPhase, x: State, torque: Number = 0.0) -> State:
    """Force of the ground on P, (lambda_t, lambda_n), shape (2, ...) [N]; torque: tau [N m]."""
    rows, sin, cos = parts(x)
    along, up = _force(machine, phase, machine.respond(rows, sin, cos, torque))
    zeros = 0.0 * rows[0]  # in flight the force has none of its own
    return stacked(along + zeros, up + zeros)


def acceleration(machine: Hopper, phase: JumpPhase, x: State, torque: Number = 0.0) -> State:
    """Q'' (4, ...) [m/s^2, rad/s^2] of a phase; what the ground holds is exactly 0."""
    rows, sin, cos = parts(x)
    return stacked(*_acceleration(machine, phase, rows, sin, cos, torque))


def derivative(machine: Hopper, phase: JumpPhase, x: State, torque: Number = 0.0) -> State:
    """Rates x' = (q', q'') of a phase, shape of x."""
    rows, sin, cos = parts(x)
    return stacked(*rows[4:], *_acceleration(machine, phase, rows, sin, cos, torque))


def drive_power(x: State, torque: Number) -> Number:
    """Power of the torque, tau theta2' [W]."""
    return torque * x[7]


def point_motion(machine: Hopper, phase: JumpPhase, x: State, torque: Number = 0.0) -> PointMotion:
    """Force of the ground on P and its accelerations along the ground and off it."""
    r = machine.response(x, torque)
    t, n = _force(machine, phase, r)
    leaving = r.normal if phase == JumpPhase.FLIGHT else 0.0
    return PointMotion(t, n, _sliding(phase, r, t, n), leaving)


def friction_power(machine: Hopper, phase: JumpPhase, x: State, torque: Number = 0.0) -> Number:
    """Power of the ground, lambda_t times the sliding velocity [W]: negative in slip, else 0."""
    return force(machine, phase, x, torque)[0] * x[4]


# --- what a phase requires ---------------------------------------------------------------------


class StickConditions(NamedTuple):
    """P stands while lambda_n and mu lambda_n - lambda_t and mu lambda_n + lambda_t are positive.

    All in newton. The document has the first of the two cone conditions only, as lambda_t <= mu
    lambda_n, and does not list the separation lambda_n = 0 of a point that stands.
    """

    pressing: Number
    below_cone: Number
    above_cone: Number


class SlipConditions(NamedTuple):
    """P slides while both are positive: lambda_n [N] and sigma times its velocity [m/s]."""

    pressing: Number
    sliding: Number


def stick_conditions(machine: Hopper, x: State, torque: Number = 0.0) -> StickConditions:
    """Signed conditions of stick; where one is lost the phase has to be chosen anew."""
    mu = machine.parameters.mu
    along, up = _sticking(machine.response(x, torque))
    return StickConditions(up, mu * up - along, mu * up + along)


def slip_conditions(
    machine: Hopper, phase: JumpPhase, x: State, torque: Number = 0.0
) -> SlipConditions:
    """Signed conditions of slip; `sliding` lost is stick or a reversal, `pressing` lost flight."""
    sigma = SIGMA[phase]
    _, up = _slipping(machine, machine.response(x, torque), sigma)
    return SlipConditions(up, sigma * x[4])


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


def lever(machine: Hopper, q: State, sigma: float, point: Point = P) -> Number:
    """Alpha of lambda_n,slip = beta/alpha, A_nn - sigma mu A_tn [1/kg].

    Where it is negative, pressing a point that slides lifts it: Painleve's paradox.
    """
    A = machine.contact_matrix(q, point)
    return A[1, 1] - sigma * machine.parameters.mu * A[0, 1]


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
    machine: Hopper,
    phase: JumpPhase,
    rows: list[Number],
    sin: Callable[[Any], Number],
    cos: Callable[[Any], Number],
    torque: Number,
) -> tuple[Number, Number, Number, Number]:
    """q'', with x'' = y'' = 0 of a point that stands and y'' = 0 of one that slides."""
    r = machine.respond(rows, sin, cos, torque)
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
