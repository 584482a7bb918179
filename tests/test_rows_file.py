"""Rows of a run under way: what was written to its end is read, whatever cut the file off."""

import gc
import itertools
import logging
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pytest
from tests.fuzz.folders import declares

import footfall as ff
from footfall import run as running
from footfall.errors import RunError
from footfall.plants.dynamics import Dynamics
from footfall.recorder import Recorder
from footfall.run import run_scenario
from footfall.run_folder import RunFolder, require_unused
from footfall.saved import RunOnDisk
from footfall.scenario.io import load_scenario
from footfall.trajectory import Event, Status, Trajectory
from footfall.trajectory.contact_table import CONTACT_VARIABLES, contact_table
from footfall.trajectory.events import INCOMPLETE, NOT_COMPUTED
from footfall.trajectory.netcdf import RowsFile, _layout
from footfall.trajectory.rows import Rows
from footfall.trajectory.variables import VARIABLES


def tiny(duration):
    """Return the scenario of a ball that falls for so long [s]."""
    return load_scenario("smoke/Defaults", [f"duration={duration}"])


def _add(file, data, rows, events=()):
    """Add some rows of a trajectory's data to a file."""
    part = data.isel(time=rows)
    columns = {name: part[name].to_numpy() for name in VARIABLES if name not in CONTACT_VARIABLES}
    file.add(Rows(part["time"].to_numpy(), columns, contact_table(part)), events)


@pytest.fixture(scope="module")
def whole():
    """Make a run of a block on the ground, without what is worked out of its rows."""
    run = run_scenario(load_scenario("scenes/push", ["duration=0.03"]), "push")
    assert (contact_table(run.trajectory.data).columns["mode"] > 0).any()
    return replace(run.trajectory, data=run.trajectory.data[[*VARIABLES]])


def _begun(whole, path):
    start = replace(whole, data=whole.data.isel(time=slice(0, 0)), events=whole.events[:1])
    return start.begin(path)


def test_blocks_are_the_rows_that_were_added(whole, tmp_path):
    path, said = tmp_path / "run.nc", Event(0.02, "impact", "the ball")
    file = _begun(whole, path)
    _add(file, whole.data, slice(0, 7))
    _add(file, whole.data, slice(7, None), [said])
    read = Trajectory.load(path)
    assert read.data.equals(whole.data)
    assert read.events[-2] == said
    assert (read.status, read.events[-1].kind) == (Status.INTERRUPTED, INCOMPLETE)
    assert f"t = {whole.data.time[-1]:.4f} s" in read.message
    whole.save(path)
    assert Trajectory.load(path).identical(whole)


