"""Published robots walk and trot under one controller, in the rigid engine as in Drake's."""

import numpy as np
import pytest
from tests.robots.real import robot
from tests.robots.walkers import trotting_go2, trotting_solo12, walking_g1

from footfall.run import run_scenario

GO2, G1 = "go2", "g1_29dof_rev_1_0"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "make", "ahead", "slip", "engine"),
    [
        # over steps, whose edges its feet keep off
        (GO2, trotting_go2, 14.5 * 0.15, 5e-3, "moreau"),
        (GO2, trotting_go2, 14.5 * 0.15, 5e-3, "drake-sap"),
        ("solo12", trotting_solo12, 8.5 * 0.075, 5e-3, "moreau"),
        (G1, walking_g1, 28.5 * 0.18, 5e-3, "moreau"),
        (G1, walking_g1, 28.5 * 0.18, 5e-3, "drake-sap"),
    ],
)
def test_a_published_robot_walks(name, make, ahead, slip, engine, tmp_path):
    run = run_scenario(make(robot(name, tmp_path)), name, engine).trajectory
    assert run.status.value == "done", run.message
    data = run.data
    base = data["base_position"].values
    assert base[-1, 0] - base[0, 0] == pytest.approx(ahead, abs=0.12)
    assert abs(base[-1, 1]) < 0.1
    upright = 1.0 - 2.0 * (data["q"][:, 1] ** 2 + data["q"][:, 2] ** 2)
    assert np.degrees(np.arccos(np.clip(upright, -1.0, 1.0))).max() < 4.0
    assert data["foot_slip"].values[-1].max() < slip
    assert np.abs(data["com_velocity"].values[-1]).max() < 0.15
