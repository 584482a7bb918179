"""The thesis's inverse kinematics: it closes the loop, and the controller's finds the same."""

import functools

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from tests.machines.humanoid.printed_touchdown import posture, rates, roll
from tests.machines.humanoid.recursion import links
from tests.machines.humanoid.walkers import DOUBLE, context, equations

from footfall.errors import RunError
from footfall.machines.humanoid.closed_form.parameters import HumanoidParameters
from footfall.machines.humanoid.closed_form.phases import moving_joints
from footfall.machines.humanoid.closed_form.walker import Ground, trunk_motion
from footfall.machines.humanoid.constrained_plant import Coordinates
from footfall.machines.humanoid.control import _landing
from footfall.machines.humanoid.supports import heels, support
from footfall.plants.supports import Support
from footfall_controllers.touchdown_kinematics import Landing, TouchdownKinematics

P = HumanoidParameters(toe_share=0.001).numbers()


def stride_of(seed, phase):
    """Place and roll of a trunk, heels (2, 3), and the ground of a phase under them."""
    generator = np.random.default_rng(seed)
    O1 = np.array([*generator.uniform(-0.05, 0.05, 2), generator.uniform(0.72, 0.8)])
    rolled = generator.uniform(-0.1, 0.1)
    side = np.array([0.5, -0.5]) * P.a1 + generator.uniform(-0.03, 0.03, 2)
    ahead = generator.uniform(0.05, 0.2, 2) * [1.0, -1.0]
    x = ahead if phase.side == 0 else ahead[::-1]
    places = np.column_stack([x, side, np.zeros(2)])
    ankle = places[phase.side] + [0.0, 0.0, P.a10]
    toe = places[1 - phase.side] + [P.d10, 0.0, 0.0]
    return O1, rolled, places, Ground(int(phase), ankle, toe)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("phase", DOUBLE)
def test_it_closes_the_loop_where_trunk_and_heels_are(phase, seed):
    O1, rolled, places, ground = stride_of(seed, phase)
    angle = posture(P, O1, rolled, places)
    assert not angle[10:].any()  # toes
    assert (angle[[4, 5]] > 0.0).all()  # knees bend backwards
    moving = links(P, ground, angle, np.zeros(12), np.zeros(12))
    assert moving[0].o == pytest.approx(O1, abs=1e-12)
    assert pytest.approx(Rotation.from_euler("x", rolled).as_matrix(), abs=1e-12) == moving[0].R
    for side in range(2):
        foot = moving[5 + 6 * side]
        assert pytest.approx(np.eye(3), abs=1e-12) == foot.R
        assert foot.o - [0.0, 0.0, P.a10] == pytest.approx(places[side], abs=1e-12)
    assert roll(angle, phase.side) == pytest.approx(rolled, abs=1e-12)  # (3.157), upright


@pytest.mark.parametrize(
    ("O1", "heel", "words"),
    [
        ((0.0, 0.0, 0.9), 0.0, "the left foot is 0.8376 m from its hip, and its leg reaches"),
        ((0.0, 0.0, 0.8), 0.5, "the left foot is 0.8911 m from its hip, and its leg reaches"),
    ],
)
def test_what_no_leg_reaches_is_one_line(O1, heel, words):
    places = np.array([[heel, 0.5 * P.a1, 0.0], [0.0, -0.5 * P.a1, 0.0]])
    with pytest.raises(RunError) as caught:
        posture(P, np.array(O1), 0.0, places)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@functools.cache
def controllers():
    """The shipped landing, and one that keeps the foot behind level as the thesis does."""
    plant = context().model.plant
    shipped = [_landing(P, phase) for phase in DOUBLE]
    level = [
        Landing(
            Support(support(phase).held, ("left_toe", "right_toe")), level=(heels(P)[phase.side],)
        )
        for phase in DOUBLE
    ]
    return (
        TouchdownKinematics(plant, "hat", shipped),
        TouchdownKinematics(plant, "hat", level),
        Coordinates(plant, P),
    )