@pytest.mark.slow
def test_a_file_that_ends_anywhere_has_the_blocks_before(whole, tmp_path):
    path = tmp_path / "run.nc"
    file = _begun(whole, path)
    ends = [0]
    rows = path.with_suffix(".rows")
    for first in (0, 3, 6):
        _add(file, whole.data, slice(first, first + 3), [Event(0.0, "x", "y")])
        ends.append(rows.stat().st_size)
    written = rows.read_bytes()
    for size in {
        *range(0, len(written), len(written) // 40),
        *ends,
        *(end - 1 for end in ends[1:]),
    }:
        rows.write_bytes(written[:size])
        blocks = sum(end <= size for end in ends) - 1
        assert Trajectory.load(path).data.equals(whole.data.isel(time=slice(0, 3 * blocks)))
    rows.unlink()
    assert Trajectory.load(path).data.sizes["time"] == 0


def test_a_full_disk_ends_the_file_and_not_the_run(whole, tmp_path):
    layout = _layout(whole.data)
    (tmp_path / "full.rows").symlink_to("/dev/full")
    file = RowsFile(tmp_path / "full.rows", layout)
    _add(file, whole.data, slice(0, 3))
    assert "No space left" in file.trouble
    _add(file, whole.data, slice(3, 6))  # which says no more


@pytest.mark.parametrize("engine", ["moreau", "drake", "hybrid"])
def test_a_folder_has_its_run_from_the_start(engine, tmp_path, monkeypatch):
    scenario = ff.load("hopper/report", duration=0.02).scenario
    found = []

    def looked(*_):
        folder = RunFolder(tmp_path)
        found.append((folder.read_metrics()["status"], Trajectory.load(folder.trajectory)))
        assert not folder.is_whole
        with pytest.raises(RunError, match="is not whole"):
            require_unused(tmp_path)

    monkeypatch.setattr(RunOnDisk, "end", looked)
    kept = RunOnDisk(RunFolder(tmp_path), "hop", scenario)
    run = run_scenario(scenario, "hop", engine, keep=kept.begin)
    kept.end(run)
    ((status, grown),) = found
    assert status == "running"
    assert grown.data["q"].equals(run.trajectory.data["q"])
    again = ff.replay(tmp_path)
    assert again.metrics["duration"] == pytest.approx(run.metrics["duration"])
    assert "not complete" in again.message


@pytest.mark.parametrize("what", ["common_measures", "settling_measures"])
def test_what_is_worked_out_of_a_run_does_not_lose_it(what, tmp_path, monkeypatch):
    def fails(*_):
        raise ValueError("need at least one array to stack")

    monkeypatch.setattr(running, what, fails)
    run = run_scenario(tiny(0.02), "tiny")
    assert run.trajectory.status is Status.DONE
    assert run.trajectory.data.sizes["time"] == 21
    (fault,) = run.faults
    assert "in fails" in fault.trace
    last = run.trajectory.events[-1]
    assert last.kind == NOT_COMPUTED
    assert "need at least one array to stack" in last.what
    RunOnDisk(RunFolder(tmp_path), "tiny", tiny(0.02)).end(run)
    assert "ValueError" in (tmp_path / "traceback.txt").read_text()


@pytest.mark.parametrize("error", [MemoryError(), OSError(24, "Too many open files"), KeyError(1)])
def test_whatever_ends_a_simulation_leaves_its_rows(error, monkeypatch):
    look = Recorder.look

    def failing(self, context):
        look(self, context)
        if self.time > 0.0105:
            raise error

    monkeypatch.setattr(Recorder, "look", failing)
    run = run_scenario(tiny(1.0), "tiny")
    assert run.trajectory.status is Status.FAILED
    assert 10 < run.trajectory.data.sizes["time"] < 900
    assert "\n" not in run.trajectory.message


def test_an_engine_that_tells_rows_is_kept_row_by_row(tmp_path):
    starts = []

    def keep(_engine, _moved, start):
        starts.append(start)
        return start.begin(tmp_path / f"{len(starts)}.nc")

    run = run_scenario(load_scenario("humanoid/opc", ["duration=0.05"]), "opc", keep=keep)
    assert [len(start.data["time"]) for start in starts] == [0, 6]
    kept = Trajectory.load(tmp_path / "1.nc")
    for name in ("time", "q", "v"):
        assert kept.data[name].equals(run.trajectory.data[name])
    assert "not complete" in kept.message


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ["smoke/Defaults", "--set", "duration=2000"],  # in blocks of compiled steps
        ["smoke/Defaults", "--set", "duration=500", "--engine", "drake"],
        ["smoke/Defaults", "--set", "duration=2000", "--set", "record_every=100"],
        ["humanoid/opc", "--set", "duration=60"],  # row by row
    ],
)
def test_a_killed_run_is_there_up_to_its_last_seconds(arguments, tmp_path):
    out = tmp_path / "run"
    process = subprocess.Popen(
        [sys.executable, "-m", "footfall", "run", *arguments, "--out", out],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    rows = out / "trajectory.rows"
    for _ in range(600):
        if rows.exists() and rows.stat().st_size > 50_000:
            break
        time.sleep(0.1)
    time.sleep(1.0)
    os.kill(process.pid, signal.SIGKILL)
    lost = time.time() - rows.stat().st_mtime
    process.wait()
    assert lost < 2.0  # s
    run = ff.replay(out)
    assert run.status == "interrupted"
    assert run.data.sizes["time"] > 50
    assert np.isfinite(run.data["q"]).all()
    few = "drake" in arguments  # rows
    others = [["report", out], ["still", out]] if few else []
    for command in (["export", out, "--csv", "--series", "q"], *others):
        told = subprocess.run(
            [sys.executable, "-m", "footfall", *command],
            capture_output=True,
            text=True,
            check=True,
        )
        assert "is not complete" in told.stderr


@pytest.mark.slow
def test_runs_of_a_program_keep_no_dynamics():
    def kept():
        gc.collect()
        return sum(type(one) is Dynamics for one in gc.get_objects())

    for engine in ("moreau", "drake"):
        run_scenario(tiny(0.002), "tiny", engine)
        before = kept()
        for _ in range(3):
            run_scenario(tiny(0.002), "tiny", engine)
        assert kept() <= before


def test_the_thousandth_run_of_a_process_says_what_helps(monkeypatch, caplog):
    monkeypatch.setattr(running, "_runs", itertools.count(999))
    with caplog.at_level(logging.WARNING, "footfall.run"):
        for _ in range(3):
            run_scenario(tiny(0.002), "tiny")
    (told,) = [record.getMessage() for record in caplog.records if record.name == "footfall.run"]
    assert "run 1000" in told
    assert "sweep" in told


def test_a_file_that_declares_more_than_it_holds_is_refused_before_it_is_read(tmp_path):
    declares(tmp_path / "lie.nc", 10**12)
    with pytest.raises(RunError, match="GB, more than it can hold"):
        Trajectory.load(tmp_path / "lie.nc")
