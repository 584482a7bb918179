"""Figure 24: torque along tracks at angles that stay, against balance, energy and symmetry."""

import numpy as np
import pytest
from tests.machines.ugv.balance_equations import NINE, nine_equations
from tests.machines.ugv.scenarios import pairs, track, traversed

from footfall.errors import ScenarioError
from footfall.machines.ugv.balance import read_track_kind
from footfall.machines.ugv.closed_form.centres import CentreCurve
from footfall.machines.ugv.closed_form.position import UgvParameters, pose
from footfall.machines.ugv.closed_form.tracks import Bump, TrackPoints

UGV = UgvParameters()
LEVEL = track("!Bump {height: 0.0}")
STEP = track("!Steps {places: [4.0], heights: [0.12]}")
FEW = "analysis.parameters.stations=60"


@pytest.mark.slow
def test_every_row_satisfies_the_documents_nine_equations():
    curve = CentreCurve(Bump().track(), UGV.r, -2.0, 9.1)
    each, _ = traversed("static_angles", FEW)
    assert len(each) == 6
    for one in each:
        angles = float(one["phi_r"]), float(one["phi_f"])
        A, b = nine_equations(UGV, pose(UGV, curve, one["station"].to_numpy(), *angles))
        solved = np.linalg.solve(A, b[..., None])[..., 0]
        # forces of 4.3 kN, of a matrix whose condition is below 1e2; the model's numbers have 12
        # digits
        for name, unknown in (("torque", "M"), ("normal_r", "N_r"), ("normal_f", "N_f")):
            np.testing.assert_allclose(one[name], solved[:, NINE.index(unknown)], atol=1e-8)


def test_works_are_the_step_s_height_over_a_step():
    _, up = traversed("static_angles", FEW, STEP, pairs((115.0, 115.0)))
    # what the passage integrates by Gauss' method, broken at non-smooth points
    assert float(up["wheel_work"][0]) == pytest.approx(UGV.weight * 0.12, rel=1e-8)
    assert float(up["energy_residual"][0]) < 1e-6


# --- verdicts ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_it_slips_where_the_friction_that_it_needs_is_more_than_there_is():
    (one,), _ = traversed("static_angles", pairs((90.0, 90.0)), "friction=0.05")
    first = float(one["slips_from"])
    row = int(np.searchsorted(one["station"], first))
    needed = one["friction_needed"].to_numpy()
    assert needed[row - 1] <= 0.05 < needed[row]
    assert np.array_equal(one["outcome"] == 3, needed > 0.05)
    # 0.0665 is needed at most
    _, enough = traversed("static_angles", pairs((90.0, 90.0)), "friction=0.067")
    assert np.isnan(enough["slips_from"]).all()


@pytest.mark.slow
def test_where_it_slips_first_does_not_hang_on_stations():
    """Stations half a metre apart, the worst of them slips and the place is before it."""
    few = ("analysis.parameters.stations=18", pairs((90.0, 90.0)), "friction=0.05")
    (one,), _ = traversed("static_angles", *few)
    (fine,), _ = traversed("static_angles", pairs((90.0, 90.0)), "friction=0.05")
    # found to a nanometre on both
    assert float(one["slips_from"]) == pytest.approx(float(fine["slips_from"]), abs=1e-8)
    assert np.abs(one["station"].to_numpy() - float(one["slips_from"])).min() > 0.01


@pytest.mark.slow
def test_a_steep_bump_slips_rolls_over_or_bottoms_by_the_angles():
    angles = pairs((115.0, 115.0), (175.0, 175.0), (80.0, 80.0))  # as texts are sorted
    _, data = traversed("steep_angles", FEW, track("!Bump {height: 1.0}"), angles)
    metrics = {name: one.to_numpy()[[2, 0, 1]] for name, one in data.items() if one.ndim == 1}
    rolls, slips, bottoms = (
        np.isfinite(metrics[name]) for name in ("rolls_over_from", "slips_from", "bottoms_from")
    )
    assert rolls.tolist() == [True, False, False]
    assert slips.tolist() == [True, True, False]
    assert bottoms.tolist() == [False, False, True]
    assert metrics["min_normal_force"][0] < 0.0 < metrics["min_normal_force"][1]
    # a wheel slips before it has lifted off
    assert metrics["slips_from"][0] < metrics["rolls_over_from"][0]


