"""The curve of the wheels' centres, against the disc that it must be free for."""

import math

import numpy as np
import pytest
from tests.analytic.ugv_cases import TRACKS, UGV, curve_over

from footfall.analytic.ugv import tracks
from footfall.analytic.ugv.centres import CentreCurve
from footfall.analytic.ugv.points import track_of_points


@pytest.mark.parametrize("name", TRACKS)
def test_the_disc_touches_the_track_and_never_enters_it(name: str) -> None:
    """Its height is the largest that any point of the track under it asks for."""
    curve, track = curve_over(TRACKS[name]), TRACKS[name]
    s = np.random.default_rng(1).uniform(2.0, 6.5, 60)
    reach = np.linspace(-UGV.r, UGV.r, 40001)
    under = track.profile(s[:, None] + reach).height + np.sqrt(UGV.r**2 - reach**2)
    expected = np.nanmax(under, axis=1)
    found = curve.at(s).z
    # a grid of 15 um misses the highest point by less than d^2/(8 r), and a corner by its slope
    assert (found >= expected - 1e-12).all()
    assert (found - expected).max() < 3e-5


@pytest.mark.parametrize("name", TRACKS)
def test_the_slope_of_the_curve_is_the_contact_angle(name: str) -> None:
    """A centre moves along the tangent at the contact, and arc is its way."""
    curve, h = curve_over(TRACKS[name]), 1e-6
    s = np.random.default_rng(2).uniform(2.0, 6.5, 200)
    s = s[np.abs(s[:, None] - np.append(curve.seams, np.inf)).min(axis=1) > 1e-4]
    before, at, after = (curve.at(s + d) for d in (-h, 0.0, h))
    # rounding eps/h; the curve bends by up to 1/r, and more beside a kink of a tight hollow
    np.testing.assert_allclose((after.z - before.z) / (2 * h), np.tan(at.beta), atol=1e-7)
    np.testing.assert_allclose((after.arc - before.arc) / (2 * h), 1 / np.cos(at.beta), atol=1e-7)


def test_a_wheel_meets_a_step_where_geometry_says() -> None:
    """At sqrt(r^2 - (r - h)^2) before the edge, about which it turns from there on."""
    height = 0.12
    curve = curve_over(tracks.steps([4.0], [height]))
    lean = math.acos((UGV.r - height) / UGV.r)
    before = UGV.r * math.sin(lean)
    np.testing.assert_allclose(curve.kinks, [4.0 - before], rtol=1e-14)
    at = curve.at(4.0 - before)
    assert at.beta == pytest.approx(lean, abs=1e-9)
    assert at.x == pytest.approx(4.0)
    # the way over the edge is an arc of the angle `lean`
    way = curve.at(4.0).arc - at.arc
    assert way == pytest.approx(UGV.r * lean, abs=1e-12)


def test_a_hollow_that_is_rounder_than_the_wheel_has_no_kink() -> None:
    """A wave's hollow has the radius wavelength^2/(2 pi^2 height)."""
    wave = 1.0
    for radius, kinks in ((1.02 * UGV.r, 0), (0.9 * UGV.r, 2)):
        height = wave**2 / (2.0 * math.pi**2 * radius)
        curve = curve_over(tracks.sine(height, wave, 3.0, 3))
        inner = (curve.kinks > 3.5) & (
            curve.kinks < 5.5
        )  # those at the ends are bends of level ground
        assert inner.sum() == kinks
        if kinks:  # in the middle of the hollows, where the wheel touches both flanks
            np.testing.assert_allclose(curve.kinks[inner], [4.0, 5.0], atol=1e-9)


def test_a_wheel_rolls_on_a_slope_of_points_as_on_a_plane() -> None:
    """A spline through points of a plane; the centre goes r above it, parallel."""
    x = np.linspace(0.0, 10.0, 101)
    slope = 0.3
    curve = CentreCurve(track_of_points(x, slope * x), UGV.r, 1.0, 9.0)
    s = np.linspace(1.0, 9.0, 50)
    np.testing.assert_allclose(
        curve.at(s).z, slope * s + UGV.r * math.hypot(1.0, slope), atol=1e-12
    )
    np.testing.assert_allclose(curve.at(9.0).arc - curve.at(1.0).arc, 8.0 * math.hypot(1.0, slope))


@pytest.mark.parametrize("height", [0.3, 0.5, -0.35])
def test_a_wall_no_lower_than_the_wheel_is_refused(height: float) -> None:
    """Up or down: the centre would have to go straight up."""
    with pytest.raises(ValueError, match="a wall that is no lower than the radius"):
        curve_over(tracks.steps([4.0], [height]))


def test_a_track_that_is_too_short_is_refused() -> None:
    """The line says how far it reaches."""
    x = np.linspace(0.0, 3.0, 40)
    with pytest.raises(ValueError, match=r"reaches from 0 to 3 m"):
        CentreCurve(track_of_points(x, 0.0 * x), UGV.r, 0.5, 4.0)
    with pytest.raises(ValueError, match="to begin at 4 m and to end at 2 m"):
        CentreCurve(tracks.flat(), UGV.r, 4.0, 2.0)


def test_beyond_its_ends_the_curve_is_nothing() -> None:
    """NaN, whatever the shape."""
    curve = CentreCurve(tracks.flat(), UGV.r, 0.0, 1.0)
    found = curve.at([[-0.1, 0.5], [1.0, 1.1]])
    np.testing.assert_array_equal(np.isnan(found.z), [[True, False], [False, True]])
