"""The scenario script of the goalkeeper, run as a reader runs it."""

import json

import numpy as np
import pytest
from tests.scripts.script import run_script

from footfall.trajectory import Trajectory


@pytest.mark.slow
def test_a_slow_shot_is_saved_in_every_engine(tmp_path):
    out = tmp_path / "out"
    told = run_script(
        "goalkeeper", "--kick", "2", "--start", "0.2", "1.5", "--target", "0.1", "--out", str(out)
    )
    assert told.returncode == 0, told.stderr
    assert f"report: {out / 'report.html'}" in told.stdout
    for engine in ("moreau", "drake-lagged", "drake-sap"):
        assert f"goalkeeper/shot_rolling {engine}: saved" in told.stdout
        folder = out / "goalkeeper" / "shot_rolling" / engine
        data = Trajectory.load(folder / "trajectory.nc").data
        x, y = (data["q"].sel(position=f"ball_ball_{axis}").to_numpy() for axis in "xy")
        assert (x[0], y[0]) == (0.2, 1.5)
        # straight towards the target, until it is near the keeper
        before = slice(0, int((y < 0.25).argmax()))
        way = np.array([-0.1, -1.5]) / np.hypot(0.1, 1.5)
        across = (x - 0.2) * way[1] - (y - 1.5) * way[0]
        # a millimetre in a metre and a half: what the engines' friction is off its direction
        assert np.abs(across[before]).max() < 1e-3
        assert y.min() > 0.0
    assert (out / "report.html").stat().st_size > 400_000


@pytest.mark.slow
@pytest.mark.longest
def test_a_fast_keeper_follows_the_arc_as_the_listing_s_does(tmp_path):
    out = tmp_path / "out"
    quick = ("--keeper-speed", "2.5", "--keeper-acceleration", "8")
    told = run_script("goalkeeper", *quick, "--out", str(out))
    assert told.returncode == 0, told.stderr
    lags = {}
    for engine in ("closed-form", "moreau", "drake"):
        folder = out / "goalkeeper" / "arc" / engine
        lags[engine] = json.loads((folder / "metrics.json").read_text())["metrics"]["keeper_lag"]
    assert lags["closed-form"] < 1e-12
    # the arc asks for 2.3 m/s and 5.8 m/s^2: what is left is the ball's way of some steps
    assert lags["moreau"] < 0.01
    assert lags["drake"] < 0.01
