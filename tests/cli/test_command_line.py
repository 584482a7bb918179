"""The command line as a user meets it: what it writes, what it says, how it leaves."""

import dataclasses
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from typing import get_type_hints

import pytest
from tests.cli.command import footfall

from footfall import resources
from footfall import run as run_module
from footfall.cli.running import run
from footfall.engine_names import ENGINE_NAMES
from footfall.errors import ModelError
from footfall.solvers import ContactProblem, SolverStatus, solve
from footfall.trajectory import Status, Trajectory


def test_list_names_every_scenario_with_its_line(capsys):
    status, out, _ = footfall("list", capsys=capsys)
    assert status == 0
    for name in ("biped/stand", "biped/gait", "biped/climb", "biped/slide", "biped/drop"):
        assert name in out


def test_the_help_names_every_engine():
    (option,) = get_type_hints(run, include_extras=True)["engine"].__metadata__
    (endings,) = re.findall(r"drake\[(.*?)\]", option.help)
    others = re.sub(r"\[.*?\]", "", option.help).split(", ")
    assert {*others, *(f"drake{ending}" for ending in endings.split("|"))} == set(ENGINE_NAMES)


def test_cite_gives_the_paper(capsys):
    status, out, _ = footfall("cite", "biped/climb", capsys=capsys)
    assert status == 0
    assert "Kanehara" in out
    assert "@techreport" in out
    assert "gamma+ = e gamma-\n  right: gamma+ = -e gamma-" in out  # a misprint of it


def test_check_finds_a_working_installation(capsys):
    status, out, _ = footfall("check", capsys=capsys)
    assert status == 0, out
    for what in ("python", "drake", "renderer", "meshcat", "localhost"):
        assert what in out


def test_check_tells_that_the_models_are_missing(monkeypatch, capsys):
    def missing():
        raise ModelError("no model files beside here: reinstall it")

    monkeypatch.setattr(resources, "share_root", missing)
    status, out, _ = footfall("check", capsys=capsys)
    assert status == 1
    assert "models      no model files beside here: reinstall it" in out
    assert "meshcat" in out  # what comes after is told as well


def test_run_writes_a_folder_that_can_be_run_again(dropped, tmp_path, capsys):
    (first, told), second = dropped, tmp_path / "second"
    assert str(first / "report.html") in told.replace("\n", "")
    written = {path.name for path in first.iterdir()}
    assert written == {
        "scenario.yaml",
        "provenance.json",
        "trajectory.nc",
        "metrics.json",
        "report.html",
    }
    metrics = json.loads((first / "metrics.json").read_text())
    assert metrics["scenario"] == "biped/drop"
    assert metrics["engine"] == "moreau"
    assert metrics["status"] == "done"

    status, _, _ = footfall(
        "run", str(first / "scenario.yaml"), "--out", str(second), capsys=capsys
    )
    assert status == 0
    again = [Trajectory.load(folder / "trajectory.nc").data for folder in (first, second)]
    # the same arithmetic in the same order: not a bit may differ
    assert (again[0]["q"].to_numpy() == again[1]["q"].to_numpy()).all()


def test_report_is_written_anew_from_the_files(dropped, tmp_path, capsys):
    run = shutil.copytree(dropped[0], tmp_path / "run")
    (run / "report.html").unlink()
    status, _, _ = footfall("report", str(run), capsys=capsys)
    assert status == 0
    assert (run / "report.html").stat().st_size > 100_000


@pytest.mark.slow
def test_compare_measures_the_engines_against_each_other(tmp_path, capsys):
    out_folder = tmp_path / "compare"
    status, out, _ = footfall(
        "compare", "biped/climb", "--engines", "moreau,closed-form",
        "--set", "duration=0.05", "--out", str(out_folder), capsys=capsys,
    )  # fmt: skip
    assert status == 0
    (head,) = [line for line in out.splitlines() if line.lstrip().startswith("metric ")]
    assert head.split() == ["metric", "moreau", "closed-form", "unit"]  # side by side
    assert "closed-form against moreau" in out
    for engine in ("moreau", "closed-form"):
        assert (out_folder / engine / "trajectory.nc").is_file()
    assert (out_folder / "report.html").is_file()


