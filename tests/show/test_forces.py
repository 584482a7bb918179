"""Contact forces of saved runs: means over a time are what moves the robot in it."""

from dataclasses import replace

import numpy as np
import pytest
from tests.engines.tiny import BRICK, simulate, tiny
from tests.scenario.runs import run

from footfall.plants.loading.load import load_model
from footfall.scenario.assemble import model_spec
from footfall.scenario.io import load_scenario
from footfall.show.forces import RecordedForces

NAME, SHORT = "biped/climb", ("duration=0.2",)


@pytest.fixture(scope="module")
def climb():
    """Model, trajectory and recorded forces of a biped that climbs."""
    model = load_model(model_spec(load_scenario(NAME, SHORT)))
    trajectory = run(NAME, "moreau", *SHORT).trajectory
    return model, trajectory, RecordedForces(model, trajectory)


def _momentum(model, data, row):
    """Momentum in W (3,) [N s] in a row."""
    plant = model.plant
    context = plant.CreateDefaultContext()
    plant.SetPositions(context, data["q"].to_numpy()[row])
    plant.SetVelocities(context, data["v"].to_numpy()[row])
    velocity = plant.CalcCenterOfMassTranslationalVelocityInWorld(context)
    return plant.CalcTotalMass(context) * velocity


def test_the_mean_forces_of_a_time_change_the_momentum_by_that_much(climb):
    model, trajectory, recorded = climb
    data = trajectory.data
    mass = model.plant.CalcTotalMass(model.plant.CreateDefaultContext())
    for begin, end in ((0.0, 0.2), (0.15, 0.2)):
        first, last = (int(np.argmin(np.abs(data["time"].to_numpy() - t))) for t in (begin, end))
        gained = _momentum(model, data, last) - _momentum(model, data, first)
        gained[2] += mass * 9.81 * (end - begin)
        mean = recorded.mean(begin, end).force_W.sum(axis=0)
        assert mean[2] > 0.0
        # a step takes M in its middle, the momentum is that of its end: half a millisecond of how
        # fast M changes
        np.testing.assert_allclose(mean * (end - begin), gained, atol=1e-4 * mass * 9.81)


def test_rows_of_an_impact_share_a_time_and_are_no_division_by_zero(climb):
    model, trajectory, recorded = climb
    data = trajectory.data.copy(deep=True)
    time = data["time"].to_numpy().copy()
    time[51:] -= time[51] - time[50]
    twice = RecordedForces(model, replace(trajectory, data=data.assign_coords(time=time)))
    at = float(time[50])
    found, plain = twice.mean(at, at), recorded.mean(at - 1e-3, at + 1e-3)
    # one step's time for the impulses of two
    np.testing.assert_allclose(found.force_W, 2.0 * plain.force_W, rtol=1e-9, atol=1e-9)


def test_what_never_touches_has_no_forces(tmp_path):
    scenario = tiny(tmp_path, BRICK, duration=0.05, positions={"brick_z": 3.0})
    trajectory = simulate(scenario).trajectory
    assert RecordedForces(load_model(model_spec(scenario)), trajectory).mean(0.0, 0.05) is None
