"""Flips, doubled orbits and cascades against closed forms and published constants."""

import math

import numpy as np
import pytest
from tests.hybrid.maps import Henon, Logistic, Quintic, SaddleNode

from footfall.hybrid import (
    Cascade,
    NotFound,
    find_fixed_point,
    follow_branch,
    locate_flip,
    next_flip,
)
from footfall.hybrid.flip import FEIGENBAUM, doubled

ACCUMULATION = 3.569945671870944901842  # OEIS A098587


def first_flip(map_, guess, low, high):
    return locate_flip(map_, *(find_fixed_point(map_, guess, p) for p in (low, high)))


def logistic():
    return first_flip(Logistic(), [0.65], 2.8, 3.3)


def henon():
    return first_flip(Henon(), [0.8, 0.2], 0.3, 0.45)


def cascade(map_, flip, levels):
    """Flips of the orbits that double one after another."""
    flips, small = [flip], 1e-3
    for _ in range(levels - 1):
        flip, amplitude = next_flip(map_, flips[-1], small)
        flips.append(flip)
        small = 0.1 * amplitude
    return Cascade(tuple(flips))


def test_a_flip_is_found_between_two_orbits():
    flip = logistic()
    assert flip.p == pytest.approx(3.0, rel=1e-14)
    assert flip.point.multipliers[0] == pytest.approx(-1.0, abs=1e-13)
    assert flip.direction.tolist() == [1.0]


def test_the_flip_of_the_henon_map_and_its_direction():
    flip = henon()
    assert flip.p == pytest.approx(0.75 * 0.49, rel=1e-13)
    # the second row of D says b v_x = -v_y
    assert flip.direction[1] == pytest.approx(-0.3 * flip.direction[0], rel=1e-10)
    assert np.linalg.norm(flip.direction) == pytest.approx(1.0)


def test_no_flip_is_found_where_there_is_none():
    with pytest.raises(NotFound, match="no flip near"):
        first_flip(SaddleNode(), [0.4], 0.1, 0.2)


@pytest.mark.parametrize(("amplitude", "relative"), [(1e-3, 1e-6), (0.01, 1e-9), (0.1, 1e-12)])
def test_the_doubled_orbit_of_the_logistic_map_is_its_closed_form(amplitude, relative):
    # p - 3 = 9 a^2 less the map's rounding over a: about 1e-17 / a^3 of it
    orbit = doubled(Logistic(), logistic(), amplitude)
    p = orbit.p
    half = math.sqrt((p + 1.0) * (p - 3.0)) / (2.0 * p)
    middle = (p + 1.0) / (2.0 * p)
    assert amplitude == pytest.approx(half, rel=relative)
    expected = [middle + amplitude, middle - amplitude]
    np.testing.assert_allclose(orbit.orbit[:, 0], expected, atol=1e-12)
    assert orbit.period == 2
    assert p > 3.0
    assert orbit.multipliers == pytest.approx([4.0 + 2.0 * p - p**2], abs=1e-12)


def test_both_signs_of_the_amplitude_are_the_same_orbit():
    up, down = (doubled(Henon(), henon(), amplitude) for amplitude in (0.05, -0.05))
    assert up.p == pytest.approx(down.p, rel=1e-13)
    np.testing.assert_allclose(up.orbit, down.orbit[::-1], atol=1e-13)
    # and an orbit it is: two maps lead back
    y = up.orbit[0]
    for _ in range(2):
        y = Henon().derivatives(y, up.p)[0]
    np.testing.assert_allclose(y, up.orbit[0], atol=1e-12)


def test_the_branch_of_a_subcritical_flip_turns():
    flip = first_flip(Quintic(), [0.0], -0.1, 0.1)
    assert flip.p == pytest.approx(0.0, abs=1e-14)
    orbit = doubled(Quintic(), flip, 0.1)
    assert orbit.p == pytest.approx(0.1**4 - 0.1**2, rel=1e-12)
    assert orbit.multipliers[0].real > 1.0
    # the unstable orbit goes back to p = -1/4, turns there at x^2 = 1/2 and is stable
    branch = follow_branch(Quintic(), orbit, -0.5)
    square = np.array([at.orbit[0, 0] ** 2 for at in branch.points])
    p = np.array([at.p for at in branch.points])
    np.testing.assert_allclose(p, square**2 - square, atol=1e-12)
    assert square.max() > 0.5
    assert not branch.points[1].stable
    assert branch.points[-1].stable


def test_the_cascade_of_the_logistic_map():
    doublings = cascade(Logistic(), logistic(), 8)
    # roots of polynomials of degrees 1, 2, 12 and 240 (OEIS A087046)
    known = [3.0, 1.0 + math.sqrt(6.0), 3.544090359551922853616, 3.564407266095432597774]
    np.testing.assert_allclose(doublings.p[:4], known, rtol=1e-13)
    assert [each.point.period for each in doublings.flips] == [2**k for k in range(8)]
    for flip in doublings.flips:
        assert flip.point.multipliers[0] == pytest.approx(-1.0, abs=1e-9)
    # ratios tend to the constant with errors that fall by about 3 to 8 a level: 1e-4 at the sixth
    assert doublings.ratios[-1] == pytest.approx(FEIGENBAUM, abs=1e-4)
    # the gap of 4e-5 beyond the last flip, times what its ratio lacks (1e-5), over delta
    assert doublings.accumulation == pytest.approx(ACCUMULATION, abs=1e-9)
    assert doublings.aitken == pytest.approx(ACCUMULATION, abs=1e-9)
    assert abs(doublings.accumulation - ACCUMULATION) < 10.0 * doublings.error


def test_the_cascade_of_the_henon_map_goes_through_complex_multipliers():
    doublings = cascade(Henon(), henon(), 6)
    assert doublings.p[1] == pytest.approx(0.49 + 0.25 * 1.69, rel=1e-12)
    # areas shrink by 0.3 a step, whatever the orbit
    for flip in doublings.flips:
        expected = (-0.3) ** flip.point.period
        assert np.linalg.det(flip.point.D) == pytest.approx(expected, abs=1e-12)
    assert doublings.ratios[-1] == pytest.approx(FEIGENBAUM, abs=0.02)
    assert doublings.error < 1e-6


def test_where_no_flip_follows_the_reader_is_told():
    # orbits of period two of an odd map have squares as multipliers: no second flip
    flip = first_flip(Quintic(), [0.0], -0.1, 0.1)
    with pytest.raises(NotFound, match="no flip after that"):
        next_flip(Quintic(), flip, 1e-3)
    assert math.isnan(Cascade((flip,)).accumulation)
    assert math.isnan(Cascade((flip, flip)).aitken)