def test_replay_serves_a_saved_run(dropped, capsys):
    status, out, _ = footfall("replay", str(dropped[0]), "--no-loop", capsys=capsys)
    assert status == 0
    assert "http://localhost:" in out


BAD_REQUESTS = {
    "unknown command": (["walk"], "walk"),
    "no scenario": (["run"], "scenario"),
    "unknown option": (["run", "biped/climb", "--speed"], "--speed"),
    "misspelt scenario": (["run", "biped/clim"], "did you mean 'biped/climb'"),
    "missing file": (["run", "nowhere.yaml"], "nowhere.yaml"),
    "unknown engine": (["run", "biped/climb", "--engine", "bullet"], "moreau"),
    "unknown key": (["run", "biped/climb", "--set", "terrain.slope=1"], "slope_deg"),
    "setting without value": (["run", "biped/climb", "--set", "seed"], "key=value"),
    "wrong type": (["run", "biped/climb", "--set", "duration=long"], "duration"),
    "negative time": (["run", "biped/climb", "--set", "duration=-1"], "duration"),
    "NaN": (["run", "biped/climb", "--set", "restitution=.nan"], "restitution"),
    "rule that matches nothing": (
        ["run", "biped/climb", "--set", "pairs=[{contact: nose, friction: 1.0}]"],
        "nose",
    ),
    "no closed form": (["run", "smoke/Defaults", "--engine", "closed-form"], "engine closed-form"),
    "one engine to compare": (["compare", "biped/climb", "--engines", "moreau"], "two"),
    "no run to replay": (["replay", "nowhere"], "nowhere"),
    "no run to report": (["report", "nowhere"], "nowhere"),
    "no model to view": (["view", "nowhere.urdf"], "nowhere.urdf"),
}


