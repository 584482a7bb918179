"""Flips, doubled orbits and cascades against closed forms and published constants."""

import math

import numpy as np
import pytest
from tests.hybrid.maps import Henon, Logistic, Quintic, SaddleNode

from footfall.hybrid.branch import follow_branch
from footfall.hybrid.branch_special import Special
from footfall.hybrid.cascade import FEIGENBAUM, cascade
from footfall.hybrid.fixed_point import NotFound, find_fixed_point
from footfall.hybrid.flip import doubled, locate_flip

ACCUMULATION = 3.569945671870944901842  # OEIS A098587


def test_a_flip_is_found_near_an_orbit_and_between_two():
    near = find_fixed_point(Logistic(), [0.6], 2.8)
    beyond = find_fixed_point(Logistic(), [0.7], 3.3)
    for flip in (locate_flip(Logistic(), near), locate_flip(Logistic(), (near, beyond))):
        assert flip.p == pytest.approx(3.0, rel=1e-14)
        assert flip.point.multipliers[0] == pytest.approx(-1.0, abs=1e-13)
        assert flip.direction.tolist() == [1.0]


def test_the_flip_of_the_henon_map_and_its_direction():
    near = find_fixed_point(Henon(), [0.8, 0.2], 0.3)
    flip = locate_flip(Henon(), near)
    assert flip.p == pytest.approx(0.75 * 0.49, rel=1e-13)
    # the second row of D says b v_x = -v_y
    assert flip.direction[1] == pytest.approx(-0.3 * flip.direction[0], rel=1e-10)
    assert np.linalg.norm(flip.direction) == pytest.approx(1.0)


def test_no_flip_is_found_where_there_is_none():
    map_ = SaddleNode()
    low, high = (find_fixed_point(map_, [math.sqrt(p)], p) for p in (0.1, 0.2))
    with pytest.raises(NotFound, match="no flip of period 1"):
        locate_flip(map_, (low, high))


def test_the_doubled_orbit_of_the_logistic_map_is_its_closed_form():
    flip = locate_flip(Logistic(), find_fixed_point(Logistic(), [0.6], 2.8))
    # p - 3 = 9 a^2 less the map's rounding over a: about 1e-17 / a^3 of it
    for amplitude, relative in ((None, 1e-6), (0.01, 1e-9), (0.1, 1e-12)):
        new = doubled(Logistic(), flip, amplitude)
        p = new.point.p
        half = math.sqrt((p + 1.0) * (p - 3.0)) / (2.0 * p)
        middle = (p + 1.0) / (2.0 * p)
        assert new.amplitude == pytest.approx(half, rel=relative)
        expected = [middle + new.amplitude, middle - new.amplitude]
        np.testing.assert_allclose(new.point.orbit[:, 0], expected, atol=1e-12)
        assert new.point.period == 2
        assert new.side == 1
        assert new.critical.real < 1.0
        assert new.critical == pytest.approx(4.0 + 2.0 * p - p**2, abs=1e-12)


def test_both_signs_of_the_amplitude_are_the_same_orbit():
    flip = locate_flip(Henon(), find_fixed_point(Henon(), [0.8, 0.2], 0.3))
    up, down = doubled(Henon(), flip, 0.05), doubled(Henon(), flip, -0.05)
    assert up.point.p == pytest.approx(down.point.p, rel=1e-13)
    np.testing.assert_allclose(up.point.orbit, down.point.orbit[::-1], atol=1e-13)
    # and an orbit it is: found again at its p from outside
    again = find_fixed_point(Henon(), up.point.orbit[0], up.point.p, period=2)
    np.testing.assert_allclose(again.orbit, up.point.orbit, atol=1e-12)


def test_a_subcritical_flip_is_told_and_its_branch_turns():
    flip = locate_flip(Quintic(), find_fixed_point(Quintic(), [0.0], -0.1))
    assert flip.p == pytest.approx(0.0, abs=1e-14)
    new = doubled(Quintic(), flip, 0.1)
    assert new.side == -1
    assert new.critical.real > 1.0
    assert new.point.p == pytest.approx(0.1**4 - 0.1**2, rel=1e-12)
    # the unstable orbit goes back to p = -1/4, turns there at x^2 = 1/2 and is stable
    branch = follow_branch(Quintic(), new.point, -0.5)
    (fold,) = branch.special
    assert fold.kind is Special.FOLD
    assert fold.point.p == pytest.approx(-0.25, rel=1e-12)
    np.testing.assert_allclose(
        branch.p, branch.orbits[:, 0, 0] ** 4 - branch.orbits[:, 0, 0] ** 2, atol=1e-12
    )
    assert not branch.points[1].stable
    assert branch.points[-1].stable


def test_the_cascade_of_the_logistic_map():
    found = cascade(Logistic(), find_fixed_point(Logistic(), [0.6], 2.8), 8)
    assert found.message == ""
    # roots of polynomials of degrees 1, 2, 12 and 240 (OEIS A087046)
    known = [3.0, 1.0 + math.sqrt(6.0), 3.544090359551922853616, 3.564407266095432597774]
    np.testing.assert_allclose(found.p[:4], known, rtol=1e-13)
    assert [each.point.period for each in found.flips] == [2**k for k in range(8)]
    for flip in found.flips:
        assert flip.point.multipliers[0] == pytest.approx(-1.0, abs=1e-9)
    # ratios tend to the constant with errors that fall by about 3 to 8 a level: 1e-4 at the sixth
    assert found.ratios[-1] == pytest.approx(FEIGENBAUM, abs=1e-4)
    # the gap of 4e-5 beyond the last flip, times what its ratio lacks (1e-5), over delta
    assert found.accumulation == pytest.approx(ACCUMULATION, abs=1e-9)
    assert found.aitken == pytest.approx(ACCUMULATION, abs=1e-9)
    assert abs(found.accumulation - ACCUMULATION) < 10.0 * found.error


def test_the_cascade_of_the_henon_map_goes_through_complex_multipliers():
    found = cascade(Henon(), find_fixed_point(Henon(), [0.8, 0.2], 0.3), 6)
    assert found.p[0] == pytest.approx(0.75 * 0.49, rel=1e-13)
    assert found.p[1] == pytest.approx(0.49 + 0.25 * 1.69, rel=1e-12)
    # areas shrink by 0.3 a step, whatever the orbit
    for flip in found.flips:
        expected = (-0.3) ** flip.point.period
        assert np.linalg.det(flip.point.D) == pytest.approx(expected, abs=1e-12)
    assert found.ratios[-1] == pytest.approx(FEIGENBAUM, abs=0.02)
    assert found.error < 1e-6


def test_a_cascade_tells_why_it_has_fewer_flips():
    # orbits of period two of an odd map have squares as multipliers: no second flip
    found = cascade(Quintic(), find_fixed_point(Quintic(), [0.0], -0.1), 3)
    assert len(found.flips) == 1
    assert "no flip" in found.message
    assert math.isnan(found.accumulation)
    outputs = []
    start = locate_flip(Logistic(), find_fixed_point(Logistic(), [0.6], 2.8))
    stopped = cascade(Logistic(), start, 5, report=lambda p: outputs.append(p) or p > 3.1)
    assert stopped.p.tolist() == outputs
    assert len(outputs) == 2
    assert "stopped" in stopped.message
    assert math.isnan(stopped.aitken)
