"""Kernels that are compiled before the tests start."""

import importlib

import pytest
from tests.scripts.script import SCRIPTS

from footfall.scenario.names import scenario_names


@pytest.fixture
def script(monkeypatch):
    monkeypatch.syspath_prepend(SCRIPTS)
    return importlib.import_module("compile_kernels")


def test_nothing_is_done_or_said_where_all_are_compiled(script, monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(script, "stamp", lambda: tmp_path)
    monkeypatch.setattr(script, "ProcessPoolExecutor", None)
    script.main()
    assert capsys.readouterr() == ("", "")


def test_the_stamp_is_another_one_when_a_kernel_has_changed(script, monkeypatch, tmp_path):
    kernel = tmp_path / "kernel.py"
    kernel.write_text("@njit")
    before = script.stamp()
    files = script.kernel_files()
    monkeypatch.setattr(script, "kernel_files", lambda: [*files[:-1], kernel])
    assert script.stamp() != before


def test_scenarios_of_which_steps_are_made_are_shipped(script):
    groups = (*script.STEP, *script.SOLVERS, *script.MACHINES, *script.AFTERWARDS)
    assert {one[0] for one in groups if isinstance(one, tuple)} <= set(scenario_names())
