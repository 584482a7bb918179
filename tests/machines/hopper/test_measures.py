"""Measures of jumps: read off rows made by hand, and off the exact jump."""

import math
from itertools import pairwise

import numpy as np
import pytest
from tests.machines.hopper.jumps import GRAVITY, context, made
from tests.scenario.runs import run

from footfall.feet import MachineFeet
from footfall.hybrid.contact import mode_of
from footfall.machines.hopper.closed_form.model import CG, TEXT, Hopper, margins, momentum, position
from footfall.machines.hopper.closed_form.phases import JumpPhase
from footfall.machines.hopper.control import torque_law_of
from footfall.machines.hopper.measures import (
    MARGINS,
    METRICS,
    friction_ratio,
    measures,
)
from footfall.machines.hopper.model import POINTS
from footfall.machines.hopper.motion import motion_from
from footfall.machines.hopper.observables import jump_of, states_of

MACHINE = Hopper()
OPEN, STICK, SLIP = 0, 1, 2
HIGH = 0.05  # m: a flight


def phases(trajectory):
    return [str(one.phase) for one in jump_of(trajectory, MACHINE).intervals]


# --- phases of rows ------------------------------------------------------------------------------


def test_a_flight_lies_between_the_last_loaded_row_and_the_first_one_after_it():
    mode = [OPEN] + [STICK] * 5 + [OPEN] * 6 + [STICK] * 4
    jump = jump_of(made([0.0] * 6 + [HIGH] * 6 + [0.0] * 4, mode), MACHINE)
    assert phases(made([0.0] * 6 + [HIGH] * 6 + [0.0] * 4, mode)) == ["stick", "flight", "stick"]
    assert jump.separation == 5e-3
    assert jump.impact == 12e-3
    assert [one.rows for one in jump.intervals] == [slice(0, 6), slice(6, 12), slice(12, 16)]
    # phases follow each other without a gap
    for one, other in zip(jump.intervals[:-1], jump.intervals[1:], strict=True):
        assert one.end == other.start


def test_a_contact_that_opens_for_a_row_on_the_ground_flies_not():
    # a resting contact of Moreau's engine, and a trembling one of Drake's
    mode = [STICK] * 4 + [OPEN] + [STICK] * 3 + [OPEN] * 5 + [STICK] * 3
    trajectory = made([0.0] * 4 + [1e-6] + [0.0] * 3 + [5e-4] * 5 + [0.0] * 3, mode)
    assert phases(trajectory) == ["stick"]
    jump = jump_of(trajectory, MACHINE)
    assert jump.why == "P never flies"
    assert math.isnan(jump.separation)


def test_a_short_phase_counts_to_the_one_before():
    mode = [STICK] * 5 + [SLIP] * 2 + [STICK] * 5 + [SLIP] * 5
    trajectory = made(np.zeros(17), mode, speed=-1.0)
    assert phases(trajectory) == ["stick", "slip-"]
    assert phases(made(np.zeros(5), [SLIP] * 5, speed=0.1)) == ["slip+"]


def test_the_distance_is_from_the_farthest_start_to_the_nearest_end():
    height = [0.0] * 6 + [HIGH] * 6 + [0.0] * 5 + [-0.31]
    mode = [STICK] + [SLIP] * 5 + [OPEN] * 6 + [SLIP] * 6
    x = [0.0, 0.01, 0.02, 0.03, 0.02, 0.01] + [0.2] * 6 + [0.5, 0.45, 0.4, 0.42, 0.44, 0.46]
    jump = jump_of(made(height, mode, x=x), MACHINE)
    assert jump.lands == "Q"
    assert jump.end == 17e-3
    assert jump.x_start == 0.03
    # the machine stands straight up: Q is above P, and no nearer
    assert jump.distance == pytest.approx(0.4 - 0.03, abs=1e-15)
    assert not jump.why


@pytest.mark.parametrize(
    ("height", "mode", "why"),
    [
        ([HIGH] * 5 + [0.0] * 5, [OPEN] * 5 + [STICK] * 5, "P does not start on the ground"),
        ([0.0] * 5 + [HIGH] * 5, [STICK] * 5 + [OPEN] * 5, "P does not land in this run"),
        ([0.0] * 5 + [HIGH] * 5 + [-0.31], [STICK] * 5 + [OPEN] * 6, "Q lands before P"),
        ([0.0] * 5 + [-0.31], [STICK] * 6, "Q lands before P leaves the ground"),
        (
            [0.0] * 5 + [HIGH] * 5 + [0.0] * 5 + [HIGH] * 3 + [0.0] * 3 + [-0.31],
            [STICK] * 5 + [OPEN] * 5 + [STICK] * 5 + [OPEN] * 3 + [STICK] * 4,
            "P leaves the ground again at t = 0.0140 s",
        ),
        (
            [0.0] * 5 + [HIGH] * 5 + [0.0] * 5,
            [STICK] * 5 + [OPEN] * 5 + [STICK] * 5,
            "neither Q nor R lands in this run",
        ),
    ],
)
def test_what_is_no_jump_says_why_and_fails_nothing(height, mode, why):
    trajectory = made(height, mode)
    jump = jump_of(trajectory, MACHINE)
    assert jump.why == why
    assert math.isnan(jump.distance)
    found = measures(trajectory, context("report"))
    assert math.isnan(found["jump_distance"])
    assert set(found) <= set(METRICS)


