"""The hopper's equations as compiled functions of numbers: motion by phases, and the impact of P.

Twins of `closed_form.phases` and `hopper_impact` for a search, which asks them a
million times a second. Frames, signs and the source: `closed_form.model`. A state is a tuple
(x, y, theta1, theta2, x', y', theta1', theta2'), a phase one of the numbers below, a machine a
tuple (m, l, mu, g, J, K). Restitution is not in here: nothing of an impact is elastic.
"""

import math

from footfall.jit import njit
from footfall.machines.hopper.closed_form.model import Hopper
from footfall.machines.hopper.closed_form.phases import Phase

STICK, SLIP_FORWARD, SLIP_BACKWARD, FLIGHT = 0, 1, 2, 3
NO_PHASE = -1
PHASES = (Phase.STICK, Phase.SLIP_FORWARD, Phase.SLIP_BACKWARD, Phase.FLIGHT)

Constants = tuple[float, float, float, float, float, float]
State = tuple[float, float, float, float, float, float, float, float]
# kind, a0 to a5, bound: see `motion`
Law = tuple[float, float, float, float, float, float, float, float]
Unheld = tuple[
    float, float, float, float, float, float, float, float, float, float, float, float, float, float
]
Motion = tuple[float, float, float, float, float, float, float]

TORQUE, BEND = 0.0, 1.0


def constants(machine: Hopper) -> Constants:
    """(m, l, mu, g, J, K) of a machine of real numbers."""
    p = machine.parameters
    return (p.m, p.l, p.mu, p.g, machine.turning, machine.coupling)


@njit
def _unheld(q: State, c: Constants) -> Unheld:
    """What moves without ground and torque, and what both of them change.

    Turns phi1'', phi2'' and acceleration of P along and up [SI]; what a unit of torque adds to
    phi2'' (and takes from phi1''), to those two; turns by a unit of force along and up; A.
    """
    m, l, _, g, J, coupling = c
    w1, w12 = q[6], q[6] + q[7]
    s1, c1, s2, c2 = math.sin(q[2]), math.cos(q[2]), math.sin(q[3]), math.cos(q[3])
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
    return (
        *(turn_1, turn_2, along, normal),
        *(by_torque, (t2 - t1) * by_torque, (n2 - n1) * by_torque),
        *(by_t1, by_t2, by_n1, by_n2),
        *(
            light + t1 * by_t1 + t2 * by_t2,
            n1 * by_t1 + n2 * by_t2,
            light + n1 * by_n1 + n2 * by_n2,
        ),
    )


@njit
def _force(phase: int, along: float, normal: float, u: Unheld, mu: float) -> tuple[float, float]:
    """Force (t, n) on P that a phase needs against accelerations of P; linear in them."""
    A_tt, A_tn, A_nn = u[11], u[12], u[13]
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
def motion(phase: int, q: State, law: Law, s: float, c: Constants) -> Motion:
    """(x'', y'', theta1'', theta2'', lambda_t, lambda_n, tau) of a phase under a law.

    law: kind, six numbers, bound. TORQUE: tau = a0 + a1 s + ... + a5 s^5 of the law's own time s.
    BEND: the tau that makes theta2'' = a0 + a1 s, as far as the bound lets it.
    """
    u = _unheld(q, c)
    if law[0] == TORQUE:
        torque = law[1] + s * (law[2] + s * (law[3] + s * (law[4] + s * (law[5] + s * law[6]))))
    else:
        t, n = _force(phase, u[2], u[3], u, c[2])
        bare = u[1] - u[0] + (u[8] - u[7]) * t + (u[10] - u[9]) * n
        t, n = _force(phase, u[5], u[6], u, c[2])
        gain = 2.0 * u[4] + (u[8] - u[7]) * t + (u[10] - u[9]) * n
        torque = (law[1] + s * law[2] - bare) / gain
        torque = min(max(torque, -law[7]), law[7])
    turn_1, turn_2 = u[0] - torque * u[4], u[1] + torque * u[4]
    along, normal = u[2] + torque * u[5], u[3] + torque * u[6]
    if phase == FLIGHT:
        return along, normal, turn_1, turn_2 - turn_1, 0.0, 0.0, torque
    t, n = _force(phase, along, normal, u, c[2])
    turn_1 += u[7] * t + u[9] * n
    turn_2 += u[8] * t + u[10] * n
    sliding = 0.0 if phase == STICK else along + u[11] * t + u[12] * n
    return sliding, 0.0, turn_1, turn_2 - turn_1, t, n, torque


@njit
def phase_on_ground(q: State, law: Law, s: float, c: Constants) -> int:
    """The first phase that P, without normal velocity, may go on in; NO_PHASE for none."""
    for phase in range(4):
        x2, y2, _, _, t, n, _ = motion(phase, q, law, s, c)
        if phase == STICK:
            possible = q[4] == 0.0 and n > 0.0 and abs(t) <= c[2] * n
        elif phase == FLIGHT:
            possible = y2 >= 0.0
        else:
            sigma = 1.0 if phase == SLIP_FORWARD else -1.0
            possible = n > 0.0 and sigma * (x2 if q[4] == 0.0 else q[4]) > 0.0
        if possible:
            return phase
    return NO_PHASE


@njit
def struck(q: State, c: Constants) -> State:
    """State after P has struck the ground."""
    u = _unheld(q, c)
    A_tt, A_tn, A_nn = u[11], u[12], u[13]
    press = -q[5] / A_nn
    slide = q[4] + A_tn * press
    determinant = A_tt * A_nn - A_tn * A_tn
    turn_t, turn_n = -A_nn * slide / determinant, A_tn * slide / determinant
    kappa = 1.0
    if abs(turn_t) > c[2] * (press + turn_n):
        kappa = c[2] * press / (abs(turn_t) - c[2] * turn_n)
    t, n = kappa * turn_t, press + kappa * turn_n
    turn_1, turn_2 = u[7] * t + u[9] * n, u[8] * t + u[10] * n
    return (
        *(q[0], 0.0, q[2], q[3]),
        *((1.0 - kappa) * slide, 0.0, q[6] + turn_1, q[7] + turn_2 - turn_1),
    )


@njit
def spin(q: State, c: Constants) -> float:
    """Angular momentum about the mass centre [kg m^2/s], which a flight keeps."""
    return (c[4] + c[5] * math.cos(q[3])) * (2.0 * q[6] + q[7])
