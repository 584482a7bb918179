"""Machines are found by their entry points, known by name to nobody, and refused in one line."""

import importlib.metadata
import re
import subprocess
import sys
from pathlib import Path

import pytest

from footfall.errors import ScenarioError
from footfall.registry import entry_points, machines
from footfall.registry.machine import Machine
from footfall.scenario.io import dump_scenario, load_scenario, parse_scenario
from footfall.scenario.schema import AnalysisField, ControllerField

APP = Path(machines.__file__).parents[1]


def in_a_process(code):
    """Output of a program of a few lines."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_list_imports_no_machine():
    modules = in_a_process(
        "import sys\n"
        "from footfall.cli import _status\n"
        "assert _status(['list']) == 0\n"
        "print('MODULES', *sys.modules)"
    )
    assert "compass/goswami" in modules
    loaded = modules.rpartition("MODULES")[2].split()
    assert not {"pydrake", "numba"} & set(loaded)
    # packages around a machine's module are imported to find its scenarios, which hold nothing
    assert not [name for name in loaded if re.fullmatch(r"footfall\.machines\..*\.machine", name)]


def test_nobody_else_names_a_machine():
    """Import contracts keep modules apart; this keeps texts apart, which are imported later."""
    named = [
        path.relative_to(APP)
        for path in APP.rglob("*.py")
        if path.relative_to(APP).parts[0] != "machines" and "footfall.machines." in path.read_text()
    ]
    assert not named


WITHOUT_COMPASS = """
import importlib.metadata, sys
GONE = "footfall.machines.compass"
whole = importlib.metadata.entry_points
def some(**query):
    found = whole(**query)
    return [one for one in found if not one.value.startswith(GONE)] if query else found
importlib.metadata.entry_points = some
class Deleted:
    def find_spec(self, name, path=None, target=None):
        if name.startswith(GONE):
            raise ImportError(name)
sys.meta_path.insert(0, Deleted())
from footfall.cli import _status
from footfall.scenario.io import load_scenario
from footfall.scenario.names import scenario_names
from footfall.registry.machines import analysis_types, machines
assert "compass" not in machines() and "simplest_walker" not in machines()
for name in scenario_names():
    load_scenario(name)
from footfall.run import run_scenario
for name in ("rimless_wheel/roll", "motor/step"):
    run = run_scenario(load_scenario(name, ["duration=0.05"]), name, "closed-form")
    assert run.trajectory.status.value == "done"
print(*scenario_names())
assert _status(["cite", "compass/goswami"]) == 2
"""


@pytest.mark.slow
def test_without_one_machine_all_others_work():
    names = in_a_process(WITHOUT_COMPASS).split()
    assert "motor/step" in names
    assert not [name for name in names if name.startswith("compass/")]


# --- names, tags and files of old ---------------------------------------------------------------


def test_unions_begin_with_what_files_of_old_leave_untagged():
    # the first member of a union used to be written without its tag
    assert ControllerField.__args__[0].__name__ == "Posture"
    assert AnalysisField.__args__[0].__name__ == "Bifurcation"


def test_a_group_without_a_tag_is_still_read():
    text = "directives: []\nanalysis: {from_deg: 3.0, to_deg: 4.0}\ncontroller: {kp: 3.0}\n"
    scenario = parse_scenario(text)
    assert type(scenario.analysis).__name__ == "Bifurcation"
    assert type(scenario.controller).__name__ == "Posture"


def test_every_group_is_written_with_its_tag():
    text = dump_scenario(load_scenario("compass/bifurcation"))
    assert "analysis: !Bifurcation" in text
    assert "controller: !Posture" in dump_scenario(load_scenario("biped/stand"))


def test_a_scenario_may_call_its_machine_a_study():
    assert parse_scenario("study: biped").machine == "biped"
    assert load_scenario("motor/step", ["study=''"]).machine == ""


# --- what is refused ----------------------------------------------------------------------------


def point(name, value):
    return importlib.metadata.EntryPoint(name, value, entry_points.GROUP)


@pytest.fixture
def register(monkeypatch):
    """Register nothing but some entry points, for the length of a test."""
    cached = (entry_points.registered, entry_points.scenario_files, machines.machines)

    def only(*points):
        monkeypatch.setattr(importlib.metadata, "entry_points", lambda **_: list(points))
        for function in cached:
            function.cache_clear()

    yield only
    monkeypatch.undo()
    for function in cached:
        function.cache_clear()


def test_machines_that_ship_come_first(register):
    shipped = [
        point("compass", "footfall.machines.compass.machine:MACHINE"),
        point("biped", "footfall.machines.biped.machine:MACHINE"),
    ]
    register(point("aardvark", "zoo.aardvark:MACHINE"), *shipped)
    assert list(entry_points.registered()) == ["biped", "compass", "aardvark"]


@pytest.mark.parametrize(
    ("points", "says"),
    [
        ([point("a", "one:M"), point("a", "two:M")], "two machines are registered as 'a'"),
        ([point("a", "no.such.module:M")], "cannot be loaded.*uninstall"),
        ([point("a", "footfall.machines.motor.machine:NOTHING")], "cannot be loaded"),
        ([point("a", "footfall.machines.motor.machine:LOAD")], "no footfall.registry"),
        ([point("a", "footfall.machines.motor.machine:MACHINE")], "calls itself 'motor'"),
    ],
)
def test_a_machine_that_is_none_is_refused_in_one_line(register, points, says):
    register(*points)
    with pytest.raises(ScenarioError, match=says) as refused:
        machines.machines()
    assert "\n" not in str(refused.value)


def test_scenarios_of_a_missing_module_are_refused_in_one_line(register):
    register(point("a", "no_such_module.machine:M"))
    with pytest.raises(ScenarioError, match=r"'a' is registered as .*, which is not there"):
        entry_points.scenario_files()


def test_two_types_of_one_tag_are_refused(monkeypatch):
    compass = machines.machines()["compass"]
    other = type("HipEnergyShaping", (), {})
    twin = {**vars(compass), "name": "twin", "controllers": (other,)}
    monkeypatch.setattr(machines, "machines", lambda: {"compass": compass, "twin": Machine(**twin)})
    with pytest.raises(ScenarioError, match="two registered types are called HipEnergyShaping"):
        machines.controller_types()
