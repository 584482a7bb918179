"""The ball's paths against the arrays of the listing Global_Trajectory.m, written out here."""

import math

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from footfall.machines.goalkeeper.closed_form.ball_paths import DURATION, Arc, Curve, Line, Sine

N = 16 * 2  # as the listing has it for 2 s
TIMES = np.linspace(0.0, DURATION, N)
SHOTS = [([0.0, 1.8], [-1.0, 0.0]), ([1.5, 1.2], [-1.2, 0.0])]
PATHS = [
    Arc(),
    Sine(),
    Line(),
    Line(goal=[0.0, 6.0]),
    Line(*SHOTS[1]),
    Curve(),
    Curve(*SHOTS[1]),
]


def _listed(path, x, y):
    """The path holds the listing's points: to the rounding of a few metres."""
    assert path.position(TIMES) == pytest.approx(np.stack([x, y], axis=-1), abs=5e-15)


def test_the_arc():
    tau = np.linspace(0, 1.7 * np.pi, N)
    _listed(Arc(), 2 * np.cos(tau), 1.5 * np.abs(np.sin(tau)))


def test_the_sine():
    tau = np.linspace(0, 2 * np.pi, N)
    _listed(Sine(), 2 * np.sin(tau), np.ones(N))


def test_the_lines_from_the_centre_spot():
    _listed(Line(), np.zeros(N), np.linspace(3, 0, N))
    _listed(Line(goal=[0.0, 6.0]), np.zeros(N), np.linspace(3, 6, N))


@pytest.mark.parametrize(("start", "goal"), SHOTS)
def test_the_shots(start, goal):
    tau = np.linspace(0, 1, N)
    ends = np.array([start, goal])
    x, y = (np.interp(tau, [0, 1], ends[:, k]) for k in (0, 1))
    _listed(Line(start, goal), x, y)
    knots = np.array([start, [0.8 * np.mean(ends[:, 0]), 1.2 * np.mean(ends[:, 1])], goal])
    # not-a-knot through three points, as MATLAB's spline: the parabola
    spline = CubicSpline([0, 0.5, 1], knots, bc_type="not-a-knot")
    _listed(Curve(start, goal), *spline(tau).T)


@pytest.mark.parametrize("path", PATHS)
def test_the_velocity_is_the_derivative(path):
    times, step = np.linspace(0.05, 1.95, 200), 1e-5
    difference = (path.position(times + step) - path.position(times - step)) / (2 * step)
    # step^2 times third derivatives up to 2 pi^3, and rounding 1e-15 / step
    assert path.velocity(times) == pytest.approx(difference, abs=1e-7)


@pytest.mark.parametrize("path", PATHS)
def test_the_ball_starts_and_arrives_with_its_velocity_and_then_rests(path):
    for start, end in ((0.0, 1e-7), (DURATION - 1e-7, DURATION)):
        way = path.position(np.array(end)) - path.position(np.array(start))
        at = path.velocity(np.array(start if start == 0.0 else end))
        assert at == pytest.approx(way / 1e-7, abs=1e-4)  # first order
    after = path.position(np.array([DURATION, DURATION + 1.0]))
    assert (after[0] == after[1]).all()
    assert (path.velocity(np.array([-1.0, DURATION + 1e-6, DURATION + 1.0])) == 0.0).all()


def test_the_arc_has_a_kink_where_it_meets_the_goal_line():
    time = DURATION / 1.7  # tau = pi
    at, before, after = Arc().position(np.array([time, time - 1e-9, time + 1e-9]))
    assert at == pytest.approx([-2.0, 0.0], abs=1e-15)
    assert before[1] > 0.0 < after[1]
    before, after = Arc().velocity(np.array([time - 1e-9, time + 1e-9]))
    speed = 1.5 * 1.7 * math.pi / DURATION
    # the velocity turns by its second derivative within 1e-9 s
    assert [before[1], after[1]] == pytest.approx([-speed, speed], abs=1e-7)


def test_a_path_is_passed_again_from_its_start():
    twice = Sine(repeat=2)
    again = twice.position(TIMES[:-1] + DURATION)
    assert again == pytest.approx(Sine().position(TIMES[:-1]), abs=1e-14)
    last = twice.position(np.array([2.0 * DURATION, 9.0]))
    assert last == pytest.approx(np.tile(Sine().position(np.array(2.0)), (2, 1)), abs=1e-15)
