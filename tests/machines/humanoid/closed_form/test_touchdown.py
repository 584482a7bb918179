"""The landing of the walker: its posture closes the loop, its rates come nearest to the trunk's."""

import functools

import numpy as np
import pytest
import scipy.linalg
from scipy.spatial.transform import Rotation
from tests.machines.humanoid.recursion import links
from tests.machines.humanoid.walkers import DOUBLE, context, equations

from footfall.machines.humanoid.closed_form.parameters import HumanoidParameters
from footfall.machines.humanoid.closed_form.phases import moving_joints
from footfall.machines.humanoid.closed_form.walker import Ground, trunk_motion
from footfall.machines.humanoid.constrained_plant import Coordinates
from footfall.machines.humanoid.control import _landing
from footfall.machines.humanoid.model import heels, stride, stride_ground, support
from footfall.plants.supports import Support
from footfall_controllers.touchdown_kinematics import Landing, TouchdownKinematics

P = HumanoidParameters(toe_share=0.001).numbers()
UP = np.array([0.0, 0.0, P.a10])


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
    kinds = {"shipped": shipped, "level": level}
    return {kind: TouchdownKinematics(plant, "hat", each) for kind, each in kinds.items()}


def landed(kind, phase, seed):
    """Links before and after a foot comes down almost level; ground and angles then."""
    coordinates = Coordinates(context().model.plant, P)
    generator = np.random.default_rng(seed)
    ahead, behind = generator.uniform(0.05, 0.2, 2)
    angle = stride(P, phase, generator.uniform(0.72, 0.8), ahead, behind, 0.02 * seed)
    angle[:10] += generator.uniform(-0.02, 0.02, 10)
    rate = np.append(generator.normal(size=10), [0.0, 0.0])
    stands = stride_ground(P, phase, ahead, behind).toe - [P.d10, 0.0, 0.0] + UP
    ground = Ground(3 - 2 * phase.side, stands, np.zeros(3))  # the other foot's single support
    before = links(P, ground, angle, rate, np.zeros(12))
    foot = before[5 + 6 * phase.side]
    heel = (foot.o - P.a10 * foot.R[:, 2]) * [1.0, 1.0, 0.0]
    state = controllers()[kind].land(coordinates.state(ground, angle, rate), DOUBLE.index(phase))
    own = Ground(int(phase), heel + UP, before[6 + 6 * (1 - phase.side)].o)
    angle, rate = coordinates.angles(state).reshape(2, 12)
    return before, links(P, own, angle, rate, np.zeros(12)), own, angle


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("phase", DOUBLE)
@pytest.mark.parametrize("kind", ["shipped", "level"])
def test_the_foot_is_level_where_its_heel_was_and_the_trunk_is_carried_on(kind, phase, seed):
    before, after, ground, angle = landed(kind, phase, seed)
    trunk, other = after[0], 1 - phase.side
    # followed from the foot that came down, trunk and other foot are where they were
    assert trunk.o == pytest.approx(before[0].o, abs=1e-9)
    toe = after[6 + 6 * other]
    assert toe.o == pytest.approx(ground.toe, abs=1e-9)
    assert pytest.approx(np.eye(3), abs=1e-9) == toe.R
    if kind == "level":
        assert np.abs(angle[10:]).max() < 1e-4
    assert (angle[[4, 5]] > 0.0).all()  # knees bend backwards
    # the roll goes on (3.157), pitch and yaw end; what legs cannot give of it is little
    R = before[0].R
    wanted = Rotation.from_euler("x", np.arctan2(R[2, 1], R[2, 2]))
    lacks = (Rotation.from_matrix(trunk.R) * wanted.inv()).magnitude()
    # (a leg on its toe gives little pitch beside the posture where the loop loses rank)
    assert lacks < (1e-4 if kind == "level" else 1e-2)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("phase", DOUBLE)
def test_rates_after_it_close_the_loop_and_come_nearest_to_the_trunks(phase, seed):
    before, after, ground, angle = landed("shipped", phase, seed)
    toe = after[6 + 6 * (1 - phase.side)]
    fastest = max(np.abs(link.w).max() for link in after)
    assert np.abs([toe.v, toe.w]).max() < 1e-9 * fastest
    lacks = np.concatenate([after[0].w - before[0].w, after[0].v - before[0].v])
    # no rates that the loop allows lessen what is lacking, (3.198)
    free = np.zeros((12, 5))
    closure = equations(P, ground, angle, np.zeros(12)).closure
    free[moving_joints(phase)] = scipy.linalg.null_space(closure)
    moved = [trunk_motion(P, ground, angle, rate) for rate in free.T]
    moves = np.array([[*trunk.w, *trunk.v] for trunk in moved])
    assert moves @ lacks == pytest.approx(np.zeros(5), abs=1e-7)
    assert np.linalg.norm(lacks) > 1e-3
