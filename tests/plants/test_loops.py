"""Equations of bilateral constraints in one compiled loop, against what Drake has for them."""

import numpy as np
import pytest
from pydrake.math import RigidTransform, RollPitchYaw
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import (
    FixedOffsetFrame,
    JacobianWrtVariable,
    PrismaticJoint,
    RevoluteJoint,
    SpatialInertia,
    UniversalJoint,
)

from footfall.errors import ModelError
from footfall.plants.constraints import (
    Ball,
    BilateralRows,
    Coupler,
    Distance,
    Weld,
    loop_rows,
)
from footfall.plants.coordinates import somewhere
from footfall.plants.flat import checked
from footfall.plants.flat.tree import flatten

CONSTRAINTS = (
    Ball("a", "b", [0.1, -0.2, 0.3], [0.0, 0.1, 0.2]),
    Distance("on_c", "b", [0.1, 0.0, 0.0], [0.0, 0.3, 0.0], 0.7),
    Weld("on_c", "free"),
    Weld("a", "base"),
    Coupler("turn", "slide", 2.5, 0.1),
)


@pytest.fixture(scope="module", params=["flat", "by Drake"])
def plant(request):
    """A chain of three joints, one of two degrees of freedom, and a body that floats."""
    plant = MultibodyPlant(0.0)
    inertia = SpatialInertia.SolidBoxWithMass(1.0, 0.1, 0.2, 0.3)
    base, a, b, c, _ = (plant.AddRigidBody(name, inertia) for name in ("base", *"abc", "free"))
    plant.WeldFrames(plant.world_frame(), base.body_frame(), RigidTransform([0.0, 0.0, 1.0]))
    X = RigidTransform(RollPitchYaw(0.3, -0.2, 0.5), [0.1, 0.2, -0.3])
    plant.AddJoint(RevoluteJoint("turn", base.body_frame(), a.body_frame(), [0.0, 0.6, 0.8]))
    on_a = plant.AddFrame(FixedOffsetFrame("on_a", a.body_frame(), X))
    plant.AddJoint(PrismaticJoint("slide", on_a, b.body_frame(), [1.0, 0.0, 0.0]))
    plant.AddJoint(UniversalJoint("cardan", b.body_frame(), c.body_frame()))
    plant.AddFrame(FixedOffsetFrame("on_c", c.body_frame(), X))
    plant.Finalize()
    if request.param != "flat":
        checked._read[plant] = flatten(plant)._replace(holds_motion=False)
    return plant


def _rows(plant, context):
    return BilateralRows(plant, CONSTRAINTS, context).evaluate()


def test_jacobians_of_constraints_are_drakes(plant):
    def jacobian(context, name, p):
        frame = plant.GetFrameByName(name)
        world = plant.world_frame()
        return plant.CalcJacobianSpatialVelocity(
            context, JacobianWrtVariable.kV, frame, p, world, world
        )

    for context in somewhere(plant):
        g, G = _rows(plant, context)
        ball, length = CONSTRAINTS[0], CONSTRAINTS[1]
        relative = jacobian(context, "a", ball.p_AP) - jacobian(context, "b", ball.p_BQ)
        np.testing.assert_allclose(G[:3], relative[3:], atol=1e-13)
        points = [
            plant.CalcPointsPositions(context, plant.GetFrameByName(n), p, plant.world_frame())
            for n, p in ((length.a, length.p_AP), (length.b, length.p_BQ))
        ]
        apart = (points[0] - points[1])[:, 0]
        assert g[3] == pytest.approx(np.linalg.norm(apart) - 0.7, abs=1e-13)
        relative = jacobian(context, "on_c", length.p_AP) - jacobian(context, "b", length.p_BQ)
        np.testing.assert_allclose(G[3], apart / np.linalg.norm(apart) @ relative[3:], atol=1e-13)
        origin = np.zeros(3)
        relative = jacobian(context, "on_c", origin) - jacobian(context, "free", origin)
        np.testing.assert_allclose(G[4:10], relative, atol=1e-13)
        np.testing.assert_allclose(G[10:16], jacobian(context, "a", origin), atol=1e-13)


def test_residuals_change_as_the_jacobian_says(plant):
    rng, step = np.random.default_rng(0), 1e-6
    turns = np.isin(np.arange(17), [4, 5, 6, 10, 11, 12])  # whose rate is none of a vector's
    for context in somewhere(plant):
        q, v = plant.GetPositions(context), rng.normal(size=plant.num_velocities())
        _, G = _rows(plant, context)
        rate = plant.MapVelocityToQDot(context, v)
        ends = []
        for way in (step, -step):
            plant.SetPositions(context, q + way * rate)
            ends.append(_rows(plant, context)[0])
        change = (ends[0] - ends[1]) / (2.0 * step)
        np.testing.assert_allclose(change[~turns], (G @ v)[~turns], atol=1e-8)


def test_rows_of_another_state_leave_nothing_behind(plant):
    rows = BilateralRows(plant, CONSTRAINTS, plant.CreateDefaultContext())
    residual, jacobian = np.empty(len(rows)), np.zeros((len(rows), plant.num_velocities()))
    for context in somewhere(plant):
        q = plant.GetPositions(context)
        placed = rows.kinematics
        placed.place(context, q)
        assert loop_rows(rows.table, q, placed.moving, residual, jacobian) == -1
    for have, expected in zip((residual, jacobian), _rows(plant, context), strict=True):
        np.testing.assert_array_equal(have, expected)


def test_a_weld_tells_the_rotation_between_its_frames(plant):
    for context in somewhere(plant):
        g, _ = _rows(plant, context)
        X_WA, X_WB = (plant.GetFrameByName(n).CalcPoseInWorld(context) for n in ("on_c", "free"))
        turn = (X_WA.rotation() @ X_WB.rotation().inverse()).ToAngleAxis()
        np.testing.assert_allclose(g[4:7], turn.angle() * turn.axis(), atol=1e-12)
        np.testing.assert_allclose(g[7:10], X_WA.translation() - X_WB.translation(), atol=1e-13)


@pytest.mark.parametrize("angle", [0.0, 1e-9, 3.0, np.pi])
def test_rotations_of_any_angle_have_a_vector(plant, angle):
    context = plant.CreateDefaultContext()
    plant.GetJointByName("turn").set_angle(context, angle)
    g, _ = _rows(plant, context)
    vector = g[10:13]
    vector = vector if vector[2] >= 0.0 else -vector  # of half a turn either way will do
    np.testing.assert_allclose(vector, angle * np.array([0.0, 0.6, 0.8]), atol=1e-12)


def test_a_coupler_holds_two_joints_together(plant):
    context = plant.CreateDefaultContext()
    turn, slide = (plant.GetJointByName(name) for name in ("turn", "slide"))
    turn.set_angle(context, 0.4)
    slide.set_translation(context, 0.3)
    g, G = _rows(plant, context)
    assert g[16] == pytest.approx(0.4 - 2.5 * 0.3 - 0.1)
    expected = np.zeros(plant.num_velocities())
    expected[[turn.velocity_start(), slide.velocity_start()]] = 1.0, -2.5
    np.testing.assert_array_equal(G[16], expected)


def test_points_that_coincide_have_no_distance(plant):
    context = plant.CreateDefaultContext()
    rows = BilateralRows(plant, [Distance("a", "a", distance=1.0)], context)
    with pytest.raises(ModelError, match="coincide"):
        rows.evaluate()
