"""A point that sticks, slips, flies and lands, against a block whose motion is known."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq

from footfall.hybrid import FALLING, Guard, Transition, simulate
from footfall.hybrid.contact import (
    SIGMA,
    ContactMode,
    ContactPhase,
    ContactSystem,
    Friction,
    PointMotion,
    mode_of,
    phase_of,
    with_components,
)

G = 9.81
STICK, FORWARD, BACKWARD, FLIGHT = ContactPhase


class Block(ContactSystem):
    """A unit mass (x, y, x', y') under forces along and up, one pair a piece."""

    def __init__(self, forces, friction, breaks=()):
        self._forces = forces
        super().__init__(("x", "y", "vx", "vy"), (2, 3), friction, G, breaks)

    def motion(self, mode, t, _):
        push, lift = (force(t) for force in self._forces[mode.piece])
        if mode.phase is FLIGHT:
            return PointMotion(0.0, 0.0, push, lift - G)
        up = G - lift
        along = -push if mode.phase is STICK else -SIGMA[mode.phase] * self.friction.kinetic * up
        return PointMotion(along, up, push + along, 0.0)

    def rates(self, mode, t, y):
        motion = self.motion(mode, t, y)
        zero = 0.0 * y[0]
        return np.array([y[2], y[3], motion.sliding + zero, motion.leaving + zero])

    def landings(self, mode):
        def lands(t, y):
            return self.choose(mode.piece, t, with_components(y, {1: 0.0, 3: 0.0}))

        return (Guard("lands", lambda _, y: y[1] + 1e-16, FALLING, lands),)

    def stuck(self, piece, t, y, outputs):
        raise AssertionError(f"nothing goes on in piece {piece} at {t} from {y}: {outputs}")


def none(t):
    return 0.0 * t


def slide(block, span, y=(0.0, 0.0, 0.0, 0.0)):
    start = block.choose(0, 0.0, np.array(y))
    return simulate(block.system(), start.mode, start.state, (0.0, span))


@pytest.mark.parametrize("kinetic", [0.2, 0.1])
def test_a_shaken_block_sticks_and_slips_at_its_known_times(kinetic):
    # F sin(w t) exceeds mu_s g; then m v' = F sin(w t) - mu_k g, both ways
    force, w, static = 3.0, 2.0, 0.2

    def push(t):
        return force * np.sin(w * t)

    run = slide(Block([(push, none)], Friction(static, kinetic)), math.pi)
    begin = math.asin(static * G / force) / w

    def speed(t):
        rubs = kinetic * G * (t - begin)
        return force / w * (math.cos(w * begin) - math.cos(w * t)) - rubs

    end = brentq(speed, begin + 0.1, begin + 2.0, xtol=1e-15)
    first, second, *_ = run.events
    assert [first.guard, second.guard] == ["edge forward", "sliding stops"]
    # v itself is good to 1e-12, where it falls with 1 m/s^2 or so
    assert [first.time, second.time] == pytest.approx([begin, end], abs=1e-11)
    assert phase_of(first.after) is FORWARD
    # at that time the force already pulls more than stick holds, if kinetic friction is less
    back = -push(end) > static * G
    assert phase_of(second.after) is (BACKWARD if back else STICK)


def test_a_block_that_is_lifted_flies_and_lands():
    # lifted from 0.5 s on by 2 g; let go at 1 s, it lands with the speed that it left with
    forces = [(none, none), (none, lambda t: 2.0 * G + 0.0 * t), (none, none)]
    run = slide(Block(forces, Friction(0.3, 0.3), breaks=(0.5, 1.0)), 4.0)
    assert [event.guard for event in run.events] == ["drive jumps 1", "drive jumps 2", "lands"]
    assert [str(mode_of(event.after).phase) for event in run.events] == [
        "flight",
        "flight",
        "stick",
    ]
    # up with g for 0.5 s, then free: y = g/8 + g/2 s - g/2 s^2 = 0
    assert run.events[-1].time == pytest.approx(1.0 + 0.5 * (1.0 + math.sqrt(2.0)), abs=1e-12)
    assert run.state.tolist() == [0.0, 0.0, 0.0, 0.0]


def test_a_block_whose_weight_is_lifted_slowly_lets_go_where_nothing_presses():
    run = slide(Block([(none, lambda t: 4.0 * t)], Friction(0.3, 0.3)), 3.0)
    (event,) = run.events
    assert (event.guard, phase_of(event.after)) == ("lambda_n vanishes", FLIGHT)
    # beyond zero by 1e-12 of the weight
    assert event.time == pytest.approx(G / 4.0, abs=1e-11)


def test_a_point_that_moves_into_the_ground_needs_an_impact():
    with pytest.raises(ValueError, match="an impact comes first"):
        slide(Block([(none, none)], Friction(0.3, 0.3)), 1.0, (0.0, 0.0, 0.0, -0.1))
    free = Block([(none, none)], Friction(0.3, 0.3))
    leaves = free.choose(0, 0.0, np.array([0.0, 0.0, 0.0, 0.1]))
    assert isinstance(leaves, Transition)
    assert phase_of(leaves.mode) is FLIGHT


@pytest.mark.parametrize("phase", ContactPhase)
@pytest.mark.parametrize("side", [-1, 0, 1])
def test_a_mode_is_found_by_its_name(phase, side):
    mode = ContactMode(phase, 3, side)
    assert mode_of(mode.name) == mode
    assert phase_of(mode.name) is phase
