"""The scenario script of PASIBOT, run as a reader runs it, with a short horizon."""

import numpy as np
import pytest
from tests.scripts.script import run_script

from footfall.trajectory import Trajectory


@pytest.mark.slow
def test_another_speed_and_floor_in_every_engine(tmp_path):
    out = tmp_path / "out"
    told = run_script(
        "pasibot", "--speed", "4", "--friction", "0.1", "--duration", "0.06", "--out", str(out)
    )
    assert told.returncode == 0, told.stderr
    assert f"report: {out / 'report.html'}" in told.stdout
    for engine in ("hybrid", "moreau", "drake"):
        assert f"mu = 0.1 {engine}: 0.08 steps, slip of each [mm]: none made" in told.stdout
        data = Trajectory.load(out / "pasibot" / "walk_0.1" / engine / "trajectory.nc").data
        crank = data["q"].sel(position="crank").to_numpy()
        # feedback of stepping engines lags where both feet carry, at the start
        assert crank[-1] == pytest.approx(4.0 * 0.06, rel=0.05)
        impulse = data["impulse"].to_numpy()
        assert (np.abs(impulse[..., 1]) <= 0.1 * np.abs(impulse[..., 0]) + 1e-6).all()
    assert (out / "report.html").stat().st_size > 400_000
