"""Figure 24: torque along tracks at angles that stay, against balance, energy and symmetry."""

import numpy as np
import pytest
from scipy.interpolate import CubicSpline
from tests.machines.ugv.balance_equations import NINE, nine_equations
from tests.machines.ugv.scenarios import analyse, analysed, pairs

from footfall.errors import ScenarioError
from footfall.machines.ugv.closed_form.centres import CentreCurve
from footfall.machines.ugv.closed_form.energy import potential
from footfall.machines.ugv.closed_form.parameters import UgvParameters
from footfall.machines.ugv.closed_form.position import pose
from footfall.machines.ugv.closed_form.tracks import bump
from footfall.registry.entry_points import scenario_files
from footfall.scenario.io import load_scenario

UGV = UgvParameters()
LEVEL = "analysis.track=!Bump {height: 0.0}"
STEP = "analysis.track=!Steps {places: [4.0], heights: [0.12]}"
FEW = "analysis.stations=60"


def test_every_row_satisfies_the_documents_nine_equations():
    data = analysed("static_angles", FEW).data
    curve = CentreCurve(bump(), UGV.r, -2.0, 9.1)
    for k in range(data.sizes["angles"]):
        one = data.isel(angles=k)
        angles = float(one["phi_r"]), float(one["phi_f"])
        A, b = nine_equations(UGV, pose(UGV, curve, one["station"].to_numpy(), *angles))
        solved = np.linalg.solve(A, b[..., None])[..., 0]
        # forces of 4.3 kN, of a matrix whose condition is below 1e2; the model's numbers have 12
        # digits
        for name, unknown in (("torque", "M"), ("normal_r", "N_r"), ("normal_f", "N_f")):
            np.testing.assert_allclose(one[name], solved[:, NINE.index(unknown)], atol=1e-8)


def test_the_torque_is_what_lifts_the_vehicle():
    """Fixed angles: M times the turns of both wheels against the body is dV, in differences."""
    data = analysed("static_angles", "analysis.stations=851", pairs((90.0, 140.0))).data
    one = data.isel(angles=0)
    curve = CentreCurve(bump(), UGV.r, -2.0, 9.1)
    at = pose(UGV, curve, one["station"].to_numpy(), float(one["phi_r"]), float(one["phi_f"]))
    V = potential(UGV, at)
    turn = (one["rear_way"] + one["front_way"]) / UGV.r + 2.0 * one["pitch"]
    lifted, turned = np.diff(V), np.diff(turn)
    middle = 0.5 * (one["torque"].to_numpy()[1:] + one["torque"].to_numpy()[:-1])
    # the trapezoid's error: h^2/12 of what the torque bends by, 34 N m in less than 1 m, twice
    np.testing.assert_allclose(lifted / turned, middle, atol=0.01**2 / 12.0 * 34.0 * 10.0)


def test_level_ground_needs_no_torque_and_everything_passes():
    result = analysed("static_angles", FEW, LEVEL, "friction=0.01")
    data = result.data
    # rounding of 4.3 kN
    assert np.abs(data["torque"]).max() < 1e-9
    np.testing.assert_allclose(data["normal_r"] + data["normal_f"], UGV.weight, rtol=1e-12)
    assert (data["outcome"] == 0).all()
    assert np.isnan(result.metrics["slips_from"]).all()
    assert result.claims == []  # which are of the bump


def test_swapped_angles_are_the_mirror_image():
    settings = ("analysis.stations=851", pairs((90.0, 140.0), (140.0, 90.0)))
    data = analysed("static_angles", *settings).data
    one, other = (data.isel(angles=k) for k in (0, 1))
    s = 8.0 - one["rear_x"].to_numpy()  # the front wheel seen in a mirror at the top
    inside = (s > 0.5) & (s < 9.0)
    torque = CubicSpline(other["station"].to_numpy(), other["torque"].to_numpy())(s[inside])
    # a cubic spline through places 1 cm apart: some h^4 of 34 N m
    np.testing.assert_allclose(torque, -one["torque"].to_numpy()[inside], atol=1e-6)


