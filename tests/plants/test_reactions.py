"""Joint reactions against Drake's own port, and against physics that they do not use."""

import numpy as np
import pytest
from pydrake.geometry import HalfSpace
from pydrake.math import RigidTransform
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import AddMultibodyPlant, CoulombFriction, MultibodyPlantConfig
from pydrake.multibody.tree import BodyIndex
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder
from tests.engines.tiny import BRICK

from footfall.plants.forces import Wrench
from footfall.plants.reactions import JointReactions

DRAKE = 'xmlns:drake="http://drake.mit.edu"'
INERTIA = '<inertia ixx="0.11" iyy="0.12" izz="0.13" ixy="0.01" ixz="0.005" iyz="-0.01"/>'
DAMPING, ROTOR, GEAR = 0.3, 0.01, 10.0

# a free base with two arms, a spring and a bushing between them, a geared and damped motor
TREE = f"""<robot name="tree" {DRAKE}>
  <link name="base"><inertial><origin xyz="0.1 0 0.2" rpy="0.1 0.2 0.3"/><mass value="3"/>{INERTIA}
    </inertial></link>
  <link name="a"><inertial><origin xyz="0 0.1 -0.5"/><mass value="1"/>{INERTIA}</inertial></link>
  <link name="b"><inertial><origin xyz="0.3 0 0" rpy="1 0 0"/><mass value="1.5"/>{INERTIA}
    </inertial></link>
  <link name="c"><inertial><origin xyz="0 0 0.2"/><mass value="0.7"/>{INERTIA}</inertial></link>
  <link name="d"><inertial><origin xyz="0 0 0.2"/><mass value="0.4"/>{INERTIA}</inertial></link>
  <joint name="turn" type="revolute"><origin xyz="0 0.2 0" rpy="0.3 0 0"/><parent link="base"/>
    <child link="a"/><axis xyz="0 0.6 0.8"/><limit effort="100"/><dynamics damping="{DAMPING}"/>
  </joint>
  <joint name="slide" type="prismatic"><origin xyz="0.1 0 -1" rpy="0 0.4 0"/><parent link="a"/>
    <child link="b"/><axis xyz="1 0 0"/><dynamics damping="0.2"/></joint>
  <joint name="swing" type="revolute"><origin xyz="0.1 0 0.4" rpy="0 0 1"/><parent link="base"/>
    <child link="c"/><axis xyz="0 1 0"/></joint>
  <joint name="fixed" type="fixed"><origin xyz="0.1 0 0.4" rpy="0 0 1"/><parent link="c"/>
    <child link="d"/></joint>
  <transmission><type>transmission_interface/SimpleTransmission</type><joint name="turn"/>
    <actuator name="motor"><drake:rotor_inertia value="{ROTOR}"/><drake:gear_ratio value="{GEAR}"/>
    </actuator></transmission>
  <drake:linear_spring_damper>
    <drake:linear_spring_damper_body_A name="b"/>
    <drake:linear_spring_damper_p_AP value="0 0.1 0"/>
    <drake:linear_spring_damper_body_B name="c"/>
    <drake:linear_spring_damper_p_BQ value="0 0.1 0.3"/>
    <drake:linear_spring_damper_free_length value="0.5"/>
    <drake:linear_spring_damper_stiffness value="100"/>
    <drake:linear_spring_damper_damping value="3"/>
  </drake:linear_spring_damper>
  <frame name="seat" link="a" xyz="0.1 0 0" rpy="0.1 0 0"/>
  <frame name="core" link="d" xyz="0 0.1 0" rpy="0 0 0.2"/>
  <drake:linear_bushing_rpy>
    <drake:bushing_frameA name="seat"/><drake:bushing_frameC name="core"/>
    <drake:bushing_torque_stiffness value="5 6 7"/>
    <drake:bushing_torque_damping value="0.1 0.2 0.3"/>
    <drake:bushing_force_stiffness value="80 90 100"/>
    <drake:bushing_force_damping value="4 5 6"/>
  </drake:linear_bushing_rpy></robot>"""

