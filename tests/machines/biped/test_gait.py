"""The gait pipeline: what every switch does to the reference, against what its text says."""

import functools

import numpy as np
import pytest
from tests.engines.tiny import POINT, tiny
from tests.scenario.runs import run

from footfall.errors import ModelError, RunError, ScenarioError
from footfall.machines.biped.control import BipedGait, fitted_period, reversed_gait, run_stage1
from footfall.scenario.assemble import build_robot
from footfall.scenario.io import load_scenario
from footfall.trajectory import Trajectory
from footfall_controllers.posture import PostureSystem

STAGE1 = load_scenario("biped/climb").controller.stage1


@functools.cache
def _walk():
    """Stage 1 up to the end of the listing's window."""
    return run_stage1(STAGE1, 8075)


def _gait(**options):
    asked = BipedGait(stage1=STAGE1, **options)
    return reversed_gait(fitted_period(_walk(), asked), asked)


def test_the_listings_window_is_one_settled_period():
    q = _walk().q[:, 2:]
    # samples 6131 and 8075 are a period of 1.944 s apart: by then the walk repeats itself to
    # rounding
    assert np.abs(q[8074] - q[6130]).max() < 1e-9
    assert np.abs(q[1944] - q[0]).max() > 0.01  # not so the first period
    assert np.abs(q[7000] - q[6130]).max() > 0.1
    assert len(_gait().position) == 8075 - 6131 + 1


def test_time_runs_backwards():
    gait = _gait(knots=1900)  # knots almost everywhere: the spline is the walk itself
    walk = _walk().q[6130:8075, 2:]
    assert np.abs(gait.position - walk[::-1]).max() < 1e-3
    assert np.abs(gait.velocity - _walk().u[6130:8075, 2:][::-1]).max() < 2.0


def test_the_spline_goes_through_twenty_knots():
    gait = _gait()
    at = np.floor(np.arange(20) * 1944 / 19).astype(int)  # the listing's indices, from 0
    walk = _walk().q[6130:8075, 2:]
    assert np.abs(gait.position[::-1][at] - walk[at]).max() <= 1e-14
    # between them it is smooth: third differences of a cubic with knots 100 ms apart
    assert np.abs(np.diff(gait.position, n=4, axis=0)).max() < 1e-6


