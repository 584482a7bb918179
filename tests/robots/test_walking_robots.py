"""Published robots walk and trot under one controller, in the rigid engine as in Drake's."""

from pathlib import Path

import numpy as np
import pytest
from tests.robots.real import robot

from footfall.feet.gait import slip_of_steps
from footfall.run import run_scenario
from footfall.scenario.io import load_scenario

SCENARIOS = Path(__file__).parents[2] / "scripts" / "walking_robots.yaml"
FILES = {"g1": "g1_29dof_rev_1_0", "go2": "go2", "solo12": "solo12"}


def scenario(name, *settings):
    return load_scenario(f"{SCENARIOS}:{name}", settings)


@pytest.mark.parametrize("name", FILES)
def test_a_walk_of_a_published_robot_is_over_before_its_run(name):
    found = scenario(name)
    walk = found.controller.walk
    stepping = walk.steps * (walk.swing + walk.overlap) - walk.overlap
    # it begins, shifts its weight, steps, and shifts it back
    assert walk.begin + walk.shift + stepping + walk.shift < found.duration


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "engine", "most"),
    [
        # m of a foot from touch-down to touch-down, at most: balls on edges of steps slide by some
        # millimetres, soles and balls on level ground by less than one
        pytest.param("go2", "moreau", 12e-3, marks=pytest.mark.longest),
        pytest.param("go2", "drake-sap", 3e-3, marks=pytest.mark.longest),
        ("solo12", "moreau", 1e-3),
        pytest.param("g1", "moreau", 1.5e-3, marks=pytest.mark.longest),
        pytest.param("g1", "drake-sap", 1e-3, marks=pytest.mark.longest),
    ],
)
def test_a_published_robot_walks(name, engine, most, tmp_path):
    folder = Path(robot(FILES[name], tmp_path)).parent
    made = scenario(name, f"packages.{name}={folder}")
    run = run_scenario(made, name, engine).trajectory
    assert run.status.value == "done", run.message
    data, walk = run.data, made.controller.walk
    base = data["base_position"].values
    stride = walk.velocity[0] * (walk.swing + walk.overlap)
    # the first and the last step are half ones, and feet begin ahead of the trunk or behind it
    assert base[-1, 0] - base[0, 0] == pytest.approx((walk.steps - 1.5) * stride, abs=0.12)
    assert abs(base[-1, 1]) < 0.1
    upright = 1.0 - 2.0 * (data["q"][:, 1] ** 2 + data["q"][:, 2] ** 2)
    assert np.degrees(np.arccos(np.clip(upright, -1.0, 1.0))).max() < 4.0
    assert np.concatenate(slip_of_steps(data)).max() < most
    assert np.abs(data["com_velocity"].values[-1]).max() < 0.15
