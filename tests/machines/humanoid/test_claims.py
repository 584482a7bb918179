"""Claims of the thesis's chapter 5: which runs they are held against, and with what verdict."""

from types import SimpleNamespace

import numpy as np
import pytest
import xarray as xr
from tests.scenario.runs import run

from footfall.errors import ScenarioError
from footfall.machines.humanoid.claims import claims
from footfall.machines.humanoid.engine import closed_form
from footfall.machines.humanoid.measures import measures
from footfall.machines.humanoid.trade_off import summary, trade_off
from footfall.registry.claims import Claim
from footfall.scenario.assemble import build_robot
from footfall.scenario.context import context_of
from footfall.scenario.io import load_scenario

OPC, TWO_CYCLES = "humanoid/opc", ("duration=2.8",)


@pytest.fixture(scope="module")
def walk():
    return run(OPC, "closed-form", *TWO_CYCLES)


@pytest.fixture(scope="module")
def judged(walk) -> dict[str, Claim]:
    return {claim.name: claim for claim in walk.claims}


def _context(name, *settings):
    scenario = load_scenario(name, settings)
    return context_of(scenario, build_robot(scenario))


def _starting(judged, begin):
    (claim,) = (claim for name, claim in judged.items() if name.startswith(begin))
    return claim


@pytest.mark.parametrize(
    ("begin", "verdict"),
    [
        ("two successive gait cycles are sustained", "fitted"),
        ("two gait cycles take", "differs"),
        ("step: travel of the swinging heel", "fitted"),
        ("height of the heel behind at toe-off", "differs"),
        ("largest height of the swinging heel", "fitted"),
        ("speed of the trunk in double support", "reproduced"),
        ("speed of the trunk in single support", "reproduced"),
        ("the trunk oscillates", "differs"),
        ("a soft touch", "predicted"),
        ("angles deviate a little", "differs"),
        ("angles go on from double into single", "predicted"),
        ("torques are smaller in double", "predicted"),
        ("forces and moments of all joints", "predicted"),
        ("starting from rest takes higher torques", "predicted"),
        ("time of computing", "differs"),
    ],
)
def test_statements_of_chapter_5(judged, begin, verdict):
    claim = _starting(judged, begin)
    assert claim.verdict == verdict, claim
    assert claim.source.startswith("Özyurt 2005, ")
    assert claim.reason


@pytest.mark.slow
def test_power_in_the_measure_takes_less_work_than_the_same_walk_without_it():
    found = run("humanoid/energy", "closed-form", "duration=1.7")
    claim = _starting({claim.name: claim for claim in found.claims}, "mechanical energy")
    assert (claim.verdict, claim.relation) == ("fitted", "at most")
    bare = run("humanoid/opc_smooth", "closed-form", "duration=1.7")
    works = [_driving_work(one.trajectory.data) for one in (found, bare)]
    assert claim.value == pytest.approx(works[0] / works[1], rel=1e-9)
    assert found.metrics["cycle_work"] == pytest.approx(works[0], rel=1e-9)
    assert not [one for one in bare.claims if one.name.startswith("mechanical energy")]


def _driving_work(data):
    """Work of the torques while they drive, from one start of the left double support to the next.

    The last ones of these in the record; torques over joints, by their names.
    """
    phase = data["gait_phase"].to_numpy()
    begins = [0, *(k for k in range(1, len(phase)) if phase[k] == 0 and phase[k - 1] != 0)]
    cycle = slice(begins[-2], begins[-1])
    rate = data["v"].sel(velocity=data["actuator"].values).to_numpy()[cycle]
    power = np.maximum(data["actuation"].to_numpy()[cycle] * rate, 0.0).sum(axis=1)
    return float(power @ np.diff(data["time"])[cycle])


def test_the_printed_path_walks_the_step_of_the_thesis_and_nothing_is_fitted_to_it():
    found = run("humanoid/opc_printed", "closed-form", "duration=2.8")
    claim = _starting({claim.name: claim for claim in found.claims}, "step: travel")
    assert claim.verdict == "reproduced", claim
    assert "led by (4.4)" in claim.reason


@pytest.mark.slow
def test_the_printed_path_walks_for_ten_seconds():
    found = run("humanoid/opc_printed", "closed-form")
    assert found.trajectory.status.value == "done"
    assert found.metrics["cycles"] >= 8.0


def test_published_numbers_are_the_printed_ones(walk, judged):
    assert _starting(judged, "two gait cycles take").published == 1.77
    taken = _starting(judged, "time of computing")
    assert taken.value == pytest.approx(1.0 / walk.metrics["realtime_factor"])
    assert taken.published == pytest.approx(7.158, abs=1e-3)
    assert _starting(judged, "step: travel").published == 0.4