@pytest.mark.slow
def test_friction_is_that_of_wheels_at_rest():
    rules = 'pairs=[{contact: "ugv::rear_wheel", friction: %s, static_friction: %s}]'
    for rule, slips in ((rules % (0.03, 0.067), False), (rules % (0.03, 0.066), True)):
        _, data = traversed("static_angles", FEW, rule, pairs((90.0, 90.0)))
        assert bool(np.isfinite(data["slips_from"]).all()) is slips  # 0.0665 is needed


# --- tracks --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_track_is_the_model_s_unless_one_is_given():
    bump = track("!Bump {height: 0.45, width: 0.7}")
    (given,), _ = traversed("steep_angles", FEW, pairs((115.0, 115.0)), bump)
    (read,), _ = traversed("steep_angles", FEW, pairs((115.0, 115.0)))
    # a spline through vertices with 9 digits; slopes err by 2e-5, times 4.3 kN times 0.3 m
    torque = read["torque"].sel(station=given["station"])
    np.testing.assert_allclose(torque, given["torque"], atol=0.03)


def test_points_of_a_file_are_a_track(tmp_path, monkeypatch):
    x = np.arange(-3.0, 11.0, 0.05)
    rows = [f"{a:.9g},{b:.9g}" for a, b in zip(x, Bump().track().profile(x).height, strict=True)]
    (tmp_path / "measured.csv").write_text("\n".join(["x,z", *rows]) + "\n")
    monkeypatch.chdir(tmp_path)
    points = track("!TrackPoints {file: measured.csv}")
    (read,), _ = traversed("static_angles", points, FEW, pairs((115.0, 115.0)))
    (exact,), _ = traversed("static_angles", FEW, pairs((115.0, 115.0)))
    np.testing.assert_allclose(read["torque"], exact["torque"], atol=0.1)  # the spline's slopes


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("!Bump {width: 0.0}", "width is 0"),
        ("!Bump {height: .inf}", "height is inf"),
        ("!Steps {places: [4.0, 3.0], heights: [0.1, 0.1]}", "let them rise"),
        ("!Steps {places: [4.0], heights: []}", "places are 1 and heights 0"),
        ("!Sine {waves: 0}", "waves is 0"),
        ("!Hill {}", "write one of !Bump, !Steps, !Sine, !TrackPoints"),
        ("!Bump {heigt: 1.0}", "write one of"),
        ("bump", "write one of"),
    ],
)
def test_tracks_that_are_none_are_refused_in_one_line(text, words):
    with pytest.raises(ScenarioError, match=words) as refused:
        read_track_kind(text)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("track", "words"),
    [
        (TrackPoints(), "analysis.track.file is empty"),
        (TrackPoints("nowhere.csv"), "nowhere.csv: cannot be read"),
        (TrackPoints("nowhere.csv", noise=-1.0), "cannot be read"),
    ],
)
def test_points_that_are_not_there_are_refused_in_one_line(track, words):
    with pytest.raises(ScenarioError, match=words) as refused:
        track.track()
    assert "\n" not in str(refused.value)


# --- refusals ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        (pairs((90.0, 190.0)), "parameters.front is 190 degrees"),
        (pairs((60.0, 60.0)), "no place with its front wheel at"),
        ("analysis.parameters.stations=1", "analysis.stations is 1"),
        ("analysis.parameters.end=0.5", "let the front wheel go ahead"),
        ("engine=moreau", "analysis.engine is 'moreau'"),
        (STEP.replace("0.12", "0.4"), "cannot climb"),
    ],
)
def test_what_is_no_curve_is_refused_in_one_line(setting, words):
    with pytest.raises(ScenarioError, match=words) as refused:
        traversed("static_angles", FEW, setting)
    assert "\n" not in str(refused.value)
