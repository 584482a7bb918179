"""Run folders: made once, never over another, read back or answered in one line."""

import enum
import json
import os
import re
import subprocess
import sys

import numpy as np
import pytest

from footfall import files
from footfall.errors import RunError
from footfall.files import replacing, write_text
from footfall.run_folder import find_run, make_run_folder

METRICS = {
    "scenario": "biped/climb",
    "engine": "moreau",
    "status": "done",
    "metrics": {"x_final": -7.0},
    "claims": [],
}


class Colour(enum.Enum):
    RED = "red"


class Saves:
    def save(self, path):
        path.write_bytes(b"rows")


@pytest.fixture
def run(tmp_path):
    folder = make_run_folder("biped/climb", "moreau", root=tmp_path / "runs")
    folder.write_scenario("seed: 1\n")
    folder.write_provenance({"seed": 1})
    folder.write_trajectory(Saves())
    folder.write_metrics(METRICS)
    return folder


def test_what_is_written_is_read(run):
    assert run.read_scenario() == "seed: 1\n"
    assert run.read_provenance() == {"seed": 1}
    assert run.trajectory.read_bytes() == b"rows"
    assert run.read_metrics() == METRICS
    run.write_report("<p>µ</p>")
    assert run.report.read_text(encoding="utf-8") == "<p>µ</p>"
    kept = ["metrics.json", "provenance.json", "report.html", "scenario.yaml", "trajectory.nc"]
    assert sorted(file.name for file in run.path.iterdir()) == kept


def test_numbers_survive_and_json_stays_json(run):
    # strict readers (browsers, jq) refuse the NaN that Python would write
    values = {
        "third": np.float64(1) / 3,
        "count": np.int64(7),
        "fell": np.bool_(True),
        "nan": float("nan"),
        "inf": -np.inf,
        "row": np.array([1.5, np.nan]),
        "pair": (1, Colour.RED),
    }
    run.write_metrics({**METRICS, "metrics": values})
    text = (run.path / "metrics.json").read_text()
    assert "NaN" not in text
    assert "Infinity" not in text
    assert run.read_metrics()["metrics"] == {
        "third": 1 / 3,
        "count": 7,
        "fell": True,
        "nan": None,
        "inf": None,
        "row": [1.5, None],
        "pair": [1, "red"],
    }


def test_the_default_folder_names_scenario_engine_and_time(tmp_path):
    path = make_run_folder("biped/climb", "moreau", root=tmp_path).path
    machine, scenario, engine, stamp = path.relative_to(tmp_path).parts
    assert (machine, scenario, engine) == ("biped", "climb", "moreau")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d", stamp)


def test_runs_of_the_same_second_get_folders_of_their_own(tmp_path):
    made = {make_run_folder("biped/climb", "moreau", root=tmp_path).path for _ in range(5)}
    assert len(made) == 5


@pytest.mark.parametrize("scenario", ["/etc/my robot.yaml", "../../my robot.yml", "my robot.yaml"])
def test_a_scenario_file_lends_its_stem(tmp_path, scenario):
    path = make_run_folder(scenario, "drake", root=tmp_path).path
    assert path.relative_to(tmp_path).parts[:2] == ("my robot", "drake")


@pytest.mark.parametrize("scenario", ["../../away", "/away", "a/../../../away"])
def test_no_name_leads_out_of_the_runs(tmp_path, scenario):
    path = make_run_folder(scenario, "../drake", root=tmp_path).path
    assert path.resolve().is_relative_to(tmp_path)


def test_out_is_taken_when_it_is_new_or_empty(tmp_path):
    assert make_run_folder("a", "b", tmp_path / "deep" / "out").path == tmp_path / "deep" / "out"
    (tmp_path / "empty").mkdir()
    assert make_run_folder("a", "b", str(tmp_path / "empty")).path.is_dir()


