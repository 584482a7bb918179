"""The hopper's motion over short intervals, as a nonlinear programme sees it.

A segment is a stretch of one phase, cut into intervals of equal duration; within one the torque is
linear in time, and between them it may jump. A segment has coordinates of its own, so that what its
phase holds or keeps is held exactly:

    stick    (theta1, theta2, theta1', theta2')
    slip     (x, theta1, theta2, x', theta1', theta2')
    flight   (x, y of the mass centre, psi, theta2, velocity of the mass centre, H, theta2')

psi = theta1 + theta2/2 is the angle of the line PR, H the angular momentum about the mass centre.
In flight, where H is kept whatever the torque,

    psi' = H/(2 (J + K cos theta2))
    (J - K cos theta2) theta2''/2 = tau - K sin theta2 (psi'^2 + theta2'^2/4)

Intervals are integrated by classical Runge-Kutta steps, not collocated: what a coarse mesh leaves
out the programme would exploit. Everything takes complex numbers, for gradients by a step into
them, and many states at once, (..., k). Frames and letters: `closed_form.model`.
"""

from collections.abc import Iterator

import numpy as np

from footfall.hybrid.component_first import Number, State, stacked
from footfall.machines.hopper.closed_form.model import CG, Hopper, position, velocity
from footfall.machines.hopper.closed_form.phases import (
    SIGMA,
    JumpPhase,
    derivative,
    force,
)

_SLIP = (0, 2, 3, 4, 6, 7)
COORDINATES = {
    JumpPhase.STICK: (2, 3, 6, 7),
    JumpPhase.SLIP_FORWARD: _SLIP,
    JumpPhase.SLIP_BACKWARD: _SLIP,
    JumpPhase.FLIGHT: tuple(range(8)),
}
# size of a state's components, and of those of flight: what a programme's variables are scaled by
STATE_SCALES = np.array([0.1, 0.1, 1.0, 1.0, 1.0, 2.0, 20.0, 20.0])
_FLIGHT_SCALES = np.array([0.1, 0.1, 1.0, 1.0, 1.0, 2.0, 0.05, 20.0])
SAMPLES = 4  # of an interval: its conditions are asked for at quarters
STEPS = {
    JumpPhase.STICK: 8,
    JumpPhase.SLIP_FORWARD: 8,
    JumpPhase.SLIP_BACKWARD: 4,
    JumpPhase.FLIGHT: 8,
}


def scales(phase: JumpPhase) -> State:
    """Size of a segment's coordinates."""
    return _FLIGHT_SCALES if phase is JumpPhase.FLIGHT else STATE_SCALES[list(COORDINATES[phase])]


def state_of(machine: Hopper, phase: JumpPhase, y: State, x_P: Number = 0.0) -> State:
    """State x (8, ...) of coordinates y; x_P: where P stands in stick [m]."""
    if phase is JumpPhase.FLIGHT:
        return _state_in_flight(machine, y)
    zero = 0.0 * y[0]
    rows = dict(zip(COORDINATES[phase], y, strict=True))
    if phase is JumpPhase.STICK:
        rows[0] = x_P + zero
    return stacked(*(rows.get(k, zero) for k in range(8)))


def coordinates_of(machine: Hopper, phase: JumpPhase, x: State) -> State:
    """Coordinates of a segment, of states x (8, ...) in its phase."""
    if phase is not JumpPhase.FLIGHT:
        return np.asarray(x)[list(COORDINATES[phase])]
    centre, moving = position(machine, x, CG), velocity(machine, x, CG)
    return stacked(
        *centre, x[2] + 0.5 * x[3], x[3], *moving, machine.centroidal_angular_momentum(x), x[7]
    )


def rates(machine: Hopper, phase: JumpPhase, y: State, torque: Number) -> State:
    """Rates of a segment's coordinates under a torque tau [N m]."""
    if phase is not JumpPhase.FLIGHT:
        return derivative(machine, phase, state_of(machine, phase, y), torque)[
            list(COORDINATES[phase])
        ]
    _, _, _, th2, along, up, angular_momentum, w2 = y
    J, k, bend = machine.turning, machine.coupling * np.cos(th2), machine.coupling * np.sin(th2)
    turn, zero = 0.5 * angular_momentum / (J + k), 0.0 * th2
    opening = 2.0 * (torque - bend * (turn * turn + 0.25 * w2 * w2)) / (J - k)
    return stacked(along, up, turn, w2, zero, zero - machine.parameters.g, zero, opening)


