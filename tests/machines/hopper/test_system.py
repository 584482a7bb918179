"""The event-driven hopper: every transition provoked, and judged by Newton's law alone."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.machines.hopper.machine import Pieces
from tests.machines.hopper.motions import (
    BACKWARD,
    CASES,
    FLIGHT,
    FORWARD,
    LANDS,
    SLIDING,
    STEP,
    STICK,
    STOPS,
    VANISHES,
    at,
    centre_velocity,
    force_at,
    link_middles,
    run_of,
    steps,
)

from footfall.hybrid import Ending
from footfall.hybrid.contact import phase_of
from footfall.machines.hopper.closed_form.model import TEXT, Hopper
from footfall.machines.hopper.system import NO_TORQUE, ConstantTorque, begin


@pytest.fixture(scope="module", params=CASES.values(), ids=list(CASES))
def case(request):
    given = request.param
    machine = Hopper(given.parameters)
    return given, machine, run_of(machine, given.drive, given.x, given.horizon)


def test_phases_follow_each_other_as_provoked(case):
    of, _, run = case
    assert phase_of(run.segments[0].mode) is of.start
    found = [
        (event.guard, None if event.after is None else phase_of(event.after))
        for event in run.events
    ]
    assert tuple(found) == of.sequence
    ended = of.sequence and of.sequence[-1][1] is None
    assert run.ending is (Ending.GUARD if ended else Ending.END_OF_TIME)


def test_forces_of_a_phase_are_those_that_it_may_have(case):
    of, machine, run = case
    mu = of.parameters.mu
    for piece in run.segments:
        phase = phase_of(piece.mode)
        inner = 8.0 * STEP
        if piece.end - piece.start < 2.0 * inner:
            continue
        for t in np.linspace(piece.start + inner, piece.end - inner, 9):
            x, push = piece.path(t), force_at(machine, piece.path, t, 0)
            # differences of velocities of the interpolant, good to 1e-11, over 1e-4 s; jerks of
            # some 1e5 N/s^4 times 1e-16 s^4
            noise = 1e-5
            if phase is FLIGHT:
                assert np.abs(push).max() < noise
                assert x[1] > 0.0
                continue
            assert abs(x[1]) < 1e-15 > abs(x[5])
            assert push[1] > -noise
            if phase is STICK:
                assert abs(x[4]) < 1e-15
                assert abs(push[0]) < mu * push[1] + noise
            else:
                assert SLIDING[phase] * x[4] > 0.0
                assert push[0] == pytest.approx(-SLIDING[phase] * mu * push[1], abs=noise)


def test_events_are_where_a_phase_loses_what_it_requires(case):
    of, machine, run = case
    mu, phases = of.parameters.mu, {piece.end: piece for piece in run.segments}
    for event in run.events:
        if event.time not in phases:
            continue
        piece, x = phases[event.time], event.x_before
        if piece.end - piece.start < 5.0 * STEP:
            continue
        push = force_at(machine, piece.path, event.time, -1)
        noise = 1e-4  # one-sided differences
        if event.guard == BACKWARD:
            assert push[0] == pytest.approx(mu * push[1], abs=noise)
        elif event.guard == FORWARD:
            assert push[0] == pytest.approx(-mu * push[1], abs=noise)
        elif event.guard == VANISHES:
            assert np.abs(push).max() < noise
            # it had pressed, and the mass centre falls freely from here on
            assert force_at(machine, piece.path, event.time - 5.0 * STEP, -1)[1] > 10.0 * noise
        elif event.guard == STOPS:
            assert abs(x[4]) < 1e-11
            assert event.x_after[4] == 0.0
        elif event.guard == LANDS:
            assert abs(x[1]) < 1e-12
            assert x[5] < 0.0
        elif event.guard in ("Q lands", "R lands"):
            second = np.sin(x[2] + x[3]) if event.guard[0] == "R" else 0.0
            height = x[1] + 2.0 * of.parameters.l * (np.sin(x[2]) + second)
            assert abs(height) < 1e-12


def test_after_a_reset_P_goes_the_way_that_the_new_phase_is_named_by(case):
    _, _, run = case
    for earlier, later in zip(run.segments[:-1], run.segments[1:], strict=True):
        was, now = phase_of(earlier.mode), phase_of(later.mode)
        if was is now or later.end - later.start < 5.0 * STEP:
            continue
        x = later.path(later.start + 2.0 * STEP)
        if now is FLIGHT:
            assert x[1] > 0.0
            assert x[5] > 0.0
        if now in SLIDING:
            assert SLIDING[now] * x[4] > 0.0


def test_energy_is_what_torque_and_friction_have_done(case):
    _, machine, run = case
    for piece in run.segments:
        work = [x[8] + x[9] for x in (piece.x_start, piece.x_end)]
        energy = [machine.energy(x[:8]) for x in (piece.x_start, piece.x_end)]
        # some tens of steps with a relative error of 1e-12
        noise = 1e-11 * max(energy)
        assert energy[1] - energy[0] == pytest.approx(work[1] - work[0], abs=noise)
        rubbed = piece.x_end[9] - piece.x_start[9]
        assert rubbed == 0.0 if phase_of(piece.mode) not in SLIDING else rubbed < 0.0


def test_impacts_take_what_they_tell_and_resets_keep_the_pose(case):
    _, machine, run = case
    for event in run.events:
        x, after = event.x_before, event.x_after
        # a root is found to rounding of the state, but where time is short of digits
        assert np.abs(after[:4] - x[:4]).max() < 1e-12
        assert np.array_equal(after[8:], x[8:])
        lost = machine.kinetic_energy(x[:8]) - machine.kinetic_energy(after[:8])
        if "impulse" in event.outputs:
            assert lost == pytest.approx(float(event.outputs["lost"]), abs=1e-12)
            assert lost > 0.0
            moved = machine.mass * (centre_velocity(machine, after) - centre_velocity(machine, x))
            assert moved == pytest.approx(event.outputs["impulse"], abs=1e-12)
        else:
            assert abs(lost) < 1e-12


def test_moments_about_P_and_about_the_mass_centre(case):
    # in stick gravity alone turns the machine about P, in flight nothing does about its centre
    _, machine, run = case
    l, m = machine.parameters.l, machine.parameters.m
    for piece in run.segments:
        phase = phase_of(piece.mode)
        if phase in SLIDING or piece.end - piece.start < 20.0 * STEP:
            continue
        times = np.linspace(piece.start, piece.end, 201)
        x = piece.path(times)[:8]
        total = np.zeros_like(times)
        arm = np.zeros_like(times)
        centres, speeds = link_middles(l, x)
        about = np.mean(centres, axis=0) if phase is FLIGHT else x[:2]
        moving = np.mean(speeds, axis=0) if phase is FLIGHT else x[4:6]
        for r, v, turn in zip(centres, speeds, (x[6], x[6] + x[7]), strict=True):
            d, u = r - about, v - moving
            total += m * (d[0] * u[1] - d[1] * u[0]) + m * l * l / 3.0 * turn
            arm += d[0]
        pull = -m * machine.parameters.g * arm
        gained = np.array([np.trapezoid(pull[: k + 1], times[: k + 1]) for k in range(201)])
        # the trapezoidal rule with 200 intervals of a smooth moment below 2 N m, over 0.3 s
        assert np.abs(total - total[0] - gained).max() < 1e-4 * (phase is STICK) + 1e-10


# --- the choice of a mode ------------------------------------------------------------------------


def test_smooth_ground_never_rubs():
    # a straight machine stands upright until the torque bends it: no friction may hold P meanwhile
    machine = Hopper(replace(TEXT, mu=0.0))
    run = run_of(machine, Pieces((lambda t: t,)), at(90.0, 0.0), 0.1)
    push = [force_at(machine, run.segments[0].path, t, 0) for t in (0.01, 0.05, 0.09)]
    assert np.abs(np.array(push)[:, 0]).max() < 1e-6
    assert abs(run.state[4]) > 1e-3
    assert run.state[9] == 0.0
    # nothing pushes along the ground, so that the mass centre stays above where it was
    assert abs(np.mean(link_middles(TEXT.l, run.state)[0], axis=0)[0]) < 1e-12


@pytest.mark.parametrize("theta1", [90.0, 90.0 + 1e-14, 30.0, 150.0])
def test_smooth_ground_leaves_a_way_on_from_rest(theta1):
    # stick needs a force that is exactly 0 here, and slip an acceleration that is not
    for l in (0.1, 0.15, 0.37):
        machine = Hopper(replace(TEXT, mu=0.0, l=l))
        assert "jam" not in begin(machine, NO_TORQUE, at(theta1, 0.0)).outputs
        run = run_of(machine, NO_TORQUE, at(theta1, 0.0), 0.02)
        assert run.ending is Ending.END_OF_TIME


def test_a_column_bounces_as_a_ball_does():
    # straight and upright it is a ball: with e the fall from rest, t0, is followed by bounces that
    # last 2 t0 e + 2 t0 e^2 + ..., then it stands
    e, fall = 0.3, 0.05
    machine = Hopper(replace(TEXT, e_n=e))
    run = run_of(machine, NO_TORQUE, at(90.0, 0.0, fall), 0.3)
    rest = [event for event in run.events if event.accumulation]
    first = np.sqrt(2.0 * fall / TEXT.g)
    assert [event.time for event in rest] == pytest.approx([first * (1.0 + 2.0 * e / (1.0 - e))])
    assert phase_of(run.mode) is STICK
    assert run.state[[1, 5]].tolist() == [0.0, 0.0]
    impacts = [event for event in run.events if event.guard == LANDS and event.outputs.get("lost")]
    speeds = [-event.x_before[5] for event in impacts[:4]]
    assert speeds == pytest.approx([TEXT.g * first * e**k for k in range(4)], rel=1e-9)


def test_after_bounces_that_all_stick_it_stands():
    # every impact is inside the cone and leaves no sliding: neither does their limit
    machine = Hopper(replace(TEXT, e_n=0.4, mu=0.9))
    run = run_of(machine, NO_TORQUE, at(100.0, -20.0, 0.02), 0.2)
    assert all(event.outputs["inside"] for event in run.events if "inside" in event.outputs)
    (rest,) = [event for event in run.events if event.accumulation]
    assert phase_of(rest.after) is STICK
    assert run.events[-1] is rest


def test_a_command_that_is_just_the_bound_saturates_nothing():
    machine = Hopper(TEXT)
    run = run_of(machine, ConstantTorque(TEXT.tau_max), at(), 0.05)
    assert "torque saturates" not in [event.guard for event in run.events]
    beyond = run_of(machine, ConstantTorque(2.0 * TEXT.tau_max), at(), 0.05)
    assert beyond.state == pytest.approx(run.state, rel=1e-9)


# --- any motion ----------------------------------------------------------------------------------

degrees = st.floats(20.0, 160.0)
torques = st.floats(-4.0, 4.0)


@settings(max_examples=40)
@given(
    theta1=degrees,
    theta12=st.floats(5.0, 175.0),
    turns=st.tuples(st.floats(-8.0, 8.0), st.floats(-8.0, 8.0)),
    slide=st.one_of(st.just(0.0), st.floats(-2.0, 2.0)),
    mu=st.one_of(st.just(0.0), st.floats(0.0, 0.88)),
    e_n=st.one_of(st.just(0.0), st.floats(0.0, 0.8)),
    tau=st.tuples(torques, torques),
)
def test_no_motion_sinks_gains_energy_or_breaks_coulombs_law(
    theta1, theta12, turns, slide, mu, e_n, tau
):
    x = at(theta1, theta12 - theta1, v=(slide, 0.0), w=turns)
    machine = Hopper(replace(TEXT, mu=mu, e_n=e_n))
    first = begin(machine, NO_TORQUE, x)
    assume(int(first.outputs["consistent"]) == 1)
    run = run_of(machine, steps(*tau, times=(0.05,)), x, 0.15, relative=1e-10, absolute=1e-11)
    assert run.ending in (Ending.GUARD, Ending.END_OF_TIME)
    limits = {event.time for event in run.events if event.accumulation}
    for piece in run.segments:
        path = piece.path(np.linspace(piece.start, piece.end, 40))
        # the interpolants at this tolerance
        assert path[1].min() > -1e-9
        assert np.diff(path[9]).max(initial=0.0) < 1e-9
        energy = machine.energy(path[:8]) - path[8] - path[9]
        if piece.end in limits:
            # what is left of infinitely many impacts takes energy, but for the integrator's 1e-10
            assert np.diff(energy).max() < 1e-10 * max(1.0, abs(energy[0]))
            continue
        assert np.ptp(energy) < 1e-7 * max(1.0, abs(energy[0]))
        phase = phase_of(piece.mode)
        if phase is FLIGHT or piece.end - piece.start < 16.0 * STEP:
            continue
        push = force_at(machine, piece.path, 0.5 * (piece.start + piece.end), 0)
        noise = 1e-3 * max(1.0, np.abs(push).max())
        assert push[1] > -noise
        assert abs(push[0]) < mu * push[1] + noise
    for event in run.events:
        after = event.x_after[:8]
        lost = machine.kinetic_energy(event.x_before[:8]) - machine.kinetic_energy(after)
        assert lost > -1e-9