def test_what_is_told_of_the_period_is_that_of_the_walk(tmp_path):
    found, gait = run("biped/climb", "closed-form"), _gait()
    walk = np.stack((_walk().q[6130:8075, 2:], _walk().u[6130:8075, 2:]))
    played = np.stack((gait.position[::-1], gait.velocity[::-1]))
    off = np.abs(played - walk).max(axis=(1, 2))
    told = [found.metrics[name] for name in ("knot_error", "knot_rate_error")]
    assert told == pytest.approx(off.tolist(), rel=1e-12)
    assert found.metrics["clip_mismatch"] < 1e-9
    found.trajectory.save(tmp_path / "trajectory.nc")
    data = Trajectory.load(tmp_path / "trajectory.nc").data
    assert data["period_time"].to_numpy() == pytest.approx(np.arange(1945) * 1e-3)
    assert data["period_angles"].sel(period_curve="walked").to_numpy() == pytest.approx(walk[0])
    assert data["period_rates"].sel(period_curve="fitted").to_numpy() == pytest.approx(played[1])
    # floor((jj - 1) N / 19) + 1 of the listing, counted from 1
    listed = [(jj - 1) * 1944 // 19 * 1e-3 for jj in range(1, 21)]
    assert data["knot_time"].to_numpy() == pytest.approx(listed, abs=1e-12)


def test_a_clip_that_is_no_period_differs():
    (clipped, _) = run("biped/climb", "closed-form").claims
    assert clipped.verdict == "fitted"
    (clipped, *_) = run("biped/climb", "closed-form", "controller.first_sample=6031").claims
    assert clipped.verdict == "differs"


def test_the_listing_forgets_the_sign_of_reversed_velocities():
    faithful, corrected = _gait(), _gait(reverse_velocity_sign=True)
    assert np.array_equal(faithful.velocity, -corrected.velocity)
    assert np.array_equal(faithful.position, corrected.position)
    assert np.array_equal(faithful.acceleration, corrected.acceleration)
    # reversed positions change at the corrected velocities: splines of angles and of rates agree to
    # some tenths
    slope = np.gradient(corrected.position, 1e-3, axis=0)
    error = np.abs(slope - corrected.velocity).mean()
    assert error < 0.2 * np.abs(corrected.velocity).mean()
    assert np.abs(slope - faithful.velocity).mean() > np.abs(faithful.velocity).mean()


def test_accelerations_are_differences_of_the_velocities():
    gait = _gait()
    forward = gait.velocity[::-1], gait.acceleration[::-1]
    assert np.array_equal(forward[1][0], np.zeros(4))  # the listing's [0, diff(..) ./ diff(t)]
    assert np.allclose(forward[1][1:], np.diff(forward[0], axis=0) / 1e-3, rtol=1e-12, atol=1e-9)


def test_a_periodic_spline_closes():
    open_, closed = _gait(), _gait(periodic_spline=True)
    assert np.abs(closed.position[0] - closed.position[-1]).max() <= 1e-14

    def kink(gait):
        ends = gait.position[1] - gait.position[0], gait.position[-1] - gait.position[-2]
        return np.abs(ends[0] - ends[1]).max() / 1e-3  # rad/s

    # what is left when it closes is the curvature over a sample, 30 rad/s^2 times 1 ms
    assert kink(closed) < 0.05
    assert kink(open_) > 5.0 * kink(closed)


def test_one_of_the_two_ends_may_go():
    both, one = _gait(periodic_spline=True), _gait(periodic_spline=True, both_ends=False)
    assert len(one.position) == len(both.position) - 1
    assert np.array_equal(one.position, both.position[:-1])


def test_the_listing_plays_three_periods_and_stops():
    gait = _gait(repetitions=3)
    count = len(gait.position)
    assert gait.index_at(3 * count * 1e-3 - 1e-3) == count - 1
    assert gait.index_at(3 * count * 1e-3 + 5.0) == count - 1
    forever = _gait()
    assert forever.index_at(3 * count * 1e-3) == 0
    # within the listing's 5 s the third period is not over: the two are the same
    times = np.arange(5000) * 1e-3
    assert all(gait.index_at(t) == forever.index_at(t) for t in times)


def test_stage_1_that_does_not_go_through_is_owned_up_to():
    stage1 = load_scenario("biped/climb", ["controller.stage1.kd=1e7"]).controller.stage1
    with pytest.raises(RunError, match="stage 1 of the biped gait stops after"):
        run_stage1(stage1, 300)


def test_the_gait_is_for_the_biped(tmp_path):
    scenario = tiny(tmp_path, POINT, welded="slope", controller=BipedGait(stage1=STAGE1))
    with pytest.raises(ModelError, match="BipedGait drives the joints theta1"):
        build_robot(scenario)


@pytest.mark.parametrize(
    "setting",
    [
        "controller.stage1.positions.thta1=0.1",
        "controller.stage1.feedforward.thta1={amplitude: 0.1}",
    ],
)
def test_stage_1_refuses_a_joint_that_the_biped_does_not_have(setting):
    scenario = load_scenario("biped/climb", [setting])
    with pytest.raises(ModelError) as refused:
        build_robot(scenario)
    assert str(refused.value) == (
        "controller: joint 'thta1' has no actuator; "
        "actuated joints are theta1, theta2, theta3, theta4."
    )


def test_a_posture_for_joints_is_the_one_for_their_plant():
    machine = build_robot(load_scenario("biped/gait"))
    for time in (0.0, 0.4, 3.1):
        assert np.array_equal(
            PostureSystem(STAGE1, ["theta1", "theta2", "theta3", "theta4"]).sample(time),
            machine.reference.sample(time),
        )


@pytest.mark.parametrize(
    "wrong",
    [
        {"first_sample": 0},
        {"first_sample": 100, "last_sample": 100},
        {"knots": 3},
        {"first_sample": 1, "last_sample": 10, "knots": 20},
        {"repetitions": -1},
        {"sample_period": 0.0},
        {"kp": -1.0},
        {"kd": np.nan},
    ],
)
def test_windows_and_numbers_that_make_no_gait_are_refused(wrong):
    with pytest.raises(ScenarioError, match="controller") as refused:
        BipedGait(**wrong)
    assert "\n" not in str(refused.value)
