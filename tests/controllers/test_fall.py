"""Falls: who leans too far, lies or whirls is braked, by torques that only take energy out."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydrake.common.eigen_geometry import AngleAxis, Quaternion
from pydrake.math import RotationMatrix
from tests.controllers.test_whole_body import SCENE, WALKER, moving, standing

from footfall.run import run_scenario
from footfall.scenario.io import load_scenario
from footfall.trajectory.events import CONTROL
from footfall_controllers.whole_body.fall import Fall, braking_torques

RATE = 50.0
CLOSED = np.ones(4)  # of the four contacts of either robot
ANGLE = st.floats(-3.1, 3.1)


def detection(name):
    """Return the fall detection of a robot that stands, and the terms that it reads."""
    robot, _, system = standing(name)
    nq = robot.plant.num_positions()
    found = system._fall
    found.stand(robot.initial_state[:nq])
    return robot, found, system.terms


def turned(robot, heading, about, lean):
    """State at the start, led by a heading and then leaned about a level axis [rad]."""
    state = robot.initial_state.copy()
    axis = np.array([np.cos(about), np.sin(about), 0.0])
    turn = RotationMatrix(AngleAxis(lean, axis)).multiply(RotationMatrix.MakeZRotation(heading))
    start = RotationMatrix(Quaternion(wxyz=state[:4]))
    state[:4] = turn.multiply(start).ToQuaternion().wxyz()
    return state


@given(heading=ANGLE, about=ANGLE, share=st.floats(0.0, 0.98))
@settings(max_examples=15, deadline=None)
def test_a_lean_counts_whatever_its_side_and_the_heading(heading, about, share):
    robot, fall, terms = detection(WALKER)
    terms.set_state(turned(robot, heading, about, share * np.radians(60.0)))
    assert fall.names[0] not in fall.lost(CLOSED)
    terms.set_state(turned(robot, heading, about, np.radians(61.0)))
    assert fall.names[0] in fall.lost(CLOSED)


def test_a_robot_that_squats_too_low_or_lies_has_fallen_wherever_it_is():
    robot, fall, terms = detection(WALKER)
    state = robot.initial_state.copy()
    state[6] += 5.0  # upstairs
    terms.set_state(state)
    assert fall.lost(CLOSED) == []
    for joint, angle in (("hip_pitch", -2.2), ("knee", 2.5)):
        for side in ("left", "right"):
            there = robot.plant.GetJointByName(f"{side}_{joint}").position_start()
            state[there] = angle
    terms.set_state(state)
    assert fall.lost(CLOSED) == [fall.names[1]]


def test_no_fall_is_as_fast_as_a_foot_that_its_motor_whirls():
    robot, fall, terms = detection(WALKER)
    nq, ankle = robot.plant.num_positions(), robot.plant.GetJointByName("left_ankle_roll")
    state = robot.initial_state.copy()
    # down from twice the height of the centre of mass
    state[nq + 5] = -np.sqrt(4.0 * 9.81 * 0.8)
    terms.set_state(state)
    assert fall.lost(CLOSED) == []
    state[nq + 5] = 0.0
    state[nq + ankle.velocity_start()] = 500.0  # 0.05 m beside the hinge
    terms.set_state(state)
    assert fall.lost(CLOSED) == [fall.names[2]]
    assert fall.lost(np.array([0.9, 1.0, 0.9, 1.0])) == []  # in the air, or on its way


@pytest.mark.parametrize("name", [SCENE, WALKER])
@pytest.mark.parametrize("seed", [1, 2])
def test_a_brake_lets_all_joints_come_to_rest_at_its_rate(name, seed):
    robot, _, system = standing(name)
    plant, terms = robot.plant, system.terms
    state = moving(robot, seed)
    terms.set_state(state)
    free = np.full(plant.num_actuators(), np.inf)
    torques = braking_torques(terms, RATE, -free, free)
    # what the torques alone do to a robot that nothing else acts on
    context = plant.CreateDefaultContext()
    plant.SetPositionsAndVelocities(context, state)
    B = plant.MakeActuationMatrix()
    found = np.linalg.solve(plant.CalcMassMatrix(context), B @ torques)
    driven = np.abs(B).sum(axis=1) > 0.0
    # the joints' own rounding, of accelerations of some 10 rad/s^2
    assert found[driven] == pytest.approx(-RATE * terms.v[driven], abs=1e-9)


@given(seed=st.integers(0, 1000), speed=st.floats(0.1, 30.0), limit=st.floats(0.1, 200.0))
@settings(max_examples=25, deadline=None)
def test_a_brake_takes_energy_out_within_limits(seed, speed, limit):
    robot, _, system = standing(SCENE)
    plant, terms = robot.plant, system.terms
    terms.set_state(moving(robot, seed, speed))
    most = np.full(plant.num_actuators(), limit)
    torques = braking_torques(terms, RATE, -most, most)
    assert (np.abs(torques) <= limit).all()
    assert torques @ (plant.MakeActuationMatrix().T @ terms.v) < 0.0


def test_a_robot_that_is_thrown_over_is_braked_and_the_run_says_why():
    changes = [
        "duration=1.2",
        "fallen_below={}",
        "pushes=[{link: trunk, start: 0.05, duration: 0.1, force: [0.0, 900.0, 0.0]}]",
    ]
    run = run_scenario(load_scenario(SCENE, changes), SCENE, "moreau")
    data = run.trajectory.data
    told = [event for event in run.trajectory.events if event.kind == CONTROL]
    fell = [event for event in told if "the robot had fallen" in event.what]
    assert len(fell) == 1
    assert "lean of" in fell[0].what
    outcome = data["control_outcome"].to_numpy()
    since = int(np.argmax(outcome == 5))
    assert since > 0
    assert (outcome[since:] == 5).all()
    # braked joints slow down while the robot lies there
    joints = np.abs(data["v"].to_numpy()[:, 6:]).max(axis=1)
    assert joints[-1] < 0.2 * joints.max()


def test_a_fall_is_part_of_every_whole_body_controller():
    assert load_scenario(SCENE).controller.fall == Fall()
    assert load_scenario(SCENE, ["controller.fall=null"]).controller.fall is None