def integrated(
    machine: Hopper,
    phase: JumpPhase,
    y: State,
    torques: tuple[Number, Number],
    h: Number,
    steps: int,
) -> Iterator[tuple[State, Number]]:
    """Coordinates and torque at the start of an interval of h seconds and after each of its steps.

    torques: at the start and at the end; between them linear.
    """
    first, rise = torques[0], (torques[1] - torques[0]) / steps
    d = h / steps
    yield y, first
    for step in range(steps):
        begin = first + rise * step
        middle, end = begin + 0.5 * rise, begin + rise
        k1 = rates(machine, phase, y, begin)
        k2 = rates(machine, phase, y + 0.5 * d * k1, middle)
        k3 = rates(machine, phase, y + 0.5 * d * k2, middle)
        k4 = rates(machine, phase, y + d * k3, end)
        y = y + d / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
        yield y, end


def conditions(machine: Hopper, phase: JumpPhase, y: State, torque: Number) -> State:
    """Conditions of a phase, positive in it, (c, ...): forces [N], in flight the height of P [m].

    That a sliding point goes on in its direction is not among them.
    """
    x = state_of(machine, phase, y)
    if phase is JumpPhase.FLIGHT:
        return stacked(x[1])
    along, up = force(machine, phase, x, torque)
    if phase is JumpPhase.STICK:
        mu = machine.parameters.mu
        return stacked(up, mu * up - along, mu * up + along)
    return stacked(up)


def angles(phase: JumpPhase, y: State) -> State:
    """theta1, theta1 + theta2, psi and theta2, which the document bounds: (4, ...) [rad]."""
    if phase is JumpPhase.FLIGHT:
        psi, th2 = y[2], y[3]
        return stacked(psi - 0.5 * th2, psi + 0.5 * th2, psi, th2)
    first = COORDINATES[phase].index(2)
    th1, th2 = y[first], y[first + 1]
    return stacked(th1, th1 + th2, th1 + 0.5 * th2, th2)


def interval(machine: Hopper, phase: JumpPhase, v: State, steps: int) -> State:
    """Rows that an interval is held to: defects, then conditions and angles at its samples.

    v: coordinates at both ends, torque at both ends, duration [s]. Defects are scaled. Conditions
    and angles are asked for at the start and at three samples within, forces at the end too; and
    within, that a sliding point goes on in its direction (at knots that is a bound of a variable).
    """
    n = len(COORDINATES[phase])
    first, last, (begin, end, h) = v[:n], v[n : 2 * n], v[2 * n :]
    rows: list[State] = []
    y = first
    for step, (y, torque) in enumerate(integrated(machine, phase, first, (begin, end), h, steps)):
        if step * SAMPLES % steps == 0 and step < steps:
            rows += [conditions(machine, phase, y, torque), angles(phase, y)]
            if step and phase in SIGMA:
                rows.append(SIGMA[phase] * y[COORDINATES[phase].index(4)][None])
    if phase is not JumpPhase.FLIGHT:
        rows.append(conditions(machine, phase, last, end))
    defects = (last - y) / scales(phase).reshape(-1, *[1] * (v.ndim - 1))
    return np.concatenate([defects, *rows])


def starting(machine: Hopper, phase: JumpPhase, y: State, torque: Number) -> Number:
    """Acceleration by which P comes off the ground, or in slip off its place [m/s^2]."""
    if phase is JumpPhase.FLIGHT:
        return machine.response(state_of(machine, phase, y), torque).normal
    return SIGMA[phase] * rates(machine, phase, y, torque)[COORDINATES[phase].index(4)]


def _state_in_flight(machine: Hopper, y: State) -> State:
    """State of flight's coordinates: P as it lies and moves about the mass centre."""
    centre_x, centre_y, psi, th2, along, up, angular_momentum, w2 = y
    a, b = CG.along_1 * machine.parameters.l, CG.along_2 * machine.parameters.l
    th1 = psi - 0.5 * th2
    w1 = 0.5 * (angular_momentum / (machine.turning + machine.coupling * np.cos(th2)) - w2)
    s1, c1 = a * np.sin(th1), a * np.cos(th1)
    s12, c12, w12 = b * np.sin(th1 + th2), b * np.cos(th1 + th2), w1 + w2
    return stacked(
        centre_x - c1 - c12,
        centre_y - s1 - s12,
        th1,
        th2,
        along + s1 * w1 + s12 * w12,
        up - c1 * w1 - c12 * w12,
        w1,
        w2,
    )
