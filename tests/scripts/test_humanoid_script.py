"""The scenario script of the humanoid, run as a reader runs it, with a short horizon."""

import numpy as np
import pytest
from tests.scripts.script import run_script

from footfall.trajectory import Trajectory

pytestmark = pytest.mark.slow


def test_a_walk_of_other_speed_by_both_equations(tmp_path):
    out = tmp_path / "out"
    told = run_script("humanoid", "--double", "0.4", "--duration", "0.05", "--out", str(out))
    assert told.returncode == 0, told.stderr
    assert f"report: {out / 'report.html'}" in told.stdout
    ends = []
    for engine in ("closed-form", "hybrid"):
        assert f"{engine}: 0 gait cycles" in told.stdout
        data = Trajectory.load(out / "humanoid" / "opc" / engine / "trajectory.nc").data
        wanted = data["wanted_point"].sel(tracked="O1", xyz="x").to_numpy()
        assert np.ptp(wanted) == pytest.approx(0.4 * 0.05)
        ends.append(data["q"].sel(position="left_knee").to_numpy()[-1])
    assert ends[0] == pytest.approx(ends[1], abs=1e-6)
    assert (out / "report.html").stat().st_size > 500_000
