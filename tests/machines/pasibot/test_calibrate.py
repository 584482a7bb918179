"""The calibration of PASIBOT: what is fitted, what is predicted, and that verdicts can fail."""

import math
from dataclasses import replace

import pytest
from tests.machines.sweeps import swept

from footfall.errors import ScenarioError
from footfall.machines.pasibot.analyses import calibration
from footfall.machines.pasibot.claims import STATEMENTS, statements_on
from footfall.machines.pasibot.closed_form.linkage import TEXT, total_mass
from footfall.machines.pasibot.closed_form.thresholds import fitted
from footfall.machines.pasibot.predictions import QUANTITIES, loads, predicted, torques

pytestmark = pytest.mark.slow  # every machine is fitted anew

SMALL = "analysis.samples=1"
ASSEMBLIES = 4


@pytest.fixture(scope="module")
def quick():
    """The quantities of machines without simulations, which take most of the time."""
    values = predicted(fitted(TEXT))

    def cheap(machine):
        scales = {"crank_length": machine.l8, "total_mass": total_mass(machine)}
        own = values | scales | torques(machine) | loads(machine)
        return {name: own[name] for name in QUANTITIES}

    return cheap


@pytest.fixture
def analyse(quick, monkeypatch):
    monkeypatch.setattr(calibration, "predicted", quick)
    return lambda *settings: swept("pasibot/calibrate", SMALL, *settings)


def test_every_machine_has_its_own_scales_which_are_said_to_be_fitted(analyse):
    draws = "{parameters.hip_share: !Uniform {min: 0.2, max: 0.2}}"
    found = analyse(f"analysis.draw={draws}")
    assert found.metrics["fitted_crank_length"] == pytest.approx(TEXT.l8, rel=1e-4)
    assert found.metrics["fitted_total_mass"] == pytest.approx(9.715, rel=1e-3)
    # a heavier hip shakes the machine less, so that a longer crank needs the friction of 0.08
    assert found.metrics["largest_crank_length"] > 1.01 * found.metrics["fitted_crank_length"]
    assert found.metrics["least_crank_length"] == found.metrics["fitted_crank_length"]
    assert len(set(found.data["crank_length"].to_numpy().ravel().tolist())) == ASSEMBLIES
    assert found.data["fitted_total_mass"].attrs["long_name"].startswith("fitted")


def test_nothing_fitted_is_shown_as_reproduced(analyse):
    kinds = {claim.name: claim.verdict for claim in analyse().claims}
    assert kinds.pop(STATEMENTS["equations"].name) == "reproduced"  # which nothing fits
    assert set(kinds.values()) <= {"fitted", "predicted", "differs"}
    assert len(kinds) == len(STATEMENTS) - 1
    for quantity in ("start_torque", "least_friction", "second_middle", "end_after_knee"):
        assert kinds[STATEMENTS[quantity].name] in ("fitted", "differs")


def test_reasons_tell_how_many_other_machines_agree(analyse):
    reasons = {claim.name: claim.reason for claim in analyse().claims}
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


def test_machines_that_are_none_are_counted_and_not_judged(analyse):
    # some of these would have to lift with a hip that is all of them
    draws = "{parameters.hip_share: !UniformDiscrete {values: [0.1, 1.2]}}"
    found = analyse(f"analysis.draw={draws}", "analysis.samples=2")
    assert found.metrics["refused"] == ASSEMBLIES
    assert found.metrics["machines"] == 1.0
    hip = STATEMENTS["hip_rise"].name
    assert any("100% of 1 machines" in c.reason for c in found.claims if c.name == hip)


def test_a_number_that_is_not_assumed_is_refused(analyse):
    with pytest.raises(ScenarioError, match="'l7' is not assumed; known: hip_share") as caught:
        analyse("analysis.draw={parameters.l7: !Uniform {min: 4.0, max: 6.0}}")
    assert "\n" not in str(caught.value)
