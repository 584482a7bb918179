"""Controllers and references of a user's own do what their equations say, in every engine."""

import hashlib
import json
import math
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pydrake.systems.framework import LeafSystem
from scipy.optimize import brentq
from tests.cli.command import footfall
from tests.own_code.pendulum import ARM, GRAVITY, MASS, scenario

from footfall.analyse import ScenarioFactory
from footfall.errors import ScenarioError
from footfall.report import read_sections, write_reports
from footfall.run import run_scenario
from footfall.run_folder import RunFolder
from footfall.saved import save_run
from footfall.scenario.io import dump_scenario, load_scenario, parse_scenario, with_settings

PD = "controller: !Python {file: pd.py, name: PD, parameters: {kp: 30}}"


def _q(run):
    return run.trajectory.data["q"].to_numpy()[:, 0]


@pytest.mark.parametrize("engine", ["moreau", "drake-sap", "drake-lagged"])
def test_pd_comes_to_rest_where_gravity_balances_it(engine, folder):
    path = scenario(folder, PD, duration=4.0, time_step=4e-3)
    q = _q(run_scenario(load_scenario(str(path)), "pd", engine))
    balance = brentq(lambda q: 30.0 * (0.5 - q) - MASS * GRAVITY * ARM * math.sin(q), 0.0, 0.5)
    # what is left of the oscillation: exp(-kd/(2 I) t) = exp(-3.9 * 4); stopping is exact in dt
    assert q[-1] == pytest.approx(balance, abs=1e-6)


@pytest.mark.parametrize(
    "law", ["!InverseDynamics {kp: 100, kd: 20}", "!Python {file: pd.py, name: Track}"]
)
def test_a_reference_of_ones_own_is_tracked(law, folder):
    more = f"controller: {law}\ninitial: {{from_reference: true}}\n"
    path = scenario(folder, f"{more}reference: !Python {{file: pd.py, name: Swing}}", duration=0.5)
    run = run_scenario(load_scenario(str(path)), "swing")
    time = run.trajectory.data["time"].to_numpy()
    # computed torque is exact but for the sampling: dt/2 times a jerk of at most 2.4 rad/s^3, over
    # kp = 100 1/s^2, is 1e-5 rad; the step itself errs by as much
    assert _q(run) == pytest.approx(0.3 * np.cos(2.0 * time), abs=5e-5)


@pytest.mark.slow
@pytest.mark.usefixtures("blank")
def test_a_run_is_repeated_from_its_folder_alone(folder, tmp_path_factory, capsys, caplog):
    away = tmp_path_factory.mktemp("away")
    assert footfall("run", scenario(folder, PD), "--out", away / "first", capsys=capsys)[0] == 0
    assert [record.getMessage() for record in caplog.records] == [
        f"footfall: the scenario runs the Python code of {folder / 'pd.py'}."
    ]
    told = json.loads((away / "first" / "provenance.json").read_text())["code"]["controller"]
    assert told["file"] == str(folder / "pd.py")
    assert len(told["sha256"]) == 64
    assert told["parameters"] == {"kp": 30.0, "kd": 4.0, "target": 0.5}
    assert list(told["imports"]) == ["gains.py"]
    # neither the files nor the folder's place count any more
    (folder / "pd.py").write_text("raise SystemExit")
    (folder / "gains.py").unlink()
    moved = Path(shutil.move(away / "first", away / "moved"))
    again = moved / "scenario.yaml"
    assert footfall("run", again, "--out", away / "second", capsys=capsys)[0] == 0
    first, second = (read_sections([RunFolder(f)])[0].first for f in (moved, away / "second"))
    assert first.trajectory.data.drop_attrs().identical(second.trajectory.data.drop_attrs())
    # a parameter that the first scenario did not say can be set
    setting = "controller.parameters.kd=9"
    done = footfall("run", again, "--set", setting, "--out", away / "third", capsys=capsys)
    assert done[0] == 0
    assert "kd: 9.0" in (away / "third" / "scenario.yaml").read_text()


