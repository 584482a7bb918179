"""Reactions of joints in runs, by statics, where nothing is carried, and by Drake's own port."""

import numpy as np
import pytest
from pydrake.multibody.parsing import AddModel, ModelDirective
from pydrake.multibody.tree import JacobianWrtVariable
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder
from tests.engines.tiny import BRICK, GRAVITY, STOPPED, columns, simulate, tiny

from footfall.engines import MoreauConfig
from footfall.errors import RunError
from footfall.plants.constraints import Ball, Coupler, Distance, Weld
from footfall.plants.coordinates import joints_of
from footfall.plants.dynamics import Dynamics
from footfall.plants.pushes import Push
from footfall.reactions import joint_reactions
from footfall.scenario.assemble import add_robot, build_robot
from footfall.scenario.io import load_scenario

DRAKE = 'xmlns:drake="http://drake.mit.edu"'
BOX = """<inertial><mass value="{m}"/><inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0"
  izz="0.02"/></inertial><collision name="{name}"><geometry><box size="0.4 0.4 0.2"/></geometry>
  <drake:proximity_properties><drake:mu_dynamic value="0.5"/></drake:proximity_properties>
  </collision>"""

# two boxes, the upper one with a mast of 1 kg welded 0.1 m off its middle
STACK = f"""<robot name="stack" {DRAKE}>
  <link name="lower">{BOX.format(m=3, name="low")}</link>
  <link name="upper">{BOX.format(m=2, name="up")}</link>
  <link name="mast"><inertial><origin xyz="0 0 0.3"/><mass value="1"/>
    <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial></link>
  <joint name="foot" type="fixed"><origin xyz="0.1 0 0.1"/><parent link="upper"/>
    <child link="mast"/></joint></robot>"""
PILED = {"lower_qw": 1.0, "lower_z": 0.1, "upper_qw": 1.0, "upper_z": 0.3}

# two rods of 1 m hang 1 m apart, a bar of 1 m joins their ends: hinged to one, looped to the other
RODS = """<robot name="rods"><link name="base"/>{}
  <joint name="couple" type="revolute"><parent link="rod0"/><child link="bar"/>
    <origin xyz="0 0 -1"/><axis xyz="0 -1 0"/></joint>
  <link name="bar"><inertial><origin xyz="0.5 0 0"/><mass value="1"/>
    <inertia ixx="0" ixy="0" ixz="0" iyy="0.08" iyz="0" izz="0.08"/></inertial></link>
  </robot>""".format(
    "".join(
        f"""<joint name="hinge{k}" type="revolute"><parent link="base"/><child link="rod{k}"/>
      <origin xyz="{k} 0 2"/><axis xyz="0 -1 0"/></joint>
      <link name="rod{k}"><inertial><origin xyz="0 0 -0.5"/><mass value="1"/>
        <inertia ixx="0.08" ixy="0" ixz="0" iyy="0.08" iyz="0" izz="0"/></inertial></link>"""
        for k in range(2)
    )
)
LOOP = Ball(a="rods::bar", b="rods::rod1", p_AP=[1.0, 0.0, 0.0], p_BQ=[0.0, 0.0, -1.0])
TIE = Distance(a="rods::bar", b="rods::base", p_AP=[1.0, 0.0, 0.0], p_BQ=[1.0, 0.0, 2.0])


def reactions_of(scenario):
    """Reactions of a run, joints by their plain names."""
    reactions = joint_reactions(simulate(scenario).trajectory, build_robot(scenario))
    plain = [name.rpartition("::")[2] for name in reactions["joint"].values]
    return reactions.assign_coords(joint=plain)


def at_end(reactions, joint):
    return reactions.sel(joint=joint).isel(time=-1).to_numpy()


def test_the_first_row_comes_before_any_step(tmp_path):
    scenario = tiny(tmp_path, STOPPED.format(effort=0, damping=0), welded="base", duration=0.01)
    reactions = reactions_of(scenario)
    assert reactions.dims == ("time", "joint", "component")
    assert reactions["component"].values.tolist() == ["mx", "my", "mz", "fx", "fy", "fz"]
    assert np.isnan(reactions.isel(time=0)).all()
    assert np.isfinite(reactions.isel(time=slice(1, None))).all()


