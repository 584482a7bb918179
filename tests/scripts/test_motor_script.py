"""The scenario script of the motor, run as a reader runs it."""

import json

import pytest
from tests.scripts.script import run_script

from footfall.trajectory import Trajectory


@pytest.mark.slow
def test_another_gear_and_torque_in_every_engine(tmp_path):
    out = tmp_path / "out"
    told = run_script("motor", "--ratio", "100", "--torque", "0.01", "--out", str(out))
    assert told.returncode == 0, told.stderr
    assert f"report: {out / 'report.html'}" in told.stdout
    for name in ("step", "step_frictionless", "dc_line"):
        for engine in ("closed-form", "moreau", "drake", "drake-continuous"):
            folder = out / "motor" / name / engine
            data = Trajectory.load(folder / "trajectory.nc").data
            assert float(data["actuation"][0, 0]) == pytest.approx(1.0, rel=1e-12)
            claims = json.loads((folder / "metrics.json").read_text())["claims"]
            assert {claim["verdict"] for claim in claims} == {"check"}
    assert (out / "report.html").stat().st_size > 400_000
