"""The calibration of PASIBOT: what is fitted, what is predicted, and that verdicts can fail."""

import math
from dataclasses import replace

import numpy as np
import pytest

from footfall.analyse import analyse_scenario
from footfall.analysis.checkpoint import Checkpoint
from footfall.errors import ScenarioError
from footfall.machines.pasibot.analyses import calibration
from footfall.machines.pasibot.analyses.calibration import PasibotCalibration
from footfall.machines.pasibot.claims import STATEMENTS, statements_on
from footfall.machines.pasibot.closed_form.linkage import TEXT, total_mass
from footfall.machines.pasibot.closed_form.thresholds import fitted
from footfall.machines.pasibot.predictions import QUANTITIES, loads, predicted, torques
from footfall.scenario.io import load_scenario

pytestmark = pytest.mark.slow  # every machine is fitted anew

# six machines: four assemblies, and two ends of one range; one random one of each assembly
SMALL = ("analysis.samples=1", "analysis.numbers=[hip_share]")


@pytest.fixture(scope="module")
def quick():
    """The quantities of machines without simulations, which take most of the time."""
    values = predicted(fitted(TEXT))

    def cheap(machine):
        slow = {name: values[name] for name in QUANTITIES}
        return slow | calibrate_scales(machine) | torques(machine) | loads(machine)

    return cheap


def calibrate_scales(machine):
    return {"crank_length": machine.l8, "total_mass": total_mass(machine)}


@pytest.fixture
def found(quick, monkeypatch):
    monkeypatch.setattr(calibration, "predicted", lambda machine: _ordered(quick(machine)))
    return analyse()


def analyse(*settings, checkpoint=None):
    scenario = load_scenario("pasibot/calibrate", (*SMALL, *settings))
    return analyse_scenario(scenario, checkpoint or Checkpoint(), lambda _what, _share: None).result


def _ordered(values):
    return {name: values[name] for name in QUANTITIES}


def test_scales_are_fitted_and_said_to_be(found):
    assert found.metrics["crank_length"] == pytest.approx(TEXT.l8, rel=1e-4)
    assert found.metrics["total_mass"] == pytest.approx(9.715, rel=1e-3)
    meanings = PasibotCalibration().metrics()
    for name in ("crank_length", "total_mass"):
        assert meanings[name][1].startswith("fitted")
    assert set(found.metrics) == set(meanings)


def test_every_machine_has_its_own_scales(found):
    data = found.data.sel(quantity="crank_length")
    # a heavier hip shakes the machine less, so that a longer crank needs the friction of 0.08
    least, most = data["ends"].sel(number="hip_share").to_numpy()
    assert least < found.metrics["crank_length"] < most
    assert len(set(data["assemblies"].to_numpy().tolist())) == 4
    drawn = found.data["drawn"].to_numpy()
    assert ((drawn >= 0.05) & (drawn <= 0.2)).all()
    assert np.ptp(drawn, axis=0).max() == 0.0  # the same numbers for all assemblies


def test_nothing_fitted_is_shown_as_reproduced(found):
    kinds = {claim.name: claim.verdict for claim in found.claims}
    assert kinds.pop(STATEMENTS["equations"].name) == "reproduced"  # which nothing fits
    assert set(kinds.values()) <= {"fitted", "predicted", "differs"}
    assert len(kinds) == len(STATEMENTS) - 1
    for quantity in ("start_torque", "least_friction", "second_middle", "end_after_knee"):
        assert kinds[STATEMENTS[quantity].name] in ("fitted", "differs")


def test_reasons_tell_how_many_other_machines_agree(found):
    reasons = {claim.name: claim.reason for claim in found.claims}
    hip = reasons[STATEMENTS["hip_rise"].name]
    assert "kept by 100% of 1 machines with other assumed masses" in hip
    assert "knee rearward, slot end ahead: 100% of 1" in hip


def test_verdicts_fail_where_they_should():
    values = predicted(fitted(replace(TEXT, knee="rearward", slot_end="ahead")))
    kinds = dict(zip(STATEMENTS, statements_on(values), strict=True))
    failed = {name for name, claim in kinds.items() if claim.verdict == "differs"}
    # what only the assembly of the document's slips has
    assert {"second_middle", "many_slides", "end_after_knee", "load_change"} <= failed
    assert kinds["slide_begin"].verdict == kinds["kinetic_order"].verdict == "predicted"
    assert all(c.verdict == "differs" for c in statements_on(dict.fromkeys(values, math.nan)))


def test_a_linkage_that_jams_is_counted_and_not_judged(quick, monkeypatch):
    monkeypatch.setattr(calibration, "predicted", lambda machine: _ordered(quick(machine)))
    # no machine: it would have to lift with a hip that is all of it
    found = analyse("analysis.ranges.hip_share=[1.0, 1.5]")
    assert found.metrics["no_machines"] == 4.0
    assert found.metrics["machines"] == 0.0
    assert np.isnan(found.data["ends"].to_numpy()).all()
    assert all("kept by" not in claim.reason for claim in found.claims)


def test_machines_that_are_done_are_not_fitted_again(quick, monkeypatch, tmp_path):
    counted = []

    def counting(machine):
        counted.append(machine)
        return _ordered(quick(machine))

    monkeypatch.setattr(calibration, "predicted", counting)
    path = tmp_path / "pieces.jsonl"
    first = analyse(checkpoint=Checkpoint(path, "same"))
    assert len(counted) == 10  # 4 assemblies, 2 ends, 4 at random: each once
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:7]))
    again = analyse(checkpoint=Checkpoint(path, "same"))
    assert len(counted) == 13
    assert again.data.identical(first.data)


def test_seeds_draw_other_machines(quick, monkeypatch):
    monkeypatch.setattr(calibration, "predicted", lambda machine: _ordered(quick(machine)))
    one, other = (analyse(f"seed={seed}").data["drawn"].to_numpy() for seed in (1, 2))
    assert (one != other).all()


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"ranges": {"l7": [4.0, 6.0]}}, "'l7' is not assumed: choose of hip_share"),
        ({"ranges": {"hip_share": [0.2, 0.1]}}, "the smaller one first"),
        ({"ranges": {"hip_share": [0.2]}}, "two finite numbers"),
        ({"numbers": ["hip_share", "hip_share"]}, "comes twice"),
        ({"numbers": ["l7"]}, "'l7' comes twice, or has no range"),
        ({"samples": -1}, "samples is -1"),
        ({"workers": 0}, "workers is 0"),
    ],
)
def test_what_is_no_calibration_is_refused(settings, words):
    with pytest.raises(ScenarioError, match=words) as caught:
        PasibotCalibration(**settings)
    assert "\n" not in str(caught.value)
