"""Measures of the goalkeeper's runs, the listing as an engine, and the report."""

import math

import numpy as np
import pytest
from tests.scenario.runs import run
from tests.slow import some_slow

from footfall.machines.goalkeeper.closed_form.bisector import bisector, saturated
from footfall.machines.goalkeeper.measures import (
    METRICS,
    POSITIONS,
    acceleration,
    angles,
    observables_of,
)
from footfall.scenario.io import load_scenario

GUIDED = ["arc", "sine", "to_blue", "to_yellow", "shot_straight", "shot_curved"]
# those whose claims are looked at in engines with steps; the others ask the same of the keeper
BOUNDED = some_slow(GUIDED, "sine", "to_yellow", "shot_curved")


def _listing(name):
    return run(f"goalkeeper/{name}", "closed-form")


@pytest.mark.parametrize("name", GUIDED)
def test_the_closed_form_is_the_listing(name):
    data = _listing(name).trajectory.data
    path = load_scenario(f"goalkeeper/{name}").controller.path
    q = data["q"].sel(position=list(POSITIONS)).to_numpy()
    ball = path.position(data["time"].to_numpy())
    assert np.array_equal(q[:, 1:], ball)
    assert q[:, 0] == pytest.approx(saturated(bisector(ball)), abs=2e-15)


@pytest.mark.parametrize("name", GUIDED)
def test_the_closed_forms_velocity_is_that_of_its_places(name):
    data = _listing(name).trajectory.data
    q, v = data["q"].to_numpy(), data["v"].to_numpy()
    dt = 1e-3
    central = (q[2:] - q[:-2]) / (2.0 * dt)
    off = np.abs(v[1:-1] - central).max(axis=1)
    # second order, but for the rows beside a kink: of the path, or where the bound begins or ends
    assert np.sort(off)[:-4].max() < 5e-4
    assert (off > 5e-4).sum() <= 4


def test_the_listings_keeper_would_need_the_acceleration_of_its_place():
    path, step = load_scenario("goalkeeper/sine").controller.path, 1e-4
    time = np.linspace(step, 2.0 - step, 20_001)
    before, at, after = (bisector(path.position(time + shift)) for shift in (-step, 0.0, step))
    wanted = np.abs(before - 2.0 * at + after).max() / step**2
    found = _listing("sine").metrics["keeper_acceleration"]
    assert found == pytest.approx(wanted, rel=1e-3)  # second order in steps of 1 ms
    assert found > 10.0  # of a machine that walks, nothing near it is known


@pytest.mark.parametrize("name", GUIDED)
def test_the_closed_form_keeps_its_account_of_energy(name):
    found = _listing(name)
    assert found.metrics["energy_drift"] == pytest.approx(0.0, abs=1e-12)
    assert found.metrics["keeper_lag"] == 0.0
    assert found.metrics["path_error"] == 0.0
    # what the keeper does is what is wanted
    assert found.metrics["keeper_speed"] == found.metrics["wanted_speed"]
    assert found.metrics["keeper_speed"] > 0.5 or name in {"to_blue", "to_yellow"}


@pytest.mark.parametrize("name", GUIDED)
def test_metrics_of_the_listing_have_units(name):
    _judge(_listing(name).metrics)


@pytest.mark.slow
@pytest.mark.parametrize("name", BOUNDED)
@pytest.mark.parametrize("engine", ["moreau", "drake"])
def test_metrics_have_units_and_bounds(name, engine):
    metrics = run(f"goalkeeper/{name}", engine).metrics
    _judge(metrics)
    assert metrics["keeper_speed"] <= 0.5 * (1.0 + 1e-12)
    assert metrics["keeper_acceleration"] <= 2.0 * (1.0 + 1e-9)
    assert metrics["keeper_reach"] <= 0.91 + 1e-12


def _judge(metrics):
    own = set(metrics) & set(METRICS)
    assert {"keeper_lag", "keeper_speed", "bisector_error", "path_error"} <= own
    assert not {"goal", "saved", "missed", "touch_time"} & own  # of a ball that nothing stops


