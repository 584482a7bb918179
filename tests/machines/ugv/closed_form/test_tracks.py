"""Profiles of tracks, and tracks of points."""

from pathlib import Path

import numpy as np
import pytest
from tests.machines.ugv.closed_form.cases import TRACKS

from footfall.errors import ScenarioError
from footfall.machines.ugv.closed_form import tracks
from footfall.machines.ugv.closed_form.tracks import (
    Track,
    TrackSegment,
    read_track,
    track_of_points,
)


@pytest.mark.parametrize("name", ["bump", "steep", "tight"])
def test_slope_and_bend_are_derivatives_of_the_height(name: str) -> None:
    """By central differences."""
    x, h = np.linspace(3.05, 5.9, 40), 1e-5
    before, at, after = (TRACKS[name].profile(x + d) for d in (-h, 0.0, h))
    # truncation h^2 f'''/6, with f''' below 75/m^2, and rounding eps/h
    np.testing.assert_allclose((after.height - before.height) / (2 * h), at.slope, atol=5e-9)
    # f'''' is below 500/m^3
    np.testing.assert_allclose((after.slope - before.slope) / (2 * h), at.bend, atol=5e-8)


def test_a_step_has_its_upper_level_from_its_place_on() -> None:
    """Heights add up."""
    found = TRACKS["stairs"].profile(np.array([3.5, 3.6, 4.0, 4.1, 9.0])).height
    np.testing.assert_allclose(found, [0.0, 0.1, 0.1, 0.25, 0.25])


def test_a_spline_through_points_of_a_smooth_track_is_that_track() -> None:
    """The error of a cubic spline falls as the fourth power of the distance of its points."""
    bump = tracks.Bump().track()
    x = np.linspace(2.5, 5.5, 500)
    errors = []
    for spacing in (0.1, 0.05):
        at = np.arange(0.0, 8.0 + spacing, spacing)
        spline = track_of_points(at, bump.profile(at).height)
        errors.append(np.abs(spline.profile(x).height - bump.profile(x).height).max())
    assert errors[1] < 1e-6
    assert np.log2(errors[0] / errors[1]) == pytest.approx(4.0, abs=0.05)  # 4.03


def test_a_smoothing_spline_is_nearer_to_the_ground_than_the_noise() -> None:
    """Of 400 points each spline coefficient is the mean of many."""
    generator = np.random.default_rng(3)
    bump, noise = tracks.Bump().track(), 2e-3
    at = np.linspace(0.0, 8.0, 400)
    read = bump.profile(at).height + generator.normal(0.0, noise, at.size)
    smooth = track_of_points(at, read, noise=noise)
    error = smooth.profile(at).height - bump.profile(at).height
    # some 15 coefficients carry what noise is left: sqrt(15/400) of it
    assert np.sqrt(np.mean(error**2)) < 0.4 * noise


@pytest.mark.parametrize(
    ("x", "z", "says"),
    [
        ([0.0, 0.1, 0.2], [0.0, 0.0, 0.0], "4 points or more"),
        ([0.0, 0.1, 0.1, 0.2], [0.0] * 4, "goes back"),
        ([0.0, 0.1, 0.2, 0.9, 1.0], [0.0] * 5, "a gap of 0.7 m from x = 0.2 to 0.9 m"),
        ([0.0, 0.1, 0.2, 0.3], [0.0, np.nan, 0.0, 0.0], "point 2 of the track is no number"),
        ([0.0, 0.1, 0.2, 0.3], [0.0] * 3, "as many heights"),
    ],
)
def test_points_that_are_no_ground_are_refused(x: list[float], z: list[float], says: str) -> None:
    """One line says where."""
    with pytest.raises(ValueError, match=says):
        track_of_points(x, z)


def test_a_table_is_read_with_or_without_a_head(tmp_path: Path) -> None:
    """Commas or semicolons, comments, empty lines."""
    rows = [f"{0.1 * k},{0.01 * k}" for k in range(6)]
    plain, headed = tmp_path / "plain.csv", tmp_path / "headed.csv"
    plain.write_text("\n".join(rows), encoding="utf-8")
    headed.write_text("\n".join(["x,z", "# read by hand", "", *rows]), encoding="utf-8")
    at = np.linspace(0.0, 0.5, 7)
    marked = tmp_path / "marked.csv"  # as some programs write it, with a mark of its encoding
    marked.write_text("\n".join(rows), encoding="utf-8-sig")
    for path in (plain, headed, marked):
        np.testing.assert_allclose(read_track(path).profile(at).height, 0.1 * at, atol=1e-15)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("0,0\n0.1,zero\n0.2,0\n", "line 2: '0.1,zero' is no pair"),
        ("0,0\n0.1\n", "line 2: '0.1' is no pair"),
        ("x;z\n0,0;0,1\n", "line 2: '0,0;0,1' is no pair"),
        ("x,z\n0,0\n0.1,0\n0.9,0\n1,0\n", "a gap of 0.8 m"),
        ("", "4 points or more"),
    ],
)
def test_a_table_that_is_none_is_refused(tmp_path: Path, text: str, says: str) -> None:
    """One line names the file."""
    path = tmp_path / "ground.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=f"ground.csv.*{says}"):
        read_track(path)


def test_pieces_that_leave_a_gap_are_refused() -> None:
    """A track is one ground."""
    level = tracks.flat().segments[0].profile
    with pytest.raises(ValueError, match="a gap from x = 1 to 2"):
        Track("broken", (TrackSegment(0.0, 1.0, level), TrackSegment(2.0, 3.0, level)))


@pytest.mark.parametrize(
    "make",
    [
        lambda: tracks.Bump(width=0.0),
        lambda: tracks.Bump(height=np.inf),
        lambda: tracks.Steps([1.0, 1.0], [0.1, 0.1]),
        lambda: tracks.Steps([1.0], []),
        lambda: tracks.Sine(wavelength=-1.0),
        lambda: tracks.Sine(place=np.nan),
    ],
)
def test_numbers_that_make_no_track_are_refused(make: object) -> None:
    """One line says which."""
    with pytest.raises(ScenarioError, match=r"give|rise"):
        make()  # type: ignore[operator]
