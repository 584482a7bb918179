"""Measures of walks: on the exact cycle every measure is known."""

import math

import numpy as np
import pytest
from tests.machines.compass.machine import closed_form, context
from tests.machines.walking import impact_rows
from tests.scenario.runs import run

from footfall.machines.compass.cycle import find_cycle
from footfall.machines.compass.measures import METRICS, heel_strikes
from footfall.run import run_scenario
from footfall.scenario.io import load_scenario

WALKS = ("lab_case2", "goswami")
LOSS = "energy_loss_per_step"


def cycle_of(name):
    return find_cycle(closed_form(context(name)).parameters)


@pytest.mark.parametrize("name", WALKS)
def test_measures_of_the_exact_walk_are_those_of_the_cycle(name):
    found, cycle = run(f"compass/{name}", "hybrid").metrics, cycle_of(name)
    machine = closed_form(context(name))
    assert found["steps"] == 10.0
    # rows at the strikes are the events themselves: integration of ten steps at 1e-12
    assert found["step_period"] == pytest.approx(cycle.period, abs=1e-11)
    assert found["step_length"] == pytest.approx(cycle.length, abs=1e-11)
    assert found["heel_strike_state"] == pytest.approx(cycle.published, abs=1e-10)
    assert found["heel_strike_impulse"] == pytest.approx(cycle.impulse, abs=1e-9)
    assert found[LOSS] == pytest.approx(cycle.lost, abs=1e-9)
    # of a walker without a motor all energy is the slope's
    slope = math.sin(machine.parameters.theta)
    assert found["cost_of_transport"] == pytest.approx(slope, abs=1e-11)
    assert found["required_friction_impact"] == pytest.approx(cycle.friction_impact, abs=1e-10)
    # a row has the mean force of a millisecond, of a ratio that changes by some 1/s
    assert found["required_friction_stance"] == pytest.approx(cycle.friction_stance, abs=5e-4)
    assert found["required_friction_stance"] <= cycle.friction_stance
    assert found["largest_torque"] == 0.0
    assert found["distance_from_cycle"] < 1e-10
    assert found["fixed_point"] == pytest.approx(cycle.published, abs=1e-12)
    pairs = np.array(found["multipliers"])
    assert pairs[:, 0] + 1j * pairs[:, 1] == pytest.approx(cycle.fixed_point.multipliers)


def test_the_loss_of_steps_that_differ_is_that_of_the_strikes_but_the_last():
    # from before a strike to before the next one; a push fades over these steps
    found = run("compass/goswami_shaped", "hybrid", "duration=4.0")
    data = found.trajectory.data
    lost = -np.diff(data["contact_work"].to_numpy())[impact_rows(data) - 1]
    assert np.ptp(lost) > 0.1
    # integration of four seconds at a relative error of 1e-12 of 150 J
    assert found.metrics[LOSS] == pytest.approx(lost[:-1].mean(), abs=1e-8)


def test_every_measure_is_told_with_its_unit():
    found = run("compass/goswami", "hybrid").metrics
    assert set(METRICS) <= set(found)


def test_a_walk_without_a_step_has_no_measures_of_steps():
    found = run("compass/goswami", "hybrid", "duration=0.5").metrics
    assert found["steps"] == 0.0
    assert "step_period" not in found
    assert "distance_from_cycle" not in found
    assert found["required_friction_stance"] > 0.1
    one = run("compass/goswami", "hybrid", "duration=1.0").metrics
    assert one["steps"] == 1.0
    assert math.isnan(one["step_period"])  # it takes two strikes
    assert math.isnan(one[LOSS])
    assert one["step_length"] == pytest.approx(cycle_of("goswami").length, abs=1e-10)


def test_a_walker_without_a_gait_is_measured_all_the_same():
    scenario = load_scenario("compass/goswami", ["duration=0.05", "terrain.slope_deg=3"])
    scenario.initial.on_gait = False
    scenario.initial.positions = {"z": 1.0, "q2": math.pi}
    found = run_scenario(scenario, "compass/goswami", "moreau")
    assert found.metrics["steps"] == 0.0
    assert "fixed_point" not in found.metrics
    assert not found.claims


@pytest.mark.parametrize("time_step", [0.003, 0.02])
def test_strikes_are_found_at_their_time_whatever_the_rows(time_step):
    # a coarse engine's rows are far from the strike; those of this engine stand at it
    machine = closed_form(context("goswami"))
    settings = (f"time_step={time_step}", "duration=2.3")
    data = run("compass/goswami", "hybrid", *settings).trajectory.data
    cycle = cycle_of("goswami")
    found = heel_strikes(data, machine)
    assert [s.foot for s in found] == [1, 0, 1]
    assert [s.time for s in found] == pytest.approx(cycle.period * np.arange(1, 4), abs=1e-11)
    for strike in found:
        assert strike.before == pytest.approx(cycle.before, abs=1e-10)


def test_a_strike_between_two_rows_is_brought_to_its_time():
    # the rows of the event taken away: those beside it are up to a step from it
    machine, cycle = closed_form(context("goswami")), cycle_of("goswami")
    errors = []
    for dt in (4e-3, 2e-3, 1e-3):
        settings = (f"time_step={dt}", "duration=1.0")
        data = run("compass/goswami", "hybrid", *settings).trajectory.data
        row = int(impact_rows(data)[0])
        kept = np.delete(np.arange(data.sizes["time"]), [row - 1, row])
        (strike,) = heel_strikes(data.isel(time=kept), machine)
        errors.append(np.abs([strike.time - cycle.period, *(strike.before - cycle.before)]).max())
    # by the rate at the row: what is left is of second order, half of the rates' change of 100/s^2
    assert errors[-1] < 100.0 * 1e-6
    assert errors[-1] < errors[0] / 4.0


# --- claims --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "settings", "count"),
    [
        ("lab_case1", (), 4),
        ("lab_case2", (), 4),
        ("goswami", (), 1),
        ("report", ("duration=1.0",), 0),
        ("lab_case2", ("terrain.slope_deg=-2.9", "duration=1.0"), 0),
        ("lab_case2", ("arguments.compass.m_hip=0.1", "duration=1.0"), 0),
    ],
)
def test_published_cycles_are_claimed_of_the_published_walkers_alone(name, settings, count):
    claims = run(f"compass/{name}", "hybrid", *settings).claims
    assert len(claims) == count
    # of the sheet's digits only one is met to half of its last, that of the angle in case 1
    cycle = ["reproduced" if name == "lab_case1" else "differs", "differs", "differs"]
    assert [claim.verdict for claim in claims] == ([*cycle, "predicted"] * (count > 0))[-count:]
    assert all(claim.source and claim.reason for claim in claims)


@pytest.mark.slow
def test_nothing_published_is_claimed_of_a_walker_with_a_motor():
    assert not run("compass/lab_case1_shaped", "hybrid", "duration=4.0").claims
