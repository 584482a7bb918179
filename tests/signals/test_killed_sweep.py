"""A sweep that is killed: its processes end with it, and resumed it ends in the same dataset."""

import signal
import subprocess
import sys
import time

import pytest
from tests.analysis.legs import write_leg
from tests.signals.programs import is_alive

from footfall.analysis.context import load_arrays

pytestmark = pytest.mark.slow

SWEEP = [
    *(sys.executable, "-m", "footfall", "sweep"),
    "leg.yaml",
    "--no-report",
]
ASKED = [
    *("--over", "controller.parameters.k=300:3000:12", "--border", "controller.parameters.k"),
    *("--success", "trunk_height_min > 0.25", "--set", "time_step=0.002"),
]


def children(pid):
    listed = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True, check=False)
    return [int(one) for one in listed.stdout.split()]


def killed(folder, number):
    """Begin a sweep by two processes, and end it by a signal after three runs are kept."""
    with subprocess.Popen(
        [*SWEEP, *ASKED, "--workers", "2", "--out", "out"], cwd=folder, stderr=subprocess.PIPE
    ) as sweep:
        pieces, until = folder / "out" / "pieces.jsonl", time.monotonic() + 120.0
        while time.monotonic() < until:
            if pieces.exists() and pieces.read_bytes().count(b"\n") >= 3:
                break
            time.sleep(0.02)
        workers = children(sweep.pid)
        sweep.send_signal(number)
        _, err = sweep.communicate(timeout=60)
    until = time.monotonic() + 20.0
    while any(map(is_alive, workers)) and time.monotonic() < until:
        time.sleep(0.02)
    assert workers
    assert not any(map(is_alive, workers))
    return sweep.returncode, err.decode()


def test_killed_and_terminated_and_resumed_it_ends_in_the_same_bits(tmp_path):
    write_leg(tmp_path)
    assert killed(tmp_path, signal.SIGKILL)[0] == -signal.SIGKILL
    resume = [*SWEEP, "--resume", "out", "--workers", "1"]
    done = len((tmp_path / "out" / "pieces.jsonl").read_text().splitlines())
    subprocess.run(resume, cwd=tmp_path, check=True, capture_output=True)
    lines = (tmp_path / "out" / "pieces.jsonl").read_text().splitlines()
    assert len(lines) > done >= 3
    first = (tmp_path / "out" / "findings.nc").read_bytes()
    (tmp_path / "out").rename(tmp_path / "resumed")

    status, err = killed(tmp_path, signal.SIGTERM)
    assert status == 143
    assert "go on with footfall" in err
    subprocess.run(resume, cwd=tmp_path, check=True, capture_output=True)
    assert (tmp_path / "out" / "findings.nc").read_bytes() == first
    assert load_arrays(tmp_path / "out" / "findings.nc").sizes["controller.parameters.k"] == 12
