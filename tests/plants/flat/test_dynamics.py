"""M and h of the flat arrays against Drake's, for every joint that files use, at random states."""

import numpy as np
import pytest
from pydrake.math import RigidTransform, RollPitchYaw
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import (
    BallRpyJoint,
    FixedOffsetFrame,
    LinearSpringDamper,
    MultibodyForces,
    PlanarJoint,
    PrismaticJoint,
    PrismaticSpring,
    QuaternionFloatingJoint,
    RevoluteJoint,
    RevoluteSpring,
    RotationalInertia,
    RpyFloatingJoint,
    ScrewJoint,
    SpatialInertia,
    UniversalJoint,
    WeldJoint,
)

from footfall.plants.coordinates import normalise_quaternions, quaternion_places
from footfall.plants.dynamics import mass_matrix
from footfall.plants.flat.dynamics import full_matrix, mass_and_force, scratch_of
from footfall.plants.flat.tree import flatten

AXIS = np.array([0.6, 0.0, 0.8])
JOINTS = {
    "revolute": lambda name, F, M: RevoluteJoint(name, F, M, AXIS, damping=0.3),
    "prismatic": lambda name, F, M: PrismaticJoint(name, F, M, AXIS, damping=0.3),
    "screw": lambda name, F, M: ScrewJoint(name, F, M, AXIS, 0.7, 0.2),
    "planar": lambda name, F, M: PlanarJoint(name, F, M, [0.1, 0.2, 0.3]),
    "universal": lambda name, F, M: UniversalJoint(name, F, M, 0.2),
    "ball": lambda name, F, M: BallRpyJoint(name, F, M, 0.2),
    "quaternion": lambda name, F, M: QuaternionFloatingJoint(name, F, M, 0.1, 0.2),
    "angles": lambda name, F, M: RpyFloatingJoint(name, F, M, 0.1, 0.2),
}
TURNED = ("revolute", "prismatic")  # that may hang on their child: Drake reverses no others


def _frame(plant, body, name, rng):
    """A frame at some place of a body."""
    X = RigidTransform(RollPitchYaw(*rng.uniform(-1.0, 1.0, 3)), rng.uniform(-0.4, 0.4, 3))
    return plant.AddFrame(FixedOffsetFrame(name, body.body_frame(), X))


def _body(plant, name, rng):
    """A body whose centre of mass is not at its origin, and whose inertia has all six entries."""
    box = RotationalInertia(*rng.uniform(0.9, 1.1, 3), *rng.uniform(-0.1, 0.1, 3))
    mass, com = rng.uniform(0.5, 2.0), rng.uniform(-0.2, 0.2, 3)
    inertia = SpatialInertia.MakeFromCentralInertia(mass, com, mass * box)
    return plant.AddRigidBody(name, inertia)


def chain(kinds, *, turned=(), branches=True):
    """A plant with joints of some kinds one behind the other, a welded body at each, and arms."""
    rng = np.random.default_rng(len(kinds))
    plant = MultibodyPlant(0.0)
    inner = plant.world_body()
    for k, kind in enumerate(kinds):
        body, lump = _body(plant, f"b{k}", rng), _body(plant, f"w{k}", rng)
        plant.AddJoint(
            WeldJoint(
                f"weld{k}", body.body_frame(), lump.body_frame(), RigidTransform([0.1, 0.2, 0.3])
            )
        )
        F, M = _frame(plant, inner, f"f{k}", rng), _frame(plant, body, f"m{k}", rng)
        sides = (M, F) if kind in turned else (F, M)
        joint = plant.AddJoint(JOINTS[kind](f"{kind}{k}", *sides))
        if kind == "revolute":
            actuator = plant.AddJointActuator(f"a{k}", joint)
            actuator.set_default_rotor_inertia(0.01)
            actuator.set_default_gear_ratio(9.0)
            plant.AddForceElement(RevoluteSpring(joint, 0.2, 3.0))
        if kind == "prismatic":
            plant.AddForceElement(PrismaticSpring(joint, 0.1, 40.0))
        if branches:
            arm = _body(plant, f"arm{k}", rng)
            plant.AddJoint(
                RevoluteJoint(
                    f"shoulder{k}", _frame(plant, lump, f"s{k}", rng), arm.body_frame(), AXIS
                )
            )
        inner = lump
    plant.Finalize()
    return plant


def assert_flat_is_drake(plant, tree, seed=0):
    context, rng = plant.CreateDefaultContext(), np.random.default_rng(seed)
    scratch = scratch_of(tree)
    forces = MultibodyForces(plant)
    for _ in range(4):
        q = rng.uniform(-1.2, 1.2, plant.num_positions())
        normalise_quaternions(q, quaternion_places(plant))
        v = rng.normal(size=plant.num_velocities())
        plant.SetPositions(context, q)
        plant.SetVelocities(context, v)
        mass_and_force(tree, scratch, q, v)
        M = mass_matrix(plant, context)
        np.testing.assert_allclose(
            full_matrix(tree.depth, tree.path, scratch.H), M, rtol=0, atol=1e-13 * np.abs(M).max()
        )
        plant.CalcForceElementsContribution(context, forces)
        h = -plant.CalcInverseDynamics(context, np.zeros_like(v), forces)
        np.testing.assert_allclose(scratch.h, h, rtol=0, atol=1e-12 * np.abs(h).max())


@pytest.mark.parametrize("kind", JOINTS)
def test_every_joint_is_as_drake_has_it(kind):
    kinds = [kind] if kind in ("quaternion", "angles") else ["prismatic", kind, kind]
    plant = chain(kinds)
    assert_flat_is_drake(plant, flatten(plant).tree)


def test_all_joints_in_one_tree_and_many_trees():
    plant = chain(["quaternion", "revolute", "screw", "ball", "planar", "universal", "prismatic"])
    assert_flat_is_drake(plant, flatten(plant).tree)


@pytest.mark.parametrize("kind", TURNED)
def test_a_joint_may_hang_on_its_child(kind):
    plant = chain(["revolute", kind, "revolute"], turned=(kind,))
    assert_flat_is_drake(plant, flatten(plant).tree)


def test_what_the_arrays_cannot_hold_is_said():
    plant = MultibodyPlant(0.0)
    bodies = [_body(plant, name, np.random.default_rng(0)) for name in "ab"]
    plant.AddForceElement(
        LinearSpringDamper(bodies[0], [0, 0, 0], bodies[1], [0, 0, 1], 1.0, 9.0, 0.1)
    )
    plant.Finalize()
    links = flatten(plant)
    assert links.why_not == "the model has a LinearSpringDamper"
    assert links.holds_motion
    assert not links.holds_forces


def test_gravity_that_spares_a_model_is_left_to_drake():
    plant = MultibodyPlant(0.0)
    light = plant.AddModelInstance("light")
    plant.AddRigidBody("a", light, SpatialInertia.SolidSphereWithMass(1.0, 0.1))
    plant.set_gravity_enabled(light, False)
    plant.Finalize()
    assert not flatten(plant).holds_motion
