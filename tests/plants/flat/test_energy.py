"""Energies and forces of the flat arrays against Drake's, for every joint that files use."""

import numpy as np
import pytest
from pydrake.math import RigidTransform
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import (
    LinearSpringDamper,
    MultibodyForces,
    PrismaticJoint,
    SpatialInertia,
    WeldJoint,
)
from tests.plants.flat.test_dynamics import JOINTS, chain

from footfall.energy.reader import EnergyReader
from footfall.plants.coordinates import (
    joint_damping,
    normalise_quaternions,
    quaternion_places,
)
from footfall.plants.dynamics import mass_matrix

CHAINS = [[kind] if kind in ("quaternion", "angles") else ["prismatic", kind] for kind in JOINTS]
ALL = ["quaternion", "revolute", "screw", "ball", "planar", "universal", "prismatic"]


def states_of(plant, seed=0):
    rng = np.random.default_rng(seed)
    states = rng.uniform(-1.2, 1.2, (4, plant.num_multibody_states()))
    normalise_quaternions(states, quaternion_places(plant))
    return states


def assert_reads_as_drake(plant):
    frames = [plant.GetFrameByName("f0"), plant.GetFrameByName("b0"), plant.world_frame()]
    reader, states = EnergyReader(plant, frames), states_of(plant)
    assert reader._flat is not None
    read, other = reader.read(states), reader.kinetic(states, states[::-1])
    context, applied = plant.CreateDefaultContext(), MultibodyForces(plant)
    for k, state in enumerate(states):
        plant.SetPositionsAndVelocities(context, state)
        M, v = mass_matrix(plant, context), plant.GetVelocities(context)
        assert read.kinetic[k] == pytest.approx(0.5 * v @ M @ v, rel=1e-13)
        v = states[-1 - k, -len(v) :]
        assert other[k] == pytest.approx(0.5 * v @ M @ v, rel=1e-13)
        potential = plant.CalcPotentialEnergy(context)
        assert read.potential[k] == pytest.approx(potential, rel=1e-13, abs=1e-12)
        for place, frame in zip(read.p_WF[k], frames, strict=True):
            p_WF = frame.CalcPoseInWorld(context).translation()
            np.testing.assert_allclose(place, p_WF, rtol=0, atol=1e-14)
        plant.CalcForceElementsContribution(context, applied)
        still = np.zeros(len(v))
        h = -plant.CalcInverseDynamics(context, still, applied)
        h += joint_damping(plant) * plant.GetVelocities(context)
        np.testing.assert_allclose(
            reader.forces(states[k : k + 1])[0], h, rtol=0, atol=1e-12 * np.abs(h).max()
        )


@pytest.mark.parametrize("kinds", [*CHAINS, ALL], ids="-".join)
def test_energies_places_and_forces_are_as_drake_has_them(kinds):
    assert_reads_as_drake(chain(kinds))


def cart(*, spring=False):
    """A cart on a slide, and a lump that is welded to the world; a spring between them."""
    plant = MultibodyPlant(0.0)
    inertia = SpatialInertia.SolidBoxWithMass(2.0, 0.1, 0.2, 0.3)
    lump, body = plant.AddRigidBody("lump", inertia), plant.AddRigidBody("b0", inertia)
    world = plant.world_frame()
    plant.AddJoint(WeldJoint("weld", world, lump.body_frame(), RigidTransform([0.0, 0.0, 3.0])))
    plant.AddJoint(PrismaticJoint("f0", world, body.body_frame(), [0.0, 0.6, 0.8]))
    if spring:
        plant.AddForceElement(LinearSpringDamper(lump, [0, 0, 0], body, [0, 0, 0], 1.0, 9.0, 0.0))
    plant.Finalize()
    return plant


@pytest.mark.parametrize("spring", [False, True])
def test_what_the_arrays_cannot_hold_is_asked_of_drake(spring):
    plant = cart(spring=spring)
    reader, states = EnergyReader(plant), np.array([[0.3, 0.7]])
    assert (reader._flat is None) == spring
    for g in (9.81, 1.6):  # gravity may change in a run
        plant.mutable_gravity_field().set_gravity_vector([0.0, 0.0, -g])
        stretch = np.hypot(0.6 * 0.3, 3.0 - 0.8 * 0.3) - 1.0
        stored = 0.5 * 9.0 * stretch**2 if spring else 0.0
        read = reader.read(states)
        assert read.potential[0] == pytest.approx(2.0 * g * (3.0 + 0.8 * 0.3) + stored, rel=1e-13)
        assert read.kinetic[0] == pytest.approx(0.5 * 2.0 * 0.7**2, rel=1e-13)
        pull = 9.0 * stretch * (0.8 * 3.0 - 0.3) / (stretch + 1.0) if spring else 0.0
        assert reader.forces(states)[0] == pytest.approx(-2.0 * g * 0.8 + pull, rel=1e-13)


def test_a_plant_in_which_nothing_moves_has_its_height():
    plant = MultibodyPlant(0.0)
    lump = plant.AddRigidBody("lump", SpatialInertia.SolidBoxWithMass(2.0, 0.1, 0.2, 0.3))
    X_WL = RigidTransform([0.0, 0.0, 3.0])
    plant.AddJoint(WeldJoint("weld", plant.world_frame(), lump.body_frame(), X_WL))
    plant.Finalize()
    read = EnergyReader(plant).read(np.zeros((1, 0)))
    assert read.potential == pytest.approx([2.0 * 9.81 * 3.0], rel=1e-13)
    assert read.kinetic == [0.0]
