"""The thesis's equations against Drake's plant on held feet, and where the loop loses rank."""

import functools

import numpy as np
import pytest
from tests.machines.humanoid.recursion import joint_wrenches, links
from tests.machines.humanoid.walkers import (
    DOUBLE,
    PHASES,
    ROLL,
    Walker,
    context,
    equations,
    walker,
)

from footfall.machines.humanoid.closed_form.walker import CUT, accelerations, solve_phase
from footfall.machines.humanoid.constrained_plant import DrakeDynamics
from footfall.machines.humanoid.model import parameters_of, stride, stride_ground


def rank(closure):
    """Rank of a loop's equations, but for what is cut."""
    return np.linalg.matrix_rank(closure, tol=CUT)


@functools.cache
def drake():
    """Drake's equations of the shipped model, and its numbers."""
    model = context().model
    numbers = parameters_of(model).numbers()
    return DrakeDynamics(model, numbers), numbers


def close(value, expected, relative):
    return np.abs(value - expected).max() <= relative * np.abs(expected).max()


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("phase", PHASES)
def test_both_give_the_same_accelerations_and_reactions(phase, seed):
    w = walker(phase, seed, toe_share=0.001)
    one = accelerations(w.p, w.ground, w.angle, w.rate, w.torque, CUT)
    other = drake()[0](w.ground, w.angle, w.rate, w.torque)
    assert drake()[1] == pytest.approx(w.p, rel=1e-12)
    # the least inertia is a toe's in Drake's plant, 1e-6 of the walker's; here 1e-14 is seen
    assert close(one.angles, other.angles, 1e-10)
    assert close(one.wrench, other.wrench, 1e-10)


def level(phase, roll=0.0, seed=0):
    """A walker flat on both feet, straight ahead; roll: of both legs and back of the feet.

    It moves straight ahead as well. Rates that roll would open the loop as (3.101) tells no more:
    their products with pitches turn one leg's trunk against the other's.
    """
    _, p = drake()
    angle = stride(p, phase, 0.8, 0.08, 0.12)
    angle[[0, 1]], angle[[8, 9]] = roll, -roll
    generator = np.random.default_rng(seed)
    rate, torque = generator.normal(size=12), 20.0 * generator.normal(size=12)
    ground = stride_ground(p, phase, 0.08, 0.12)
    still = 10 + phase.side
    rate[[*ROLL, still]] = torque[still] = 0.0
    w = Walker(p, ground, angle, rate, torque)
    pitches = ~np.isin(w.columns, ROLL)
    closure = w.equations.closure[:, pitches]
    columns = w.columns[pitches]
    rate[columns] -= np.linalg.pinv(closure, rcond=CUT) @ closure @ rate[columns]
    return w


@pytest.mark.slow
@pytest.mark.parametrize("phase", DOUBLE)
def test_flat_on_both_feet_the_loop_has_rank_5(phase):
    w = level(phase)
    closure = w.equations.closure
    U, values, _ = np.linalg.svd(closure)
    assert values[5] < 1e-15
    assert values[4] > 0.3
    assert np.abs(U[:, 5]) == pytest.approx([0, 0, 1, 0, 0, 0], abs=1e-14)  # turning the trunk
    assert rank(closure) == 5
    assert solve_phase(w.equations, w.torque[w.columns]).rank == 5


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("phase", DOUBLE)
def test_without_rank_both_find_the_same_motion_and_reactions(phase, seed):
    w = level(phase, seed=seed)
    one = accelerations(w.p, w.ground, w.angle, w.rate, w.torque, CUT)
    other = drake()[0](w.ground, w.angle, w.rate, w.torque)
    assert close(one.angles, other.angles, 1e-10)
    assert close(one.wrench, other.wrench, 1e-10)
    # what no motion tells, a moment of the toe about the vertical through O1, is not there
    O1 = links(w.p, w.ground, w.angle, w.rate, one.angles)[0].o
    moment = one.wrench[1, 3:] + np.cross(w.ground.toe - O1, one.wrench[1, :3])
    assert moment[2] == pytest.approx(0.0, abs=1e-9)
    # and the reactions meet the motion all the same
    moving = links(w.p, w.ground, w.angle, w.rate, one.angles)
    through, flat = joint_wrenches(w.p, w.ground, moving, one.wrench[1])
    torque = [through[k, 3:] @ moving[1 + 6 * (k % 2) + k // 2].axis for k in w.columns]
    assert torque == pytest.approx(w.torque[w.columns], abs=1e-9)
    assert flat == pytest.approx(one.wrench[0], abs=1e-9)


@pytest.mark.parametrize("phase", DOUBLE)
def test_without_rank_the_loop_stays_closed_as_far_as_it_is_told(phase):
    w = level(phase, seed=1)
    found = solve_phase(w.equations, w.torque[w.columns]).acceleration
    left = w.equations.closure @ found + w.equations.bias
    assert left == pytest.approx(np.zeros(6), abs=1e-10)
    # rates that roll leave the sixth equation alone open, by what the posture cannot give
    rolling = w.rate + np.eye(12)[phase.side]
    other = equations(w.p, w.ground, w.angle, rolling)
    left = other.closure @ solve_phase(other, w.torque[w.columns]).acceleration + other.bias
    assert left[[0, 1, 3, 4, 5]] == pytest.approx(np.zeros(5), abs=1e-10)
    assert abs(left[2]) == pytest.approx(abs(other.bias[2]), rel=1e-9)
    assert abs(other.bias[2]) > 1e-2


@pytest.mark.parametrize("roll", [1e-12, 1e-6, 1e-3])
@pytest.mark.parametrize("phase", DOUBLE)
def test_beside_such_a_posture_nothing_explodes(phase, roll):
    w = level(phase, seed=2)
    one = accelerations(w.p, w.ground, w.angle, w.rate, w.torque, CUT)
    beside = level(phase, roll).angle
    other = accelerations(w.p, w.ground, beside, w.rate, w.torque, CUT)
    # the roll moves entries of all equations by as much; the least singular value of the loop that
    # is kept is 0.3, those of the whole system 1e-2 of its entries
    assert close(other.angles, one.angles, 100.0 * roll + 1e-10)
    assert close(other.wrench, one.wrench, 100.0 * roll + 1e-10)
    judged = drake()[0](w.ground, beside, w.rate, w.torque)
    assert close(judged.angles, other.angles, 10.0 * roll + 1e-10)


@pytest.mark.parametrize("phase", DOUBLE)
def test_a_heel_that_rises_gives_the_rank_back(phase):
    _, p = drake()
    ranks = []
    for lift in (0.0, 1e-3, 0.05, 0.15):
        angle = stride(p, phase, 0.8, 0.08, 0.12)
        angle[11 - phase.side] = -lift  # the loop's equations are asked for, not closed
        ranks.append(
            rank(equations(p, stride_ground(p, phase, 0.08, 0.12), angle, np.zeros(12)).closure)
        )
    assert ranks == [5, 5, 6, 6]
