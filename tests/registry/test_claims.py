"""Verdicts: nothing fitted passes for reproduced."""

import math

import pytest

from footfall.errors import ScenarioError
from footfall.registry.claims import Claim, checked, judged, stated
from footfall.registry.machines import get_machine, machines


@pytest.mark.parametrize(
    ("value", "fitted", "verdict"),
    [
        (1.04, False, "reproduced"),
        (1.04, True, "fitted"),
        (1.06, False, "differs"),
        (1.06, True, "differs"),
    ],
)
def test_verdicts(value, fitted, verdict):
    claim = judged(
        "length", "m", value, 1.0, 0.05, source="table 1", reason="rounding", fitted=fitted
    )
    assert claim.verdict == verdict


def test_a_nan_reproduces_nothing():
    assert judged("length", "m", float("nan"), 1.0, 1e9, source="", reason="").verdict == "differs"


@pytest.mark.parametrize(
    ("relation", "value", "fitted", "verdict"),
    [
        ("about", 1.04, False, "predicted"),
        ("about", 1.04, True, "fitted"),
        ("about", 1.06, True, "differs"),
        ("at least", 0.94, False, "differs"),
        ("at least", 9.0, False, "predicted"),
        ("at most", -9.0, False, "predicted"),
        ("at most", 1.06, False, "differs"),
        ("at most", float("nan"), False, "differs"),
    ],
)
def test_words_are_predicted_at_best(relation, value, fitted, verdict):
    claim = stated(
        "length", "m", value, 1.0, relation, 0.05, source="page 1", reason="", fitted=fitted
    )
    assert claim.verdict == verdict
    # our reading of the words does not pass for what is published
    assert math.isnan(claim.published)
    assert claim.held_to("{:g}".format) == ("" if relation == "about" else f"{relation} ") + (
        "1 ± 0.05"
    )


def test_a_formula_of_ours_is_checked_and_reproduces_nothing():
    words = {"source": "statics", "reason": ""}
    assert checked("weight", "N", 6.0, 6.0, 1e-9, **words).verdict == "check"
    assert checked("weight", "N", 6.1, 6.0, 1e-9, **words).verdict == "differs"
    assert checked("weight", "N", 6.0, 6.0, 0.0, **words).held_to(str) == "6.0 by formula"
    assert judged("weight", "N", 6.0, 6.0, 0.5, **words).held_to(str) == "6.0 ± 0.5, published"


@pytest.mark.parametrize(
    ("published", "verdict", "bound", "basis"),
    [
        (float("nan"), "reproduced", 1.0, "words"),
        (float("nan"), "reproduced", 1.0, "formula"),
        (float("nan"), "check", 1.0, "words"),
        (1.0, "check", float("nan"), "number"),
        (1.0, "predicted", 1.0, "words"),
        (float("nan"), "predicted", float("nan"), "words"),
    ],
)
def test_a_verdict_means_one_thing(published, verdict, bound, basis):
    with pytest.raises(ValueError, match="length: "):
        Claim("length", "m", 1.0, published, 0.1, verdict, "", "", bound, basis=basis)


def test_machines_are_found_by_name():
    assert get_machine("") is None
    assert get_machine("biped") is machines()["biped"]
    with pytest.raises(ScenarioError, match="machine is 'bipde': choose one of biped"):
        get_machine("bipde")


def test_every_machine_can_be_cited():
    for name, machine in machines().items():
        assert machine.name == name
        assert machine.citation.endswith(".")
        assert machine.bibtex.startswith("@")


def test_no_two_machines_mean_different_things_by_one_metric():
    known = {}
    for machine in machines().values():
        for name, meaning in machine.metrics.items():
            assert known.setdefault(name, meaning) == meaning
