"""Targets of a walk as points: the same motion as the tasks that they stand for."""

import numpy as np
import pytest

from footfall.scenario.assemble import build_robot
from footfall.scenario.io import load_scenario
from footfall_controllers.walking.footsteps import WalkingFoot, rotation
from footfall_controllers.walking.predicted_points import Hips, corner_names, in_points, lean_of
from footfall_controllers.whole_body.tasks import Reference, Targets
from footfall_controllers.whole_body.terms import RobotTerms

FEET = ("left_foot", "right_foot")


def test_the_lean_is_the_way_of_the_centre_of_mass_while_the_feet_stand():
    robot = build_robot(load_scenario("humanoid/walk_opc"))
    plant = robot.plant
    terms = RobotTerms(plant, ["hat", *FEET])
    terms.set_state(robot.initial_state)
    soles = [WalkingFoot(foot, {foot: np.eye(3)}) for foot in FEET]
    lean = lean_of(terms, "hat", soles)
    # a millimetre ahead and aside, by Newton's method on the poses themselves
    context, start = plant.CreateDefaultContext(), robot.initial_state[: plant.num_positions()]

    def poses(q):
        plant.SetPositions(context, q)
        links = [plant.GetBodyByName(name).EvalPoseInWorld(context) for name in ("hat", *FEET)]
        return np.concatenate([X.GetAsMatrix34().ravel() for X in links])

    def along(q, k, h):
        plant.SetPositions(context, q)
        v = np.zeros(plant.num_velocities())
        v[k] = h
        return q + plant.MapVelocityToQDot(context, v)

    wanted, before = poses(start), plant.CalcCenterOfMassPositionInWorld(context)
    for axis in (0, 1):
        goal, q = wanted.copy(), start.copy()
        goal[3 + 4 * axis] += 1e-3
        for _ in range(6):
            slopes = [
                (poses(along(q, k, 1e-6)) - poses(along(q, k, -1e-6))) / 2e-6
                for k in range(plant.num_velocities())
            ]
            step = np.linalg.lstsq(np.array(slopes).T, goal - poses(q), rcond=1e-6)[0]
            plant.SetPositions(context, q)
            q = q + plant.MapVelocityToQDot(context, step)
            q[:4] /= np.linalg.norm(q[:4])
        assert poses(q) == pytest.approx(goal, abs=1e-7)
        moved = plant.CalcCenterOfMassPositionInWorld(context) - before
        # the way is curved by some metres
        assert moved[:2] / 1e-3 == pytest.approx(lean[:, axis], abs=2e-3)
    assert 0.7 < lean[0, 0] < 1.0  # legs lean by a part of the trunk's way


def test_points_move_as_the_tasks_that_they_stand_for():
    rng = np.random.default_rng(4)
    turn = np.eye(3)
    turn[:2, :2] = rotation(0.4)
    com = Reference(np.zeros(3), np.zeros(3), np.array([0.5, -0.3, 0.0]))
    height = Reference(*np.array([[0.0, 0.0, 0.8], [0.0, 0.0, 0.1], [0.0, 0.0, 0.2]]))
    foot = Reference(*rng.normal(size=(3, 3)))
    targets = Targets(
        {
            "com": com,
            "height": height,
            "trunk": Reference(turn),
            "place/left": foot,
            "turn/left": Reference(turn),
        },
        {"place/left": 1.0, "place/right": 0.0},
        {"left_foot": 0.0},
    )
    corners, middle = rng.normal(size=(4, 3)), rng.normal(size=3)
    lean = np.diag([0.8, 0.9])
    hips = Hips(rng.normal(size=3), rng.normal(size=3), 0.1, lean)
    found = in_points(targets, hips, 0.15, {"left": (corners, middle), "right": (corners, middle)})
    origin, above = found.tasks["trunk/origin"], found.tasks["trunk/above"]
    assert lean @ origin.acceleration[:2] == pytest.approx(com.acceleration[:2])
    assert origin.value == pytest.approx([*hips.p[:2], 0.9])
    assert above.value - origin.value == pytest.approx([0.0, 0.0, 0.15])
    names = corner_names("left", corners)
    three = np.array([found.tasks[name].value for name in names])
    # a rigid sole whose middle is where the foot is to be
    assert three - foot.value == pytest.approx((corners[:3] - middle) @ turn.T)
    assert [found.active[name] for name in names] == [1.0, 1.0, 1.0]
    assert {found.active[name] for name in corner_names("right", corners)} == {0.0}