# an arm that is hung from the world the wrong way round: the world's link is the joint's child
REVERSED = """<sdf version="1.9"><model name="reversed"><link name="root"/>
  <link name="arm"><pose>0.3 0 1 0.2 0 0</pose><inertial><pose>0.5 0.1 0 0 0 0</pose>
    <mass>2</mass></inertial></link>
  <link name="hand"><pose>1 0 1 0 0 0.4</pose><inertial><mass>1</mass></inertial></link>
  <joint name="weld" type="fixed"><parent>world</parent><child>root</child></joint>
  <joint name="shoulder" type="revolute"><pose>0.1 0.2 0.3 0.4 0.5 0.6</pose><parent>arm</parent>
    <child>root</child><axis><xyz>0 1 0</xyz></axis></joint>
  <joint name="wrist" type="revolute"><parent>hand</parent><child>arm</child>
    <axis><xyz>0 0 1</xyz></axis></joint>
  </model></sdf>"""


def drakes(text, kind="urdf", time_step=0.0, approximation="sap", *, ground=False):
    """A plant of Drake's in a diagram: (diagram, plant, root context, its context)."""
    builder = DiagramBuilder()
    config = MultibodyPlantConfig(
        time_step=time_step,
        discrete_contact_approximation=approximation,
        use_sampled_output_ports=False,  # else the port tells of the step before
    )
    plant, _ = AddMultibodyPlant(config, builder)
    Parser(plant).AddModelsFromString(text, kind)
    if ground:
        friction = CoulombFriction(0.5, 0.5)
        plant.RegisterCollisionGeometry(
            plant.world_body(), RigidTransform(), HalfSpace(), "ground", friction
        )
    plant.Finalize()
    diagram = builder.Build()
    root = diagram.CreateDefaultContext()
    return diagram, plant, root, plant.GetMyMutableContextFromRoot(root)


def at_random(plant, context, seed):
    rng = np.random.default_rng(seed)
    q = rng.standard_normal(plant.num_positions())
    if plant.num_positions() > plant.num_velocities():
        q[:4] /= np.linalg.norm(q[:4])
    v = rng.standard_normal(plant.num_velocities())
    plant.SetPositionsAndVelocities(context, np.concatenate((q, v)))


def carried(reactions, context, vdot, wrenches=()):
    return reactions.carried([reactions.motion(context, vdot, wrenches)])[0]


def of_drake(plant, context, joints):
    port = plant.get_reaction_forces_output_port().Eval(context)
    return np.array([port[int(joint.index())].get_coeffs() for joint in joints])


@pytest.mark.parametrize(
    ("time_step", "approximation"), [(0.0, "sap"), (1e-3, "sap"), (1e-3, "lagged")]
)
@pytest.mark.parametrize("seed", range(3))
def test_a_tree_in_flight_carries_what_drakes_port_says(time_step, approximation, seed):
    _, plant, _, context = drakes(TREE, "urdf", time_step, approximation)
    plant.get_actuation_input_port().FixValue(context, [7.0])
    at_random(plant, context, seed)
    vdot = plant.get_generalized_acceleration_output_port().Eval(context)
    reactions = JointReactions(plant)
    expected = of_drake(plant, context, reactions.joints)
    # sums of a hundred terms of some hundred newtons; Drake's solver accepts 1e-12 or so of it
    assert np.abs(carried(reactions, context, vdot) - expected).max() < 1e-10
    assert np.abs(expected).max() > 50.0


@pytest.mark.parametrize("seed", range(3))
def test_a_joint_that_hangs_by_its_child_is_told_in_its_childs_frame(seed):
    _, plant, _, context = drakes(REVERSED, "sdf")
    at_random(plant, context, seed)
    vdot = plant.get_generalized_acceleration_output_port().Eval(context)
    reactions = JointReactions(plant)
    expected = of_drake(plant, context, reactions.joints)
    assert np.abs(carried(reactions, context, vdot) - expected).max() < 1e-12  # as above, smaller


