"""Verdicts: nothing fitted passes for reproduced."""

import pytest

from footfall.errors import ScenarioError
from footfall.registry.claims import judged
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
