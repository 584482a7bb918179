"""Poses and Jacobians out of the kernels against Drake's own, for joints of every kind."""

import numpy as np
import pytest
from pydrake.math import RigidTransform, RotationMatrix
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import (
    BallRpyJoint,
    FixedOffsetFrame,
    JacobianWrtVariable,
    PlanarJoint,
    PrismaticJoint,
    RevoluteJoint,
    RpyFloatingJoint,
    ScrewJoint,
    SpatialInertia,
    UnitInertia,
    UniversalJoint,
    WeldJoint,
)

from footfall.plants.kinematics import Kinematics

AXIS = np.array([0.36, 0.48, 0.8])

KINDS = {
    "revolute": lambda f, m: RevoluteJoint("j", f, m, AXIS),
    "prismatic": lambda f, m: PrismaticJoint("j", f, m, AXIS),
    "screw": lambda f, m: ScrewJoint("j", f, m, AXIS, 0.7, 0.0),
    "planar": lambda f, m: PlanarJoint("j", f, m),
    "ball": lambda f, m: BallRpyJoint("j", f, m),
    "universal": lambda f, m: UniversalJoint("j", f, m),
    "rpy floating": lambda f, m: RpyFloatingJoint("j", f, m),
}


def _pose(generator):
    turn = RotationMatrix.MakeXRotation(generator.uniform(-3.0, 3.0)) @ (
        RotationMatrix.MakeZRotation(generator.uniform(-3.0, 3.0))
    )
    return RigidTransform(turn, generator.uniform(-1.0, 1.0, 3))


def _chain(kind):
    """A floating base, a bracket welded to it, an arm on a joint of some kind, a tip on a hinge."""
    generator = np.random.default_rng(3)
    plant = MultibodyPlant(0.0)
    bodies = [
        plant.AddRigidBody(name, SpatialInertia(1.0, np.zeros(3), UnitInertia.SolidSphere(0.1)))
        for name in ("base", "bracket", "arm", "tip", "stray")
    ]
    base, bracket, arm, tip, stray = bodies

    def frame(body):
        return plant.AddFrame(
            FixedOffsetFrame(f"{body.name()}_{generator.integers(1 << 30)}", body, _pose(generator))
        )

    plant.AddJoint(WeldJoint("w", base.body_frame(), bracket.body_frame(), _pose(generator)))
    plant.AddJoint(kind(frame(bracket), frame(arm)))
    plant.AddJoint(RevoluteJoint("hinge", frame(arm), frame(tip), AXIS))
    # declared from the outer body to the inner one
    plant.AddJoint(RevoluteJoint("back", frame(stray), frame(tip), AXIS))
    plant.Finalize()
    return plant


def _random_state(plant, generator):
    context = plant.CreateDefaultContext()
    for _ in range(2):
        step = plant.MapVelocityToQDot(
            context, generator.uniform(-1.0, 1.0, plant.num_velocities())
        )
        q = plant.GetPositions(context) + step
        q[:4] /= np.linalg.norm(q[:4])
        plant.SetPositions(context, q)
    return context, q


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_poses_and_jacobians_are_drakes(kind):
    plant = _chain(kind)
    kinematics = Kinematics(plant)
    generator = np.random.default_rng(4)
    for _ in range(5):
        context, q = _random_state(plant, generator)
        kinematics.place(context, q)
        tree, twists = kinematics.tree, kinematics.twists
        for name in ("base", "bracket", "arm", "tip", "stray"):
            body = plant.GetBodyByName(name)
            link = kinematics.link_of(body)
            X_WL = RigidTransform(
                RotationMatrix(kinematics.poses[link, :, :3]), kinematics.poses[link, :, 3]
            )
            found = X_WL @ kinematics.within(body.body_frame())
            X_WB = plant.EvalBodyPoseInWorld(context, body)
            # sums of a few products of lengths of a metre down a chain of four links
            assert np.allclose(found.GetAsMatrix34(), X_WB.GetAsMatrix34(), atol=1e-14)
            p_BQ = generator.uniform(-1.0, 1.0, 3)
            expected = plant.CalcJacobianTranslationalVelocity(
                context, JacobianWrtVariable.kV, body.body_frame(), p_BQ,
                plant.world_frame(), plant.world_frame(),
            )  # fmt: skip
            arm = X_WB.multiply(p_BQ) - kinematics.poses[tree.reference[link], :, 3]
            columns = np.zeros_like(expected)
            moving = tree.path[tree.last[link], : tree.depth[tree.last[link]] + 1]
            columns[:, moving] = (twists[moving, 3:] + np.cross(twists[moving, :3], arm)).T
            assert np.allclose(columns, expected, atol=1e-13)