def test_events_tell_the_phases_of_the_event_driven_engine():
    # two rows at the impact, and phases shorter than a step
    time = [0.0, 0.01, 0.02, 0.03, 0.035, 0.035, 0.04]
    events = [
        (0.0, "stick"),
        (0.005, "slip-"),
        (0.0055, "slip+"),
        (0.02, "flight"),
        (0.035, "P lands"),
        (0.035, "slip+"),
        (0.04, "Q lands"),
    ]
    trajectory = made(
        np.zeros(7), [STICK] * 7, time=time, engine="hybrid", events=events, x=np.arange(7.0)
    )
    jump = jump_of(trajectory, MACHINE)
    assert [one.phase for one in jump.intervals] == [
        JumpPhase.STICK,
        JumpPhase.SLIP_BACKWARD,
        JumpPhase.SLIP_FORWARD,
        JumpPhase.FLIGHT,
        JumpPhase.SLIP_FORWARD,
    ]
    rows = [(one.rows.start, one.rows.stop) for one in jump.intervals]
    assert rows == [(0, 1), (1, 1), (1, 3), (2, 5), (5, 7)]
    assert (jump.separation, jump.impact, jump.end) == (0.02, 0.035, 0.04)
    assert jump.distance == 5.0 - 2.0


# --- measures of the exact jump ------------------------------------------------------------------


@pytest.mark.parametrize("name", GRAVITY)
def test_measures_of_the_exact_jump_obey_what_the_engine_was_not_told(name):
    found, g = run(f"hopper/{name}", "hybrid").metrics, GRAVITY[name].g
    along, up = found["take_off_velocity"]
    data = run(f"hopper/{name}", "hybrid").trajectory.data
    jump = jump_of(run(f"hopper/{name}", "hybrid").trajectory, Hopper(GRAVITY[name]))
    x = states_of(data)
    # the mass centre flies a parabola: height and way by the flight time, as well as integrated
    begun, landed = jump.flight[0].rows.start, jump.flight[0].rows.stop - 1
    moved = position(MACHINE, x[:, landed], CG) - position(MACHINE, x[:, begun], CG)
    T = found["flight_time"]
    assert moved == pytest.approx([along * T, up * T - 0.5 * g * T * T], abs=1e-9)
    assert found["apex"] == pytest.approx(up * up / (2.0 * g), abs=1e-6)  # rows are 1 ms apart
    # the spin is kept
    assert np.ptp(Hopper().centroidal_angular_momentum(x[:, jump.flight[0].rows])) < 1e-10
    # the impulse of the landing is what the momentum says, and lies on the cone: P slides on
    change = momentum(MACHINE, x[:, landed + 1]) - momentum(MACHINE, x[:, landed])
    assert change == pytest.approx(
        [found["landing_impulse_t"], found["landing_impulse_n"]], abs=1e-12
    )
    assert found["landing_impulse_t"] == pytest.approx(-0.3 * found["landing_impulse_n"], rel=1e-9)
    # the first stick ends on the edge of the cone, some part of a step after the last row
    assert found["friction_ratio"] == pytest.approx(0.3, abs=1e-9)
    # torque, friction and the landing account for all energy, as well as integrated
    assert found["energy_residual"] < 1e-10


def test_margins_are_in_their_order_and_least_of_their_phases():
    found = run("hopper/report", "hybrid").metrics
    least = dict(zip(MARGINS, found["constraint_margins"], strict=True))
    parts = [found[f"margins_{name}"] for name in ("first_contact", "flight", "second_contact")]
    assert np.min(parts, axis=0) == pytest.approx(found["constraint_margins"], abs=0.0)
    # at the start the line PR is at 55 degrees, which is 25 more than it has to be
    assert least["PR_forward"] == pytest.approx(math.radians(25.0), abs=1e-12)
    # R is lowest at the start, 0.3 m sin(1 degree) above Q; theta2 is most bent there
    assert least["R_above_Q"] == pytest.approx(0.3 * math.sin(math.radians(1.0)), abs=1e-12)
    assert least["unfolded_right"] == pytest.approx(math.radians(72.0), abs=1e-12)
    # the largest torque is that of the first segment, 3.2 N m
    assert least["torque"] == pytest.approx(10.0 - 3.2, abs=1e-12)
    # Q lands beside P
    assert least["Q_above_P"] == pytest.approx(0.0, abs=1e-12)


