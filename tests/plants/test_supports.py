"""Supports: what they leave free, and what follows from what is chosen."""

import numpy as np
import pytest
import scipy.linalg
from pydrake.math import RigidTransform, RotationMatrix
from tests.machines.humanoid.walkers import DOUBLE, PHASES, SINGLE, context, walker

from footfall.errors import ModelError
from footfall.machines.humanoid.closed_form.phases import JOINTS, SIDES
from footfall.machines.humanoid.constrained_plant import Coordinates
from footfall.machines.humanoid.model import stride, stride_ground, support
from footfall.plants.support_motions import CUT, cheapest, completed, free_motions
from footfall.plants.supports import FreeVelocities, Support, SupportRows, stand_on

pytestmark = pytest.mark.slow


def rows_of(phase, seed=0, flat=False):
    """Rows of a phase's support, a context in a random posture (or on level feet), and v."""
    plant = context().model.plant
    w = walker(phase, seed, toe_share=0.001)
    ground, angle = w.ground, w.angle
    if flat:
        ground = stride_ground(w.p, phase, 0.08, 0.12)
        angle = stride(w.p, phase, 0.78, 0.08, 0.12)
    own = plant.CreateDefaultContext()
    state = Coordinates(plant, w.p).state(ground, angle, w.rate)
    plant.SetPositionsAndVelocities(own, state)
    return SupportRows(plant, support(phase)), own, plant


def joints(plant, *names):
    return [plant.GetJointByName(name).velocity_start() for name in names]


@pytest.mark.slow
@pytest.mark.parametrize(("phase", "left"), [(p, 5 if p in DOUBLE else 10) for p in PHASES])
def test_a_support_leaves_the_thesiss_degrees_of_freedom(phase, left):
    rows, own, _ = rows_of(phase)
    J = rows.jacobian(own)
    N = free_motions(J)
    assert N.shape == (18, left)
    assert pytest.approx(np.zeros((len(J), left)), abs=1e-13) == J @ N
    assert pytest.approx(np.eye(left), abs=1e-13) == N.T @ N


@pytest.mark.parametrize("phase", DOUBLE)
def test_level_feet_leave_one_more_degree_of_freedom(phase):
    rows, own, _ = rows_of(phase, flat=True)
    assert free_motions(rows.jacobian(own)).shape == (18, 6)


@pytest.mark.slow
@pytest.mark.parametrize("phase", SINGLE)
def test_what_follows_from_chosen_joints_satisfies_the_support(phase):
    rows, own, plant = rows_of(phase)
    names = [name for name in JOINTS if "toe" not in name]
    free = joints(plant, *names)
    motions = FreeVelocities(18, free).under(rows.jacobian(own))
    given = np.random.default_rng(1).normal(size=10)
    a = completed(motions, rows.bias(own), given)
    assert a[free] == pytest.approx(given, abs=1e-12)
    assert rows.jacobian(own) @ a + rows.bias(own) == pytest.approx(np.zeros(rows.size), abs=1e-11)
    assert rows.jacobian(own) @ motions.directions == pytest.approx(
        np.zeros((rows.size, 10)), abs=1e-12
    )


@pytest.mark.parametrize("phase", DOUBLE)
def test_more_chosen_joints_than_are_free_get_the_nearest_motion(phase):
    rows, own, plant = rows_of(phase)
    free = joints(plant, *(name for name in JOINTS if "toe" not in name))  # ten, of five
    motions = FreeVelocities(18, free).under(rows.jacobian(own))
    J, bias = rows.jacobian(own), rows.bias(own)
    given = np.random.default_rng(2).normal(size=10)
    a = completed(motions, bias, given)
    assert J @ a + bias == pytest.approx(np.zeros(rows.size), abs=1e-10)
    # no motion that the support allows brings them nearer
    N = free_motions(J)
    assert N[free].T @ (a[free] - given) == pytest.approx(np.zeros(5), abs=1e-10)


@pytest.mark.parametrize("phase", PHASES)
def test_cheapest_accelerations_are_the_least_that_the_support_allows(phase):
    rows, own, plant = rows_of(phase, 3)
    free = joints(plant, *(name for name in JOINTS if "toe" not in name))
    J, bias = rows.jacobian(own), rows.bias(own)
    motions = FreeVelocities(18, free).under(J)
    generator = np.random.default_rng(3)
    root, K = generator.normal(size=(10, 10)), generator.normal(size=10)
    G = root @ root.T + np.eye(10)
    a = cheapest(motions, G, K, bias)
    assert J @ a + bias == pytest.approx(np.zeros(rows.size), abs=1e-9)
    slope = free_motions(J)[free].T @ (G @ a[free] + K)
    assert slope == pytest.approx(np.zeros(len(slope)), abs=1e-9 * np.abs(G @ a[free]).max())


@pytest.mark.parametrize("phase", DOUBLE)
def test_fewer_chosen_joints_than_are_free_give_the_least_motion(phase):
    """Five joints of a flat leg on two level feet, whose loop leaves six motions."""
    rows, own, plant = rows_of(phase, 4, flat=True)
    free = joints(plant, *(n for n in JOINTS if n.startswith(SIDES[phase.side]) and "toe" not in n))
    J, bias = rows.jacobian(own), rows.bias(own)
    generator = np.random.default_rng(4)
    root, K = generator.normal(size=(5, 5)), generator.normal(size=5)
    G = root @ root.T + np.eye(5)
    a = cheapest(FreeVelocities(18, free).under(J), G, K, bias)
    N = free_motions(J)
    assert N.shape == (18, 6)
    assert N[free].T @ (G @ a[free] + K) == pytest.approx(np.zeros(6), abs=1e-9)
    unseen = N @ scipy.linalg.null_space(N[free])  # motions that none of the five shows
    assert unseen.shape == (18, 1)
    assert unseen.T @ a == pytest.approx([0.0], abs=1e-9)
    left = J @ a + bias
    assert left - free_part(J, left) == pytest.approx(np.zeros(len(J)), abs=1e-9)


def free_part(J, values):
    """Part of values (m,) that no motion changes: it is cut."""
    U, sizes, _ = np.linalg.svd(J)
    return U[:, (sizes <= CUT).nonzero()[0]] @ U[:, (sizes <= CUT).nonzero()[0]].T @ values


def test_standing_on_a_frame_moves_the_robot_and_no_joint():
    _, own, plant = rows_of(PHASES[1])
    frame = plant.GetFrameByName("left_foot")
    target = RigidTransform(RotationMatrix.MakeZRotation(0.3), [1.0, 2.0, 0.5])
    before = plant.GetPositions(own)
    stand_on(plant, own, frame, target)
    assert frame.CalcPoseInWorld(own).IsNearlyEqualTo(target, 1e-12)
    assert np.array_equal(plant.GetPositions(own)[7:], before[7:])


@pytest.mark.parametrize(
    ("wrong", "says"),
    [(Support(("left_fot",)), "left_fot"), (Support(("left_foot",), ("left_tow",)), "left_tow")],
)
def test_unknown_links_and_joints_of_a_support_are_refused(wrong, says):
    with pytest.raises(ModelError, match=says):
        SupportRows(context().model.plant, wrong)
