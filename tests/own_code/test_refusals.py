"""Faults of a user's own code give one line that names the place, and nothing is lost."""

import json

import pytest
from tests.cli.command import footfall
from tests.own_code.pendulum import BAD, scenario

from footfall.errors import FootfallError
from footfall.run import run_scenario
from footfall.scenario.io import load_scenario
from footfall.trajectory import Status

LINE = 1 + BAD.splitlines().index(
    "            output.SetFromVector(self.torque)  # the line that is to be named"
)
PYTHON = "controller: !Python {file: %s, name: %s}"
GOOD = "controller: !Python {file: bad.py, name: Good, parameters: {%s}}"
REFERENCE = "controller: %s\nreference: !Python {file: %s}"
OBSERVABLE = 'observables: {%s: "%s"}'

REFUSED = {
    "no such file": (PYTHON % ("none.py", "A"), "cannot read the Python file none.py"),
    "no file": ("controller: !Python {name: A}", "give the path"),
    "import": (PYTHON % ("imports.py", "A"), "imports.py:2: ModuleNotFoundError"),
    "syntax": (PYTHON % ("syntax.py", "A"), "syntax.py:2: SyntaxError"),
    "no such name": (PYTHON % ("bad.py", "God"), "did you mean 'Good'?"),
    "no name": ("controller: !Python {file: bad.py}", "controller.name"),
    "no system": (PYTHON % ("bad.py", "not_a_system"), "is not a LeafSystem class"),
    "parameter missing": (GOOD % "", "controller.parameters has no kp"),
    "parameter unknown": (GOOD % "kp: 1, m: 2", "unknown key controller.parameters.m"),
    "parameter of the wrong type": (GOOD % "kp: a", "controller.parameters.kp is 'a': give a num"),
    "parameter in a group": (GOOD % "kp: 1, gains: {q: 2}", "controller.parameters.gains.q"),
    "parameter NaN": (GOOD % "kp: 1, gains: {d: [.nan]}", "controller.parameters.gains.d.0 is NaN"),
    "parameter refused": (
        "controller: !Python {file: pd.py, name: PD, parameters: {kp: -1}}",
        "ValueError: kp pushes away",
    ),
    "parameters of none": (
        "controller: !Python {file: bad.py, name: Raises, parameters: {a: 1}}",
        "Raises takes none",
    ),
    "constructor raises": (PYTHON % ("bad.py", "Raises"), "RuntimeError: GetJointByName()"),
    "no state": (PYTHON % ("bad.py", "NoState"), "NoState has no input 'state'"),
    "no actuation": (PYTHON % ("bad.py", "NoActuation"), "NoActuation has no output 'actuation'"),
    "wrong size": (PYTHON % ("bad.py", "WrongSize"), "'state' has 7 numbers, but must have 2"),
    "input of its own": (PYTHON % ("bad.py", "Camera"), "an input 'image', which nothing feeds"),
    "no reference": (PYTHON % ("bad.py", "Tracker"), "the scenario has none"),
    "unknown tag": ("controller: !MyPD {kp: 1}", "!Python {file: my_file.py, name: MyPD}"),
    "object of a program": ("controller: !PythonObject {name: Mine}", "run that program again"),
    "reference alone": ("reference: {file: pd.py, name: Swing}", "the scenario has no controller"),
    "reference beside one": (
        REFERENCE % ("!Posture {}", "pd.py, name: Swing"), "the scenario has !Posture",
    ),
    "reference with inputs": (
        REFERENCE % ("!InverseDynamics {}", "bad.py, name: Camera"), "an input 'state'",
    ),
    "reference too short": (
        REFERENCE % ("!InverseDynamics {}", "bad.py, name: Short"), "sends 1 numbers",
    ),
    "reference not tracked": (
        REFERENCE % ("!Python {file: pd.py, name: PD}", "pd.py, name: Swing"),
        "PD has no input 'reference'",
    ),
    "nothing to track": ("controller: !InverseDynamics {}", "there is no reference to track"),
    "observable of no file": (OBSERVABLE % ("a", "none.py:f"), "observables.a: cannot read"),
    "observable unknown": (OBSERVABLE % ("a", "pd.py:hight"), "pd.py has no 'hight'"),
    "observable without function": (OBSERVABLE % ("a", "pd.py"), "write file.py:function"),
    "observable with a blank": (OBSERVABLE % ("'a b'", "pd.py:power"), "letters, digits and _"),
    "observable of no numbers": (OBSERVABLE % ("a", "bad.py:text"), "returns a str"),
    "observable fails": (OBSERVABLE % ("a", "bad.py:foot"), "RuntimeError: GetRigidBodyByName()"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_one_line_says_what_is_wrong_before_anything_is_simulated(name, folder):
    more, expected = REFUSED[name]
    with pytest.raises(FootfallError) as refused:
        run_scenario(load_scenario(str(scenario(folder, more))), name)
    message = str(refused.value)
    assert expected in message
    assert "\n" not in message


def test_a_refused_run_leaves_no_folder(folder, capsys):
    path = scenario(folder, PYTHON % ("bad.py", "Raises"))
    status, _, err = footfall("run", path, capsys=capsys)
    assert status == 2
    assert err.count("\n") == 1
    assert not (folder / "runs").exists()


@pytest.mark.parametrize("engine", ["moreau", "drake", "drake-continuous"])
def test_a_controller_that_raises_ends_the_run_and_keeps_it(engine, folder):
    path = scenario(folder, PYTHON % ("bad.py", "Late"))
    run = run_scenario(load_scenario(str(path)), "late", engine)
    assert run.trajectory.status is Status.FAILED
    assert f"bad.py:{LINE}: IndexError" in run.trajectory.message
    # raised at the first time after 0.0105 s at which it is asked
    assert run.metrics["duration"] == pytest.approx(0.010, abs=1e-3)


@pytest.mark.usefixtures("blank")
def test_a_controller_that_raises_at_once_is_reported(folder, capsys):
    path = scenario(folder, PYTHON % ("bad.py", "AtOnce"))
    status, _, err = footfall("run", path, "--out", "out", capsys=capsys)
    assert status == 1
    assert err.strip().splitlines()[-1].startswith("footfall: moreau failed: the code of")
    assert json.loads((folder / "out" / "metrics.json").read_text())["status"] == "failed"
    assert footfall("report", "out", capsys=capsys)[0] == 0


def test_a_torque_that_is_no_number_ends_the_run(folder):
    path = scenario(folder, PYTHON % ("bad.py", "Nan"))
    run = run_scenario(load_scenario(str(path)), "nan")
    assert run.trajectory.status is Status.FAILED
    assert "no number to actuator 'motor' at t = 0.0110 s" in run.trajectory.message


def test_engines_without_ports_refuse_it(folder):
    path = scenario(folder, PYTHON % ("bad.py", "Late"))
    own = load_scenario(str(path))
    biped = load_scenario("biped/stand")
    biped.controller = own.controller
    biped.initial.from_reference = False
    with pytest.raises(FootfallError, match="knows no controller of your own"):
        run_scenario(biped, "biped", "closed-form")