def test_a_torque_that_jumps_between_rows_is_seen():
    # within a row of the flight from 5 to 1 N m in 0.2 ms: in the row at its end it has only 1
    pulse = (
        "controller.torques.hinge=[{start: 0.0, end: 0.06, coefficients: [0.8, 120.0, -1500.0]}, "
        "{start: 0.06, end: 0.0604, coefficients: [-0.6]}, "
        "{start: 0.0604, end: 0.0606, coefficients: [5.0, -20000.0]}]"
    )
    found = run("hopper/report", "hybrid", pulse, "duration=0.1").metrics
    least = dict(zip(MARGINS, found["margins_flight"], strict=True))
    assert least["torque"] == pytest.approx(5.0, abs=1e-12)
    assert found["torque_asked"] == pytest.approx(5.0, abs=1e-12)


@pytest.mark.parametrize("name", ["report", "tracked"])
def test_margins_of_the_event_driven_engine_are_those_of_the_motion(name):
    found, there = run(f"hopper/{name}", "hybrid").metrics, context(name)
    drive = torque_law_of(there.controller, there.model, there.contacts)
    exact = motion_from(Hopper(GRAVITY.get(name, TEXT)), drive, there.initial_state)
    bounds = [0.0, exact.jump.separation, exact.jump.impact, exact.jump.end]
    for part, (begin, end) in zip(
        ("first_contact", "flight", "second_contact"), pairwise(bounds), strict=True
    ):
        sampled = np.full(len(MARGINS), np.inf)
        for piece in exact.run.segments:
            if begin <= piece.start < piece.end <= end:
                sampled = np.minimum(sampled, sampled_margins(exact, piece))
        # between samples 1e-5 of a phase apart a margin has curved by less than 1e-9
        assert found[f"margins_{part}"] == pytest.approx(sampled, abs=1e-9), part


def sampled_margins(exact, piece):
    """Margins at many moments of a smooth piece of a jump, the least of each."""
    times = np.linspace(piece.start, piece.end, 100_001)
    states = piece.path(times)[:8]
    key = mode_of(piece.mode)
    torque = exact.drive.torque(key.phase, key.piece, times, states)
    all_of = margins(exact.machine, states, torque)._asdict()
    all_of["torque"] = np.minimum(all_of["torque_above"], all_of["torque_below"])
    return np.array([np.min(all_of[name]) for name in MARGINS])


def test_of_two_sticks_the_one_with_more_friction_counts():
    # from rest with 0.275 N m too much, which falls back to what bears link 2 after 10 ms
    torque = (
        "controller.torques.hinge=[{start: 0.0, end: 0.01, coefficients: [0.5]}, "
        "{start: 0.01, end: 1.0, coefficients: [0.225]}]"
    )
    found = run("hopper/rest", "hybrid", torque, "duration=0.05", "time_step=1e-4")
    data = found.trajectory.data
    span = np.diff(data["time"].to_numpy())
    passes = span > 0.0  # the row in which the torque jumps comes twice
    moved = np.diff(momentum(MACHINE, states_of(data)))[:, passes] / span[passes]
    ratios = np.abs(moved[0]) / (moved[1] + MACHINE.mass * 10.0)
    # the force is what moves the mass centre: means over 0.1 ms, of which it changes by 0.1 %
    assert found.metrics["friction_ratio"] == pytest.approx(ratios[:100].max(), rel=1e-3)
    assert ratios[100:].max() < 0.5 * ratios[:100].max()


def ratio_of(trajectory):
    return friction_ratio(MachineFeet(trajectory.data, POINTS[:1]), jump_of(trajectory, MACHINE))


def test_with_time_steps_the_row_with_most_friction_counts_and_none_in_which_P_slides():
    mode = [STICK] * 8 + [SLIP] * 8 + [STICK] * 8
    trajectory = made(np.zeros(24), mode, speed=1.0)
    impulse = trajectory.data["impulse"].to_numpy()  # 0.006 up and 0.001 along where nothing is set
    impulse[5, 0, 1], impulse[12, 0, 1], impulse[20, 0, 1] = 0.0012, 0.0018, -0.0015
    found = ratio_of(trajectory)
    assert found == pytest.approx(0.25, rel=1e-12)
    sliding = made(np.zeros(9), [SLIP] * 9, speed=1.0)
    assert math.isnan(ratio_of(sliding))


def test_with_time_steps_Q_is_beside_P_at_the_end_however_far_it_has_gone_on():
    # with this step Q is seen 0.1 mm below the ground
    found = run("hopper/report", "moreau", "time_step=9e-4").metrics
    least = dict(zip(MARGINS, found["constraint_margins"], strict=True))
    assert least["Q_above_P"] == 0.0
    # the means over a step of the parabola that has 3.2 N m at its top
    assert least["torque"] == pytest.approx(10.0 - 3.2, abs=1500.0 * 9e-4**2)


def test_every_measure_is_told_with_its_unit():
    jumped = run("hopper/report", "hybrid").metrics
    stood = run("hopper/rest", "hybrid").metrics
    assert set(METRICS) <= set(jumped) | set(stood)
