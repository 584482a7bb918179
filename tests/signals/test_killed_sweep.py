"""A sweep that is killed: its processes end with it, and resumed it ends in the same dataset."""

import signal
import subprocess
import sys
import time

import pytest
from tests.analysis.legs import write_leg
from tests.cli.command import done
from tests.signals.programs import is_alive

pytestmark = pytest.mark.slow

ASKED = [
    *("--over", "controller.parameters.k=300:3000:12", "--border", "controller.parameters.k"),
    *("--success", "trunk_height_min > 0.25", "--set", "time_step=0.005"),
]


def descendants(pid):
    """Processes that a process has begun, and those that they have."""
    listed = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True, check=False)
    own = [int(one) for one in listed.stdout.split()]
    return own + [each for one in own for each in descendants(one)]


def killed(folder):
    """Begin a sweep by two processes, and kill it after three runs are kept."""
    command = [sys.executable, "-m", "footfall", "sweep", "leg.yaml", *ASKED]
    with subprocess.Popen([*command, "--workers", "2", "--out", "out"], cwd=folder) as sweep:
        pieces, until = folder / "out" / "pieces.jsonl", time.monotonic() + 240.0
        while time.monotonic() < until:
            if pieces.exists() and pieces.read_bytes().count(b"\n") >= 3:
                break
            time.sleep(0.01)
        others = descendants(sweep.pid)
        sweep.send_signal(signal.SIGKILL)
    until = time.monotonic() + 20.0
    while any(map(is_alive, others)) and time.monotonic() < until:
        time.sleep(0.02)
    assert len(others) >= 2  # the workers
    assert not any(map(is_alive, others))
    return len(pieces.read_bytes().splitlines())


def test_killed_and_resumed_it_ends_in_the_same_bits(tmp_path, monkeypatch):
    write_leg(tmp_path)
    monkeypatch.chdir(tmp_path)
    kept = killed(tmp_path)
    quiet = ("--no-report", "--workers", "1")
    done("sweep", "leg.yaml", "--resume", "out", *quiet)
    lines = (tmp_path / "out" / "pieces.jsonl").read_bytes().splitlines()
    assert len(lines) > kept >= 3
    done("sweep", "leg.yaml", *ASKED, *quiet, "--out", "whole")
    whole = (tmp_path / "whole" / "findings.nc").read_bytes()
    assert (tmp_path / "out" / "findings.nc").read_bytes() == whole
