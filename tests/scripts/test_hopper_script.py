"""The scenario script of the hopper, run as a reader runs it."""

import json

import numpy as np
import pytest
from tests.scripts.script import run_script

from footfall.trajectory import Trajectory


@pytest.mark.slow
def test_a_jump_of_ones_own_in_every_engine(tmp_path):
    out = tmp_path / "out"
    told = run_script("hopper", "--theta1", "108", "--mu", "0.5", "--out", str(out))
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
    assert (out / "report.html").stat().st_size > 400_000