def before(seed, phase):
    """Angles, rates and ground of a walker whose swinging foot comes down, almost level."""
    O1, rolled, places, _ = stride_of(seed, phase)
    generator = np.random.default_rng(seed)
    angle = posture(P, O1, rolled, places)
    angle[:10] += generator.uniform(-0.02, 0.02, 10)
    stands = phase.side * -2 + 3  # the other foot's single support
    ankle = places[1 - phase.side] + [0.0, 0.0, P.a10]
    rate = np.append(generator.normal(size=10), [0.0, 0.0])
    return angle, rate, Ground(stands, ankle, np.zeros(3))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("phase", DOUBLE)
def test_the_controllers_posture_is_the_thesiss(phase, seed):
    _, level, coordinates = controllers()
    angle, rate, ground = before(seed, phase)
    landed, error = level.land(coordinates.state(ground, angle, rate), DOUBLE.index(phase))
    trunk = trunk_motion(P, ground, angle, rate)
    rolled = np.arctan2(trunk.R[2, 1], trunk.R[2, 2])
    moving = links(P, ground, angle, rate, np.zeros(12))
    places = np.array([moving[5 + 6 * s].o - P.a10 * moving[5 + 6 * s].R[:, 2] for s in range(2)])
    places[:, 2] = 0.0
    expected = posture(P, trunk.p, rolled, places)
    # it weighs pitch and yaw against roundings where the legs hardly give them, and tells the rest
    lost = np.linalg.norm(error[:3])
    assert lost < 1e-4
    assert coordinates.angles(landed)[:12] == pytest.approx(expected, abs=1e-8 + 10.0 * lost)
    # the thesis's roll leaves out what pitch and yaw of the trunk have to do with it
    assert roll(angle, 1 - phase.side) == pytest.approx(rolled, abs=2e-3)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("phase", DOUBLE)
def test_the_controllers_rates_are_the_thesiss(phase, seed):
    shipped, _, coordinates = controllers()
    O1, rolled, places, ground = stride_of(seed, phase)
    angle = posture(P, O1, rolled, places)
    rate = np.append(np.random.default_rng(seed).normal(size=10), [0.0, 0.0])
    stood = Ground(3 - 2 * phase.side, places[1 - phase.side] + [0.0, 0.0, P.a10], np.zeros(3))
    trunk = trunk_motion(P, stood, angle, rate)
    found = rates(P, ground, angle, trunk.w, trunk.v)
    landed, error = shipped.land(coordinates.state(stood, angle, rate), DOUBLE.index(phase))
    after = coordinates.angles(landed)
    assert after[:12] == pytest.approx(angle, abs=1e-8)
    # the loop is closed by rates of either; the least singular value of its equations is 0.02
    loop = equations(P, ground, angle, found.rate)
    assert loop.closure @ found.rate[moving_joints(phase)] == pytest.approx(np.zeros(6), abs=1e-9)
    assert error[3:] == pytest.approx(found.lacks, abs=1e-6)
    assert after[12:] == pytest.approx(found.rate, abs=1e-5 * np.abs(found.rate).max())


@pytest.mark.parametrize("phase", DOUBLE)
def test_straight_ahead_nothing_is_lost_but_yaw(phase):
    shipped, _, coordinates = controllers()
    _, _, places, _ = stride_of(2, phase)
    places[:, 1] = 0.5 * P.a1, -0.5 * P.a1
    angle = posture(P, np.array([0.0, 0.0, 0.78]), 0.0, places)
    ground = Ground(
        int(phase),
        places[phase.side] + [0.0, 0.0, P.a10],
        places[1 - phase.side] + [P.d10, 0.0, 0.0],
    )
    w, v = np.array([0.1, -0.2, 0.3]), np.array([0.4, 0.05, -0.1])
    found = rates(P, ground, angle, w, v)
    assert found.lacks == pytest.approx([0.0, 0.0, -0.3, 0.0, 0.0, 0.0], abs=1e-10)
    assert np.abs(found.rate).max() < 5.0
    rate = found.rate.copy()
    landed, error = shipped.land(coordinates.state(ground, angle, rate), DOUBLE.index(phase))
    assert coordinates.angles(landed)[12:] == pytest.approx(rate, abs=1e-6)
    assert error == pytest.approx(np.zeros(9), abs=1e-6)
