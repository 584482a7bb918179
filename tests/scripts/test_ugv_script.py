"""The scenario script of the vehicle, run as a reader runs it, with a short horizon."""

import numpy as np
import pytest
from tests.scripts.script import run_script

from footfall.trajectory import Trajectory


@pytest.mark.slow  # three engines on a track of hundreds of boxes, and their page
def test_other_angles_in_every_engine(tmp_path):
    out = tmp_path / "out"
    told = run_script(
        "ugv", "--speed", "0.4", "--rear", "100", "--front", "130", "--friction", "0.6",
        "--duration", "0.04", "--out", str(out),
    )  # fmt: skip
    assert told.returncode == 0, told.stderr
    assert f"report: {out / 'report.html'}" in told.stdout
    for engine in ("closed-form", "moreau", "drake"):
        assert f"{engine}: 0.000 m, which is too short to tell a torque" in told.stdout
        data = Trajectory.load(out / "ugv" / "drive" / engine / "trajectory.nc").data
        angles = np.degrees(data["q"].sel(position=["rear_hip", "front_hip"]).to_numpy())
        # legs give way by 700 N m over 2e5 N m
        assert np.abs(angles - [100.0, 130.0]).max() < 0.25
        impulse = data["impulse"].sel(axis=["n", "t"]).to_numpy()
        assert (np.abs(impulse[..., 1]) <= 0.6 * np.abs(impulse[..., 0]) + 1e-6).all()
    assert (out / "report.html").stat().st_size > 400_000
