"""The hopper's equations as compiled functions of numbers: motion by phases, and the impact of P.

Twins of `closed_form.phases` and `closed_form.impact` for a search, which asks them a million times
a second: they take one state of real numbers, share sines and cosines, and divide once. Restitution
is not in here: nothing of an impact is elastic. Frames, signs and the source: `closed_form.model`.
"""

import math
from typing import NamedTuple

from footfall.jit import njit
from footfall.machines.hopper.closed_form.model import Hopper
from footfall.machines.hopper.closed_form.phases import JumpPhase

STICK, SLIP_FORWARD, SLIP_BACKWARD, FLIGHT = 0, 1, 2, 3
NO_PHASE = -1
PHASES = (JumpPhase.STICK, JumpPhase.SLIP_FORWARD, JumpPhase.SLIP_BACKWARD, JumpPhase.FLIGHT)

TORQUE, BEND = 0.0, 1.0


class Constants(NamedTuple):
    """A machine of real numbers [SI]; J, K: see `closed_form.model`."""

    m: float
    l: float
    mu: float
    g: float
    J: float
    K: float


class State(NamedTuple):
    """Coordinates and rates [SI], in the order of the closed form's x."""

    x: float
    y: float
    theta1: float
    theta2: float
    dx: float
    dy: float
    dtheta1: float
    dtheta2: float


class ControlSegment(NamedTuple):
    """Law of the motor over a time s of the segment's own, within a bound [N m].

    TORQUE: tau = a0 + a1 s + ... + a5 s^5. BEND: the tau that makes theta2'' = a0 + a1 s, as far
    as the bound lets it.
    """

    kind: float
    a0: float
    a1: float
    a2: float
    a3: float
    a4: float
    a5: float
    bound: float


class GroundResponse(NamedTuple):
    """Motion without ground and torque, and its changes by both of them [SI].

    turn_1, turn_2: phi1'' and phi2''. along, normal: acceleration of P. turn_by_torque: what a
    unit of torque adds to phi2'' (and takes from phi1''). along_by_torque, normal_by_torque: what
    it adds to the acceleration of P. turn_1_by_t to turn_2_by_n: turns by a unit of force on P.
    A_tt, A_tn, A_nn: acceleration of P by that.
    """

    turn_1: float
    turn_2: float
    along: float
    normal: float
    turn_by_torque: float
    along_by_torque: float
    normal_by_torque: float
    turn_1_by_t: float
    turn_2_by_t: float
    turn_1_by_n: float
    turn_2_by_n: float
    A_tt: float
    A_tn: float
    A_nn: float


class Accelerations(NamedTuple):
    """Accelerations of the coordinates, force of the ground on P and torque of the motor [SI]."""

    ddx: float
    ddy: float
    ddtheta1: float
    ddtheta2: float
    lambda_t: float
    lambda_n: float
    torque: float


def constants(machine: Hopper) -> Constants:
    """The constants of a machine of real numbers."""
    p = machine.parameters
    return Constants(p.m, p.l, p.mu, p.g, machine.turning, machine.coupling)


@njit
def _response(q: State, c: Constants) -> GroundResponse:
    """Response of a state."""
    m, l, _, g, J, coupling = c
    w1, w12 = q.dtheta1, q.dtheta1 + q.dtheta2
    s1, c1 = math.sin(q.theta1), math.cos(q.theta1)
    s2, c2 = math.sin(q.theta2), math.cos(q.theta2)
    s12, c12 = s1 * c2 + c1 * s2, c1 * c2 - s1 * s2
    k, bend = coupling * c2, coupling * s2
    scale = 1.0 / (J * J - k * k)
    a, b = -1.5 * l, -0.5 * l  # from the mass centre back to P, along link 1 and link 2
    t1, t2, n1, n2 = -a * s1, -b * s12, a * c1, b * c12
    load_1, load_2 = bend * w12 * w12, -bend * w1 * w1
    turn_1, turn_2 = (J * load_1 - k * load_2) * scale, (J * load_2 - k * load_1) * scale
    along = t1 * turn_1 + t2 * turn_2 - a * w1 * w1 * c1 - b * w12 * w12 * c12
    normal = n1 * turn_1 + n2 * turn_2 - a * w1 * w1 * s1 - b * w12 * w12 * s12 - g
    by_torque = 1.0 / (J - k)
    by_t1, by_t2 = (J * t1 - k * t2) * scale, (J * t2 - k * t1) * scale
    by_n1, by_n2 = (J * n1 - k * n2) * scale, (J * n2 - k * n1) * scale
    light = 0.5 / m
    return GroundResponse(
        turn_1,
        turn_2,
        along,
        normal,
        by_torque,
        (t2 - t1) * by_torque,
        (n2 - n1) * by_torque,
        by_t1,
        by_t2,
        by_n1,
        by_n2,
        light + t1 * by_t1 + t2 * by_t2,
        n1 * by_t1 + n2 * by_t2,
        light + n1 * by_n1 + n2 * by_n2,
    )


