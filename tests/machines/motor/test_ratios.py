"""The sweep of gear ratios: simulations against the closed form, and optima that were searched."""

import json
import math

import numpy as np
import pytest
from tests.slow import some_slow

from footfall.analyse import analyse_scenario
from footfall.analysis.checkpoint import Checkpoint
from footfall.analysis.context import AnalysisContext
from footfall.errors import RunError, ScenarioError
from footfall.machines.motor.analyses.ratio_sweep import VARIANTS, RatioSweep
from footfall.machines.motor.report.ratio_sweep import ratio_sweep_contents
from footfall.scenario.assemble import build_robot
from footfall.scenario.context import context_of
from footfall.scenario.io import load_scenario

SMALL = (
    "analysis.from_ratio=50",
    "analysis.to_ratio=200",
    "analysis.ratios=3",
    "analysis.speeds=[0.0, 8.0]",
    "analysis.angle=0.1",
)


def analyse(*settings, checkpoint=None, tell=lambda _what, _share: None):
    scenario = load_scenario("motor/ratio_sweep", settings)
    return analyse_scenario(scenario, checkpoint or Checkpoint(), tell)


@pytest.fixture(scope="module")
def swept():
    return analyse(*SMALL).result


@pytest.fixture(scope="module")
def stepped(request, tmp_path_factory):
    """The sweep from rest in an engine with steps: settings, result, progress, file of pieces."""
    path = tmp_path_factory.mktemp("stepped") / "pieces.jsonl"
    settings = (*SMALL, "analysis.speeds=[0.0]", f"analysis.engine={request.param}")
    told = []
    result = analyse(
        *settings,
        checkpoint=Checkpoint(path),
        tell=lambda what, share: told.append((what, share)),
    ).result
    return settings, result, told, path


in_moreaus_engine = pytest.mark.parametrize("stepped", ["moreau"], indirect=True)


@pytest.mark.slow
def test_simulations_are_the_closed_form(swept):
    # an acceleration is read off three rows a microsecond apart, beside rounding of their speeds
    assert swept.metrics["acceleration_error"] < 1e-7
    # the accuracy of the integration, 1e-10, and the cubic between rows
    assert swept.metrics["turn_error"] < 1e-7


@pytest.mark.slow
def test_the_search_finds_the_optima_of_the_closed_form(swept):
    metrics = swept.metrics
    # from rest: where the derivative of T n / (J_l + J_m n^2) is 0; rounding hides the top
    assert metrics["best_ratios"][0] == pytest.approx(math.sqrt(0.05 / 3.31e-6), rel=1e-5)
    assert metrics["exact_ratios"][0] == pytest.approx(math.sqrt(0.05 / 3.31e-6), rel=1e-14)
    # at 8 rad/s the line cuts the hill off where it gives 0.398 N m no more; in the microseconds of
    # a reading the speed goes on by a ten-thousandth
    corner = (1.00196 - 0.398) * 904.523 / (1.00196 * 8.0)
    assert metrics["exact_ratios"][1] == pytest.approx(corner, rel=1e-14)
    assert metrics["best_ratios"][1] == pytest.approx(corner, rel=2e-4)
    assert metrics["turn_ratios"] == pytest.approx(metrics["exact_turn_ratios"], rel=1e-4)
    assert metrics["turn_ratios"][1] == pytest.approx(math.sqrt(0.05 / 3.31e-6), rel=1e-4)
    assert metrics["turn_ratios"][0] < metrics["turn_ratios"][1]
    (claim,) = swept.claims
    assert claim.verdict == "check"
    assert claim.value == metrics["best_ratios"][0]


@pytest.mark.slow
def test_no_ratio_of_the_sweep_is_better_than_the_optimum(swept):
    data = swept.data
    most = data["acceleration"].max("ratio")
    assert (most <= data["best_acceleration"] * (1.0 + 1e-9)).all()
    assert (data["turn_time"].min("ratio") >= data["best_turn_time"] * (1.0 - 1e-9)).all()
    assert data["variant"].values.tolist() == list(VARIANTS)
    assert all("units" in data[name].attrs for name in data.data_vars)
    assert set(swept.metrics) == set(RatioSweep().metrics())


