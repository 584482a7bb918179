"""One jump of the hopper: the published one by the printed matrices, its margins, its faults."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from tests.machines.hopper.closed_form.cases import convection
from tests.machines.hopper.machine import PUBLISHED, polynomials
from tests.machines.hopper.motions import (
    AHEAD,
    BACK,
    FLIGHT,
    SLIDING,
    STICK,
    at,
)

from footfall.hybrid.contact import phase_of
from footfall.machines.hopper.closed_form.model import CODE, TEXT, Hopper
from footfall.machines.hopper.motion import motion_from


def printed_rates(machine, phase, torque):
    """Rates of x by the document's matrices and a linear system, and the force on P."""
    mu, ends = machine.parameters.mu, {STICK: 2, FLIGHT: 0}.get(phase, 1)

    def solved(t, x):
        M, push = machine.inertia(x), np.array([0.0, 0.0, 0.0, torque(t)])
        bias = convection(machine, x) + machine.gravity(x)
        held = np.eye(4)[[1, 0][:ends]]  # of y, and of x where it stands
        pushed = held.copy()
        if phase in SLIDING:
            pushed[0, 0] = -SLIDING[phase] * mu
        system = np.block([[M, -pushed.T], [held, np.zeros((ends, ends))]])
        answer = np.linalg.solve(system, np.append(push - bias, np.zeros(ends)))
        return np.append(x[4:], answer[:4]), answer[4:]

    return solved


def printed_march(machine, phase, torque, x, span, guard):
    """Time and state (8,) at which a guard of (x, force) falls through 0, or at the end."""
    solved = printed_rates(machine, phase, torque)

    def event(t, x):
        return guard(x, solved(t, x)[1])

    event.terminal, event.direction = True, -1.0
    found = solve_ivp(
        lambda t, x: solved(t, x)[0], span, x, "DOP853", rtol=1e-11, atol=1e-12, events=event
    )
    return found.t[-1], found.y[:, -1]


@pytest.mark.parametrize("parameters", [TEXT, CODE], ids=["text", "code"])
def test_published_inputs_jump_as_the_printed_matrices_say(parameters):
    # phase by phase, in the order that the published figures have, with none of the closed forms
    machine, mu = Hopper(parameters), parameters.mu
    pieces = polynomials()
    torques = pieces.functions
    t, x = printed_march(
        machine, STICK, torques[0], PUBLISHED, (0.0, 1.0), lambda _, f: mu * f[0] - f[1]
    )
    x[4:6] = 0.0
    _, x = printed_march(machine, BACK, torques[0], x, (t, 0.06), lambda _, f: f[0])
    started, t = max(0.0, x[0]), 0.06
    for torque, end in zip(torques[1:], (0.25, 0.35, 1.0), strict=True):
        t, x = printed_march(machine, FLIGHT, torque, x, (t, end), lambda x, _: x[1] + (x[5] > 0.0))
    # plastic, and then sliding forward: the impulse is on the edge of the cone
    M = machine.inertia(x)
    push = np.array([-mu, 1.0, 0.0, 0.0])
    x[4:] -= np.linalg.solve(M, push) * x[5] / np.linalg.solve(M, push)[1]
    landed = x[0]
    t, x = printed_march(
        machine, AHEAD, torques[3], x, (t, 1.0), lambda x, _: 2.0 * parameters.l * np.sin(x[2])
    )
    distance = min(landed, x[0], x[0] + 2.0 * parameters.l * np.cos(x[2])) - started
    found = motion_from(machine, pieces, PUBLISHED)
    assert not found.jump.why
    # of the event times of the other integrator, found on its interpolant, at 2 m/s
    assert found.jump.distance == pytest.approx(distance, abs=1e-8)
    assert found.jump.end == pytest.approx(t, abs=1e-8)
    phases = [phase_of(piece.mode) for piece in found.run.segments]
    assert phases == [STICK, BACK, FLIGHT, FLIGHT, FLIGHT, AHEAD]
    # it takes off at the jump of the torque, lands ahead, and slides on until Q is down behind P
    assert found.jump.separation == pytest.approx(0.06, abs=1e-15)
    assert found.jump.x_end < found.run.events[-1].x_before[0]


def thrown():
    """A jump in whose flight link 1 falls and is caught again by link 2."""
    segments = (0.0, 0.06, (1.0,)), (0.06, 1.0, (-1.0,))
    start = at(75.0, -55.0, v=(0.4, 0.0), w=(0.0, -2.0))
    return motion_from(Hopper(TEXT), polynomials(segments), start)


def test_margins_are_least_where_sampling_finds_them_least():
    found = thrown()
    margin_history, l = found.margin_history, TEXT.l
    dense = {"Q_above_P": [], "R_above_Q": [], "PR_forward": [], "PR_backward": []}
    for piece in found.run.segments:
        x = piece.path(np.linspace(piece.start, piece.end, 2001))
        dense["Q_above_P"].append((2.0 * l * np.sin(x[2])).min())
        dense["R_above_Q"].append((2.0 * l * np.sin(x[2] + x[3])).min())
        line = np.degrees(x[2] + 0.5 * x[3])
        dense["PR_forward"].append(np.radians((line - 30.0).min()))
        dense["PR_backward"].append(np.radians((150.0 - line).min()))
    for name, values in dense.items():
        told = [getattr(margins, name) for margins in margin_history.least]
        # 2001 samples of a phase miss an extremum by at most a curvature of 1e4/s^2 times 1e-8 s^2
        assert told == pytest.approx(values, abs=2e-5)
        assert (np.array(told) <= np.array(values) + 1e-12).all()
        assert getattr(margin_history.over_all, name) == min(told)


def test_a_margin_that_is_least_within_a_phase_is_the_one_there():
    # the torque is 3.2 - 1500 (s - 0.04)^2 while P sticks: least is left at its vertex
    margin_history = motion_from(Hopper(TEXT), polynomials(), PUBLISHED).margin_history
    assert not margin_history.crossings
    assert margin_history.least[0].torque_above == pytest.approx(10.0 - 3.2, abs=1e-12)
