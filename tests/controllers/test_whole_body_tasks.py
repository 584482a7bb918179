"""Tasks of whole-body control, held against Drake's own kinematics and against statics."""

import numpy as np
import pytest
from pydrake.common.eigen_geometry import AngleAxis
from pydrake.multibody.tree import JacobianWrtVariable
from tests.controllers.test_whole_body import (
    SCENE,
    WALKER,
    corner_jacobians,
    forces_of,
    moving,
    rows_at,
    standing,
)
from tests.engines.tiny import tiny

from footfall.errors import FootfallError
from footfall.scenario.assemble import build_robot
from footfall_controllers.whole_body.rows import Gains, TaskRows, links_of
from footfall_controllers.whole_body.tasks import (
    AngularMomentum,
    CentreOfMass,
    CentreOfPressure,
    Frame,
    JointPosture,
    JointTorque,
    Orientation,
    Place,
    Reference,
    Targets,
)
from footfall_controllers.whole_body.terms import RobotTerms

AT = [0.02, -0.03, 0.05]


def rates(plant, state, task):
    """Rate that a task leads, as Drake tells it."""
    context = plant.CreateDefaultContext()
    plant.SetPositionsAndVelocities(context, state)
    v, kind = plant.GetVelocities(context), JacobianWrtVariable.kV
    world = plant.world_frame()
    if isinstance(task, CentreOfMass):
        return plant.CalcCenterOfMassTranslationalVelocityInWorld(context)
    if isinstance(task, AngularMomentum):
        p = plant.CalcCenterOfMassPositionInWorld(context)
        return plant.CalcSpatialMomentumInWorldAboutPoint(context, p).rotational()
    frame = plant.GetFrameByName(task.link)
    other = plant.GetFrameByName(task.relative_to) if task.relative_to else world
    if isinstance(task, Orientation):
        return plant.CalcJacobianAngularVelocity(context, kind, frame, other, other) @ v
    at = np.array(task.at)
    J = plant.CalcJacobianTranslationalVelocity(context, kind, frame, at, other, other)
    return J @ v


@pytest.mark.parametrize(
    "task",
    [
        CentreOfMass(kp=0.0, kd=0.0),
        Place(kp=0.0, kd=0.0, link="FL_shank", at=AT),
        Place(kp=0.0, kd=0.0, link="FL_shank", at=AT, relative_to="RR_thigh"),
        Orientation(kp=0.0, kd=0.0, link="FL_shank"),
        Orientation(kp=0.0, kd=0.0, link="FL_shank", relative_to="RR_thigh"),
        Place(kp=0.0, kd=0.0, link="FL_shank", at=AT, relative_to="trunk", axes="xz"),
    ],
)
def test_rows_tell_how_the_rate_of_a_task_changes(task):
    robot, _, _ = standing()
    plant, state = robot.plant, moving(robot, 4, speed=2.0)
    nq, h = plant.num_positions(), 1e-6
    terms = RobotTerms(plant, links_of({"t": task}))
    rows = TaskRows({"t": task}, terms)
    rows.hold(robot.initial_state[:nq])
    terms.set_state(state)
    J, wanted, _ = rows_at(rows, terms, Targets())
    push = np.random.default_rng(4).normal(size=plant.num_velocities())
    context = plant.CreateDefaultContext()
    plant.SetPositionsAndVelocities(context, state)
    v = state[nq:]
    sides = []
    for sign in (1.0, -1.0):
        q = state[:nq] + sign * h * plant.MapVelocityToQDot(context, v)
        sides.append(rates(plant, np.concatenate([q, v + sign * h * push]), task))
    expected = ((sides[0] - sides[1]) / (2.0 * h))[task.rows]
    # without gains a task asks for rows that stay as they are: wanted is the bias with its sign
    assert J @ push - wanted == pytest.approx(expected, abs=1e-6)


