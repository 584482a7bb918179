"""The map of torque over both angles and the place: against the curves, by symmetry, its bounds."""

import numpy as np
import pytest
from tests.machines.ugv.closed_form.cases import mirrored
from tests.machines.ugv.scenarios import charted, pairs, track, traversed

from footfall.machines.ugv.balance import OUTCOMES
from footfall.machines.ugv.closed_form.centres import CentreCurve
from footfall.machines.ugv.closed_form.forces import forces
from footfall.machines.ugv.closed_form.position import UgvParameters, pose
from footfall.machines.ugv.closed_form.tracks import Bump, Steps

UGV = UgvParameters()
SMALL = (6, "analysis.parameters.stations=14")
STEP = track("!Steps {places: [4.0], heights: [0.12]}")


@pytest.fixture(scope="module")
def soft():
    """The document's bump."""
    return charted("torque_map", *SMALL)


@pytest.fixture(scope="module")
def steep():
    """A bump on which not all angles pass."""
    return charted("steep_map", *SMALL)


def mirror_image(data, track, place):
    """Torque of every point of a map where it is seen in a mirror at a place, legs swapped."""
    phi = data["phi_r"].to_numpy()
    curve = CentreCurve(track, UGV.r, -2.0, 10.0)
    s = data["station"].to_numpy()
    at = pose(UGV, curve, s, phi[:, None, None], phi[:, None])
    other = CentreCurve(mirrored(track, place), UGV.r, -2.0, 10.0)
    seen = pose(UGV, other, 2.0 * place - at.rear.s, at.phi_f, at.phi_r)
    return forces(UGV, seen).torque


@pytest.mark.slow
@pytest.mark.parametrize("settings", [(), (STEP,)])
def test_the_map_seen_in_a_mirror_has_the_opposite_torque(settings):
    data, _ = charted("torque_map", *SMALL, *settings)
    ground = Bump().track() if not settings else Steps([4.0], [0.12]).track()
    expected = mirror_image(data, ground, 3.7)
    # places of the wheels found twice to 1e-13 m, times torques that change by kN m a metre
    np.testing.assert_allclose(data["torque"], -expected, atol=1e-7)


def test_a_row_of_the_map_is_the_curve_of_these_angles(soft):
    data = soft[0].isel(phi_r=1, phi_f=4)
    rear, front = np.degrees([float(data["phi_r"]), float(data["phi_f"])])
    way = tuple(f"analysis.parameters.{k}" for k in ("begin=1.5", "end=8.0", "stations=14"))
    (curve,), _ = traversed("static_angles", *way, pairs((rear, front)))
    curve = curve.drop_vars("required_friction").rename(friction_needed="required_friction")
    for name in ("torque", "required_friction", "min_normal", "clearance", "outcome"):
        np.testing.assert_allclose(data[name], curve[name], atol=1e-9, err_msg=name)


def test_outcomes_are_what_friction_forces_and_clearance_say(steep):
    data, metrics = steep
    mu, outcome = 0.6, data["outcome"].to_numpy().astype(int)
    needed, normal, clearance = (
        data[name].to_numpy() for name in ("required_friction", "min_normal", "clearance")
    )
    names = np.array(OUTCOMES)[outcome]
    assert np.array_equal(names == "has no place", np.isnan(data["torque"].to_numpy()))
    passing = names == "passes"
    assert (needed[passing] <= mu).all()
    assert (normal[passing] > 0.0).all()
    assert (clearance[passing] >= 0.0).all()
    assert (needed[names == "slips"] > mu).all()
    assert (normal[names == "slips"] > 0.0).all()
    assert (clearance[names == "bottoms"] < 0.0).all()
    assert metrics["passing_share"] == passing.mean()
    assert {"passes", "has no place", "slips"} <= set(names.ravel().tolist())


def test_wheels_that_would_be_in_each_other_have_no_place(steep):
    phi = steep[0]["phi_r"].to_numpy()
    base = np.abs(UGV.L - UGV.l * (np.exp(-1j * phi[:, None]) + np.exp(1j * phi)))
    gone = np.isnan(steep[0]["torque"].to_numpy())
    assert np.array_equal(gone, np.broadcast_to((base <= 2.0 * UGV.r)[..., None], gone.shape))


def test_bounds_are_of_what_passes(steep):
    data, metrics = steep
    passing = data["outcome"].to_numpy() == 0
    torque = data["torque"].to_numpy()
    for k in range(data.sizes["station"]):
        offered = torque[..., k][passing[..., k]]
        assert float(data["lowest_torque"][k]) == offered.min()
        assert float(data["highest_torque"][k]) == offered.max()
        assert float(data["least_effort"][k]) == np.abs(offered).min()
    assert metrics["passing_torque_max"] == torque[passing].max()
    assert metrics["passing_torque_min"] == torque[passing].min()
    assert metrics["least_peak"] <= metrics["fixed_peak"]


def test_the_best_angles_that_stay_pass_and_no_others_need_less(soft):
    data, metrics = soft
    rear, front = np.radians([metrics["fixed_rear"], metrics["fixed_front"]])
    best = data.sel(phi_r=rear, phi_f=front, method="nearest")
    assert (best["outcome"] == 0).all()
    assert float(np.abs(best["torque"]).max()) == metrics["fixed_peak"]
    peaks = np.abs(data["torque"]).max("station")
    assert float(peaks.min()) == metrics["fixed_peak"]


@pytest.mark.slow
def test_where_nothing_passes_nothing_is_promised():
    data, metrics = charted("steep_map", *SMALL, "friction=0.1")
    assert np.isnan(metrics["least_peak"])
    assert "fixed_peak" not in metrics
    assert np.isnan(data["least_effort"]).any()


def test_both_sides_of_the_front_wheel_s_jump_are_places_of_the_map():
    data, metrics = charted("torque_map", *SMALL, STEP)
    s = data["station"].to_numpy()
    (beside,) = np.flatnonzero(np.diff(s) < 1e-8)
    # the wheel touches the edge of a step of 0.12 m while it still is on the ground
    assert s[beside] == pytest.approx(4.0 - np.sqrt(0.3**2 - 0.18**2), abs=1e-8)
    torque = np.abs(data["torque"].to_numpy())
    assert torque[..., beside].max() < 1e-9  # on level ground, but for rounding
    assert torque[..., beside + 1].min() > 100.0
    assert metrics["least_peak"] > 100.0
