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

from footfall.plants.flat import checked, tree
from footfall.plants.flat.tree import flatten
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


@pytest.fixture(params=["flat", "by Drake"])
def kinematics_of(request, monkeypatch):
    """Kinematics of a plant by the arrays, and by Drake's calls, which serve where these fail."""

    def make(plant):
        links = checked.links_of(plant)
        assert links.holds_motion
        assert links.why_not == ""
        if request.param == "by Drake":
            links = links._replace(holds_motion=False, holds_forces=False)
        monkeypatch.setattr("footfall.plants.kinematics.links_of", lambda _: links)
        return Kinematics(plant)

    return make


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_poses_and_jacobians_are_drakes(kind, kinematics_of):
    plant = _chain(kind)
    kinematics = kinematics_of(plant)
    generator = np.random.default_rng(4)
    for _ in range(5):
        context, q = _random_state(plant, generator)
        kinematics.place(context, q)
        links, twists = kinematics.tree, kinematics.twists
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
            arm = X_WB.multiply(p_BQ) - kinematics.poses[links.reference[link], :, 3]
            columns = np.zeros_like(expected)
            moving = links.path[links.last[link], : links.depth[links.last[link]] + 1]
            columns[:, moving] = (twists[moving, 3:] + np.cross(twists[moving, :3], arm)).T
            assert np.allclose(columns, expected, atol=1e-13)


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_positions_advance_at_the_rates_that_drake_has(kind, kinematics_of):
    plant = _chain(kind)
    kinematics, generator = kinematics_of(plant), np.random.default_rng(5)
    for _ in range(5):
        context, q = _random_state(plant, generator)
        v = generator.uniform(-1.0, 1.0, plant.num_velocities())
        expected = q + 0.1 * plant.MapVelocityToQDot(context, v)
        expected[:4] /= np.linalg.norm(expected[:4])
        # angles of pitch keep away from pi/2, where their rates grow without bound
        assert np.allclose(kinematics.advanced(q, v, 0.1), expected, rtol=1e-13, atol=1e-14)


def test_wrenches_do_the_work_of_their_forces_at_their_points(kinematics_of):
    # power of force and torque on a body by the velocities that Drake has
    plant = _chain(KINDS["planar"])
    kinematics, generator = kinematics_of(plant), np.random.default_rng(6)
    context, q = _random_state(plant, generator)
    v, p_B, force, torque = (generator.normal(size=n) for n in (plant.num_velocities(), 3, 3, 3))
    plant.SetVelocities(context, v)
    kinematics.place(context, q)
    for name in ("bracket", "tip", "stray"):
        body, total = plant.GetBodyByName(name), np.zeros(len(v))
        p_W = kinematics.point(body, p_B)
        kinematics.add_wrench(body, p_W, force, torque, total)
        X_WB, V = body.EvalPoseInWorld(context), body.EvalSpatialVelocityInWorld(context)
        assert np.allclose(p_W, X_WB.multiply(p_B), atol=1e-14)
        v_W = V.translational() + np.cross(V.rotational(), p_W - X_WB.translation())
        assert total @ v == pytest.approx(force @ v_W + torque @ V.rotational(), rel=1e-12)


def test_arrays_that_say_something_else_than_drake_do_not_serve(monkeypatch):
    plant = _chain(KINDS["revolute"])
    right = flatten(plant)
    wrong = {
        "mass": right.tree._replace(mass=1.001 * right.tree.mass),
        "links": right.tree._replace(p=right.tree.p + 1e-6),
        "forces": right.tree._replace(gravity=0.5 * right.tree.gravity),
    }
    assert checked.difference(plant, right) == ""
    for otherwise in wrong.values():
        assert checked.difference(plant, right._replace(tree=otherwise)) != ""
    monkeypatch.setattr(checked, "flatten", lambda _: right._replace(tree=wrong["mass"]))
    links = checked.links_of(plant)
    assert not links.holds_motion
    assert links.why_not == (
        "Drake works out the motion, which takes longer: the compiled mass matrix is not Drake's"
    )


def test_a_joint_that_the_arrays_do_not_know_moves_as_drake_says(monkeypatch):
    monkeypatch.delitem(tree._FREE, BallRpyJoint)
    plant = _chain(KINDS["ball"])
    kinematics = Kinematics(plant)
    assert "joint 'j' is a ball_rpy joint" in kinematics.links.why_not
    context, q = _random_state(plant, np.random.default_rng(7))
    kinematics.place(context, q)
    tip = plant.GetBodyByName("tip")
    assert np.allclose(kinematics.point(tip, np.ones(3)), tip.EvalPoseInWorld(context) @ np.ones(3))
