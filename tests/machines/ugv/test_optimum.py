"""!LegAngles as scenarios ask for it: findings, verdicts, what is driven and refused."""

import math

import numpy as np
import pytest
from tests.machines.ugv.scenarios import analyse, analysed

from footfall.errors import RunError, ScenarioError
from footfall.machines.ugv.model import WheelLegDrive
from footfall.machines.ugv.optimum.analysis import AnglePair, LegAngles
from footfall.metrics import scalar
from footfall.registry.claims import Claim
from footfall.run import run_scenario
from footfall.scenario.io import load_scenario, with_settings

SMALL = ("analysis.stations=21", "analysis.angles=9")
EASY = (*SMALL, "analysis.criterion=torque_peak")


@pytest.fixture(scope="module")
def easy_and_told():
    """The best angles of an easy problem, and what was told of the progress."""
    told = []
    found = analyse("optimum", *EASY, tell=lambda what, share: told.append((what, share)))
    return found, told


@pytest.fixture(scope="module")
def easy(easy_and_told):
    return easy_and_told[0]


@pytest.mark.slow
def test_findings_hold_all_paths_over_the_same_places(easy):
    result, data = easy, easy.data
    assert data["path"].to_numpy().tolist() == ["given", "fixed", "best"]
    assert data["torque"].dims == ("path", "station")
    values = data["value"].to_numpy()
    # given angles are on the grid, so that no best is worse
    assert (np.diff(values) <= 1e-6).all()
    at_stations = result.metrics["criterion_values_at_stations"]
    np.testing.assert_allclose(np.abs(data["torque"]).max("station"), at_stations, rtol=1e-12)
    assert result.metrics["criterion_values"] == values.tolist()
    assert (values >= at_stations).all()
    energy = result.metrics["supplied_energy"]
    assert data["supplied_energy"].to_numpy().tolist() == energy
    legs = data["leg_work_r"][:, -1] + data["leg_work_f"][:, -1]
    assert result.metrics["leg_work"] == pytest.approx(legs.to_numpy())
    assert data.sel(path="given")["leg_work_r"].to_numpy().tolist() == [0.0] * len(data["station"])
    told = LegAngles(criterion="torque_peak").metrics()
    assert set(result.metrics) == set(told)
    # quadrature: works of a smooth passage and its potential energy
    assert max(result.metrics["energy_residual"]) < 1e-6
    for name in (*data.data_vars, *data.coords):
        assert data[name].attrs["units"]


@pytest.mark.slow
def test_the_documents_figure_25_is_a_matter_of_degree(easy):
    result = analysed("optimum", *SMALL)
    (claim,) = result.claims
    assert isinstance(claim, Claim)
    given, fixed, moving = result.metrics["criterion_values"]
    # "constant" is what no motion of the legs makes of it
    assert (claim.verdict, claim.value) == ("differs", moving / fixed)
    assert "all places between stations looked at" in claim.reason
    assert moving < fixed < given
    # moving legs take a few per cent of what 160 degrees leave, not most of it
    assert moving > 0.9 * fixed
    assert easy.claims == []
    few = ("analysis.stations=7", "analysis.angles=3", "analysis.track=!Bump {height: 0.2}")
    assert analysed("optimum", *few).claims == []


@pytest.mark.slow
def test_on_the_hill_only_legs_that_move_pass():
    result = analysed("hill", "analysis.stations=33", "analysis.angles=9")
    data = result.data
    faults = dict(zip(data["path"].to_numpy(), data["fault"].to_numpy(), strict=True))
    assert "slips" in faults["given"]
    assert "slips" in faults["fixed"]
    assert faults["best"] == ""
    assert list(result.scenarios) == ["best"]
    fails = data.sel(path="fixed")
    assert (fails["outcome"] > 0).any()
    assert not data.sel(path="best")["outcome"].any()


@pytest.mark.slow
def test_found_paths_can_be_driven(easy):
    result = easy
    scenario = load_scenario("ugv/optimum", ["analysis=null"])
    for name in ("fixed", "best"):
        driven = with_settings(scenario, result.scenarios[name], "found")
        law = driven.controller
        assert isinstance(law, WheelLegDrive)
        at = np.array([(one.position, one.rear, one.front) for one in law.stations])
        path = result.data.sel(path=name)
        for column, leg in ((1, "phi_r"), (2, "phi_f")):
            angles = np.interp(at[:, 0], path["station"], np.degrees(path[leg]))
            # six digits
            np.testing.assert_allclose(at[:, column], angles, atol=1e-3)
        way = float(path["front_way"][-1] - path["front_way"][0])
        assert law.speed * (driven.duration - law.ramp) == pytest.approx(way, abs=0.2)


