"""Touch-downs of feet against the momentum that they take."""

import numpy as np
import pytest
import xarray as xr
from tests.engines.tiny import GRAVITY, simulate, tiny
from tests.feet.robots import TABLE

from footfall.feet.gait import WINDOW, slip_of_steps, steps_of
from footfall.scenario.schema import InitialState

HEIGHT, MASS, STEP = 0.01, 10.0, 1e-3


@pytest.mark.parametrize("engine", ["moreau", "drake-sap"])
def test_impulses_of_touch_downs_are_the_momentum_that_a_landing_takes(tmp_path, engine):
    table = tiny(tmp_path, TABLE, friction=0.7, duration=0.1)
    table.initial = InitialState(drop_along="trunk", gap=HEIGHT)
    run = simulate(table, engine)
    data, steps = run.trajectory.data, steps_of(run.trajectory.data)
    assert len(steps) == 4
    assert set(steps.foot) == {0, 1, 2, 3}
    fall = np.sqrt(2.0 * GRAVITY * HEIGHT)
    # it goes on falling for a step between two measured gaps
    assert steps.speed == pytest.approx(np.full(4, fall), abs=2.0 * GRAVITY * STEP)
    # from one row before the touch-down: momentum of all bodies by the plant, and the weight
    row = int(np.searchsorted(data["time"], steps.time.min() - 0.5 * STEP))
    rows = round(WINDOW / STEP)
    rate = data["com_velocity"].to_numpy()[[row - 1, row - 1 + rows], 2]
    taken = MASS * (rate[1] - rate[0]) + MASS * GRAVITY * rows * STEP
    # feet may meet compliant ground a step apart
    assert steps.impulse.sum() == pytest.approx(taken, abs=MASS * GRAVITY * STEP)
    assert taken == pytest.approx(MASS * fall + MASS * GRAVITY * WINDOW, rel=5e-3)
    metrics = run.metrics
    assert sum(metrics["touch_down_impulse"].values()) == pytest.approx(steps.impulse.sum())


def test_impulses_do_not_depend_on_time_steps_and_forces_do(tmp_path):
    found = {}
    for step in (1e-3, 5e-4):
        table = tiny(tmp_path, TABLE, friction=0.7, duration=0.1, time_step=step)
        table.initial = InitialState(drop_along="trunk", gap=HEIGHT)
        found[step] = steps_of(simulate(table).trajectory.data)
    coarse, fine = found.values()
    # a step more or less of the weight
    assert fine.impulse.sum() == pytest.approx(coarse.impulse.sum(), abs=MASS * GRAVITY * 1e-3)
    assert fine.force.sum() > 1.8 * coarse.force.sum()


def test_slip_is_counted_from_touch_down_to_touch_down():
    contact = np.array([[1, 1, 0, 1, 1, 0, 1]]).T
    slip = np.array([[0.0, 0.1, 0.1, 0.1, 0.4, 0.4, 0.45]]).T
    there = ("time", "foot")
    data = xr.Dataset({"foot_contact": (there, contact), "foot_slip": (there, slip)})
    # it lands in the fourth and in the seventh row
    assert slip_of_steps(data)[0] == pytest.approx([0.1, 0.3, 0.05])