@pytest.mark.slow
@pytest.mark.parametrize("name", BOUNDED)
def test_moreau_and_drake_agree_on_the_keeper(name):
    one, other = (
        run(f"goalkeeper/{name}", engine).trajectory.data["q"].sel(position="keeper_x").to_numpy()
        for engine in ("moreau", "drake")
    )
    # Drake's step leads on with the speed at its end: each time that the keeper speeds up or
    # brakes, v dt/2 = 0.25 mm are left, and on these paths it does so up to four times
    assert np.abs(one - other).max() < 4.0 * 0.25e-3


def test_the_lag_is_that_of_the_rows():
    found = run("goalkeeper/arc", "moreau")
    observed = observables_of(found.trajectory)
    wanted = saturated(bisector(observed.ball))
    assert found.metrics["keeper_lag"] == pytest.approx(np.abs(observed.keeper - wanted).max())
    assert found.metrics["keeper_lag"] > 1.0  # 0.5 m/s is far too slow for this ball
    assert found.metrics["bisector_error"] > 0.5


def test_angles_of_a_triangle_that_is_known():
    # ball at (0, 1.3) before a goal of 2.6: 45 degrees to either post
    left, right = angles(np.array([[0.0, 1.3]] * 2), np.array([0.0, 1.3]))
    assert left == pytest.approx([0.25 * math.pi, 0.5 * math.pi], abs=1e-15)
    assert right == pytest.approx([0.25 * math.pi, 0.0], abs=1e-15)


def test_steps_in_which_the_ball_hits_the_keeper_do_not_count_as_its_own():
    found = run("goalkeeper/shot_rolling", "moreau", "controller.max_speed=2.0",
                "controller.max_acceleration=10.0")  # fmt: skip
    observed = observables_of(found.trajectory)
    assert observed.touching.any()
    assert acceleration(observed) <= 10.0 * (1.0 + 1e-9)
    plain = np.abs(np.diff(observed.keeper_speed)).max() / 1e-3
    assert plain > 10.0 * (1.0 + 1e-6)


# --- claims ----------------------------------------------------------------------------------


def _verdicts(name, engine, *settings):
    return [claim.verdict for claim in run(f"goalkeeper/{name}", engine, *settings).claims]


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("arc", 1),
        ("sine", 1),
        ("to_blue", 1),  # it passes the penalty mark; to halve an angle asks nothing of the keeper
        ("to_yellow", 0),
        ("shot_straight", 2),  # from the penalty mark; its bound is how the listing is made
        ("shot_curved", 1),
    ],
)
def test_the_listing_does_what_the_report_says(name, count):
    assert _verdicts(name, "closed-form") == ["predicted"] * count


@pytest.mark.slow
def test_a_keeper_with_bounds_does_so_only_where_the_ball_lets_it():
    for engine in ("moreau", "drake"):
        assert _verdicts("to_blue", engine) == ["predicted"]
        assert _verdicts("arc", engine) == ["differs"]
        # the bound of its place is one, and a keeper that never comes to it keeps it
        assert _verdicts("shot_straight", engine) == ["differs", "predicted", "predicted"]
    claim = run("goalkeeper/arc", "moreau").claims[0]
    assert "bounded speed" in claim.reason


@pytest.mark.slow
@pytest.mark.parametrize("engine", some_slow(["moreau", "drake", "drake-sap"], "drake-sap"))
def test_the_listing_is_followed_in_every_engine_within_the_engines_own_error(engine):
    found = run("goalkeeper/listing", engine)
    (claim,) = found.claims
    assert claim.verdict == "predicted"
    # within a step the target's speed changes by its acceleration times the step, at most 5.8 m/s^2
    # on this path; the keeper is that times another step behind, and the ball sees it from 0.8 m on
    assert found.metrics["keeper_lag"] < 5.8 * 1e-6 * 5.0
    assert 0.0 < claim.own_error < 1e-5
    assert claim.tolerance == pytest.approx(claim.own_error, abs=2e-9)
    # a keeper a millimetre beside it would not pass
    assert claim.tolerance < 2e-3 * 0.5


def test_another_bound_claims_nothing():
    assert _verdicts("arc", "closed-form", "controller.saturation=0.6") == []
    assert run("goalkeeper/shot_rolling", "moreau").claims == ()
