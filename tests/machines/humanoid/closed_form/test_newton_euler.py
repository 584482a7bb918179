"""The four systems of Newton-Euler equations against recursion, and laws that they do not use."""

import numpy as np
import pytest
from tests.machines.humanoid.recursion import joint_wrenches, links, momentum
from tests.machines.humanoid.walkers import DOUBLE, PHASES, walker

from footfall.machines.humanoid.closed_form.walker import (
    CUT,
    accelerations,
    solve_phase,
    trunk_motion,
)

pytestmark = pytest.mark.slow

SEEDS = (1, 2, 3)
# another body, whose heavy toes show a wrong share
BODIES = ({}, {"mass": 80.0, "height": 1.9, "hat_centre": 1.0, "toe_share": 0.08})


def close(value, expected, relative):
    return np.abs(value - expected).max() <= relative * np.abs(expected).max()


def given(phase, seed, body=0):
    return walker(phase, seed, **BODIES[body])


def accelerated(w):
    return accelerations(w.p, w.ground, w.angle, w.rate, w.torque, CUT)


def motion(w, found, time=0.0):
    """Links of the walker a time later, of a motion that has its accelerations now."""
    angle = w.angle + time * w.rate + 0.5 * time**2 * found.angles
    return links(w.p, w.ground, angle, w.rate + time * found.angles, found.angles)


@pytest.mark.parametrize("body", range(len(BODIES)))
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("phase", PHASES)
def test_recursion_from_the_trunk_needs_the_torques_that_were_given(phase, seed, body):
    w = given(phase, seed, body)
    found = accelerated(w)
    through, flat = joint_wrenches(w.p, w.ground, motion(w, found), found.wrench[1])
    now = motion(w, found)
    axes = [now[1 + 6 * (k % 2) + k // 2].axis for k in range(12)]
    torque = np.array([wrench[3:] @ axis for wrench, axis in zip(through, axes, strict=True)])
    # systems of condition up to 1e5: some 1e-11 of the largest moment
    assert np.abs(torque - w.torque)[w.columns].max() < 1e-10 * np.abs(through).max()
    assert close(found.wrench[0], flat, 1e-10)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("phase", PHASES)
def test_every_reaction_of_the_tables_is_the_recursions(phase, seed):
    w = given(phase, seed)
    found = accelerated(w)
    solution = solve_phase(w.equations, w.torque[w.columns])
    through, _ = joint_wrenches(w.p, w.ground, motion(w, found), found.wrench[1])
    flat, other = phase.side, 1 - phase.side
    # through hip (roll), knee and ankle (pitch): in the joints of two hinges both tell the same
    if phase.is_double:  # F11,13 F7,11 F5,7 F1,5 on the outer part, F4,1 F6,4 F10,6 on the inner
        joints = [10 + other, 6 + other, 4 + other, other, flat, 4 + flat, 6 + flat]
        signs = [1, 1, 1, 1, -1, -1, -1]
    else:  # F10,6 on the inner part, F4,6 F1,4 F1,5 F5,7 F7,11 on the outer
        joints = [6 + flat, 4 + flat, flat, other, 4 + other, 6 + other]
        signs = [-1, 1, 1, 1, 1, 1]
    wrenches = np.hstack([solution.force, solution.moment])
    assert close(np.array(signs)[:, None] * wrenches, through[joints], 1e-10)


@pytest.mark.parametrize("phase", PHASES)
def test_ground_and_weight_give_the_momentum(phase):
    w = given(phase, 4, 1)
    found = accelerated(w)
    now = momentum(w.p, motion(w, found))
    rates = rates_of_momentum(w, found)
    force = found.wrench[:, :3].sum(axis=0) - [0.0, 0.0, now.mass * w.p.g]
    assert close(rates[:3], force, 1e-7)
    wrenches, points = found.wrench.reshape(2, 2, 3), (w.ground.ankle, w.ground.toe)
    moment = sum(m + np.cross(x, f) for (f, m), x in zip(wrenches, points, strict=True))
    moment += np.cross(now.centre, [0.0, 0.0, -now.mass * w.p.g])
    assert close(rates[3:6], moment, 1e-7)
    assert rates[6] == pytest.approx(w.torque @ w.rate, abs=1e-7 * np.abs(force).max())


def rates_of_momentum(w, found):
    """Of linear, angular momentum and energy, by central differences of the fourth order."""
    h = 2e-5  # s: 1e3 rad/s^2 leave 1e-8 of truncation, roundings of 1e-15 / 1e-5 less

    def at(time):
        there = momentum(w.p, motion(w, found, time))
        return np.concatenate([there.linear, there.angular, [there.energy]])

    return (8.0 * (at(h) - at(-h)) - at(2.0 * h) + at(-2.0 * h)) / (12.0 * h)


@pytest.mark.parametrize("phase", DOUBLE)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_loop_stays_closed_on_both_of_its_sides(phase, seed):
    w = given(phase, seed)
    found = accelerated(w)
    now = motion(w, found)
    toe = now[6 + 6 * (1 - phase.side)]
    assert pytest.approx(np.eye(3), abs=1e-13) == toe.R
    assert toe.o == pytest.approx(w.ground.toe, abs=1e-13)
    scale = np.abs(found.angles).max()
    assert np.abs([toe.w, toe.v]).max() < 1e-12 * np.abs(w.rate).max()
    assert np.abs([toe.alpha, toe.a]).max() < 1e-11 * scale


@pytest.mark.parametrize("phase", PHASES)
def test_the_trunk_is_where_recursion_finds_it(phase):
    w = given(phase, 5, 1)
    trunk = trunk_motion(w.p, w.ground, w.angle, w.rate)
    other = links(w.p, w.ground, w.angle, w.rate, np.zeros(12))[0]
    found = (trunk.R, trunk.p, trunk.w, trunk.v)
    for one, two in zip(found, (other.R, other.o, other.w, other.v), strict=True):
        assert one == pytest.approx(two, abs=1e-13)


@pytest.mark.parametrize("phase", PHASES)
def test_moving_joints_are_in_the_tables_order(phase):
    numbers = {
        "LEFT_SINGLE": [10, 8, 6, 4, 2, 3, 5, 7, 9, 11],
        "RIGHT_SINGLE": [11, 9, 7, 5, 3, 2, 4, 6, 8, 10],
        "LEFT_DOUBLE": [13, 11, 9, 7, 5, 3, 2, 4, 6, 8, 10],
        "RIGHT_DOUBLE": [12, 10, 8, 6, 4, 2, 3, 5, 7, 9, 11],
    }[phase.name]
    assert list(walker(phase, 0).columns + 2) == numbers