# a free box with a link on a universal joint, whose second axis turns with the first, and one more
UNIVERSAL = """<robot name="joined" xmlns:drake="http://drake.mit.edu">
  <link name="box">INERTIAL</link><link name="arm">INERTIAL</link><link name="hand">INERTIAL</link>
  <drake:joint type="universal" name="cross"><parent link="box"/><child link="arm"/>
    <origin xyz="0.2 0.1 0" rpy="0.3 0.1 0.7"/></drake:joint>
  <joint name="hinge" type="revolute"><parent link="arm"/><child link="hand"/>
    <origin xyz="0 0.3 0.1" rpy="0.4 0 0"/><axis xyz="0.6 0 0.8"/>
    <limit lower="-2" upper="2" effort="5"/></joint>
</robot>""".replace(
    "INERTIAL",
    """<inertial><mass value="2"/>
    <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial>""",
)


def plant_of(name, folder):
    if name == "universal":
        return build_robot(tiny(folder, UNIVERSAL)).plant, ["hand", "box", "arm"]
    return standing(name)[0].plant, {SCENE: ["RL_foot", "trunk"], WALKER: ["left_toe"]}[name]


@pytest.mark.parametrize("name", [SCENE, WALKER, "universal"])
def test_motion_of_links_is_drakes(name, tmp_path):
    plant, links = plant_of(name, tmp_path)
    terms = RobotTerms(plant, links)
    rng = np.random.default_rng(8)
    q = plant.GetPositions(plant.CreateDefaultContext()) + 0.3 * rng.normal(
        size=plant.num_positions()
    )
    start = plant.get_body(min(plant.GetFloatingBaseBodies())).floating_positions_start()
    q[start : start + 4] /= np.linalg.norm(q[start : start + 4])
    terms.set_state(np.concatenate([q, 3.0 * rng.normal(size=plant.num_velocities())]))
    world, kind = plant.world_frame(), JacobianWrtVariable.kV
    for link in links:
        found, frame = terms.link(link), plant.GetFrameByName(link)
        where = (terms.context, kind, frame, np.zeros(3), world, world)
        J = plant.CalcJacobianSpatialVelocity(*where)
        bias = plant.CalcBiasSpatialAcceleration(*where).get_coeffs()
        X = frame.CalcPoseInWorld(terms.context)
        # rounding of products of some ten numbers of order ten
        assert pytest.approx(J, abs=1e-12) == found.J
        assert pytest.approx(J @ terms.v, abs=1e-12) == found.V
        assert found.bias == pytest.approx(bias, abs=1e-11)
        assert found.p == pytest.approx(X.translation(), abs=1e-13)
        assert pytest.approx(X.rotation().matrix(), abs=1e-13) == found.R


def test_a_place_that_is_relative_is_held_where_it_was():
    robot, _, _ = standing()
    plant = robot.plant
    tasks = {
        "foot": Place(link="FL_foot", relative_to="trunk", weight=1.0),
        "turn": Orientation(link="FL_foot", relative_to="trunk", weight=1.0),
    }
    terms = RobotTerms(plant, links_of(tasks))
    rows = TaskRows(tasks, terms)
    q = robot.initial_state[: plant.num_positions()].copy()
    rows.hold(q)
    nothing = np.zeros(plant.num_velocities())
    q[:4] = [0.6, 0.0, 0.8, 0.0]  # the robot as a whole elsewhere and turned
    q[4:7] += [3.0, -2.0, 1.0]
    terms.set_state(np.concatenate([q, nothing]))
    assert rows_at(rows, terms, Targets())[2] == pytest.approx([0.0, 0.0], abs=1e-12)
    joint = plant.GetJointByName("FL_knee").position_start()
    q[joint] += 0.1
    terms.set_state(np.concatenate([q, nothing]))
    # it turns with the knee, at the end of a shank of 0.2 m
    assert rows_at(rows, terms, Targets())[2] == pytest.approx([0.02, 0.1], rel=0.1)