def test_both_sides_of_a_jump_are_there():
    data = analysed("static_angles", FEW, STEP, pairs((115.0, 115.0), (90.0, 90.0))).data
    s, torque = data["station"].to_numpy(), data["torque"].to_numpy()
    assert (np.diff(s) > 0.0).all()
    close = np.diff(s) < 1e-8
    jumps = np.abs(np.diff(torque, axis=1))[:, close]
    # the front wheel meets the edge at one place for both, the rear one at one for each
    assert [int((row > 100.0).sum()) for row in jumps] == [2, 2]
    assert (jumps.max(axis=0) > 100.0).sum() == 3


def test_works_are_none_over_the_bump_and_the_step_s_height_over_a_step():
    over = analysed("static_angles", FEW)
    assert over.claims[1].value < 1e-9  # places of the wheels found twice, to rounding
    assert [claim.verdict for claim in over.claims] == ["predicted", "predicted"]
    up = analysed("static_angles", FEW, STEP, pairs((115.0, 115.0)))
    # what the passage integrates by Gauss' method, broken at non-smooth points
    assert up.metrics["wheel_work"] == pytest.approx([UGV.weight * 0.12], rel=1e-8)
    assert up.metrics["energy_residual"][0] < 1e-6
    assert up.claims == []


def test_another_bump_has_no_claims():
    assert analysed("static_angles", FEW, "analysis.track.height=0.11").claims == []


# --- verdicts ------------------------------------------------------------------------------------


def test_it_slips_where_the_friction_that_it_needs_is_more_than_there_is():
    result = analysed("static_angles", pairs((90.0, 90.0)), "friction=0.05")
    one = result.data.isel(angles=0)
    (first,) = result.metrics["slips_from"]
    row = int(np.searchsorted(one["station"], first))
    needed = one["required_friction"].to_numpy()
    assert needed[row - 1] <= 0.05 < needed[row]
    assert np.array_equal(one["outcome"] == 3, needed > 0.05)
    # 0.0665 is needed at most
    enough = analysed("static_angles", pairs((90.0, 90.0)), "friction=0.067")
    assert np.isnan(enough.metrics["slips_from"]).all()


def test_a_steep_bump_slips_rolls_over_or_bottoms_by_the_angles():
    high = "analysis.track=!Bump {height: 1.0}"
    angles = pairs((80.0, 80.0), (115.0, 115.0), (175.0, 175.0))
    metrics = analysed("steep_angles", FEW, high, angles).metrics
    rolls, slips, bottoms = (
        np.isfinite(metrics[name]) for name in ("rolls_over_from", "slips_from", "bottoms_from")
    )
    assert rolls.tolist() == [True, False, False]
    assert slips.tolist() == [True, True, False]
    assert bottoms.tolist() == [False, False, True]
    assert metrics["min_normal_force"][0] < 0.0 < metrics["min_normal_force"][1]
    # a wheel slips before it has lifted off
    assert metrics["slips_from"][0] < metrics["rolls_over_from"][0]


def test_friction_is_that_of_wheels_at_rest():
    rules = 'pairs=[{contact: "ugv::rear_wheel", friction: 0.3, static_friction: 0.4}]'
    data = analysed("static_angles", FEW, rules, pairs((115.0, 115.0))).data
    assert data.attrs["friction"] == 0.4


# --- tracks --------------------------------------------------------------------------------------


def test_the_track_is_the_model_s_unless_one_is_given():
    bump = "analysis.track={_tag: '!Bump', height: 0.45, width: 0.7}"
    given = analysed("steep_angles", FEW, pairs((115.0, 115.0)), bump)
    read = analysed("steep_angles", FEW, pairs((115.0, 115.0)))
    # a spline through vertices with 9 digits; slopes err by 2e-5, times 4.3 kN times 0.3 m
    torque = read.data["torque"].sel(station=given.data["station"])
    np.testing.assert_allclose(torque, given.data["torque"], atol=0.03)


def points(path, step=0.05):
    x = np.arange(-3.0, 11.0, step)
    rows = [f"{a:.9g},{b:.9g}" for a, b in zip(x, bump().profile(x).height, strict=True)]
    path.write_text("\n".join(["x,z", *rows]) + "\n")