def test_a_pendulum_on_its_stop_is_held_by_the_joint(tmp_path):
    # 1 kg, 1 m down the rod; the stop is part of the joint, so the joint carries its moment
    scenario = tiny(
        tmp_path, STOPPED.format(effort=0, damping=0), welded="base", slope_deg=-60.0,
        duration=0.8, positions={"swing": 0.4},
    )  # fmt: skip
    reactions = reactions_of(scenario)
    (_, swing) = columns(simulate(scenario), "swing")
    # the rod has swung downhill, 0.5 rad from the normal of a slope of pi/3 and a bit into its stop
    lean = np.pi / 3.0 - swing[-1]
    weight = GRAVITY * np.array([-np.sin(lean), 0.0, -np.cos(lean)])
    # force along the rod and across it, in the rod's own frame; the moment turns about its y
    held = at_end(reactions, "swing")
    assert np.abs(held[3:]) == pytest.approx(np.abs(weight), abs=1e-10)  # rounding of 10 N
    assert abs(held[1]) == pytest.approx(GRAVITY * np.sin(lean), abs=1e-10)
    assert float(reactions["unexplained"].max()) < 1e-9  # rounding over a step of 1 ms


def test_a_stack_of_boxes_holds_its_mast_up(tmp_path):
    scenario = tiny(tmp_path, STACK, positions=PILED, duration=0.2)
    reactions = reactions_of(scenario)
    # weight of the mast, straight below its centre of mass; settling boxes still rock by 1e-7 m/s
    # from one step of 1 ms to the next, which is 1e-4 m/s^2
    assert at_end(reactions, "foot") == pytest.approx([0, 0, 0, 0, 0, GRAVITY], abs=2e-3)
    for free in ("lower", "upper"):
        assert np.nanmax(np.abs(reactions.sel(joint=free))) < 1e-9


def largest_in_free_joints(scenario):
    """Largest component in joints that hold nothing, largest contact force, what is unexplained."""
    robot, trajectory = build_robot(scenario), simulate(scenario).trajectory
    found = joint_reactions(trajectory, robot)
    free = [joint.num_velocities() == 6 for joint in joints_of(robot.plant)]
    assert any(free)
    pushed = float(np.abs(trajectory.data["impulse"]).max()) / scenario.time_step
    held = float(np.abs(found[1:, free]).max())
    return held, pushed, float(found["unexplained"].max())


@pytest.mark.parametrize("law", ["newton", "poisson", "chatterjee-ruina"])
def test_the_free_joint_of_a_brick_that_bounces_and_tumbles_carries_nothing(tmp_path, law):
    # Newton and Euler over the bodies against the engine's equations in v, all contacts included
    scenario = tiny(
        tmp_path, BRICK, duration=0.8, restitution=0.4, friction=0.6,
        moreau=MoreauConfig(impact_law=law),
        positions={"brick_qw": 0.9, "brick_qx": 0.2, "brick_qy": 0.4, "brick_z": 0.5},
        velocities={"brick_vx": 1.0, "brick_vy": 0.3, "brick_wx": 5.0, "brick_wy": -4.0},
    )  # fmt: skip
    held, pushed, short = largest_in_free_joints(scenario)
    assert pushed > 500.0  # it did land
    # rounding of v over dt: 1e-15 of some m/s over 1 ms, times a kilogram, and of the landings
    assert held < 1e-10
    assert short < 1e-10


def test_pushes_are_known_to_the_joints(tmp_path):
    # across, half in and half out of the steps, in the brick's own axes and beside its centre
    pushes = [
        Push("brick", at=[0.1, 0, 0], start=0.0105, duration=0.0301, force=[0, 9.0, 0]),
        Push("brick", torque=[0, 0, 0.3], start=0.02, duration=0.02, frame="link"),
    ]
    start = {"brick_qw": 1.0, "brick_z": 1.0}
    scenario = tiny(tmp_path, BRICK, positions=start, duration=0.06, pushes=pushes)
    carried = reactions_of(scenario)
    # rounding of 12 N
    assert np.abs(carried.to_numpy()[1:]).max() < 1e-12
    assert float(carried["unexplained"][1:].max()) < 1e-12