def test_out_is_never_written_over(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    for out in (tmp_path, tmp_path / "notes.txt", tmp_path / "notes.txt" / "run"):
        with pytest.raises(RunError, match="choose another folder") as caught:
            make_run_folder("a", "b", out)
        assert "\n" not in str(caught.value)
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_a_folder_belongs_to_one_run_at_a_time(tmp_path):
    first = make_run_folder("a", "b", tmp_path / "out")
    again = "import sys, footfall.run_folder as f; f.make_run_folder('a', 'b', sys.argv[1])"
    command = [sys.executable, "-c", again, str(first.path)]
    refused = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "another run that has not ended writes into" in refused.stderr
    del first
    assert subprocess.run(command, check=False).returncode == 0


def test_what_a_killed_run_left_half_written_is_removed(tmp_path):
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    left = [tmp_path / f".trajectory.nc.{ended.pid}.part"]
    mine = [tmp_path / f".trajectory.nc.{os.getpid()}.part", tmp_path / ".notes.part"]
    for path in left + mine:
        path.touch()
    with pytest.raises(RunError, match="holds files already"):
        make_run_folder("a", "b", tmp_path)
    assert sorted(tmp_path.iterdir()) == sorted(mine)
    for path in mine:
        path.unlink()
    (tmp_path / "scenario.yaml").touch()
    with pytest.raises(RunError, match="not whole: it is being written, or was killed; remove it"):
        make_run_folder("a", "b", tmp_path)


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path):
    (tmp_path / "runs").write_text("a file")
    with pytest.raises(RunError, match="choose one with --out"):
        make_run_folder("a", "b", root=tmp_path / "runs")
    with pytest.raises(RunError, match="cannot make the folder"):
        make_run_folder("a", "b", tmp_path / ("x" * 300))


def test_a_run_is_found_by_its_folder_or_a_file_in_it(run):
    assert find_run(run.path) == run
    assert find_run(str(run.trajectory)) == run


def test_what_is_not_a_run_is_answered_in_one_line(run, tmp_path):
    with pytest.raises(RunError, match="there is no run folder"):
        find_run(tmp_path / "nothing")
    (tmp_path / "other").mkdir()
    with pytest.raises(RunError, match="is not a run folder; give one"):
        find_run(tmp_path / "other")
    with pytest.raises(RunError, match=re.escape(f"the newest beneath it is {run.path}")):
        find_run(tmp_path / "runs")


def test_a_run_without_what_is_needed_says_so(run):
    run.trajectory.unlink()
    with pytest.raises(RunError, match=r"has no trajectory\.nc"):
        find_run(run.path)
    assert find_run(run.path, needs=["metrics.json"]) == run


def test_damaged_files_are_one_line(run):
    (run.path / "metrics.json").write_text('{"scenario": ')
    with pytest.raises(RunError, match=r"metrics\.json is damaged \(line 1\)"):
        run.read_metrics()
    (run.path / "metrics.json").write_text("[]")
    with pytest.raises(RunError, match="holds no JSON object"):
        run.read_metrics()
    (run.path / "metrics.json").write_text(json.dumps({"scenario": "a", "engine": "b"}))
    with pytest.raises(RunError, match="lacks status, metrics, claims"):
        run.read_metrics()
    (run.path / "scenario.yaml").write_bytes(b"\xff\xfe")
    with pytest.raises(RunError, match="cannot read"):
        run.read_scenario()
    (run.path / "provenance.json").unlink()
    with pytest.raises(RunError, match=r"there is no .*provenance\.json"):
        run.read_provenance()


@pytest.mark.parametrize("fault", [KeyboardInterrupt, ValueError])
def test_a_write_that_breaks_off_leaves_the_old_file(tmp_path, fault):
    path = tmp_path / "a.txt"
    write_text(path, "old")
    with pytest.raises(fault), replacing(path) as temporary:  # noqa: PT012 (breaks off midway)
        temporary.write_text("ha")
        raise fault
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_disk_that_refuses_is_one_line(tmp_path, monkeypatch):
    with pytest.raises(RunError, match="there is no folder"):
        write_text(tmp_path / "no" / "a.txt", "x")

    def full(*_args, **_kwargs):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.Path, "write_text", full)
    with pytest.raises(RunError, match=r"cannot write .*a\.txt: No space left on device"):
        write_text(tmp_path / "a.txt", "x")
    assert list(tmp_path.iterdir()) == []
