"""Whole-body control keeps limbs apart, motors within their lines, contacts as they are felt."""

import numpy as np
import pytest
from tests.controllers.test_whole_body import SCENE, WALKER, forces_of, moving, standing
from tests.engines.tiny import simulate, tiny

from footfall.control.whole_body import WholeBody
from footfall.errors import FootfallError
from footfall.plants.motors import Motor
from footfall.run import run_scenario
from footfall.scenario.io import load_scenario
from footfall.trajectory.events import LEFT_OUT
from footfall_controllers.whole_body.collisions import Capsule, SelfCollision, nearest
from footfall_controllers.whole_body.contacts import Contact, ContactSwitch
from footfall_controllers.whole_body.solver import Outcome
from footfall_controllers.whole_body.tasks import CentreOfMass, JointPosture, Orientation, Targets

LENGTH, RADIUS, MARGIN = 0.3, 0.02, 0.02

# a box with two arms that turn about z side by side; nothing but a controller keeps these apart
ARMS = """<robot name="arms" xmlns:drake="http://drake.mit.edu">
  <link name="box">
    <inertial><mass value="10"/>
      <inertia ixx="0.3" ixy="0" ixz="0" iyy="0.3" iyz="0" izz="0.5"/></inertial>
    <collision name="box"><geometry><box size="0.4 0.4 0.1"/></geometry>
      <drake:proximity_properties><drake:mu_dynamic value="0.9"/></drake:proximity_properties>
    </collision>
  </link>
  {}
</robot>""".format(
    "".join(
        f"""<joint name="{name}" type="revolute"><parent link="box"/><child link="{name}_arm"/>
    <origin xyz="0 {y} 0.1"/><axis xyz="0 0 1"/><limit lower="-2" upper="2" effort="20"/></joint>
  <transmission><type>transmission_interface/SimpleTransmission</type>
    <joint name="{name}"/><actuator name="{name}"/></transmission>
  <link name="{name}_arm"><inertial><origin xyz="{LENGTH / 2} 0 0"/><mass value="1"/>
    <inertia ixx="0.001" ixy="0" ixz="0" iyy="0.008" iyz="0" izz="0.008"/></inertial></link>"""
        for name, y in (("left", 0.15), ("right", -0.15))
    )
)


def arms(folder, *, apart):
    """The arms, commanded through each other."""
    ends = [[0.0, 0.0, 0.0], [LENGTH, 0.0, 0.0]]
    capsules = [Capsule(link=f"{side}_arm", ends=ends, radius=RADIUS) for side in ("left", "right")]
    corners = [[x, y, -0.05] for x in (-0.2, 0.2) for y in (-0.2, 0.2)]
    controller = WholeBody(
        tasks={
            "com": CentreOfMass(),
            "box": Orientation(link="box"),
            "arms": JointPosture(positions={"left": -0.9, "right": 0.9}),
        },
        contacts=[Contact(link="box", corners=corners)],
        self_collision=SelfCollision(capsules, margin=MARGIN) if apart else None,
        period=0.005,
    )
    scenario = tiny(folder, ARMS, duration=1.5, controller=controller)
    scenario.initial.drop_along = "arms::box"
    return scenario


def arm_gaps(data):
    """Gaps of the arms over time, by points along both: no closed form of the controller's."""
    share = np.linspace(0.0, LENGTH, 61)
    left, right = (data["q"].sel(position=name).to_numpy()[:, None] for name in ("left", "right"))
    x = [share * np.cos(angle) for angle in (left, right)]
    y = [side + share * np.sin(angle) for side, angle in ((0.15, left), (-0.15, right))]
    apart = np.hypot(x[0][:, :, None] - x[1][:, None], y[0][:, :, None] - y[1][:, None])
    return apart.min(axis=(1, 2)) - 2.0 * RADIUS


@pytest.mark.slow
def test_arms_that_are_commanded_through_each_other_keep_their_distance(tmp_path):
    gap = {}
    for apart in (True, False):
        run = simulate(arms(tmp_path, apart=apart)).trajectory
        assert run.status.value == "done", run.message
        gap[apart] = arm_gaps(run.data)
        assert not [event for event in run.events if event.kind == "control"]
    assert gap[False].min() < -RADIUS  # through each other
    # the margin, less what is left of it by a soft limit that the posture presses upon, and less
    # the distance of the points that gaps are measured by
    assert gap[True].min() > MARGIN - 2e-3
    assert gap[True][-1] == pytest.approx(MARGIN, abs=3e-3)