def test_the_free_joints_of_boxes_that_slide_on_each_other_carry_nothing(tmp_path):
    # pairs of bodies act on both, at every point of their contact
    scenario = tiny(
        tmp_path, STACK, positions=PILED | {"upper_z": 0.31}, duration=0.3,
        velocities={"lower_vx": 1.0, "upper_vy": 0.5},
    )  # fmt: skip
    held, pushed, short = largest_in_free_joints(scenario)
    assert pushed > 100.0
    assert held < 1e-9  # as above; solvers are as near as 1e-10 to the law, not to the balance
    assert short < 1e-9


@pytest.mark.parametrize("loop", ["ball", "distance"])
def test_a_hanging_loop_shares_the_weight_of_its_bar(tmp_path, loop):
    # at rest; the rod that the tie leaves alone hangs by itself
    scenario = tiny(
        tmp_path, RODS, welded="base", duration=0.05,
        constraints=[LOOP if loop == "ball" else TIE],
    )  # fmt: skip
    reactions = reactions_of(scenario)
    half, rod = 0.5 * GRAVITY, GRAVITY
    for joint, force in (
        ("couple", half),  # by symmetry: each end carries half of the bar
        ("hinge0", rod + half),
        ("hinge1", rod + half if loop == "ball" else rod),
    ):
        assert at_end(reactions, joint) == pytest.approx([0, 0, 0, 0, 0, force], abs=1e-10)
    # the world carries all of it; the tie's half acts on the base link, which is welded to it
    base = at_end(reactions, "terrain_welds_to_base")
    assert base[5] == pytest.approx(3.0 * GRAVITY, abs=1e-10)


def test_a_swinging_loop_loses_nothing_on_its_way_to_the_world(tmp_path):
    # momentum of the whole, of which the sum over the tree knows nothing: what the base carries is
    # the rate of the momentum less the weight
    scenario = tiny(
        tmp_path, RODS, welded="base", duration=0.5, constraints=[LOOP],
        positions={"hinge0": 0.5, "hinge1": 0.5, "couple": -0.5},
    )  # fmt: skip
    run, machine = simulate(scenario), build_robot(scenario)
    reactions = joint_reactions(run.trajectory, machine)
    base = reactions.sel(joint="rods::terrain_welds_to_base").to_numpy()[:, [3, 5]]
    q, v = (run.trajectory.data[name].to_numpy() for name in ("q", "v"))
    plant, context = machine.plant, machine.plant.CreateDefaultContext()
    for k in range(1, len(q)):
        momenta = []
        for rate in (v[k - 1], v[k]):
            middle = q[k - 1] + 0.5e-3 * v[k - 1]
            plant.SetPositionsAndVelocities(context, np.concatenate((middle, rate)))
            momenta.append(3.0 * plant.CalcCenterOfMassTranslationalVelocityInWorld(context))
        # three bodies weigh 3 kg; J_M v' leaves out J' v, which is of order v^2 and put back here
        bias = plant.CalcBiasCenterOfMassTranslationalAcceleration(
            _with_velocity(plant, context, v[k - 1]), *_world(plant)
        )
        rate = (momenta[1] - momenta[0]) / 1e-3 + 3.0 * bias
        expected = rate[[0, 2]] + np.array([0.0, 3.0 * GRAVITY])
        assert base[k] == pytest.approx(expected, abs=1e-9)  # rounding of v over dt
    assert np.ptp(base[1:, 1]) > 5.0  # it does swing


def _with_velocity(plant, context, v):
    plant.SetVelocities(context, v)
    return context


def _world(plant):
    world = plant.world_frame()
    return JacobianWrtVariable.kV, world, world


def test_a_weld_and_a_gear_leave_nothing_unexplained(tmp_path):
    held = Weld(a="rods::bar", b="rods::rod1")
    scenario = tiny(
        tmp_path, RODS, welded="base", duration=0.1, constraints=[Coupler("hinge0", "hinge1", 2.0)],
        positions={"hinge0": 0.4, "hinge1": 0.2},
    )  # fmt: skip
    reactions = reactions_of(scenario)
    assert float(reactions["unexplained"].max()) < 1e-10
    scenario.constraints = [held]
    reactions = reactions_of(scenario)
    # a loop welded shut is redundant out of its plane: what is found moves the machine all the same
    assert float(reactions["unexplained"].max()) < 1e-9


