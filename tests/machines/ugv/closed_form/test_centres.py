"""The curve of the wheels' centres, against the disc that it must be free for."""

import math

import numpy as np
import pytest
from tests.machines.ugv.closed_form.cases import TRACKS, UGV, curve_over

from footfall.machines.ugv.closed_form import tracks
from footfall.machines.ugv.closed_form.centres import CentreCurve
from footfall.machines.ugv.closed_form.tracks import Track, track_of_points


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
    s = s[np.abs(s[:, None] - np.append(curve.nonsmooth_points, np.inf)).min(axis=1) > 1e-4]
    before, at, after = (curve.at(s + d) for d in (-h, 0.0, h))
    # rounding eps/h; the curve bends by up to 1/r, and more beside an angle jump of a tight hollow
    np.testing.assert_allclose((after.z - before.z) / (2 * h), np.tan(at.beta), atol=1e-7)
    np.testing.assert_allclose((after.arc - before.arc) / (2 * h), 1 / np.cos(at.beta), atol=1e-7)


def test_a_wheel_meets_a_step_where_geometry_says() -> None:
    """At sqrt(r^2 - (r - h)^2) before the edge, about which it turns from there on."""
    height = 0.12
    curve = curve_over(tracks.Steps([4.0], [height]).track())
    lean = math.acos((UGV.r - height) / UGV.r)
    before = UGV.r * math.sin(lean)
    np.testing.assert_allclose(curve.angle_jumps, [4.0 - before], rtol=1e-14)
    at = curve.at(curve.angle_jumps[0])
    assert at.beta == pytest.approx(lean, abs=1e-9)
    assert at.x == pytest.approx(4.0)
    # the way over the edge is an arc of the angle `lean`
    way = curve.at(4.0).arc - at.arc
    assert way == pytest.approx(UGV.r * lean, abs=1e-12)


def test_a_hollow_that_is_rounder_than_the_wheel_has_no_angle_jumps() -> None:
    """A wave's hollow has the radius wavelength^2/(2 pi^2 height)."""
    wave = 1.0
    for radius, angle_jumps in ((1.02 * UGV.r, 0), (0.9 * UGV.r, 2)):
        height = wave**2 / (2.0 * math.pi**2 * radius)
        curve = curve_over(tracks.Sine(height, wave, 3.0, 3).track())
        inner = (curve.angle_jumps > 3.5) & (
            curve.angle_jumps < 5.5
        )  # those at the ends are bends of level ground
        assert inner.sum() == angle_jumps
        if angle_jumps:  # in the middle of the hollows, where the wheel touches both flanks
            np.testing.assert_allclose(curve.angle_jumps[inner], [4.0, 5.0], atol=1e-9)


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
    with pytest.raises(ValueError, match="a wall, as high as the radius of the wheels"):
        curve_over(tracks.Steps([4.0], [height]).track())


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


def highest(track: Track, r: float, s: np.ndarray, count: int = 20001) -> np.ndarray:
    """Height of a centre at s that the disc must have, from points of the track below it."""
    reach = r * np.linspace(-1.0, 1.0, count)
    under = track.profile(s[:, None] + reach).height + np.sqrt(r * r - reach**2)
    return np.asarray(under.max(axis=1))


def test_hollows_hardly_tighter_than_the_wheel_have_their_angle_jumps() -> None:
    """The angle jumps with the root of what is missing of the radius, at both sides alike."""
    jumps = []
    for short in (1e-2, 1e-3, 1e-4):
        height = 1.0 / (2.0 * math.pi**2 * (1.0 - short) * UGV.r)
        curve = curve_over(tracks.Sine(height, 1.0, 3.0, 3).track())
        assert len(curve.angle_jumps) == 4
        before, after = (curve.at(curve.angle_jumps + d).beta for d in (-1e-10, 1e-10))
        jump = after - before
        np.testing.assert_allclose(jump[[0, 1]], jump[[3, 2]], rtol=1e-3)
        jumps.append(jump[:2] / math.sqrt(short))
    # the next term of the series is smaller by what is missing, and by 1e-10 m beside 1e-7 m
    np.testing.assert_allclose(jumps[1], jumps[2], rtol=0.01)
    np.testing.assert_allclose(jumps[0], jumps[2], rtol=0.02)


def test_a_wheel_turns_over_a_ridge_that_is_as_thin_as_a_finger() -> None:
    """Its centre goes a long way while it touches a few millimetres of it."""
    ridge = tracks.Bump(0.1, 4.0, 0.01).track()
    curve = curve_over(ridge)
    assert len(curve.angle_jumps) == 2
    s = np.random.default_rng(4).uniform(3.6, 4.4, 60)
    # points 30 um apart miss the top, whose radius is 0.5 mm
    np.testing.assert_allclose(curve.at(s).z, highest(ridge, UGV.r, s), atol=1e-6)


@pytest.mark.parametrize("r", [0.004, 3.0])
def test_small_and_large_wheels_roll_alike_over_small_and_large_tracks(r: float) -> None:
    """All lengths scale."""
    scale = r / UGV.r
    mine = CentreCurve(tracks.Steps([0.0], [0.12 * scale]).track(), r, -2.0 * scale, 2.0 * scale)
    theirs = CentreCurve(tracks.Steps([0.0], [0.12]).track(), UGV.r, -2.0, 2.0)
    np.testing.assert_allclose(mine.angle_jumps, scale * theirs.angle_jumps, rtol=1e-12)
    s = np.linspace(-1.9, 1.9, 77)
    np.testing.assert_allclose(mine.at(scale * s).z, scale * theirs.at(s).z, rtol=1e-12)


def test_a_tread_may_be_touched_for_a_millimetre() -> None:
    """Going down stairs of treads as long as the wheel takes to come down on them."""
    height = 0.28
    reach = math.sqrt(UGV.r**2 - (UGV.r - height) ** 2)
    for tread in (reach + 1e-3, reach + 1e-5):
        curve = curve_over(tracks.Steps([4.0, 4.0 + tread], [-height, -height]).track())
        np.testing.assert_allclose(
            curve.angle_jumps, [4.0 + reach, 4.0 + tread + reach], rtol=1e-12
        )
    # with a shorter tread the wheel goes from one edge to the other
    curve = curve_over(tracks.Steps([4.0, 4.0 + reach - 0.02], [-height, -height]).track())
    lean = curve.at(curve.angle_jumps[0] + np.array([-1e-9, 1e-9])).beta
    assert lean[0] < lean[1] < -0.01


def test_a_track_of_too_fine_a_grain_is_refused() -> None:
    """Rather than rolled over with samples that miss it."""
    with pytest.raises(ValueError, match=r"bends within 1e-07 m .* too many samples"):
        curve_over(tracks.Bump(0.1, 4.0, 1e-6).track())
