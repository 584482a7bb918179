"""The compiled fixed-step simulation of the hopper: its equations against the closed form, its
jumps against the event-driven engine, and laws of mechanics that it does not use."""

import math
from dataclasses import replace

import numpy as np
import pytest

from footfall.machines.hopper.closed_form.impact import impact
from footfall.machines.hopper.closed_form.model import CG, CODE, TEXT, Hopper, HopperParameters
from footfall.machines.hopper.closed_form.phases import (
    JumpPhase,
    acceleration,
    consistent_phases,
    force,
)
from footfall.machines.hopper.closed_form.points import angular_momentum_about, position, velocity
from footfall.machines.hopper.control import ProfileTorque
from footfall.machines.hopper.published import START
from footfall.machines.hopper.published import TORQUE as PUBLISHED
from footfall.machines.hopper.reference import jump
from footfall.machines.hopper.rollout.equations import (
    BEND,
    NO_PHASE,
    PHASES,
    TORQUE,
    ControlSegment,
    State,
    angular_momentum,
    constants,
    motion,
    phase_on_ground,
    post_impact,
)
from footfall.machines.hopper.rollout.kernel import (
    BY_TIME,
    JUMP,
    LEFT_AGAIN,
    MARGINS,
    NO_TAKE_OFF,
    NODE,
    REACH,
    STAGES,
    rollout,
)
from footfall.machines.hopper.rollout.simulator import RolloutSimulator
from footfall.machines.hopper.search.torques import rows_of_segments
from footfall_controllers.piecewise import Segment
from footfall_controllers.torque_profile import TorqueProfileParameters

ANGLES = (float(START[2]), float(START[3]))
# another machine, so that no factor hides behind the shipped numbers
OTHER = HopperParameters(m=0.7, l=0.2, mu=0.45, g=9.0, tau_max=6.0)


def states(count, seed, *, on_ground):
    """Random states, P at rest or sliding on the ground or in the air."""
    rng = np.random.default_rng(seed)
    x = np.concatenate([rng.uniform(-3.0, 3.0, (4, count)), rng.normal(0.0, 8.0, (4, count))])
    if on_ground:
        x[1], x[5] = 0.0, 0.0
        x[4, ::2] = 0.0
    return x.T


def constant(torque):
    return ControlSegment(TORQUE, torque, 0.0, 0.0, 0.0, 0.0, 0.0, 10.0)


@pytest.mark.parametrize("parameters", [TEXT, OTHER])
def test_motion_is_that_of_the_closed_form(parameters):
    machine, rng = Hopper(parameters), np.random.default_rng(1)
    for number, phase in enumerate(PHASES):
        for x in states(50, 2 + number, on_ground=phase is not JumpPhase.FLIGHT):
            torque = rng.uniform(-10.0, 10.0)
            if phase is JumpPhase.STICK:
                x[4] = 0.0
            found = motion(number, State(*x), constant(torque), 0.0, constants(machine))
            exact = [*acceleration(machine, phase, x, torque), *force(machine, phase, x, torque)]
            # two ways of summing the same terms: some hundred roundings of the largest of them
            assert found[:6] == pytest.approx(exact, rel=1e-11, abs=1e-11 * np.abs(exact).max())
            assert found.torque == torque


def test_polynomials_are_those_of_local_time():
    a = (0.3, -2.0, 40.0, -7.0, 11.0, 5.0)
    c = constants(Hopper(TEXT))
    q = State(0.0, 0.0, 1.9, -1.8, 0.0, 0.0, 1.0, 2.0)
    torque = motion(0, q, ControlSegment(TORQUE, *a, 10.0), 0.2, c).torque
    assert torque == pytest.approx(np.polynomial.polynomial.polyval(0.2, a), rel=1e-14)


@pytest.mark.parametrize("phase", range(4))
def test_the_torque_of_a_bend_bends_as_it_should_or_is_at_its_bound(phase):
    c, met = constants(Hopper(TEXT)), 0
    for x in states(60, 11 + phase, on_ground=phase != 3):
        q = State(*(x if phase != 0 else [*x[:4], 0.0, *x[5:]]))
        found = motion(
            phase, q, ControlSegment(BEND, 30.0, -200.0, 0.0, 0.0, 0.0, 0.0, 2.0), 0.1, c
        )
        again = motion(phase, q, constant(found.torque), 0.0, c)
        assert again[:6] == pytest.approx(found[:6], rel=1e-12, abs=1e-9)
        if abs(found.torque) < 2.0:
            met += 1
            # theta2'' = 30 - 200 * 0.1; the torque is a quotient of accelerations of some 1e3
            assert found.ddtheta2 == pytest.approx(10.0, abs=1e-8)
        else:
            assert abs(found.torque) == 2.0
    assert met > 5