@njit
def _force(
    phase: int, along: float, normal: float, r: GroundResponse, mu: float
) -> tuple[float, float]:
    """Force (t, n) on P that a phase needs against accelerations of P; linear in them."""
    A_tt, A_tn, A_nn = r.A_tt, r.A_tn, r.A_nn
    if phase == STICK:
        determinant = A_tt * A_nn - A_tn * A_tn
        return (
            (A_tn * normal - A_nn * along) / determinant,
            (A_tn * along - A_tt * normal) / determinant,
        )
    if phase == FLIGHT:
        return 0.0, 0.0
    push = mu if phase == SLIP_FORWARD else -mu
    up = -normal / (A_nn - push * A_tn)
    return -push * up, up


@njit
def motion(phase: int, q: State, segment: ControlSegment, s: float, c: Constants) -> Accelerations:
    """Motion of a phase at a time s of a control segment [s]."""
    r = _response(q, c)
    if segment.kind == TORQUE:
        _, a0, a1, a2, a3, a4, a5, _ = segment
        torque = a0 + s * (a1 + s * (a2 + s * (a3 + s * (a4 + s * a5))))
    else:
        t, n = _force(phase, r.along, r.normal, r, c.mu)
        bare = (
            r.turn_2
            - r.turn_1
            + (r.turn_2_by_t - r.turn_1_by_t) * t
            + (r.turn_2_by_n - r.turn_1_by_n) * n
        )
        t, n = _force(phase, r.along_by_torque, r.normal_by_torque, r, c.mu)
        gain = (
            2.0 * r.turn_by_torque
            + (r.turn_2_by_t - r.turn_1_by_t) * t
            + (r.turn_2_by_n - r.turn_1_by_n) * n
        )
        torque = (segment.a0 + s * segment.a1 - bare) / gain
        torque = min(max(torque, -segment.bound), segment.bound)
    turn_1, turn_2 = r.turn_1 - torque * r.turn_by_torque, r.turn_2 + torque * r.turn_by_torque
    along, normal = r.along + torque * r.along_by_torque, r.normal + torque * r.normal_by_torque
    if phase == FLIGHT:
        return Accelerations(along, normal, turn_1, turn_2 - turn_1, 0.0, 0.0, torque)
    t, n = _force(phase, along, normal, r, c.mu)
    turn_1 += r.turn_1_by_t * t + r.turn_1_by_n * n
    turn_2 += r.turn_2_by_t * t + r.turn_2_by_n * n
    sliding = 0.0 if phase == STICK else along + r.A_tt * t + r.A_tn * n
    return Accelerations(sliding, 0.0, turn_1, turn_2 - turn_1, t, n, torque)


@njit
def phase_on_ground(q: State, segment: ControlSegment, s: float, c: Constants) -> int:
    """The first phase that P, without normal velocity, may go on in; NO_PHASE for none."""
    for phase in range(4):
        now = motion(phase, q, segment, s, c)
        n = now.lambda_n
        if phase == STICK:
            possible = q.dx == 0.0 and n > 0.0 and abs(now.lambda_t) <= c.mu * n
        elif phase == FLIGHT:
            possible = now.ddy >= 0.0
        else:
            sigma = 1.0 if phase == SLIP_FORWARD else -1.0
            possible = n > 0.0 and sigma * (now.ddx if q.dx == 0.0 else q.dx) > 0.0
        if possible:
            return phase
    return NO_PHASE


@njit
def post_impact(q: State, c: Constants) -> State:
    """State after P has struck the ground."""
    r = _response(q, c)
    A_tt, A_tn, A_nn = r.A_tt, r.A_tn, r.A_nn
    press = -q.dy / A_nn
    slide = q.dx + A_tn * press
    determinant = A_tt * A_nn - A_tn * A_tn
    turn_t, turn_n = -A_nn * slide / determinant, A_tn * slide / determinant
    kappa = 1.0
    if abs(turn_t) > c.mu * (press + turn_n):
        kappa = c.mu * press / (abs(turn_t) - c.mu * turn_n)
    t, n = kappa * turn_t, press + kappa * turn_n
    turn_1, turn_2 = r.turn_1_by_t * t + r.turn_1_by_n * n, r.turn_2_by_t * t + r.turn_2_by_n * n
    rates = ((1.0 - kappa) * slide, 0.0, q.dtheta1 + turn_1, q.dtheta2 + turn_2 - turn_1)
    return State(q.x, 0.0, q.theta1, q.theta2, rates[0], rates[1], rates[2], rates[3])


@njit
def angular_momentum(q: State, c: Constants) -> float:
    """Angular momentum about the mass centre [kg m^2/s], which a flight keeps."""
    return (c.J + c.K * math.cos(q.theta2)) * (2.0 * q.dtheta1 + q.dtheta2)
