"""Predictions of kicks: geometry, the ball's closed form, and what follows from the law."""

import itertools

import numpy as np
import pytest

from footfall.machines.goalkeeper.closed_form.bisector import GOAL_WIDTH, KeeperLaw
from footfall.machines.goalkeeper.measures import RADIUS
from footfall.machines.goalkeeper.saved_shots import (
    FACETS,
    SEMI_AXES,
    Grass,
    Kicks,
    Oracle,
    distance,
    meets,
    outline,
)
from footfall.textbook.rolling import SHELL, Rolling

GRASS = Grass(0.5, 9.81)


def grid(x, y, speeds, targets):
    """All kicks from origins (x, y) at speeds to targets, the last of these running fastest."""
    rows = np.array(list(itertools.product(x, y, speeds, targets)), dtype=np.float64).reshape(-1, 4)
    return Kicks(rows[:, :2], rows[:, 2], rows[:, 3])


def oracle(**law):
    return Oracle(KeeperLaw(**law), GRASS, 1e-3, 6.0)


def test_the_outline_is_that_of_the_model():
    corners = outline()
    assert corners.shape == (FACETS, 2)
    assert np.hypot(*(corners / SEMI_AXES).T) == pytest.approx(np.ones(FACETS), abs=1e-15)
    x, y = corners.T
    area = 0.5 * float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y))
    # of a regular polygon, stretched
    expected = 0.5 * FACETS * np.sin(2.0 * np.pi / FACETS) * SEMI_AXES[0] * SEMI_AXES[1]
    assert area == pytest.approx(expected, rel=1e-14)


def test_distances_are_those_from_many_points_of_the_outline():
    rng = np.random.default_rng(0)
    place = rng.uniform(-0.4, 0.4, (200, 2))
    corners, share = outline(), np.linspace(0.0, 1.0, 400)[:, None, None]
    edge = corners + share * (np.roll(corners, -1, axis=0) - corners)
    near = np.linalg.norm(place[:, None] - edge.reshape(-1, 2), axis=2).min(axis=1)
    found = distance(place)
    outside = found > 0.0
    # an edge is 6 cm long, so that the points on it are 0.2 mm apart
    assert found[outside] == pytest.approx(near[outside], abs=1.5e-4)
    inside = np.hypot(*(place / SEMI_AXES).T) < np.cos(np.pi / FACETS)
    assert inside.any()
    assert (found[inside] == 0.0).all()
    assert (found[np.hypot(*(place / SEMI_AXES).T) > 1.0] > 0.0).all()


def test_a_ball_meets_the_keeper_at_its_radius():
    away = np.array([[0.5, SEMI_AXES[1] + RADIUS - 1e-9], [0.5, SEMI_AXES[1] + RADIUS + 1e-9]])
    assert meets(away, np.array([0.5, 0.5])).tolist() == [True, False]
    assert meets(away * [-1.0, -1.0], np.array([-0.5, -0.5])).tolist() == [True, False]


@pytest.mark.parametrize("speed", [0.7, 3.0, 9.0])
def test_kicks_at_all_speeds_are_alike(speed):
    own = Rolling(m=0.294, r=RADIUS, beta=SHELL, mu=GRASS.mu, v0=speed)
    for time in (0.0, 0.1, 0.5, 2.0):
        way, fast = GRASS.distance_and_speed(np.array([speed]), time)
        assert way[0] == pytest.approx(own.distance(np.array(time)), rel=1e-14)
        assert fast[0] == pytest.approx(own.speed(np.array(time)), rel=1e-14)
    # the angular momentum about the grass is kept: a thin shell rolls at 3/5 of its first speed
    assert fast[0] == pytest.approx(0.6 * speed, rel=1e-14)


def test_a_keeper_without_bounds_stands_on_the_bisector_and_saves_what_comes_within_its_reach():
    kicks = grid([-1.0, 0.0, 1.2], [1.8], [2.0, 6.0], [-1.1, -0.5, 0.0, 0.8])
    boundless = oracle(max_speed=1e3, max_acceleration=1e6)
    found = boundless.predict(kicks)
    assert found.touched.all()
    # it is there at the end of the step in which the ball came to where it was seen
    where = boundless.law.target(found.ball, np.zeros_like(found.ball))[0]
    assert found.keeper == pytest.approx(where, abs=6.0 * 1e-3)


def test_a_keeper_that_does_not_move_saves_what_is_sent_at_it():
    still = oracle(max_speed=1e-9, max_acceleration=1e-9)
    targets = np.linspace(-1.2, 1.2, 97)
    kicks = grid([0.0], [1.8], [4.0], targets)
    found = still.predict(kicks)
    # how near the straight way to just behind the line comes to the keeper, from many places on it
    share = np.linspace(0.0, 1.0 + RADIUS / 1.8, 4001)[:, None]
    nearest = [distance(share * [x, -1.8] + [0.0, 1.8]).min() for x in targets]
    # of a way that only grazes the keeper a step of 4 mm may miss the touch
    clear = np.abs(np.array(nearest) - RADIUS) > 1e-3
    assert (found.touched == (np.array(nearest) <= RADIUS))[clear].all()
    assert 0 < found.touched.sum() < len(targets)


@pytest.mark.slow
def test_a_slower_ball_is_never_worse_for_the_keeper():
    x, y = [-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5], [1.2, 1.8, 2.4, 3.0]
    for law in ({}, {"max_speed": 1.5, "max_acceleration": 5.0}):
        own = oracle(**law)
        places = [GOAL_WIDTH * (share - 0.5) for share in (0.1, 0.5, 0.9)]
        speeds = np.linspace(1.5, 6.0, 19)
        found = own.predict(grid(x, y, speeds, places))
        saved = found.touched.reshape(-1, len(speeds), len(places))
        assert 0.2 < saved.mean() < 0.9
        assert (saved[:, :-1] >= saved[:, 1:]).all()


def test_what_is_foretold_is_symmetric():
    kicks = grid([-1.3, -0.4, 0.2], [1.2, 2.5], [1.7, 2.9], [-1.0, 0.3])
    mirrored = Kicks(kicks.origin * [-1.0, 1.0], kicks.speed, -kicks.target)
    one, other = oracle().predict(kicks), oracle().predict(mirrored)
    assert np.array_equal(one.touched, other.touched)
    assert np.array_equal(one.time, other.time)
    assert one.keeper == pytest.approx(-other.keeper, abs=1e-14)


def test_a_ball_that_does_not_come_in_time_is_not_decided():
    found = Oracle(KeeperLaw(), GRASS, 1e-3, 0.5).predict(grid([0.0], [3.0], [1.0], [0.0]))
    assert not found.touched[0]
    assert np.isnan(found.time[0])


def test_a_keeper_that_comes_too_late_has_gone_as_far_as_its_acceleration_takes_it():
    law = KeeperLaw(max_speed=9.0, max_acceleration=0.5)
    kick = grid([0.0], [1.8], [7.0], [1.1])
    # steps so long that the way of one of them, v dt, is a hundred times what is allowed below
    found = Oracle(law, GRASS, 1e-2, 6.0).predict(kick)
    assert not found.touched[0]
    assert found.keeper[0] == pytest.approx(0.25 * found.time[0] ** 2, rel=1e-12)