def test_axes_of_a_link_choose_what_counts():
    robot, _, _ = standing()
    plant, state = robot.plant, robot.initial_state.copy()
    whole = Place(link="FL_foot", kp=1.0, kd=0.0)
    ahead = Place(link="FL_foot", kp=1.0, kd=0.0, axes="x", axes_of="trunk")
    state[:4] = [np.cos(0.4), 0.0, 0.0, np.sin(0.4)]  # turned by 0.8 rad about z
    asked = {}
    for name, task in (("whole", whole), ("ahead", ahead)):
        terms = RobotTerms(plant, links_of({"t": task}))
        rows = TaskRows({"t": task}, terms)
        rows.hold(robot.initial_state[: plant.num_positions()])
        terms.set_state(state)
        asked[name] = rows_at(rows, terms, Targets())[1]
    along = np.array([np.cos(0.8), np.sin(0.8), 0.0])
    assert asked["ahead"] == pytest.approx([along @ asked["whole"]], abs=1e-12)


@pytest.mark.parametrize("aside", [0.0, 0.03])
def test_the_centre_of_pressure_goes_where_it_is_asked_for(aside):
    name = WALKER
    robot, _, _ = standing(name)
    plant = robot.plant
    # the standing robot's own scenario, and a centre of pressure that is dear
    controller = standing(name, "controller.tasks.com.weight=0.001")[1]
    controller.tasks["pressure"] = CentreOfPressure(weight=1e8)
    system = controller.system(plant)
    context = plant.CreateDefaultContext()
    plant.SetPositionsAndVelocities(context, robot.initial_state)
    corners = [
        plant.CalcPointsPositions(
            context, plant.GetFrameByName(c.link), np.array(c.corners).T, plant.world_frame()
        )
        for c in controller.contacts
    ]
    places = np.hstack(corners).T
    goal = places.mean(axis=0) + np.array([0.02, aside, 0.0])
    tick = system.solve(robot.initial_state, Targets(tasks={"pressure": Reference(goal)}))
    force = forces_of(name, tick)
    centre = force[:, 2] @ places / force[:, 2].sum()
    # corners of soles and toes are at one height to some millimetres; forces lean by mu at most
    assert centre[:2] == pytest.approx(goal[:2], abs=2e-3)
    del controller.tasks["pressure"]


def test_a_frame_goes_to_its_pose():
    robot, controller, _ = standing(SCENE, "friction=0.8")
    plant, q = robot.plant, robot.initial_state[: robot.plant.num_positions()]
    controller.tasks["body"] = Frame(link="trunk", at=AT, kp=30.0, kd=0.0, weight=1e3)
    system = controller.system(plant)
    context = plant.CreateDefaultContext()
    plant.SetPositions(context, q)
    X_WB = plant.GetFrameByName("trunk").CalcPoseInWorld(context)
    R_WB, way, turn = X_WB.rotation().matrix(), [0.01, 0.0, -0.02], [0.0, 0.03, 0.0]
    p = X_WB.multiply(np.array(AT)) + way
    R = AngleAxis(turn[1], np.array([0.0, 1.0, 0.0])).rotation() @ R_WB
    pose = Reference(np.column_stack([R, p]))
    tick = system.solve(robot.initial_state, Targets(tasks={"body": pose}))
    a = tick.programme.accelerations(tick.x)
    frame, world = plant.GetFrameByName("trunk"), plant.world_frame()
    J = plant.CalcJacobianSpatialVelocity(context, JacobianWrtVariable.kV, frame, AT, world, world)
    # other tasks want the trunk to stay, at a hundredth of the price
    assert J @ a == pytest.approx(30.0 * np.array([*turn, *way]), abs=0.03)
    # half as firm on both parts, while it runs
    system.retune("body", Gains(kp=15.0))
    tick = system.solve(robot.initial_state, Targets(tasks={"body": pose}))
    a = tick.programme.accelerations(tick.x)
    assert J @ a == pytest.approx(15.0 * np.array([*turn, *way]), abs=0.03)
    # and not at all
    off = Targets(tasks={"body": pose}, active={"body": 0.0})
    rest = system.solve(robot.initial_state, off)
    assert np.abs(J @ rest.programme.accelerations(rest.x)).max() < 0.03
    with pytest.raises(FootfallError, match="body"):
        system.retune("bodi", Gains())
    del controller.tasks["body"]