def test_what_a_dry_joint_holds_is_in_the_joint(tmp_path):
    angle = 0.1
    scenario = tiny(
        tmp_path, STOPPED.format(effort=0, damping=0), welded="base", duration=0.1,
        positions={"swing": angle}, joint_friction={"swing": 2.0},
    )  # fmt: skip
    reactions = reactions_of(scenario)
    # it sticks: the moment of its weight, m g l sin(angle) with m = l = 1
    assert abs(at_end(reactions, "swing")[1]) == pytest.approx(GRAVITY * np.sin(angle), abs=1e-10)


def test_what_stops_and_dry_joints_do_is_taken_without_measuring_gaps(tmp_path, monkeypatch):
    # gaps of a robot with hundreds of shapes cost more than all the rest of a reaction
    scenario = tiny(
        tmp_path, STOPPED.format(effort=0, damping=0), welded="base", duration=0.02,
        positions={"swing": 0.1}, joint_friction={"swing": 2.0},
    )  # fmt: skip
    assert unexplained_without_gaps(scenario, monkeypatch) < 1e-12


def unexplained_without_gaps(scenario, monkeypatch):
    trajectory, robot = simulate(scenario).trajectory, build_robot(scenario)

    def refused(_):
        raise AssertionError

    monkeypatch.setattr(Dynamics, "gaps", refused)
    return float(joint_reactions(trajectory, robot)["unexplained"].max())


@pytest.mark.parametrize("approximation", ["sap", "lagged"])
def test_steps_of_drake_carry_what_its_own_port_says(approximation):
    # a robot on corners of its soles, whose drives have gains
    scenario = load_scenario("humanoid/stand", ["duration=0.02"])
    robot = build_robot(scenario)
    builder = DiagramBuilder()
    engine = add_robot(builder, scenario, robot, f"drake-{approximation}")
    simulator = Simulator(builder.Build())
    root = simulator.get_mutable_context()
    context = engine.GetMyMutableContextFromRoot(root)
    engine.set_state(context, robot.initial_state)
    own = engine.plant.GetMyContextFromRoot(root)
    port = engine.plant.get_reaction_forces_output_port()
    trajectory = simulate(scenario, f"drake-{approximation}").trajectory
    found = joint_reactions(trajectory, robot)
    joints = joints_of(robot.plant)
    for k in range(1, found.sizes["time"]):
        simulator.AdvanceTo(k * scenario.time_step)
        told = port.Eval(own)
        expected = np.array([told[int(joint.index())].get_coeffs() for joint in joints])
        # contacts act in the middle of their penetration, some micrometres from where they are
        # measured, with some hundred newtons
        assert found[k].to_numpy() == pytest.approx(expected, abs=1e-3)
    assert np.abs(expected).max() > 200.0
    assert float(found["unexplained"].max()) < 1e-3


def test_loops_of_drake_are_found_from_its_steps():
    scenario = load_scenario("verify/four_bar", ["duration=0.02"])
    found = joint_reactions(simulate(scenario, "drake-sap").trajectory, build_robot(scenario))
    assert float(found["unexplained"].max()) < 1e-9  # rounding of v over a step of 1 ms


def test_a_run_without_steps_is_refused():
    scenario = load_scenario("compass/goswami", ["duration=0.05"])
    run = simulate(scenario, "hybrid")
    with pytest.raises(RunError, match="of engine 'hybrid', which takes no steps"):
        joint_reactions(run.trajectory, build_robot(scenario))


def test_a_machine_of_another_scenario_is_refused(tmp_path):
    run = simulate(load_scenario("biped/drop", ["duration=0.01"]))
    path = tmp_path / "brick.urdf"
    path.write_text(BRICK)
    other = tiny(tmp_path, BRICK, duration=0.01)
    other.directives = [ModelDirective(add_model=AddModel(name="brick", file=str(path)))]
    with pytest.raises(RunError, match="other positions than the machine"):
        joint_reactions(run.trajectory, build_robot(other))
