"""The scenario script of the motor, run as a reader runs it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from footfall.trajectory import Trajectory

SCRIPT = Path(__file__).parents[2] / "scripts" / "motor.py"


def run_script(*arguments):
    return subprocess.run(
        [sys.executable, str(SCRIPT), *arguments], capture_output=True, text=True, check=False
    )


@pytest.mark.slow
def test_another_gear_and_torque_in_every_engine(tmp_path):
    out = tmp_path / "out"
    told = run_script("--ratio", "100", "--torque", "0.01", "--out", str(out))
    assert told.returncode == 0, told.stderr
    assert f"report: {out / 'report.html'}" in told.stdout
    for name in ("step", "step_frictionless", "dc_line"):
        for engine in ("closed-form", "moreau", "drake", "drake-continuous"):
            folder = out / "motor" / name / engine
            data = Trajectory.load(folder / "trajectory.nc").data
            assert float(data["actuation"][0, 0]) == pytest.approx(1.0, rel=1e-12)
            claims = json.loads((folder / "metrics.json").read_text())["claims"]
            assert {claim["verdict"] for claim in claims} == {"reproduced"}
    assert (out / "report.html").stat().st_size > 1_000_000


@pytest.mark.parametrize(
    ("arguments", "names"),
    [(["--ratio", "-3"], "gear_ratio is -3"), (["--torque", "nan"], "coefficients")],
    ids=["negative ratio", "no torque"],
)
def test_a_wrong_request_gets_one_line(arguments, names, tmp_path):
    told = run_script(*arguments, "--out", str(tmp_path / "out"))
    assert told.returncode == 2
    assert "Traceback" not in told.stderr
    assert names in told.stderr.splitlines()[-1]
