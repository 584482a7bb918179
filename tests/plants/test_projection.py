"""Positions moved onto closed loops, against Newton's method by singular values."""

import numpy as np
import pytest
from pydrake.math import RigidTransform
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import (
    FixedOffsetFrame,
    PrismaticJoint,
    RevoluteJoint,
    SpatialInertia,
    UniversalJoint,
)

from footfall.errors import ModelError
from footfall.plants.constraints import Ball, BilateralRows, Coupler, Distance, Weld
from footfall.plants.contacts.gaps import joint_table
from footfall.plants.contacts.ground import ground_table
from footfall.plants.dynamics import mass_matrix
from footfall.plants.projection import Projection, Touching

Y = [0.0, 1.0, 0.0]


@pytest.fixture(scope="module")
def plant():
    """A planar crank, rod and slider; a rod on a cardan joint; and two bodies that float."""
    plant = MultibodyPlant(0.0)
    inertia = SpatialInertia.SolidBoxWithMass(1.0, 0.3, 0.2, 0.1)
    world = plant.world_frame()
    crank, rod, slider, arm, _, _ = (
        plant.AddRigidBody(name, inertia)
        for name in ("crank", "rod", "slider", "arm", "free", "other")
    )
    plant.AddJoint(RevoluteJoint("turn", world, crank.body_frame(), Y))
    end = plant.AddFrame(FixedOffsetFrame("end", crank.body_frame(), RigidTransform([0.3, 0, 0])))
    plant.AddJoint(RevoluteJoint("swing", end, rod.body_frame(), Y))
    plant.AddJoint(PrismaticJoint("slide", world, slider.body_frame(), [1.0, 0.0, 0.0]))
    plant.AddJoint(UniversalJoint("cardan", slider.body_frame(), arm.body_frame()))
    plant.Finalize()
    return plant


LOOPS = {
    "redundant in space": [Ball("rod", "slider", [0.7, 0.0, 0.0])],
    "twice the same": [Ball("rod", "slider", [0.7, 0.0, 0.0])] * 2,
    "all kinds": [
        Ball("rod", "slider", [0.7, 0.0, 0.0]),
        Distance("arm", "free", [0.1, 0.2, 0.3], [0.0, 0.1, 0.0], 0.9),
        Weld("free", "other"),
        Coupler("slide", "turn", 0.5, 0.7),
    ],
}


def near(plant, constraints, rng):
    """Rows at positions that are nearly on the loops, and these."""
    context = plant.CreateDefaultContext()
    q = plant.GetPositions(context)
    q[:] += rng.uniform(-0.2, 0.2, len(q))
    for name in ("free", "other"):
        body = plant.GetBodyByName(name)
        start = body.floating_positions_start()
        q[start : start + 4] /= np.linalg.norm(q[start : start + 4])
    return BilateralRows(plant, constraints, context), context, q


def onto(rows, q, mass):
    """Project onto the loops alone."""
    ground, joints = ground_table([], rows.kinematics, RigidTransform()), joint_table([], [])
    links, pairs = np.zeros((0, 2), dtype=np.int64), np.zeros(0, dtype=np.int64)
    gap, places = np.zeros(0), np.zeros((0, 3))
    touching = Touching(ground, joints, links, pairs, places, links, gap, places)
    return Projection(rows, touching).onto_loops(q, mass)


def newton(plant, rows, context, q, mass, steps):
    """The same by singular values in the metric of M."""
    lower = np.linalg.cholesky(mass)
    for _ in range(steps):
        plant.SetPositions(context, q)
        g, G = rows.evaluate()
        half = np.linalg.solve(lower, G.T).T
        change = np.linalg.solve(lower.T, np.linalg.lstsq(half, -g, rcond=1e-9)[0])
        q = q + plant.MapVelocityToQDot(context, change)
        for name in ("free", "other"):
            start = plant.GetBodyByName(name).floating_positions_start()
            q[start : start + 4] /= np.linalg.norm(q[start : start + 4])
    return q


@pytest.mark.parametrize("name", LOOPS)
def test_positions_move_as_little_as_the_metric_allows(plant, name):
    rng = np.random.default_rng(3)
    rows, context, q = near(plant, LOOPS[name], rng)
    plant.SetPositions(context, q)
    mass = mass_matrix(plant, context)
    q = newton(plant, rows, context, q, mass, 30)  # on the loops
    plant.SetPositions(context, q)
    assert np.abs(rows.evaluate()[0]).max() < 1e-12
    off = q + 1e-4 * plant.MapVelocityToQDot(context, rng.normal(size=len(mass)))
    moved, left = onto(rows, off, mass)
    assert left < 1e-13
    plant.SetPositions(context, moved)
    assert np.abs(rows.evaluate()[0]).max() < 1e-13
    np.testing.assert_allclose(
        moved, newton(plant, rows, context, off, mass, 4), rtol=0.0, atol=1e-14
    )
    assert np.abs(moved - off).max() > 1e-5


def test_positions_on_the_loops_stay(plant):
    rows, context, q = near(plant, [Coupler("slide", "turn", 0.5, 0.7)], np.random.default_rng(0))
    q[plant.GetJointByName("slide").position_start()] = (
        0.5 * q[plant.GetJointByName("turn").position_start()] + 0.7
    )
    plant.SetPositions(context, q)
    moved, left = onto(rows, q, mass_matrix(plant, context))
    np.testing.assert_array_equal(moved, q)
    assert left < 1e-15


def test_points_that_coincide_are_refused(plant):
    context = plant.CreateDefaultContext()
    rows = BilateralRows(plant, [Distance("free", "free", distance=1.0)], context)
    q, mass = plant.GetPositions(context), mass_matrix(plant, context)
    with pytest.raises(ModelError, match="coincide"):
        onto(rows, q, mass)
