"""The table of walks: every condition names a scenario, and a row tells what a run measured."""

import importlib
from pathlib import Path

import pytest

from footfall.scenario.io import load_scenario

FOLDER = Path(__file__).parents[2] / "scripts" / "benchmarks"


@pytest.fixture
def walks(monkeypatch):
    monkeypatch.syspath_prepend(FOLDER)
    return importlib.import_module("walks")


def test_a_row_tells_what_a_walk_measured(walks, monkeypatch, capsys):
    asked = ["walks.py", "--engines", "moreau", "--only", "friction 0.2", "--duration", "0.1"]
    monkeypatch.setattr("sys.argv", asked)
    walks.main()
    head, _, row = (
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in capsys.readouterr().out.splitlines()
    )
    found = dict(zip(head, row, strict=True))
    assert found["ends"] == "done"
    assert int(found["landings"]) == 0  # it stands as yet
    assert 0.0 < float(found["torque [N m]"]) < 150.0
    assert float(found["pressure [mm]"]) > 0.0


def test_all_conditions_are_scenarios(walks):
    for name, changes in walks.CONDITIONS.values():
        assert load_scenario(name, list(changes)).controller.walk.steps > 0
