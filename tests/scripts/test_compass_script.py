"""The scenario script of the compass, run as a reader runs it, for little more than a step."""

import numpy as np
import pytest
from tests.scripts.script import run_script

from footfall.trajectory import Trajectory


@pytest.mark.slow
def test_a_walker_of_ones_own_walks_in_every_engine(tmp_path):
    out = tmp_path / "out"
    told = run_script(
        "compass", "--hip", "8", "--slope", "2.5", "--duration", "0.8", "--out", str(out)
    )
    assert told.returncode == 0, told.stderr
    assert f"report: {out / 'report.html'}" in told.stdout
    for engine in ("hybrid", "moreau", "drake"):
        data = Trajectory.load(out / "compass" / "goswami" / engine / "trajectory.nc").data
        # a step of this walker takes 0.7 s: each engine has it on the other foot by then
        first, last = data["impulse"].to_numpy()[[5, -1], :, 0]
        assert first.argmax() == 0
        assert last.argmax() == 1
        # it walks down: both feet and the hip have gone to +x
        assert data["q"].sel(position="x").to_numpy()[-1] > 0.3
        assert np.isfinite(data["q"]).all()
    assert (out / "report.html").stat().st_size > 400_000