def test_phases_are_chosen_as_the_closed_form_does():
    machine, rng = Hopper(TEXT), np.random.default_rng(5)
    seen = set()
    for x in states(400, 3, on_ground=True):
        torque = rng.uniform(-10.0, 10.0)
        found = phase_on_ground(State(*x), constant(torque), 0.0, constants(machine))
        # below Painleve's friction there is exactly one
        assert consistent_phases(machine, x, torque) == (PHASES[found],)
        seen.add(found)
    assert seen == {0, 1, 2, 3}
    assert NO_PHASE not in seen


@pytest.mark.parametrize("parameters", [TEXT, OTHER])
def test_impacts_are_those_of_the_closed_form(parameters):
    machine, inside = Hopper(parameters), set()
    for x in states(200, 7, on_ground=False):
        x[1], x[5] = 0.0, -abs(x[5])
        exact = impact(machine, x)
        found = post_impact(State(*x), constants(machine))
        # sums of impulses over masses: some tens of roundings
        assert found == pytest.approx(exact.x, rel=1e-11, abs=1e-11)
        inside.add(bool(exact.inside))
    assert inside == {True, False}


def test_spin_is_the_angular_momentum_about_the_mass_centre():
    machine = Hopper(OTHER)
    for x in states(20, 9, on_ground=False):
        exact = angular_momentum_about(machine, x, position(machine, x, CG))
        assert angular_momentum(State(*x), constants(machine)) == pytest.approx(
            exact, rel=1e-11, abs=1e-11
        )


# --- whole jumps ---------------------------------------------------------------------------------


@pytest.mark.parametrize("parameters", [TEXT, CODE])
def test_the_published_jump_is_that_of_the_event_driven_engine(parameters):
    exact = jump(Hopper(parameters), ProfileTorque(PUBLISHED), START)
    rows = rows_of_segments(PUBLISHED.segments)
    found = RolloutSimulator(Hopper(parameters), 2e-4).jump(ANGLES, rows)
    # order 4: the distance is off by 2.2e-9 m at 1 ms, so by 1e-11 here; halved twice for room
    assert found.distance == pytest.approx(exact.distance, abs=1e-9)
    assert found.outcome.take_off == pytest.approx(exact.take_off, abs=1e-12)
    assert found.outcome.landing == pytest.approx(exact.landing, abs=1e-9)
    assert found.outcome.time == pytest.approx(exact.end, abs=1e-9)


def test_the_rollout_is_of_order_four():
    rows = rows_of_segments(PUBLISHED.segments)
    times = [
        RolloutSimulator(Hopper(TEXT), h).jump(ANGLES, rows).outcome.time
        for h in (4e-3, 2e-3, 1e-3)
    ]
    exact = jump(Hopper(TEXT), ProfileTorque(PUBLISHED), START).end
    errors = np.abs(np.array(times) - exact)
    # steps end at breaks and events, so that their sizes are halved only about
    assert np.all(errors[:-1] / errors[1:] > 8.0)


def random_profile(rng):
    """A push, and something smooth after it."""
    segments, start = [], 0.0
    for size, span in ((6.0, 0.03), (6.0, 0.03), (1.0, 0.2), (1.0, 0.4)):
        coefficients = size * rng.normal(size=3) / span ** np.arange(3) / 2.0
        segments.append(Segment(start, start + span, tuple(coefficients.tolist())))
        start += span
    return TorqueProfileParameters(tuple(segments))