def test_a_joints_axis_carries_motor_less_damping_less_reflected_rotor():
    # the equation of one coordinate, of which Newton and Euler's sum over bodies knows nothing
    _, plant, _, context = drakes(TREE)
    plant.get_actuation_input_port().FixValue(context, [7.0])
    at_random(plant, context, 4)
    vdot = plant.get_generalized_acceleration_output_port().Eval(context)
    reactions = JointReactions(plant)
    joint = plant.GetJointByName("turn")
    moment = carried(reactions, context, vdot)[reactions.joints.index(joint)][:3]
    at = joint.velocity_start()
    rate, acceleration = plant.GetVelocities(context)[at], vdot[at]
    expected = 7.0 - DAMPING * rate - ROTOR * GEAR**2 * acceleration
    # frame Jc is the child's own, in which the file gives the axis
    assert np.array([0.0, 0.6, 0.8]) @ moment == pytest.approx(expected, abs=1e-12)


def test_the_free_joint_of_a_thrown_brick_carries_nothing():
    _, plant, _, context = drakes(BRICK)
    at_random(plant, context, 5)
    vdot = plant.get_generalized_acceleration_output_port().Eval(context)
    # 1.2 kg in free fall: rounding of some newtons
    assert np.abs(carried(JointReactions(plant), context, vdot)).max() < 1e-13


# a stool: a slab of 4 kg on three feet, with a mast of 2 kg welded and one of 1 kg hinged on it
STOOL = f"""<robot name="stool" {DRAKE}>
  <link name="slab"><inertial><mass value="4"/>{INERTIA}</inertial>
    {{feet}}</link>
  <link name="mast"><inertial><origin xyz="0.1 0 0.3"/><mass value="2"/>{INERTIA}</inertial></link>
  <link name="flag"><inertial><origin xyz="0 0 -0.2"/><mass value="1"/>{INERTIA}</inertial></link>
  <joint name="weld" type="fixed"><origin xyz="0 0.1 0.1"/><parent link="slab"/>
    <child link="mast"/></joint>
  <joint name="hinge" type="revolute"><origin xyz="0.2 0 0.6"/><parent link="mast"/>
    <child link="flag"/><axis xyz="0 1 0"/></joint></robot>""".format(
    feet="".join(
        f"""<collision name="{x}{y}"><origin xyz="{x} {y} -0.1"/>
        <geometry><sphere radius="0.05"/></geometry></collision>"""
        for x, y in ((0.4, 0.0), (-0.3, 0.3), (-0.3, -0.3))
    )
)


def _contact_loads(plant, context):
    """Loads of the point contacts that Drake has found."""
    results = plant.get_contact_results_output_port().Eval(context)
    for k in range(results.num_point_pair_contacts()):
        info = results.point_pair_contact_info(k)
        force = info.contact_force()  # on B
        yield Wrench(plant.get_body(BodyIndex(info.bodyB_index())), info.contact_point(), force)
        yield Wrench(plant.get_body(BodyIndex(info.bodyA_index())), info.contact_point(), -force)


@pytest.mark.parametrize("approximation", ["sap", "lagged"])
def test_a_stool_that_lands_carries_what_drakes_port_says(approximation):
    diagram, plant, root, context = drakes(STOOL, "urdf", 1e-3, approximation, ground=True)
    q = plant.GetPositions(context)
    q[6] = 0.151  # its feet a millimetre over the ground
    plant.SetPositions(context, q)
    simulator = Simulator(diagram, root)
    reactions = JointReactions(plant)
    heaviest = 0.0
    for step in range(1, 60):
        simulator.AdvanceTo(1e-3 * step)
        wrenches = list(_contact_loads(plant, context))
        vdot = plant.get_generalized_acceleration_output_port().Eval(context)
        expected = of_drake(plant, context, reactions.joints)
        # as in flight
        assert np.abs(carried(reactions, context, vdot, wrenches) - expected).max() < 1e-10
        feet = [wrench.force_W[2] for wrench in wrenches if wrench.body.name() == "slab"]
        heaviest = max(heaviest, sum(feet))
    assert heaviest > 7.0 * 9.81  # it did land
