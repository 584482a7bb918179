"""The ball that is carried along a path: on it at every step, in engines of both kinds."""

import numpy as np
import pytest

from footfall.errors import ModelError
from footfall.machines.goalkeeper.closed_form.ball_paths import DURATION, Sine
from footfall.run import run_scenario
from footfall.scenario.assemble import build_robot
from footfall.scenario.io import load_scenario
from footfall_controllers.goalkeeper import GuidedBall

PLACE = ["ball_ball_x", "ball_ball_y"]


def _errors(name, engine, *settings):
    """Distance of the ball from its path at every row, (N, 2) [m], and the times."""
    scenario = load_scenario(f"goalkeeper/{name}", settings)
    data = run_scenario(scenario, f"goalkeeper/{name}", engine).trajectory.data
    time = data["time"].to_numpy()
    ball = data["q"].sel(position=PLACE).to_numpy()
    return ball - scenario.controller.path.position(time), time


@pytest.mark.slow
@pytest.mark.parametrize("name", ["arc", "shot_curved"])
def test_drakes_step_leads_onto_the_path(name):
    errors, _ = _errors(name, "drake-sap", "duration=1.3")  # beyond the kink of the arc
    assert np.abs(errors).max() < 1e-12  # roundings of a step, which do not add up


def test_moreaus_step_is_on_it_to_second_order():
    sizes = []
    for dt in (2e-3, 1e-3):
        errors, time = _errors("sine", "moreau", "duration=0.5", f"time_step={dt}")
        sizes.append(np.abs(errors[:, 0]).max())
        settled = time > 30.0 * dt  # the start leaves what 2^(-30/2) makes nothing of
        bend = -2.0 * np.pi**2 * np.sin(np.pi * time[settled])  # p'' of 2 sin(pi t)
        # e = -dt^2 p''/2, up to dt p'''/p'' of it
        assert errors[settled, 0] == pytest.approx(-0.5 * dt**2 * bend, abs=2.0 * dt**3 * np.pi**3)
    assert sizes[0] / sizes[1] == pytest.approx(4.0, rel=0.01)


def test_what_a_kink_leaves_dies_away():
    errors, time = _errors("arc", "moreau", "duration=1.3")
    dt, kink = 1e-3, DURATION / 1.7
    off = np.abs(errors).max(axis=1)
    jump = 2.0 * 1.5 * 1.7 * np.pi / DURATION
    after = time > kink
    assert 0.1 * dt * jump < off[after].max() <= 0.5 * dt * jump  # half a step of the jump at most
    settled = (time > kink + 0.05) | (time < kink - dt)
    assert off[settled].max() < 1e-4 * dt * jump + 0.5 * dt**2 * 60.0  # p'' is 57 m/s^2 at most


def test_a_start_off_the_path_dies_away():
    errors, _ = _errors("to_blue", "moreau", "duration=0.1", "initial.positions={ball_ball_x: 0.2}")
    off = np.abs(errors[:, 0])
    assert off[0] == 0.2
    # e_(k+1) = (e_k - e_(k-1)) / 2 has roots of the size 2^(-1/2): after the first step only those
    assert (off[1:] <= 0.2 * 2.0 ** (-0.5 * np.arange(len(off) - 1)) + 1e-15).all()


@pytest.mark.parametrize(
    ("engine", "most"),
    [("moreau", 1.2e-5), pytest.param("drake-sap", 1e-12, marks=pytest.mark.slow)],
)
def test_a_closed_path_is_passed_again(engine, most):
    errors, time = _errors("sine", engine, "controller.path.repeat=2", "duration=2.5")
    assert time[-1] > DURATION
    assert np.abs(errors).max() < most  # dt^2 p''/2 = 1e-5 m in Moreau's


def test_a_free_ball_is_not_carried():
    plant = build_robot(load_scenario("goalkeeper/shot_rolling")).plant
    with pytest.raises(ValueError, match="has no joint ball::ball_x"):
        GuidedBall(plant, Sine(), 1e-3)
    scenario = load_scenario("goalkeeper/shot_rolling")
    scenario.controller.path = load_scenario("goalkeeper/arc").controller.path
    with pytest.raises(ModelError, match="controller Goalkeeping: the machine has no joint"):
        run_scenario(scenario, "goalkeeper/shot_rolling")


def test_in_continuous_time_the_ball_keeps_to_its_path():
    errors, _ = _errors("sine", "drake-continuous", "duration=0.1")
    # the law of a period of 1 ms: dt^2 p''/2 = 1e-5 m, without its steps
    assert np.abs(errors).max() < 1.5e-5
