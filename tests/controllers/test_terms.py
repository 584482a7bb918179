"""A robot as a whole, whatever frame its base is free in."""

import numpy as np
import pytest
from pydrake.math import RigidTransform, RollPitchYaw
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import (
    FixedOffsetFrame,
    JacobianWrtVariable,
    QuaternionFloatingJoint,
    RevoluteJoint,
    RpyFloatingJoint,
    SpatialInertia,
)

from footfall.errors import ModelError
from footfall.plants.coordinates import floating_joints
from footfall_controllers.whole_body.terms import RobotTerms

PLACED = RigidTransform(RollPitchYaw(0.3, -0.5, 0.8), [0.4, -1.0, 0.2])
WITHIN = RigidTransform(RollPitchYaw(-0.2, 0.1, 0.6), [0.05, 0.02, -0.1])


def robot(free):
    """A trunk with an arm; free: the type of the joint of the trunk, None for Drake's own."""
    plant = MultibodyPlant(0.0)
    inertia = SpatialInertia.SolidBoxWithMass(3.0, 0.3, 0.2, 0.1)
    trunk, arm = (plant.AddRigidBody(name, inertia) for name in ("trunk", "arm"))
    if free is not None:
        ground = plant.AddFrame(FixedOffsetFrame("ground", plant.world_frame(), PLACED))
        held = plant.AddFrame(FixedOffsetFrame("held", trunk.body_frame(), WITHIN))
        plant.AddJoint(free("trunk", ground, held))
    shoulder = plant.AddFrame(FixedOffsetFrame("shoulder", trunk.body_frame(), WITHIN))
    plant.AddJoint(RevoluteJoint("elbow", shoulder, arm.body_frame(), [0.0, 1.0, 0.0]))
    plant.Finalize()
    return plant


@pytest.mark.parametrize("free", [None, QuaternionFloatingJoint, RpyFloatingJoint])
def test_motion_of_the_whole_robot_is_drakes(free):
    plant = robot(free)
    terms = RobotTerms(plant, ["arm"])
    rng = np.random.default_rng(4)
    q = rng.uniform(0.3, 0.8, plant.num_positions())
    v = rng.normal(size=plant.num_velocities())
    if free is not RpyFloatingJoint:
        q[:4] /= np.linalg.norm(q[:4])
    terms.set_state(np.concatenate([q, v]))
    context, world, kind = terms.context, plant.world_frame(), JacobianWrtVariable.kV
    J = plant.CalcJacobianCenterOfMassTranslationalVelocity(context, kind, world, world)
    bias = plant.CalcBiasCenterOfMassTranslationalAcceleration(context, kind, world, world)
    centre = plant.CalcCenterOfMassPositionInWorld(context)
    momentum = plant.CalcSpatialMomentumInWorldAboutPoint(context, centre).rotational()
    # rounding of products of some ten numbers of order one
    assert terms.p_com == pytest.approx(centre, abs=1e-13)
    assert pytest.approx(J, abs=1e-13) == terms.J_com
    assert terms.bias_com == pytest.approx(bias, abs=1e-12)
    assert terms.momentum == pytest.approx(momentum, abs=1e-12)
    assert terms.gravity == pytest.approx([0.0, 0.0, -9.81], abs=1e-13)
    assert terms.weight == pytest.approx(6.0 * 9.81)
    trunk = plant.GetBodyByName("trunk")
    assert terms.R_trunk == pytest.approx(
        trunk.EvalPoseInWorld(context).rotation().matrix(), abs=1e-14
    )
    # the rate of the momentum that velocities alone give, by their motion at v' = 0
    step = 1e-6
    rates = []
    for sign in (1.0, -1.0):
        moved = q + sign * step * plant.MapVelocityToQDot(context, v)
        terms.set_state(np.concatenate([moved, v]))
        rates.append(terms.momentum)
    terms.set_state(np.concatenate([q, v]))
    assert terms.bias_L == pytest.approx((rates[0] - rates[1]) / (2.0 * step), abs=1e-7)


def test_a_body_on_a_joint_to_what_is_fixed_is_free_and_one_on_another_body_is_not():
    plant = MultibodyPlant(0.0)
    inertia = SpatialInertia.SolidBoxWithMass(1.0, 0.1, 0.1, 0.1)
    table, cup, tied = (plant.AddRigidBody(name, inertia) for name in ("table", "cup", "tied"))
    plant.WeldFrames(plant.world_frame(), table.body_frame(), PLACED)
    plant.AddJoint(QuaternionFloatingJoint("a", table.body_frame(), cup.body_frame()))
    plant.AddJoint(QuaternionFloatingJoint("b", cup.body_frame(), tied.body_frame()))
    plant.Finalize()
    assert [joint.name() for joint in floating_joints(plant).values()] == ["a"]
    assert not plant.GetFloatingBaseBodies()  # Drake's own are those without a joint


def test_a_robot_that_is_held_has_no_base():
    plant = MultibodyPlant(0.0)
    plant.Finalize()
    with pytest.raises(ModelError, match="whose trunk is free in space"):
        RobotTerms(plant, [])
