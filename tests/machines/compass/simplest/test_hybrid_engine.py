"""The simplest walker as the limit of the compass, beside the engines that simulate its model."""

from dataclasses import replace

import numpy as np
import pytest
from tests.machines.walking import impact_rows
from tests.scenario.runs import run

from footfall.errors import RunError, ScenarioError
from footfall.hybrid import find_fixed_point
from footfall.machines.compass.closed_form.model import CompassParameters
from footfall.machines.compass.closed_form.simplest import LONG_SCALING, LONG_STEP
from footfall.machines.compass.cycle import cycle_at
from footfall.machines.compass.system import limit_gait, return_map
from footfall.registry.machines import machines
from footfall.scenario.assemble import build_robot
from footfall.scenario.context import context_of
from footfall.scenario.io import load_scenario

SIMPLEST = "compass/simplest"


@pytest.fixture(scope="module")
def simplest():
    return run(SIMPLEST, "hybrid", "time_step=0.002")


def test_the_simplest_walker_walks_on_its_gait(simplest):
    found = simplest.metrics
    assert found["distance_from_limit"] < 1e-11
    assert found["step_period"] == pytest.approx(found["limit_period"], rel=1e-11)
    assert found["step_length"] == pytest.approx(found["limit_length"], rel=1e-11)
    # what it loses is what its descent gives, and the weight of the hip is 9.81 N
    drop = found["limit_length"] * np.sin(LONG_STEP.gamma)
    assert found["energy_loss_per_step"] == pytest.approx(9.81 * drop, rel=1e-11)
    data = simplest.trajectory.data
    assert found["energy_drift"] < 1e-12 * float(data["potential_energy"][0]) * 10.0


def test_the_ground_pushes_the_hip_of_the_simplest_walker_along_the_leg(simplest):
    # a leg of no mass carries no moment: the impulse of a heel strike points to the hip
    data = simplest.trajectory.data
    for row in impact_rows(data):
        here = data.isel(time=row)
        foot = int(here["impulse"].sel(axis="n").to_numpy().argmax())
        normal, tangential = here["impulse"].isel(contact=foot).to_numpy()[:2]
        leg = here["q"].sel(position="q1").item()
        if foot == 1:
            leg += here["q"].sel(position="q2").item() - np.pi
        assert tangential / normal == pytest.approx(-np.tan(leg), abs=1e-11)


def test_the_published_gait_is_reproduced_and_its_multipliers_are_explained(simplest):
    verdicts = [claim.verdict for claim in simplest.claims]
    expected = ["reproduced"] * 2 + ["fitted"] * 2 + ["differs"] * 2 + ["predicted"]
    assert verdicts == expected
    elsewhere = run(SIMPLEST, "hybrid", "terrain.slope_deg=-0.4", "duration=0.1")
    assert not elsewhere.claims


def test_the_simplest_walker_starts_anywhere_and_comes_to_its_gait():
    # a second foot forward, half a degree off: the multipliers' modulus is 0.589
    found = run(SIMPLEST, "hybrid", "duration=30", "time_step=0.01", "initial.velocities.q2=0.03")
    data = found.trajectory.data
    state = data["q"].to_numpy()[impact_rows(data) - 1]
    standing = np.minimum(state[:, 2], state[:, 2] + state[:, 3] - np.pi)
    away = np.abs(standing + LONG_STEP.theta)
    assert away[-1] < 1e-4 * away.max()


def _light(ratio):
    """A compass with its legs' mass at the feet; l = g = m_hip = 1."""
    return CompassParameters(1.0, ratio, 0.0, 1.0, m_hip=1.0, theta=LONG_STEP.gamma, g=1.0)


def test_the_compass_of_light_feet_tends_to_the_limit_by_order_one():
    limit = limit_gait(LONG_STEP.gamma)
    guess = np.array([limit.after[0], limit.after[2], -limit.after[3]])
    ratios = 1e-3 * 2.0 ** -np.arange(4)
    places, periods = [], []
    for ratio in ratios:
        parameters = _light(ratio)
        found = find_fixed_point(return_map(parameters), guess, parameters.theta)
        cycle = cycle_at(parameters, found)
        places.append(np.abs(cycle.published - limit.published).max())
        periods.append(abs(cycle.period - limit.period))
        # one multiplier is that of the swinging leg's rate, which the limit forgets
        assert found.multipliers[:2].real == pytest.approx(-0.1901, abs=10.0 * ratio)
    for away in (places, periods):
        order = np.log2(np.array(away[:-1]) / away[1:])
        # what is left of the second order is some ratios, 1e-2
        assert order == pytest.approx(1.0, abs=0.02)


@pytest.mark.slow
def test_moreau_walks_the_compass_of_light_feet_like_the_limit(simplest):
    found = run(SIMPLEST, "moreau", "time_step=0.0005").metrics
    assert found["steps"] == simplest.metrics["steps"]
    # a foot may land 0.2 mm deep, which takes 6 % of a step's energy, thus 3 % of its speed
    limit = simplest.metrics
    assert found["step_period"] == pytest.approx(limit["limit_period"], rel=5e-3)
    assert found["step_length"] == pytest.approx(limit["limit_length"], rel=2e-2)
    assert found["distance_from_limit"] < 0.03


def test_the_limit_has_no_hip_torque_and_no_rebound():
    with pytest.raises(ScenarioError, match="plastic"):
        run(SIMPLEST, "hybrid", "restitution=0.5")
    machine = build_robot(load_scenario(SIMPLEST))
    context = context_of(load_scenario(SIMPLEST), machine)
    with pytest.raises(ScenarioError, match="no torque"):
        machines()["simplest_walker"].engines["hybrid"](replace(context, controller=object()))


def test_a_slope_without_a_gait_says_so():
    with pytest.raises(RunError, match="no gait"):
        run(SIMPLEST, "hybrid", "terrain.slope_deg=1.0")


@pytest.mark.parametrize("gamma", [2e-3, 5e-4])
def test_gaits_scale_as_table_1_says(gamma):
    limit = limit_gait(gamma)
    # next terms: gamma^(5/3) of an angle and gamma^(4/3) of a time, with factors below 1 and 4
    away = np.abs(limit.fixed_point.orbit[0] - LONG_SCALING.gait(gamma)).max()
    assert away < gamma ** (5.0 / 3.0)
    assert abs(limit.period - LONG_SCALING.duration(gamma)) < 5.0 * gamma ** (4.0 / 3.0)
