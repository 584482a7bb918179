"""The scenario script of the hopper, run as a reader runs it."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from footfall.trajectory import Trajectory

SCRIPT = Path(__file__).parents[2] / "scripts" / "hopper.py"


def run_script(*arguments):
    return subprocess.run(
        [sys.executable, str(SCRIPT), *arguments], capture_output=True, text=True, check=False
    )


@pytest.mark.slow
def test_a_jump_of_ones_own_in_every_engine(tmp_path):
    out = tmp_path / "out"
    told = run_script("--theta1", "108", "--mu", "0.5", "--out", str(out))
    assert told.returncode == 0, told.stderr
    assert f"report: {out / 'report.html'}" in told.stdout
    for engine in ("hybrid", "moreau", "drake"):
        folder = out / "hopper" / "report" / engine
        data = Trajectory.load(folder / "trajectory.nc").data
        # it leaves the ground and comes down farther ahead
        assert data["q"].sel(position="z").max() > 0.05
        assert data["q"].sel(position="x").to_numpy()[-1] > 0.1
        assert np.isfinite(data["q"]).all()
        assert json.loads((folder / "metrics.json").read_text())["claims"] == []
    assert (out / "report.html").stat().st_size > 1_000_000


@pytest.mark.parametrize(
    ("arguments", "names"),
    [(["--mu", "-1"], "friction"), (["--theta1", "200"], "Q is at a height")],
    ids=["negative friction", "joint in the ground"],
)
def test_a_wrong_request_gets_one_line(arguments, names, tmp_path):
    told = run_script(*arguments, "--out", str(tmp_path / "out"))
    assert told.returncode == 2
    assert "Traceback" not in told.stderr
    assert names in told.stderr.splitlines()[-1]