@pytest.mark.usefixtures("blank")
def test_reading_a_run_runs_no_code(folder, capsys, caplog):
    more = "controller: !InverseDynamics {}\ninitial: {from_reference: true}\n"
    more += 'reference: !Python {file: pd.py, name: Swing}\nobservables: {power: "pd.py:power [W]"}'
    path = scenario(folder, more)
    assert footfall("run", path, "--out", "out", capsys=capsys)[0] == 0
    for file in (folder / "out" / "code").iterdir():
        file.write_text("raise RuntimeError('code was run')")
    caplog.clear()
    assert footfall("report", "out", capsys=capsys)[0] == 0
    assert footfall("replay", "out", "--no-loop", capsys=capsys)[0] == 0
    assert not caplog.records


def test_a_file_that_was_changed_meanwhile_is_kept_as_it_was_run(folder):
    loaded = load_scenario(str(scenario(folder, PD)))
    run = run_scenario(loaded, "pd")
    text = (folder / "pd.py").read_text()
    (folder / "pd.py").write_text("raise SystemExit")
    (folder / "out").mkdir()
    save_run(RunFolder(folder / "out"), "pd", loaded, run)
    assert (folder / "out" / "code" / "pd.py").read_text() == text
    told = json.loads((folder / "out" / "provenance.json").read_text())["code"]["controller"]
    assert told["sha256"] == hashlib.sha256(text.encode()).hexdigest()


def test_two_files_of_one_name_and_their_helpers_do_not_clash(folder):
    other = folder / "other"
    other.mkdir()
    for name in ("pd.py", "pendulum.urdf"):
        shutil.copy(folder / name, other)
    (other / "gains.py").write_text("KD = 7.0\n")
    for place, kd in ((folder, 4.0), (other, 7.0), (folder, 4.0)):
        loaded = load_scenario(str(scenario(place, PD)))
        assert loaded.controller.parameters["kd"] == kd
    # a helper that has changed is read again
    (folder / "gains.py").write_text("KD = 5.5\n")
    assert load_scenario(str(scenario(folder, PD))).controller.parameters["kd"] == 5.5


def test_a_scenario_with_code_is_text_that_another_process_can_read(folder):
    loaded = load_scenario(str(scenario(folder, PD)))
    text = dump_scenario(loaded)
    assert dump_scenario(parse_scenario(text)) == text
    simulation = ScenarioFactory(text).simulation("moreau", {"controller.parameters.target": -0.5})
    rows = simulation.rows(simulation.context.initial_state)
    mirrored = np.array([row.state[0] for row in rows])
    straight = _q(run_scenario(loaded, "pd"))
    assert abs(straight[-1]) > 1e-3
    assert mirrored == pytest.approx(-straight, abs=1e-12)  # the pendulum is symmetric


def test_a_controller_of_ones_own_begins_on_the_gait_without_it(folder):
    class_ = "class Zero(Good):\n    Parameters = None\n"
    (folder / "zero.py").write_text(f"from bad import Good\n\n\n{class_}")
    short = ["duration=0.02"]
    own = [*short, f"controller=!Python {{file: {folder / 'zero.py'}, name: Zero}}"]
    passive, driven = (
        run_scenario(load_scenario("compass/lab_case1", settings), "walk", "moreau")
        for settings in (short, own)
    )
    # no torque is no torque, whoever sends it
    assert (passive.trajectory.data["q"] == driven.trajectory.data["q"]).all()


class Damper(LeafSystem):
    """tau = -kd v."""

    kd = 2.0

    def __init__(self, plant):
        super().__init__()
        self._state = self.DeclareVectorInputPort("state", plant.num_multibody_states())
        self.DeclareVectorOutputPort("actuation", plant.num_actuators(), self._calc)

    def _calc(self, context, output):
        output.SetFromVector([-self.kd * self._state.Eval(context)[1]])