def own_scenario(folder, track):
    """A scenario file with a track, beside which its points may lie."""
    text = scenario_files()["ugv"].read_text()
    path = folder / "own.yaml"
    begin = "\nstatic_angles:"
    kept = text[text.index("drive:") : text.index("drive_slow:")]
    one = text[text.index(begin) : text.index("steep_angles:")]
    path.write_text(kept + one.replace("track: !Bump {}", f"track: {track}"))
    return f"{path}:static_angles"


def test_points_lie_beside_the_scenario_or_where_we_are(tmp_path, monkeypatch):
    points(tmp_path / "measured.csv")
    name = own_scenario(tmp_path, "!TrackPoints {file: measured.csv}")
    track = load_scenario(name).analysis.track
    assert track.file == str(tmp_path / "measured.csv")
    found = track.track()
    x = np.linspace(0.0, 9.0, 101)
    # a cubic spline through points 5 cm apart: h^4/384 of f'''' < 2
    np.testing.assert_allclose(found.profile(x).height, bump().profile(x).height, atol=1e-7)
    monkeypatch.chdir(tmp_path)
    given = ("analysis.track=!TrackPoints {file: measured.csv}", FEW, pairs((115.0, 115.0)))
    torque = analyse("static_angles", *given).data["torque"]
    exact = analysed("static_angles", FEW, pairs((115.0, 115.0))).data["torque"]
    np.testing.assert_allclose(torque, exact, atol=0.1)  # of 31 N m: the spline's slopes


@pytest.mark.parametrize(
    ("track", "words"),
    [
        ("!Bump {width: 0.0}", "analysis.track: width is 0"),
        ("!Bump {height: .inf}", "analysis.track: height is inf"),
        ("!Steps {places: [4.0, 3.0], heights: [0.1, 0.1]}", "do not rise"),
        ("!Steps {places: [4.0], heights: []}", "1 places and 0 heights"),
        ("!Steps {places: [4.0], heights: [0.4]}", "cannot climb"),
        ("!Sine {waves: 0}", "waves is 0"),
        ("!TrackPoints {}", "analysis.track.file is empty"),
        ("!TrackPoints {file: nowhere.csv}", "nowhere.csv: cannot be read"),
        ("!TrackPoints {file: nowhere.csv, noise: -1.0}", "cannot be read"),
        ("!Hill {}", "Hill"),
    ],
)
def test_tracks_that_are_none_are_refused_in_one_line(track, words):
    with pytest.raises(ScenarioError) as caught:
        analysed("static_angles", f"analysis.track={track}")
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_points_that_are_no_track_are_refused_in_one_line(tmp_path):
    path = tmp_path / "short.csv"
    for text, words in (
        ("0,0\n1,0\n", "4 points or more"),
        ("0,0\n0.1,x\n0.2,0\n0.3,0\n", "line 2"),
        ("0,0\n0.1,0\n3,0\n3.1,0\n", "gap of 2.9 m"),
        ("\n".join(f"{0.1 * k:.1f},0" for k in range(40)), "it reaches from 0 to 3.9 m"),
    ):
        path.write_text(text)
        with pytest.raises(ScenarioError, match=words) as caught:
            analyse("static_angles", f"analysis.track=!TrackPoints {{file: {path}}}")
        assert "\n" not in str(caught.value)


# --- refusals ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("analysis.angles=[]", "give 1 to 24 pairs"),
        (pairs((90.0, 90.0), (90.0, 90.0)), "each once"),
        (pairs((90.0, 190.0)), "analysis.angles.0.front is 190 degrees"),
        (pairs((60.0, 60.0)), "no place with its front wheel at"),
        ("analysis.stations=1", "analysis.stations is 1"),
        ("analysis.end=0.5", "let the front wheel go ahead"),
        ("analysis.begin=-.inf", "begin is -inf"),
        ("analysis.engine=moreau", "analysis.engine is 'moreau'"),
    ],
)
def test_what_is_no_figure_is_refused_in_one_line(setting, words):
    with pytest.raises(ScenarioError) as caught:
        analysed("static_angles", setting)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_progress_ends_below_the_whole():
    told = []
    analyse("static_angles", FEW, tell=lambda what, share: told.append((what, share)))
    assert told[0] == ("90 and 90 degrees", 0.0)
    assert all(0.0 <= share < 1.0 for _, share in told)
