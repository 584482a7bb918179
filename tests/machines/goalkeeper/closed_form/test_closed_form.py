"""The bisector position, by the angles that define it rather than by its formula."""

import numpy as np
import pytest

from footfall.machines.goalkeeper.closed_form.bisector import (
    GOAL_WIDTH,
    SATURATION,
    bisector,
    bisector_rate,
    saturated,
    saturated_rate,
)

B, C = np.array([-1.3, 0.0]), np.array([1.3, 0.0])
HALF = 0.5 * GOAL_WIDTH


def _balls(count=10_000, low=(-2.0, 0.0)):
    """Seeded places on the field of the listing."""
    return np.random.default_rng(20090211).uniform(low, (2.0, 6.0), (count, 2))


def _keeper(ball):
    place = bisector(ball)
    return np.stack([place, np.zeros_like(place)], axis=-1)


def _angle(a, b):
    """Angle from a to b, by its sine and cosine."""
    return np.arctan2(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0], (a * b).sum(axis=-1))


def _away(a, b):
    return np.linalg.norm(a - b, axis=-1)


def test_the_keeper_halves_the_angle_between_the_posts():
    balls = _balls()
    keeper = _keeper(balls)
    to_b, to_c = _angle(B - balls, keeper - balls), _angle(keeper - balls, C - balls)
    # rounding of a place of 1 m over the distance to the keeper, which is 2e-4 m at the nearest
    assert _away(balls, keeper).min() > 1e-4
    assert to_b == pytest.approx(to_c, abs=1e-12)
    assert (to_b > 0.0).all()  # it stands inside of the angle, not on its outer bisector


def test_the_keeper_parts_the_line_as_the_distances_of_the_posts():
    balls = _balls()
    keeper = _keeper(balls)
    left, right = _away(keeper, B) * _away(balls, C), _away(keeper, C) * _away(balls, B)
    assert left == pytest.approx(right, rel=1e-12)


def test_it_is_what_the_listing_prints():
    balls = _balls()
    ratio = _away(balls, B) / _away(balls, C)
    # Goalkeeper_position.m: it subtracts w/2 from what it divides, and a few eps of it remain
    assert bisector(balls) == pytest.approx(2.0 * HALF * ratio / (1.0 + ratio) - HALF, abs=2e-15)


def test_a_ball_on_a_post_has_the_keeper_there():
    # on post C the listing divides by AC = 0
    assert (bisector(B), bisector(C)) == (-HALF, HALF)


def test_the_keeper_goes_along_with_the_ball_on_the_goal_line():
    x = np.linspace(-HALF, HALF, 27)
    line = np.stack([x, np.zeros_like(x)], axis=-1)
    assert bisector(line) == pytest.approx(x, abs=1e-15)
    # beyond the posts no angle is left, but BD:DC = AB:AC still says where to stand
    beyond = np.array([1.3, 1.5, 2.0, 1e3])
    line = np.stack([beyond, np.zeros_like(beyond)], axis=-1)
    assert bisector(line) == pytest.approx(GOAL_WIDTH**2 / (4.0 * beyond), rel=1e-15)


def test_left_is_right_and_behind_is_before():
    balls = _balls(1000)
    assert bisector(balls * [-1.0, 1.0]) == pytest.approx(-bisector(balls), abs=0.0)
    assert bisector(balls * [1.0, -1.0]) == pytest.approx(bisector(balls), abs=0.0)
    assert bisector(np.array([0.0, 1.8])) == 0.0  # the penalty mark, and anywhere in the middle


@pytest.mark.parametrize("post", [B, C])
def test_near_a_post_the_keeper_comes_to_it(post):
    for distance in (1e-3, 1e-9, 1e-15, 1e-200):
        around = np.linspace(0.0, 2.0 * np.pi, 16)
        balls = post + distance * np.stack([np.cos(around), np.sin(around)], axis=-1)
        # AB + AC grows by at most twice the distance, and x changes by it
        assert np.abs(bisector(balls) - post[0]).max() <= 3.0 * distance + 1e-15


def test_a_ball_far_away_sees_the_goal_as_a_point():
    # AB + AC = 2 |A|: w^2 cos(phi) / (4 |A|), to (w / |A|)^2, also where squares overflow
    for far in (1e4, 1e100, 1e200):
        ball = far * np.array([0.6, 0.8])
        assert bisector(ball) == pytest.approx(0.25 * GOAL_WIDTH**2 * 0.6 / far, rel=1e-7)


def test_the_rate_is_the_derivative():
    balls, step = _balls(1000, low=(-2.0, 0.2)), 1e-5
    velocities = np.random.default_rng(1).uniform(-5.0, 5.0, balls.shape)
    ahead, behind = bisector(balls + step * velocities), bisector(balls - step * velocities)
    # rounding 1e-16 / step; the third derivative is of the order (5 / 0.2)^3
    assert bisector_rate(balls, velocities) == pytest.approx(
        (ahead - behind) / (2 * step), abs=1e-6
    )


@pytest.mark.parametrize("post", [B, C])
@pytest.mark.parametrize("direction", [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.6, -0.8)])
def test_from_a_post_the_rate_is_that_of_leaving_it(post, direction):
    velocity, step = 3.0 * np.array(direction), 1e-7
    forwards = (bisector(post + step * velocity) - bisector(post)) / step
    # one-sided: first order in the step, with second derivatives of a few per metre
    assert bisector_rate(post, velocity) == pytest.approx(forwards, abs=1e-5)


def test_on_the_line_the_rate_is_the_balls_own():
    ball = np.array([0.4, 0.0])
    assert bisector_rate(ball, np.array([2.0, 0.0])) == pytest.approx(2.0, rel=1e-15)
    # across the line distances have their least: only x counts
    assert bisector_rate(ball, np.array([0.0, 7.0])) == 0.0


def test_the_keeper_stays_within_its_share_of_the_goal():
    most = 0.91  # 0.7 of half of 2.6 m
    assert saturated(np.array([-1.3, -0.9, 0.0, 1.2])) == pytest.approx([-most, -0.9, 0.0, most])
    most = 0.5 * SATURATION * GOAL_WIDTH
    place = np.array([0.5, most, most, -most, 1.0])
    rate = np.array([1.0, 1.0, -1.0, -2.0, -1.0])
    # at the edge only what leads inwards counts
    assert saturated_rate(place, rate).tolist() == [1.0, 0.0, -1.0, 0.0, 0.0]