class Counter(Damper):
    """The same, with state."""

    def __init__(self, plant):
        super().__init__(plant)
        self.DeclareDiscreteState(1)


class Broken(Damper):
    """Fails."""

    def _calc(self, _context, _output):
        raise LookupError(self.kd)


def _plant(scenario_):
    from footfall.scenario.assemble import build_robot

    return build_robot(scenario_).plant


@pytest.fixture
def swinging(folder):
    path = scenario(folder, "initial: {positions: {hinge: 1.0}}", duration=0.2)
    return load_scenario(str(path))


def test_objects_of_a_program_drive_runs(swinging):
    def damper(plant):
        return Damper(plant)

    # the energy that the damper took is the work that was recorded of the actuator
    given = {
        "object": Damper(_plant(swinging)),
        "class": Damper,
        "function": damper,
    }
    found = {}
    for kind, controller in given.items():
        owned = replace(swinging, controller=controller)
        for engine in ("moreau", "drake"):  # one object in two diagrams
            run = run_scenario(owned, "swinging", engine)
            data = run.trajectory.data
            loss = 2.0 * np.trapezoid(data["v"].to_numpy()[:, 0] ** 2, data["time"])
            # the torque is held over a step: dt/2 times its slope, kd/I = 4/s and gravity's
            assert -data["actuator_work"].to_numpy()[-1] == pytest.approx(loss, rel=5e-3)
            found[kind, engine] = _q(run)
    for engine in ("moreau", "drake"):
        assert (found["object", engine] == found["class", engine]).all()
        assert (found["object", engine] == found["function", engine]).all()


@pytest.mark.usefixtures("blank")
def test_a_run_by_an_object_is_kept_and_reported_but_not_repeated(swinging, folder, capsys):
    swinging.controller = Damper
    run = run_scenario(swinging, "swinging")
    (folder / "out").mkdir()
    save_run(RunFolder(folder / "out"), "swinging", swinging, run)
    told = json.loads((folder / "out" / "provenance.json").read_text())["code"]["controller"]
    assert told["object"] == f"class or function Damper in module {__name__}"
    assert "not from this folder" in told["repeatable"]
    write_reports(read_sections([RunFolder(folder / "out")]), folder / "page.html")
    assert "Damper in module" in (folder / "page.html").read_text()
    status, _, err = footfall("run", "out/scenario.yaml", capsys=capsys)
    assert status == 2
    assert "run that program again" in err


def test_an_object_with_state_drives_one_run(swinging):
    swinging.controller = Counter(_plant(swinging))
    run_scenario(swinging, "once")
    with pytest.raises(ScenarioError, match="has state and has driven a run already"):
        run_scenario(swinging, "twice", "drake")
    swinging.controller = Counter
    run_scenario(swinging, "any number of times")
    run_scenario(with_settings(swinging, ["duration=0.01"], "shorter"), "and with settings")


def test_an_object_that_raises_is_named_with_its_line(swinging):
    swinging.controller = Broken
    message = run_scenario(swinging, "broken").trajectory.message
    assert f"{__file__}:" in message
    assert message.endswith("LookupError: 2.0.")


@pytest.mark.parametrize("given", [3, {"kp": 1.0}])
def test_what_is_no_controller_is_refused(swinging, given):
    with pytest.raises(ScenarioError, match="give a LeafSystem"):
        swinging.controller = given
    with pytest.raises(ScenarioError, match="gives a int, not a LeafSystem"):
        run_scenario(replace(swinging, controller=lambda _: 3), "three")


def test_a_reference_must_be_in_a_file(swinging):
    owned = replace(swinging, controller=Damper, reference=Damper)
    with pytest.raises(ScenarioError, match=r"reference is a (pybind11|nb)_type: give"):
        run_scenario(owned, "reference")