@pytest.mark.parametrize("seed", range(5))
def test_nearest_points_of_two_lines_are_nearer_than_all_others(seed):
    rng = np.random.default_rng(seed)
    p, q = rng.normal(size=(2, 2, 3))
    if seed == 1:
        q = p + np.array([0.0, 0.3, 0.0])  # parallel
    if seed == 2:
        p[1] = p[0]  # a ball
    s, t = nearest(p, q)
    found = np.linalg.norm(p[0] + s * (p[1] - p[0]) - q[0] - t * (q[1] - q[0]))
    share = np.linspace(0.0, 1.0, 101)[:, None]
    others = (p[0] + share * (p[1] - p[0]))[:, None] - (q[0] + share * (q[1] - q[0]))
    assert 0.0 <= min(s, t) <= max(s, t) <= 1.0
    assert found <= np.linalg.norm(others, axis=2).min() + 1e-12


@pytest.mark.parametrize("seed", range(4))
def test_motors_are_never_asked_for_more_power_than_they_have(seed):
    robot, controller, free = standing()
    plant = robot.plant
    motors = {"*": Motor(gear_ratio=10.0, stall_torque=1.0, no_load_speed=100.0)}
    system = controller.system(plant, 0.001, motors)
    state = moving(robot, seed, speed=6.0)  # rad/s; joints are overrun at 10
    asked, given = (each.solve(state, Targets()).torques for each in (free, system))
    speed = np.array(
        [
            state[plant.num_positions() + plant.get_joint_actuator(k).joint().velocity_start()]
            for k in plant.GetJointActuatorIndices()
        ]
    )
    # at most a quarter of stall torque times no-load speed can be had of a motor
    most = 0.25 * 1.0 * 100.0
    assert (given * speed).max() <= most * (1.0 + 1e-9)
    assert (asked * speed).max() > most  # without the lines it would have been more


def test_a_run_with_motors_asks_for_nothing_that_they_cut():
    line = "motors={'*': {gear_ratio: 10.0, stall_torque: 2.0, no_load_speed: 60.0}}"
    run = run_scenario(load_scenario(SCENE, [line, "duration=0.65"]), SCENE).trajectory
    assert run.status.value == "done", run.message
    data = run.data
    ticks = data["control_time"].to_numpy()[1:]
    at = data["actuation"].sel(time=ticks, method="nearest").to_numpy()
    speeds = [name for name in data["velocity"].values if name.split("_")[0] in {"FL", "RR"}]
    for name in speeds:
        k = data["actuator"].values.tolist().index(name)
        w = data["v"].sel(velocity=name).sel(time=ticks, method="nearest").to_numpy()
        # at the joint 20 N m when it stalls, 6 rad/s without load
        assert (at[:, k] <= 20.0 * (1.0 - w / 6.0) + 1e-6).all()
        assert (at[:, k] >= -20.0 * (1.0 + w / 6.0) - 1e-6).all()


def test_a_load_goes_over_to_a_contact_in_a_ramp():
    robot, _, system = standing()
    before, found = None, []
    for share in np.linspace(0.0, 1.0, 101):
        tick = system.solve(robot.initial_state, Targets(contacts={"FL_foot": share}))
        assert tick.outcome is Outcome.SOLVED
        force = forces_of(SCENE, tick)
        assert force[0, 2] <= share * 3.0 * 15.1 * 9.81 + 2e-3
        if before is not None:
            found.append(np.abs(force - before).max())
        before = force
    # 3 weights in a hundred steps for the foot itself; its neighbours share what it takes
    assert max(found) < 0.07 * 15.1 * 9.81