@pytest.mark.slow
def test_sides_of_a_angle_jump_are_one_station_of_a_drive():
    result = analysed("step", "analysis.stations=17", "analysis.angles=8")
    scenario = load_scenario("ugv/step", ["analysis=null"])
    law = with_settings(scenario, result.scenarios["best"], "found").controller
    at = [one.position for one in law.stations]
    assert np.diff(at).min() > 1e-6
    # two non-smooth points besides the seventeen, one of them a station already
    assert len(at) == 18


@pytest.mark.parametrize(
    ("given", "paths"), [(None, "fixed, best"), (AnglePair(), "given, fixed, best")]
)
def test_a_metric_says_of_which_paths_it_is(given, paths):
    unit, meaning = LegAngles(given=given).metrics()["torque_max"]
    assert unit == "N m"
    assert meaning.endswith(f"of paths {paths}")


def test_progress_goes_on(easy_and_told):
    _, told = easy_and_told
    shares = [share for _, share in told]
    assert shares == sorted(shares)
    assert 0.0 <= shares[0] <= shares[-1] < 1.0
    assert [what for what, _ in told] == ["closed form over the grid", "best path over the grid"]


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (["criterion=comfort"], "choose one of torque_range, torque_peak"),
        (["begin=8.0"], "let the front wheel go ahead"),
        (["least_angle=120.0", "most_angle=100.0"], "the smaller one first"),
        (["angles=1"], "give 2 to 100"),
        (["stations=1000", "angles=100"], "are 10000000 points"),
        (["leg_speed=1.0"], "give more angles, fewer stations, or leg_speed 0"),
        (["leg_speed=-1.0"], "leg_speed is -1"),
        (["speed=0.0"], "speed is 0.0: give a positive number"),
        (["clearance_margin=-0.1"], "clearance_margin is -0.1: give"),
        (["given={rear: 80.0, front: 115.0}"], r"given\.rear is 80 degrees: give one between 90"),
        (["solver=snopt"], "solver"),
        (["engine=moreau"], "closed-form alone"),
        (["track=!Steps {heights: [0.4]}"], "cannot climb"),
    ],
)
def test_what_is_no_problem_is_refused_in_one_line(settings, told):
    with pytest.raises(ScenarioError, match=told) as error:
        analysed("optimum", *(f"analysis.{one}" for one in settings))
    assert "\n" not in str(error.value)


@pytest.mark.slow
def test_what_cannot_be_had_ends_the_run_in_one_line():
    few = ("analysis.stations=9", "analysis.angles=5")
    with pytest.raises(RunError, match=r"no leg angles are found that pass: .*0\.6 m"):
        analysed("optimum", *EASY, *few, "analysis.clearance_margin=0.6")


@pytest.mark.slow
@pytest.mark.longest
def test_the_path_found_for_the_hill_passes_where_legs_that_stay_spin():
    """Driven with masses and contacts."""
    result = analysed("hill", "analysis.stations=61", "analysis.angles=15")
    scenario = load_scenario("ugv/hill", ["analysis=null"])
    found = with_settings(scenario, result.scenarios["best"], "found")
    measured = run_scenario(found, "ugv/hill", "moreau").metrics
    assert scalar(measured, "front_way") > 7.5
    # sticking contacts of the engine keep still to rounding
    assert scalar(measured, "wheel_slip") < 1e-6
    assert scalar(measured, "lift_time") == 0.0
    balance = result.metrics["required_friction"][-1]
    # the drive is 1 per cent off the balance: facets, and cubics instead of straight lines
    assert scalar(measured, "required_friction") == pytest.approx(balance, rel=0.03)
    fixed = result.data.sel(path="fixed").isel(station=0)
    rear, front = (math.degrees(float(fixed[leg])) for leg in ("phi_r", "phi_f"))
    station = f"{{position: 1.0, rear: {rear}, front: {front}}}"
    settings = ["duration=20.0", f"controller.stations=[{station}]"]
    stays = with_settings(scenario, settings, "fixed")
    measured = run_scenario(stays, "ugv/hill", "moreau").metrics
    assert scalar(measured, "front_way") < 2.7
    assert scalar(measured, "wheel_slip") > 1.0