def test_random_torques_lead_as_far_as_in_the_event_driven_engine():
    rng = np.random.default_rng(20)
    jumps = others = 0
    machine = Hopper(replace(TEXT, tau_max=1e6))  # the rollout does not saturate a torque of time
    while jumps < 6 or others < 3:
        profile = random_profile(rng)
        theta1 = rng.uniform(1.6, 2.2)
        theta2 = -theta1 + rng.uniform(0.05, 0.5)
        found = RolloutSimulator(machine, 1e-4).jump(
            (theta1, theta2), rows_of_segments(profile.segments)
        )
        if found.outcome.kind not in (JUMP, LEFT_AGAIN, NO_TAKE_OFF):
            continue
        if found.jumps and jumps < 6:
            x0 = np.array([0.0, 0.0, theta1, theta2, *np.zeros(4)])
            exact = jump(machine, ProfileTorque(profile), x0, most_time=4.0)
            # torques of ten newton metres and 50 rad/s: errors of 1e-4 to the fourth power of the
            # rates, 1e-9, times what an unstable motion makes of them
            assert exact.valid
            assert found.distance == pytest.approx(exact.distance, abs=1e-7)
            jumps += 1
        elif not found.jumps and others < 3:
            x0 = np.array([0.0, 0.0, theta1, theta2, *np.zeros(4)])
            assert not jump(machine, ProfileTorque(profile), x0, most_time=4.0).valid
            others += 1


def test_flight_keeps_the_spin_and_throws_the_mass_centre():
    machine = Hopper(TEXT)
    rows = rows_of_segments(PUBLISHED.segments)
    found = RolloutSimulator(machine, 1e-3).jump(ANGLES, rows, most_recorded=2000)
    flies = found.record.phase == PHASES.index(JumpPhase.FLIGHT)
    x, t = found.record.states[flies].T, found.record.time[flies]
    # the error of the method over 0.3 s, see above
    assert machine.centroidal_angular_momentum(x) == pytest.approx(
        found.outcome.angular_momentum, abs=1e-10
    )
    up = velocity(machine, x, CG)[1]
    assert up - up[0] == pytest.approx(-10.0 * (t - t[0]), abs=1e-8)


def test_only_the_ratio_of_torque_to_mass_counts():
    # every force and inertia is proportional to the mass
    rows = rows_of_segments(PUBLISHED.segments)
    light = RolloutSimulator(Hopper(TEXT), 1e-3).jump(ANGLES, rows)
    rows[:, 2:] *= 3.0
    heavy = RolloutSimulator(Hopper(replace(TEXT, m=0.9)), 1e-3).jump(ANGLES, rows)
    assert heavy.distance == pytest.approx(light.distance, rel=1e-10)


def test_goals_of_the_bend_are_reached_when_they_should():
    plan = np.zeros((3, 8))
    plan[0, :4] = (REACH, 0.1, -1.5, 2.0)
    plan[1, :4] = (REACH, 0.1, -1.2, 0.0)
    plan[2, :3] = (TORQUE, 1.0, 0.0)
    nodes = np.empty((2000, NODE))
    margins = np.empty((len(STAGES), len(MARGINS)))
    c = constants(Hopper(TEXT))
    found = rollout(1.8, -1.4, plan, BY_TIME, c, 1e9, 1e-3, 0.3, False, margins, nodes)
    nodes = nodes[: found.nodes]
    for time, goal in ((0.1, (-1.5, 2.0)), (0.2, (-1.2, 0.0))):
        row = nodes[np.argmin(np.abs(nodes[:, 0] - time))]
        # theta2'' is linear in time, which the method integrates exactly
        assert (row[9], row[13]) == pytest.approx(goal, abs=1e-9)


def test_a_machine_that_is_left_alone_does_not_take_off():
    nothing = np.array([[TORQUE, 1.0, *np.zeros(6)]])
    found = RolloutSimulator(Hopper(TEXT), 1e-3).jump((1.7, -0.5), nothing)
    assert found.outcome.kind == NO_TAKE_OFF
    assert not found.jumps


def test_margins_are_the_least_of_what_is_recorded():
    rows = rows_of_segments(PUBLISHED.segments)
    found = RolloutSimulator(Hopper(TEXT), 1e-3).jump(ANGLES, rows, most_recorded=2000)
    line = found.record.states[:, 2] + 0.5 * found.record.states[:, 3]
    least = found.margins[:, 4].min()
    assert least == pytest.approx(line.min() - math.pi / 6.0, abs=1e-12)
    assert found.margins[:, 6].min() == pytest.approx(
        10.0 - np.abs(found.record.torque).max(), abs=1e-9
    )