@pytest.mark.parametrize(("arguments", "names"), BAD_REQUESTS.values(), ids=BAD_REQUESTS.keys())
def test_a_wrong_request_gets_one_line_and_status_2(
    arguments, names, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    status, _, err = footfall(*arguments, capsys=capsys)
    assert status == 2
    lines = [line for line in err.splitlines() if line.startswith("footfall:")]
    assert len(lines) == 1
    assert names in lines[0]
    assert "Traceback" not in err
    assert not (tmp_path / "runs").exists()  # nothing is written for a request that was wrong


def test_an_occupied_folder_is_not_written_over(tmp_path, capsys):
    keep = tmp_path / "keep.txt"
    keep.write_text("mine")
    status, _, err = footfall(
        "run", "biped/drop", "--set", "duration=0.01", "--out", str(tmp_path), capsys=capsys
    )
    assert status == 2
    assert str(tmp_path) in err
    assert keep.read_text() == "mine"


def test_a_failing_run_keeps_what_it_computed_and_leaves_with_1(tmp_path, capsys):
    # with dt = 1 ms a damping of 1e5 1/s is far beyond 2/dt: the feedback is unstable
    out_folder = tmp_path / "run"
    status, _, err = footfall(
        "run", "biped/stand", "--set", "controller.kd=100000.0", "--out", str(out_folder),
        capsys=capsys,
    )  # fmt: skip
    assert status == 1
    assert "Traceback" not in err
    assert len([line for line in err.splitlines() if "failed" in line]) == 1
    metrics = json.loads((out_folder / "metrics.json").read_text())
    assert metrics["status"] == "failed"
    trajectory = Trajectory.load(out_folder / "trajectory.nc")
    assert len(trajectory.data["time"]) > 1


@pytest.mark.slow
def test_an_unsolved_contact_problem_is_kept_beside_the_run(tmp_path, capsys):
    out_folder = tmp_path / "run"
    status, _, err = footfall(
        "run", "biped/climb", "--set", "moreau.solver=fixed-point",
        "--set", "moreau.max_iterations=1", "--out", str(out_folder), capsys=capsys,
    )  # fmt: skip
    assert status == 1
    assert "try a smaller time_step, less friction or another moreau.solver" in err
    assert err.rstrip().endswith("; the problem is kept in contact_problem.npz")
    problem = ContactProblem.load(out_folder / "contact_problem.npz")
    assert solve(problem.W, problem.q, problem.mu, problem.dim).status == SolverStatus.SOLVED


# python -m footfall, which tells its progress sooner than every ten seconds
HASTY = """
import runpy
from footfall.cli import progress
progress._PLAIN_PERIOD = 0.2
runpy.run_module("footfall", run_name="__main__")
"""


@pytest.mark.slow
def test_ctrl_c_keeps_what_was_computed(tmp_path):
    out_folder = tmp_path / "run"
    process = subprocess.Popen(
        [sys.executable, "-c", HASTY, "run", "smoke/Defaults", "--set", "duration=600",
         "--set", "time_step=0.0005", "--out", str(out_folder)],
        stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    # the first line of progress says that the loop is under way
    assert any("smoke/Defaults moreau" in line for line in process.stderr)
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 130, err
    assert "interrupted" in err
    assert "Traceback" not in err
    trajectory = Trajectory.load(out_folder / "trajectory.nc")
    assert trajectory.status.value == "interrupted"
    assert 0.0 < float(trajectory.data["time"][-1]) < 600.0
    assert "report.html" in out


@pytest.mark.slow
def test_a_run_of_another_engine_is_repeated_in_that_engine(tmp_path, capsys):
    first, second = tmp_path / "first", tmp_path / "second"
    footfall(
        "run", "biped/drop", "--engine", "drake-lagged", "--set", "duration=0.02",
        "--out", str(first), capsys=capsys,
    )  # fmt: skip
    footfall("run", str(first / "scenario.yaml"), "--out", str(second), capsys=capsys)
    metrics = json.loads((second / "metrics.json").read_text())
    assert metrics["engine"] == "drake-lagged"
    assert metrics["scenario"] == "biped/drop"


def test_fields_that_a_scenario_leaves_out_can_be_set(tmp_path, capsys):
    out = tmp_path / "run"
    status, _, err = footfall(
        "run", "smoke/Defaults", "--set", "friction=0.25", "--set", "drake.stiffness=1e5",
        "--set", "duration=0.01", "--out", str(out), capsys=capsys,
    )  # fmt: skip
    assert status == 0, err
    assert "friction: 0.25" in (out / "scenario.yaml").read_text()


def test_a_model_is_found_beside_its_scenario_and_afterwards_from_anywhere(
    tmp_path, monkeypatch, capsys
):
    home = tmp_path / "robots"
    home.mkdir()
    (home / "ball.urdf").write_text(
        "<robot name='ball'><link name='ball'><inertial><mass value='1'/><inertia ixx='1' ixy='0' "
        "ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link></robot>"
    )
    (home / "fall.yaml").write_text(
        "duration: 0.01\ndirectives:\n- add_model: {name: ball, file: ball.urdf}\n"
    )
    monkeypatch.chdir(tmp_path)
    run = tmp_path / "run"
    status, _, err = footfall("run", "robots/fall.yaml", "--out", str(run), capsys=capsys)
    assert status == 0, err
    monkeypatch.chdir("/")
    status, _, err = footfall("report", str(run), capsys=capsys)
    assert status == 0, err


@pytest.mark.slow
def test_ctrl_c_ends_a_comparison_with_what_there_is(tmp_path, monkeypatch, capsys):
    simulate = run_module.run_scenario

    def interrupted(*arguments, **keywords):
        result = simulate(*arguments, **keywords)
        trajectory = dataclasses.replace(result.trajectory, status=Status.INTERRUPTED)
        return dataclasses.replace(result, trajectory=trajectory)

    monkeypatch.setattr(run_module, "run_scenario", interrupted)
    out = tmp_path / "both"
    status, _, err = footfall(
        "compare", "biped/drop", "--set", "duration=0.02", "--out", str(out), capsys=capsys
    )
    assert status == 1
    assert "interrupted" in err
    assert (out / "moreau" / "trajectory.nc").is_file()
    assert not (out / "drake").exists()


@pytest.mark.parametrize("damage", ['"metrics": "x"', '"claims": [{"name": 1}]'])
def test_a_damaged_run_is_one_line(tmp_path, capsys, damage):
    run = tmp_path / "run"
    footfall("run", "biped/drop", "--set", "duration=0.02", "--out", str(run), capsys=capsys)
    metrics = json.loads((run / "metrics.json").read_text()) | json.loads("{" + damage + "}")
    (run / "metrics.json").write_text(json.dumps(metrics))
    status, _, err = footfall("report", str(run), capsys=capsys)
    assert status == 2
    assert "damaged" in err
    assert "Traceback" not in err
