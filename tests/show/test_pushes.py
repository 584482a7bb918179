"""Pushes in a scene: arrows where they act, as long as they are strong, while they last."""

import numpy as np
import pytest
from pydrake.geometry import Meshcat
from tests.engines.tiny import BALL, simulate, tiny
from tests.show.meshcat_state import is_visible, shown_pose, shown_scale
from tests.show.watching import watched

from footfall.plants.pushes import Push
from footfall.scenario.assemble import build_robot, model_spec
from footfall.show.extent import sizes_of
from footfall.show.forces import LONGEST, PushArrows
from footfall.show.replay import replay

PUSHES = [
    Push("ball", at=[0.0, 0.0, 0.1], start=0.2, duration=0.2, force=[0.0, 6.0, 0.0]),
    Push("ball", start=0.3, duration=0.2, force=[3.0, 0.0, 0.0], frame="link"),
    Push("ball", start=0.5, duration=0.1, torque=[0.0, 0.0, 1.0]),
]
TURNED = {"ball_qw": np.sqrt(0.5), "ball_qz": np.sqrt(0.5), "ball_x": 2.0}  # by 90 degrees about z


@pytest.fixture
def robot(tmp_path):
    return build_robot(tiny(tmp_path, BALL, positions=TURNED, pushes=PUSHES))


def test_arrows_are_those_of_the_pushes_that_act(robot):
    meshcat = Meshcat()
    arrows = PushArrows(meshcat, "/push", robot.pushes, robot.model)
    q = robot.initial_state[: robot.plant.num_positions()]
    paths = ("/push/0/force", "/push/1/force", "/push/2/torque")
    for time, seen in ((0.1, "000"), (0.25, "100"), (0.35, "110"), (0.45, "010"), (0.55, "001")):
        arrows.draw(q, time - 0.01, time)
        assert "".join(str(int(is_visible(meshcat, path))) for path in paths) == seen
    longest = LONGEST * sizes_of(robot.model).weight
    for path, size, direction, place in (
        (paths[0], 6.0, [0.0, 1.0, 0.0], [2.0, 0.0, 0.1]),
        (paths[1], 3.0, [0.0, 1.0, 0.0], [2.0, 0.0, 0.0]),  # x of the ball is y of the world
    ):
        assert shown_scale(meshcat, f"{path}/shaft")[2] == pytest.approx(longest * size / 6.0)
        pose = shown_pose(meshcat, path)
        np.testing.assert_allclose(pose[:3, 2], direction, atol=1e-12)
        np.testing.assert_allclose(pose[:3, 3], place, atol=1e-12)


def test_an_arrow_is_the_mean_of_its_frame(robot):
    meshcat = Meshcat()
    arrows = PushArrows(meshcat, "/push", robot.pushes, robot.model)
    arrows.draw(robot.initial_state[: robot.plant.num_positions()], 0.17, 0.21)
    longest = LONGEST * sizes_of(robot.model).weight
    assert shown_scale(meshcat, "/push/0/force/shaft")[2] == pytest.approx(0.25 * longest)


@pytest.mark.parametrize("engine", ["moreau", "drake-sap"])
def test_whoever_watches_sees_them(tmp_path, engine):
    wind = Push("ball", force=[0.0, 0.5, 0.0])
    scenario = tiny(tmp_path, BALL, positions=TURNED, pushes=[wind], duration=0.0625)
    scenario.time_step = 1.0 / 128.0
    meshcat, _ = watched(scenario, engine)
    assert is_visible(meshcat, "/scene/pushes/0/force")
    assert shown_pose(meshcat, "/scene/pushes/0/force")[1, 2] == pytest.approx(1.0)


def test_a_replay_has_those_of_its_first_run(tmp_path):
    meshcat = Meshcat()
    scenario = tiny(tmp_path, BALL, positions=TURNED, pushes=PUSHES, duration=0.1, time_step=0.01)
    runs = {"pushed": simulate(scenario).trajectory}
    replay(runs, model_spec(scenario), meshcat)
    for path, there in (("0/force", True), ("0/torque", False), ("2/torque", True)):
        assert meshcat.HasPath(f"/scene/pushes/{path}") == there
