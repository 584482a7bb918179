"""Standing: torques that carry the weight through forces that the ground can give."""

from functools import cache

import numpy as np
import pytest
from pydrake.multibody.tree import JacobianWrtVariable
from scipy.optimize import nnls

from footfall.errors import FootfallError, RunError
from footfall.plants.flat.standing import nearest, push
from footfall.scenario.assemble import build_robot
from footfall.scenario.io import load_scenario, with_settings
from footfall_controllers.stand import Parameters
from footfall_controllers.stand import Stand as StandSystem

G = 9.81


@cache
def standing():
    """Robot of the scene on its feet, and the controller's description."""
    scenario = load_scenario("scenes/quadruped")
    return build_robot(scenario), scenario.controller


def torques(state):
    robot, law = standing()
    system = StandSystem(robot.plant, Parameters(law.kp, law.kd, 0.5, law.posture, law.feet))
    context = system.CreateDefaultContext()
    system.get_input_port().FixValue(context, state)
    return system.get_output_port().Eval(context)


def response(state):
    """Accelerations and forces of the ground (4, 3) where the feet's points are held."""
    robot, law = standing()
    plant = robot.plant
    own = plant.CreateDefaultContext()
    plant.SetPositionsAndVelocities(own, state)
    world, kind = plant.world_frame(), JacobianWrtVariable.kV
    J = np.vstack(
        [
            plant.CalcJacobianTranslationalVelocity(
                own, kind, plant.GetFrameByName(link), np.array(points).T, world, world
            )
            for link, points in law.feet.items()
        ]
    )
    M = plant.CalcMassMatrix(own)
    force = plant.MakeActuationMatrix() @ torques(state)
    force += plant.CalcGravityGeneralizedForces(own) - plant.CalcBiasTerm(own)
    force += [0.0] * 6 + [-0.05 * v for v in plant.GetVelocities(own)[6:]]  # of the file's damping
    found = np.linalg.solve(
        np.block([[M, -J.T], [J, np.zeros((12, 12))]]), np.concatenate([force, np.zeros(12)])
    )
    return found[:18], found[18:].reshape(4, 3)


def test_in_its_posture_the_robot_is_in_balance():
    robot, _ = standing()
    acceleration, ground = response(robot.initial_state)
    # forces are found to a thousandth of their square's weight: 1e-6 of 150 N, over 3 kg of a leg
    assert np.abs(acceleration).max() < 1e-3
    weight = robot.plant.CalcTotalMass(robot.plant.CreateDefaultContext()) * G
    assert ground.sum(axis=0) == pytest.approx([0.0, 0.0, weight], abs=1e-3)
    assert (ground[:, 2] > 0.0).all()
    assert (np.hypot(ground[:, 0], ground[:, 1]) <= 0.5 * ground[:, 2] + 1e-6).all()


def test_a_trunk_that_is_turned_is_set_upright():
    robot, _ = standing()
    state = robot.initial_state.copy()
    state[:4] = np.cos(0.01), np.sin(0.01), 0.0, 0.0  # rolled by 0.02 rad
    acceleration, _ = response(state)
    # asked for is kp times 0.02 rad; legs, of which nothing is asked, leave a part of it
    assert -100.0 * 0.02 < acceleration[0] < -0.1


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ("controller.kp=-1", "controller.kp is -1.0: give a finite number that is not negative"),
        ("controller.friction=0", "controller.friction is 0.0: give a positive number"),
        ("controller.feet={}", "controller.feet is empty: name points that stand"),
        (
            "controller.feet={FL_foot: [[0, 0]]}",
            "controller.feet.FL_foot is .*: give points as",
        ),
        ("controller.feet={paw: [[0, 0, 0]]}", "the model has no frame 'paw'"),
        ("controller.posture={elbow: 1}", "joint 'elbow' has no actuator"),
    ],
)
def test_what_cannot_be_is_one_line(setting, says):
    scenario = load_scenario("scenes/quadruped")
    robot, _ = standing()

    def judge():
        with_settings(scenario, [setting], "scene").controller.check(robot.plant)

    with pytest.raises(FootfallError, match=says) as caught:
        judge()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("points", [1, 3, 4])
def test_what_is_nearest_is_that_of_least_squares(points):
    rng = np.random.default_rng(points)
    J, bias = rng.normal(size=(3 * points, 14)), rng.normal(size=(points, 3))
    v, asked = rng.normal(size=14), rng.normal(size=14)
    still = -bias.ravel() - 20.0 * J @ v
    wanted = asked + np.linalg.pinv(J) @ (still - J @ asked)
    assert nearest(J.reshape(points, 3, 14), bias, 20.0, v, asked)
    assert asked == pytest.approx(wanted, rel=1e-10, abs=1e-10)


def test_rows_that_say_all_but_the_same_twice_are_left_to_singular_values():
    J, asked = np.random.default_rng(2).normal(size=(3, 3, 14)), np.zeros(14)
    J[2, 2] = J[0, 0] + J[1, 1] + 1e-3 * J[2, 2]
    assert not nearest(J, np.zeros((3, 3)), 20.0, np.ones(14), asked)
    assert not nearest(np.ones((5, 3, 14)), np.zeros((5, 3)), 20.0, np.ones(14), asked)
    assert np.array_equal(asked, np.zeros(14))


def test_a_state_that_is_no_number_is_one_line():
    state = standing()[0].initial_state.copy()
    state[-1] = np.nan
    with pytest.raises(RunError, match="its state is no number"):
        torques(state)


@pytest.mark.parametrize("spread", [0.02, 0.5])
def test_forces_of_the_ground_are_those_of_non_negative_least_squares(spread):
    rng = np.random.default_rng(6)
    E = rng.normal(loc=1.0, size=(6, 12))
    for _ in range(30):
        wanted, x = rng.normal(size=6) * spread + 1.0, np.zeros(12)
        assert push(E, wanted, x)
        rows = np.vstack([E, 1e-3 * np.eye(12)])
        exact, _ = nnls(rows, np.append(wanted, np.zeros(12)))
        assert x == pytest.approx(exact, rel=0.0, abs=1e-9)
