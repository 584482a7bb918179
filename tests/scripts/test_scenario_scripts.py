"""The scenario scripts of the machines, run as a reader runs them, with a short horizon."""

import json

import numpy as np
import pytest
from tests.scripts.script import output, run_script

from footfall.trajectory import Trajectory

pytestmark = pytest.mark.slow


class Results:
    """Standard output of a script, and the runs that it left, by scenario and engine."""

    def __init__(self, out, told):
        self.out, self.told = out, told

    def data(self, scenario, engine):
        return Trajectory.load(self.out / scenario / engine / "trajectory.nc").data

    def metrics(self, scenario, engine):
        return json.loads((self.out / scenario / engine / "metrics.json").read_text())


def _ran(out, script, *arguments):
    done = run_script(script, *arguments, "--out", out)
    assert done.returncode == 0, done.stderr
    return Results(out, done.stdout)


def _assert_in_the_cone(data, mu):
    """Coulomb's cone, up to Drake's regularisation."""
    impulse = data["impulse"].sel(axis=["n", "t"]).to_numpy()
    assert (np.abs(impulse[..., 1]) <= mu * np.abs(impulse[..., 0]) + 1e-6).all()
    assert impulse[..., 0].max() > 0.0


def _biped(results):
    assert "mu = 0.4" in results.told
    for engine in ("moreau", "drake", "closed-form"):
        _assert_in_the_cone(results.data("biped/climb", engine), 0.4)


def _compass(results):
    for engine in ("hybrid", "moreau", "drake"):
        data = results.data("compass/goswami", engine)
        # a step of this walker takes 0.7 s: each engine has it on the other foot by then
        first, last = data["impulse"].to_numpy()[[5, -1], :, 0]
        assert (first.argmax(), last.argmax()) == (0, 1)
        # it walks down: both feet and the hip have gone to +x
        assert data["q"].sel(position="x").to_numpy()[-1] > 0.3
        assert np.isfinite(data["q"]).all()


def _goalkeeper(results):
    for engine in ("moreau", "drake-lagged", "drake-sap"):
        assert f"goalkeeper/shot_rolling {engine}: saved" in results.told
        q = results.data("goalkeeper/shot_rolling", engine)["q"]
        x, y = (q.sel(position=f"ball_ball_{axis}").to_numpy() for axis in "xy")
        assert (x[0], y[0]) == (0.2, 1.5)
        # straight towards the target, until it is near the keeper
        before = slice(0, int((y < 0.25).argmax()))
        way = np.array([-0.1, -1.5]) / np.hypot(0.1, 1.5)
        across = (x - 0.2) * way[1] - (y - 1.5) * way[0]
        # a millimetre in a metre and a half: what the engines' friction is off its direction
        assert np.abs(across[before]).max() < 1e-3
        assert y.min() > 0.0


def _hopper(results):
    for engine in ("hybrid", "moreau", "drake"):
        q = results.data("hopper/report", engine)["q"]
        # it leaves the ground and comes down farther ahead
        assert q.sel(position="z").max() > 0.05
        assert q.sel(position="x").to_numpy()[-1] > 0.1
        assert np.isfinite(q).all()
        assert results.metrics("hopper/report", engine)["claims"] == []


def _humanoid(results):
    ends = []
    for engine in ("closed-form", "hybrid"):
        assert f"{engine}: 0 gait cycles" in results.told
        data = results.data("humanoid/opc", engine)
        wanted = data["wanted_point"].sel(tracked="O1", xyz="x").to_numpy()
        assert np.ptp(wanted) == pytest.approx(0.4 * 0.05)
        ends.append(data["q"].sel(position="left_knee").to_numpy()[-1])
    assert ends[0] == pytest.approx(ends[1], abs=1e-6)


def _motor(results):
    for name in ("step", "step_frictionless", "dc_line"):
        for engine in ("closed-form", "moreau", "drake", "drake-continuous"):
            actuation = results.data(f"motor/{name}", engine)["actuation"]
            assert float(actuation[0, 0]) == pytest.approx(1.0, rel=1e-12)
            claims = results.metrics(f"motor/{name}", engine)["claims"]
            assert {claim["verdict"] for claim in claims} == {"check"}


def _pasibot(results):
    for engine in ("hybrid", "moreau", "drake"):
        assert f"mu = 0.1 {engine}: 0.08 steps, slip of each [mm]: none made" in results.told
        data = results.data("pasibot/walk_0.1", engine)
        crank = data["q"].sel(position="crank").to_numpy()
        # feedback of stepping engines lags where both feet carry, at the start
        assert crank[-1] == pytest.approx(4.0 * 0.06, rel=0.05)
        _assert_in_the_cone(data, 0.1)


def _ugv(results):
    for engine in ("closed-form", "moreau", "drake"):
        assert f"{engine}: 0.000 m, which is too short to tell a torque" in results.told
        data = results.data("ugv/drive", engine)
        angles = np.degrees(data["q"].sel(position=["rear_hip", "front_hip"]).to_numpy())
        # legs give way by 700 N m over 2e5 N m
        assert np.abs(angles - [100.0, 130.0]).max() < 0.25
        _assert_in_the_cone(data, 0.6)


SCRIPTS = {
    "biped": ("--friction 0.4 --duration 0.1", _biped),
    "compass": ("--hip 8 --slope 2.5 --duration 0.8", _compass),
    "goalkeeper": ("--kick 2 --start 0.2 1.5 --target 0.1", _goalkeeper),
    "hopper": ("--theta1 108 --mu 0.5", _hopper),
    "humanoid": ("--double 0.4 --duration 0.05", _humanoid),
    "motor": ("--ratio 100 --torque 0.01", _motor),
    "pasibot": ("--speed 4 --friction 0.1 --duration 0.06", _pasibot),
    "ugv": ("--speed 0.4 --rear 100 --front 130 --friction 0.6 --duration 0.04", _ugv),
}


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_script_runs_its_machine_in_every_engine(script, tmp_path):
    arguments, check = SCRIPTS[script]
    results = _ran(tmp_path / "out", script, *arguments.split())
    assert f"report: {results.out / 'report.html'}" in results.told
    assert (results.out / "report.html").stat().st_size > 400_000
    check(results)


@pytest.mark.longest
def test_a_fast_keeper_follows_the_arc_as_the_listing_s_does(tmp_path):
    quick = ("--keeper-speed", "2.5", "--keeper-acceleration", "8")
    results = _ran(tmp_path / "out", "goalkeeper", *quick)
    lags = {
        engine: results.metrics("goalkeeper/arc", engine)["metrics"]["keeper_lag"]
        for engine in ("closed-form", "moreau", "drake")
    }
    assert lags["closed-form"] < 1e-12
    # the arc asks for 2.3 m/s and 5.8 m/s^2: what is left is the ball's way of some steps
    assert max(lags["moreau"], lags["drake"]) < 0.01


def test_gears_are_told_in_a_row_each():
    told = output("biped_gears", "--ratios", "0", "155", "--duration", "0.1")
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in told.splitlines()]
    none, geared = [row for row in rows if row]
    assert none[:2] == ["0", "0"]
    assert geared[0] == "155"
    assert float(geared[1]) == pytest.approx(3.31e-6 * 155.0**2, rel=1e-3)
    joint, rotor = map(float, geared[7:9])
    assert rotor == pytest.approx(joint / 155.0, rel=1e-3)


def test_a_controller_of_ones_own_brakes_the_fall_in_either_engine():
    told = output("own_controller")
    assert told.splitlines()[0].startswith("moreau [")
    assert "\ndrake [" in told