def test_the_time_that_is_printed_is_that_of_four_single_supports(judged):
    slope = np.array(
        [4.8294, -3.3059, 1164.9, -0.10696e6, 4.4571e6, -9.6052e7, 1.0456e9, -4.5563e9]
    )
    (way,) = (r.real for r in np.roots(slope[::-1]) if abs(r.imag) < 1e-9 and r.real > 0.0)  # (4.4)
    claim = _starting(judged, "two gait cycles take")
    assert 4.0 * way / 0.2 == pytest.approx(claim.published, abs=0.005)
    assert f"{way:.4f} m in each" in claim.reason


def test_the_heel_rises_to_the_printed_height_where_the_toe_is_tracked_alone(walk, judged):
    claim = _starting(judged, "height of the heel behind at toe-off")
    assert claim.published == 0.03545
    assert 0.015 < claim.value < 0.03
    context = _context(OPC, "controller.track_toe=true", "duration=0.3")
    rise = measures(closed_form(context), context)["heel_rise"]
    assert rise == pytest.approx(0.03545, abs=2e-3)
    found = claims("", context, walk.metrics | {"heel_rise": 0.035451})
    (claim,) = (claim for claim in found if claim.name.startswith("height of the heel behind"))
    assert claim.verdict == "fitted"


def test_the_time_of_two_cycles_is_that_of_the_events(walk, judged):
    downs = [event for event in walk.trajectory.events if "left foot flat, double" in event.what]
    taken = _starting(judged, "two gait cycles take").value
    assert taken == pytest.approx(downs[1].time, abs=1e-9)  # it starts in the same phase


def test_a_walk_of_other_references_is_not_held_against_the_thesis_s(walk):
    context = _context("humanoid/opc_smooth")
    names = [claim.name for claim in claims("", context, walk.metrics)]
    assert len(names) == 3
    assert names[0].startswith("the walk goes on")


def test_weights_and_horizons_are_free(walk):
    weights = "controller.acceleration_weight={double: 0.01, single: 0.001}"
    context = _context(OPC, weights, *TWO_CYCLES)
    assert len(claims("", context, walk.metrics)) == len(walk.claims)


def test_another_body_has_no_claims(walk):
    context = _context(OPC, "arguments={humanoid: {mass: '70'}}")
    assert claims("", context, walk.metrics) == []


def test_a_walk_that_ends_early_does_not_go_on(walk):
    found = claims("", _context(OPC, "duration=20.0"), walk.metrics)
    (claim,) = (claim for claim in found if claim.name.startswith("the walk goes on"))
    assert claim.verdict == "differs"


def test_neighbouring_factors_are_held_against_the_words_on_horizon_and_weights():
    data = xr.Dataset(
        {
            "success": (("parameters.horizon", "parameters.weight"), [[True, True], [True, False]]),
            "rms_error_O1": (("parameters.horizon", "parameters.weight"), [[1, 2], [3, np.nan]]),
            "largest_joint_torque": (
                ("parameters.horizon", "parameters.weight"),
                [[9.0, 10.0], [5.0, np.nan]],
            ),
        },
        attrs={"function": "trade_off"},
    )
    numbers, found = summary(data, _context(OPC))
    assert [(claim.value, claim.verdict) for claim in found] == [
        (1.0, "predicted"),
        (0.0, "differs"),
        (1.0, "predicted"),
    ]
    assert "it holds for 1 of 1" in found[2].reason
    assert {name: float(one) for name, one in numbers.items()} == {
        "walks": 4.0,
        "walked": 3.0,
        "least_error": 1.0,
        "least_torque": 5.0,
    }


@pytest.mark.parametrize(
    ("changed", "factors", "words"),
    [
        ({"engine": "moreau"}, {}, "the engine closed-form or hybrid"),
        ({}, {"horizon": 0.0}, "parameters.horizon is 0.0: give a positive factor"),
        ({}, {"weight": float("nan")}, "parameters.weight is nan: give a positive factor"),
    ],
)
def test_a_walk_that_cannot_be_traded_off_is_refused(changed, factors, words):
    case = SimpleNamespace(**{"context": _context(OPC), "engine": "hybrid", **changed})
    with pytest.raises(ScenarioError, match=words):
        trade_off(case, **factors)


@pytest.mark.slow
def test_a_shorter_horizon_costs_more_torque():
    case = SimpleNamespace(context=_context(OPC, *TWO_CYCLES), engine="closed-form")
    torques = [float(trade_off(case, horizon)["largest_joint_torque"]) for horizon in (0.7, 1.4)]
    assert torques[0] > torques[1]