def test_a_torque_that_is_dear_is_given():
    robot, controller, free = standing(SCENE, "duration=1.0")
    controller.tasks["relax"] = JointTorque(weight=1e4, torques={"*_knee": 2.0}, joints=["FL_*"])
    tick = controller.system(robot.plant).solve(robot.initial_state, Targets())
    wanted = {"FL_roll": 0.0, "FL_pitch": 0.0, "FL_knee": 2.0}
    before = free.solve(robot.initial_state, Targets()).torques
    for k, index in enumerate(robot.plant.GetJointActuatorIndices()):
        name = robot.plant.get_joint_actuator(index).joint().name()
        if name in wanted:
            assert tick.torques[k] == pytest.approx(wanted[name], abs=1e-2)
            assert abs(before[k] - wanted[name]) > 0.5
    del controller.tasks["relax"]


def test_a_tick_tells_error_and_cost_of_each_task_and_what_holds_it():
    robot, _, system = standing(SCENE, 'controller.torque_limits={"FL_knee": 3.0}')
    state = robot.initial_state.copy()
    state[4:7] += [0.0, 0.0, -0.01]  # the trunk a centimetre lower than at the start
    start = robot.initial_state[: robot.plant.num_positions()]
    tick = system.solve(state, Targets(), start)
    look = system.inspection
    errors = dict(zip(look.tasks, look.errors(tick.told), strict=True))
    assert errors["com"] == pytest.approx(0.01, abs=1e-12)
    assert errors["trunk"] == pytest.approx(0.0, abs=1e-12)
    assert errors["posture"] == pytest.approx(0.0, abs=1e-12)
    costs = dict(zip(look.tasks, look.costs(tick.told), strict=True))
    acceleration = tick.programme.accelerations(tick.x)
    driven = acceleration[system.terms.driven]
    # the posture asks for nothing: what is missing of it are the accelerations themselves
    assert costs["posture"] == pytest.approx(0.05 * driven @ driven, rel=1e-9)
    active = {n for n, flag in zip(look.constraints, look.active(tick.told), strict=True) if flag}
    assert "torque limit of FL_knee" in active
    assert corner_jacobians(robot, standing()[1], system.terms.context).shape[0] == 12


def test_a_posture_may_be_hard():
    robot, controller, _ = standing()
    hard = standing(SCENE, "controller.tasks.posture.hard=true")[2]
    state = moving(robot, 2, speed=0.1)
    tick = hard.solve(state, Targets(), robot.initial_state[: robot.plant.num_positions()])
    task = controller.tasks["posture"]
    assert isinstance(task, JointPosture)
    off = robot.initial_state[7 : robot.plant.num_positions()] - state[7 : len(state) // 2 + 1]
    # joints behind the base, in the same order
    asked = task.kp * off - task.kd * state[robot.plant.num_positions() + 6 :]
    assert tick.programme.accelerations(tick.x)[6:] == pytest.approx(asked, abs=1e-6)


def test_gains_change_while_it_runs_as_if_they_had_been_given():
    settings = ["controller.tasks.com.kp=40", "controller.tasks.com.weight=3"]
    settings += ["controller.tasks.posture.kd=5"]
    robot, _, given = standing(SCENE, *settings)
    state = moving(robot, 5)
    start = robot.initial_state[: robot.plant.num_positions()]
    tuned = standing()[1].system(robot.plant)
    before = tuned.solve(state, Targets(), start).torques
    tuned.retune("com", Gains(kp=40.0, weight=3.0))
    tuned.retune("posture", Gains(kd=5.0))
    after = tuned.solve(state, Targets(), start).torques
    assert after == pytest.approx(given.solve(state, Targets(), start).torques, abs=1e-12)
    assert np.abs(after - before).max() > 0.1
    with pytest.raises(FootfallError, match="did you mean 'com'"):
        tuned.retune("comm", Gains())
    with pytest.raises(FootfallError, match="not negative"):
        Gains(kp=-1.0)
