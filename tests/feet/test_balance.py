"""Zero-moment point, capture point and support polygon against geometry done another way."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footfall.feet.balance import capture_point, margins, support_polygon, zero_moment_point

UP = np.array([0.0, 0.0, 1.0])
SEEDS = st.integers(0, 2**32 - 1)


@given(SEEDS)
def test_about_the_zero_moment_point_forces_have_no_tilting_moment(seed):
    generator = np.random.default_rng(seed)
    n_W = generator.normal(size=3) + 3.0 * UP
    n_W /= np.linalg.norm(n_W)
    place, force = generator.normal(size=(5, 3)), generator.normal(size=(5, 3))
    force += (1.0 + 2.0 * np.abs(force @ n_W))[:, None] * n_W  # each of them pushes
    moment = np.cross(place, force).sum(axis=0)
    (point,) = zero_moment_point(force.sum(axis=0)[None], moment[None], n_W)
    left = np.cross(place - point, force).sum(axis=0)
    assert np.cross(n_W, left) == pytest.approx(np.zeros(3), abs=1e-9)
    assert point @ n_W == pytest.approx(0.0, abs=1e-9)


def test_without_a_pushing_force_there_is_no_zero_moment_point():
    assert np.isnan(zero_moment_point(np.zeros((1, 3)), np.zeros((1, 3)), UP)).all()


@given(SEEDS)
def test_a_linear_inverted_pendulum_comes_to_rest_over_its_capture_point(seed):
    x, y, vx, vy, height = np.random.default_rng(seed).uniform(0.2, 2.0, 5)
    (point,) = capture_point(np.array([[x, y, height]]), np.array([[vx, vy, 0.0]]), UP, 9.81)
    # x'' = (g / z) (x - p), integrated in small steps by the exact exponential of each
    rate = np.sqrt(9.81 / height)
    late = 12.0 / rate
    apart = np.array([x, y]) - point[:2]
    speed = np.array([vx, vy])
    end = point[:2] + apart * np.cosh(rate * late) + speed / rate * np.sinh(rate * late)
    assert end == pytest.approx(point[:2], abs=1e-4)  # 1e-16 grows by e^12
    assert point[2] == 0.0


@settings(max_examples=25)
@given(SEEDS)
def test_margins_of_a_polygon(seed):
    generator = np.random.default_rng(seed)
    places, points = generator.normal(size=(12, 2)), 2.0 * generator.normal(size=(20, 2))
    found = margins(support_polygon(places), points, planar=False)
    # the support function in many directions: inside, its least excess is the distance to the edge
    angle = np.linspace(0.0, 2.0 * np.pi, 20_001)
    out = np.stack((np.cos(angle), np.sin(angle)))
    excess = ((places @ out).max(axis=0) - points @ out).min(axis=1)
    assert found == pytest.approx(excess, abs=1e-3)  # |point| times the step of the angle


def test_degenerate_polygons():
    line = support_polygon(np.array([[0.0, 0.0], [0.5, 0.5], [1.0, 1.0], [0.2, 0.2]]))
    assert sorted(line.tolist()) == [[0.0, 0.0], [1.0, 1.0]]
    beside = margins(line, np.array([[1.0, 0.0], [2.0, 2.0]]), planar=False)
    assert beside == pytest.approx([-np.sqrt(0.5), -np.sqrt(2.0)])
    alone = support_polygon(np.array([[1.0, 2.0], [1.0, 2.0]]))
    assert margins(alone, np.array([[1.0, 5.0]]), planar=False) == pytest.approx([-3.0])
    none = support_polygon(np.zeros((0, 2)))
    assert np.isnan(margins(none, np.zeros((1, 2)), planar=False)).all()
    # a planar robot stands on a stretch of x
    stretch = support_polygon(np.array([[0.0, 0.0], [1.0, 0.0]]))
    found = margins(stretch, np.array([[0.3, 0.0], [1.2, 0.0]]), planar=True)
    assert found == pytest.approx([0.3, -0.2])