def test_a_contact_bears_nothing_until_it_is_felt():
    settings = ["controller.contact_switch={threshold: 2.0, ramp: 0.05}", "duration=0.3"]
    scenario = load_scenario(SCENE, [*settings, "initial.gap=0.02"])
    run = run_scenario(scenario, SCENE).trajectory
    assert run.status.value == "done", run.message
    data = run.data
    touch = data["time"].to_numpy()[(data["foot_normal_force"] > 2.0).any("foot").to_numpy()][0]
    assert 0.05 < touch < 0.08  # sqrt(2 * 0.02 / 9.81) = 0.064 s
    effort = np.abs(data["actuation"].to_numpy()).max(axis=1)
    times = data["time"].to_numpy()
    # in free fall nothing bears the weight, so that joints hang with the trunk; on the ground they
    # carry 37 N a leg
    assert effort[times < touch - 1e-3].max() < 0.2 * effort[times > touch + 0.1].max()
    with pytest.raises(FootfallError, match="contact_switch needs a period"):
        run_scenario(load_scenario(SCENE, [*settings, "controller.period=0"]), SCENE)


def test_switches_and_capsules_refuse_nonsense():
    for wrong, says in (
        (lambda: ContactSwitch(threshold=0.0), "contact_switch.threshold"),
        (lambda: Capsule(link="a", ends=[[0, 0]]), "give ends as"),
        (lambda: Capsule(link="a", ends=[[0, 0, 0]], radius=0.0), "radius is 0"),
        (lambda: SelfCollision(kp=0.0), "self_collision.kp"),
        (lambda: SelfCollision(pairs=[["a", "a"]]), "pairs of links"),
        (lambda: Contact(link="a", corners=[[0, 0, 0]], largest_force=0.0), "largest_force"),
    ):
        with pytest.raises(FootfallError, match=says):
            wrong()
    _, controller, _ = standing(WALKER)
    knee = Capsule(link="left_shank", ends=[[0.0, 0.0, 0.0]])
    controller.self_collision = SelfCollision([knee], pairs=[["left_shank", "right_shank"]])
    robot = standing(WALKER)[0]
    try:
        with pytest.raises(FootfallError, match="'right_shank' has no capsule"):
            controller.system(robot.plant)
    finally:
        controller.self_collision = None


@pytest.mark.parametrize("engine", ["moreau", "drake-sap"])
def test_the_damping_of_drives_is_theirs_whatever_sensors_tell(engine):
    push = "{link: left_toe, start: 0.005, duration: 0.01, force: [0.0, 0.0, 200.0]}"
    changes = ["duration=0.02", f"pushes=[{push}]"]
    plain, sensed, without = (
        run_scenario(load_scenario(WALKER, [*changes, more]), WALKER, engine).trajectory
        for more in ("sensors=null", "sensors={}", "controller.drive_damping={}")
    )
    assert not any(event.kind == LEFT_OUT for event in sensed.events)
    # The toe's inertia about its hinge is 3.74e-5 kg m^2, and its mass centre lies 24 mm ahead: the
    # push alone gives an undamped one this rate in a step of 1 ms. A damping of 0.5 N m s/rad
    # takes all but 1/14 of a rate out of it within such a step.
    free = 200.0 * 0.024 * 1e-3 / 3.74e-5
    damped, seen, undamped = (
        np.abs(run.data["v"].sel(velocity="left_toe").to_numpy()).max()
        for run in (plain, sensed, without)
    )
    assert max(damped, seen) < free < undamped


@pytest.mark.parametrize("engine", ["moreau", "drake-sap"])
def test_a_posture_takes_the_time_of_its_gains_whatever_drives_damp(tmp_path, engine):
    # within a step of 1 ms drives of 30 N m s/rad weigh as much as the arm: 0.03 kg m^2
    goal, duration, w = 0.5, 0.15, 10.0
    corners = [[x, y, -0.05] for x in (-0.2, 0.2) for y in (-0.2, 0.2)]
    controller = WholeBody(
        tasks={
            "com": CentreOfMass(),
            "box": Orientation(link="box"),
            "arms": JointPosture(kp=w**2, kd=2.0 * w, positions={"left": goal, "right": -goal}),
        },
        contacts=[Contact(link="box", corners=corners)],
        drive_damping={"*": 30.0},
        period=0.001,
    )
    scenario = tiny(tmp_path, ARMS, duration=duration, controller=controller)
    scenario.initial.drop_along = "arms::box"
    data = run_scenario(scenario, "arms", engine).trajectory.data
    there = goal * (1.0 - (1.0 + w * duration) * np.exp(-w * duration))  # critically damped
    assert data["q"].to_numpy()[-1, -2:] == pytest.approx([there, -there], rel=0.02)