@in_moreaus_engine
def test_it_says_how_far_it_is(stepped):
    _, _, told, _ = stepped
    shares = [share for _, share in told]
    assert shares == sorted(shares)
    assert 0.0 <= shares[0] < shares[-1] < 1.0


@pytest.mark.parametrize("stepped", some_slow(["moreau", "drake-sap"], "drake-sap"), indirect=True)
def test_engines_with_steps_find_the_same_gear(stepped):
    settings, found, _, path = stepped
    assert found.metrics["best_ratios"][0] == pytest.approx(math.sqrt(0.05 / 3.31e-6), rel=1e-5)
    # a step of a millisecond in a turn of some tens of them
    assert found.metrics["turn_error"] < 0.1
    # taken up again, nothing is simulated anew
    count = len(path.read_text().splitlines())
    again = analyse(*settings, checkpoint=Checkpoint(path)).result
    assert json.dumps(again.metrics) == json.dumps(found.metrics)
    assert len(path.read_text().splitlines()) == count


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ({"from_ratio": 0.0}, "from_ratio is 0"),
        ({"from_ratio": 300.0, "to_ratio": 100.0}, "the smaller one first"),
        ({"to_ratio": math.inf}, "to_ratio"),
        ({"ratios": 2}, "ratios is 2"),
        ({"ratios": 10_000}, "ratios is 10000"),
        ({"speeds": []}, "speeds"),
        ({"speeds": [1.0, 1.0]}, "each once"),
        ({"speeds": [-1.0]}, "not below 0"),
        ({"speeds": [math.inf]}, "speeds"),
        ({"angle": 0.0}, "angle is 0"),
        ({"engine": "hybrid"}, "engine is 'hybrid'"),
    ],
)
def test_what_is_no_sweep_is_refused(options, names):
    with pytest.raises(ScenarioError, match=names) as refused:
        RatioSweep(**options)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "setting",
    [
        "controller.at_rotor=false",
        "controller=null",
        "controller.torques.motor.0.coefficients=[-0.1]",
    ],
)
def test_the_torque_must_be_that_of_the_rotor(setting):
    with pytest.raises(ScenarioError, match="one positive torque of the rotor"):
        analyse(setting)


def test_a_rotor_without_inertia_has_no_best_gear():
    with pytest.raises(ScenarioError, match="needs a rotor with inertia") as refused:
        analyse(*SMALL, "motors.motor.rotor_inertia=0")
    assert "\n" not in str(refused.value)


@pytest.mark.slow
def test_what_is_best_at_the_edge_of_the_range_is_no_optimum():
    # from rest and for the turn without line and friction it is at 122.9, at 8 rad/s at 68
    settings = ("analysis.from_ratio=60", "analysis.to_ratio=100", "analysis.engine=moreau")
    result = analyse(*SMALL, *settings).result
    metrics = result.metrics
    assert np.isnan(metrics["best_ratios"]).tolist() == [True, False]
    assert np.isnan(metrics["best_accelerations"]).tolist() == [True, False]
    assert np.isnan(metrics["turn_ratios"])[1]
    assert np.isnan(metrics["turn_times"])[1]
    assert np.isfinite([*metrics["exact_ratios"], *metrics["exact_turn_ratios"]]).all()
    assert not result.claims
    contents = ratio_sweep_contents(result.data, metrics)
    assert any("edge of the range" in note for note in contents.notes)
    (table,) = contents.tables
    assert "nan" not in str(table).lower()


@pytest.mark.slow
def test_a_turn_that_takes_too_long_is_told():
    with pytest.raises(RunError, match="lengthen it"):
        analyse(*SMALL, "duration=0.01")


def test_simulating_needs_a_bench():
    scenario = load_scenario("motor/ratio_sweep")
    with pytest.raises(ValueError, match="factory"):
        RatioSweep().run(context_of(scenario, build_robot(scenario)), AnalysisContext())


@in_moreaus_engine
def test_ratios_are_even_on_a_logarithmic_scale(stepped):
    _, found, _, _ = stepped
    ratio = found.data["ratio"].to_numpy()
    np.testing.assert_allclose(ratio, [50.0, 100.0, 200.0], rtol=1e-14)
