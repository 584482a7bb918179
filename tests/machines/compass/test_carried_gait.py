"""A slope's gait on other ground, by ankle and hip: the same motion, and what it costs."""

from dataclasses import replace

import numpy as np
import pytest
from tests.machines.compass.machine import context

from footfall.machines.compass.carried_gait import (
    ACTUATION,
    carried,
    carried_map,
    carrying_torques,
)
from footfall.machines.compass.closed_form.model import Compass
from footfall.machines.compass.cycle import find_cycle
from footfall.machines.compass.model import parameters_of
from footfall.machines.compass.system import SECTION


@pytest.fixture(scope="module")
def cycle():
    of = context("goswami")
    return find_cycle(parameters_of(of.model, of.contacts))


@pytest.mark.parametrize("theta", [0.0, -0.02])
def test_with_ankle_and_hip_the_gait_and_its_stability_know_no_slope(cycle, theta):
    y = cycle.after[SECTION]
    step = carried_map(cycle.parameters, cycle.parameters.theta).linearised(y, theta)
    assert step.value == pytest.approx(y, abs=1e-9)
    assert np.abs(step.D_p).max() < 1e-9
    multipliers = np.sort_complex(np.linalg.eigvals(step.D))
    assert multipliers == pytest.approx(np.sort_complex(cycle.fixed_point.multipliers), abs=1e-6)


@pytest.mark.parametrize("alone", ["hip", "ankle"])
def test_one_of_them_alone_does_not_carry_it(cycle, alone):
    walk = carried_map(cycle.parameters, cycle.parameters.theta, alone)
    y = cycle.after[SECTION]
    # on the slope nothing is asked of any
    assert walk.value(y, cycle.parameters.theta) == pytest.approx(y, abs=1e-9)
    # a degree less is enough to tell them apart
    assert np.abs(walk.value(y, cycle.parameters.theta - 0.0175) - y).max() > 0.01


def test_actuators_do_the_work_that_the_strike_takes(cycle):
    level = carried(cycle, 0.0)
    assert level.work == pytest.approx(cycle.lost, rel=1e-7)
    machine = Compass(cycle.parameters)
    slope = machine.mass * cycle.parameters.g * cycle.length * np.sin(cycle.parameters.theta)
    assert level.work == pytest.approx(slope, rel=1e-7)
    # on the slope itself nothing is needed, and friction is what the passive gait has
    passive = carried(cycle, cycle.parameters.theta)
    assert (passive.ankle, passive.hip, passive.work) == pytest.approx((0.0, 0.0, 0.0), abs=1e-12)
    assert passive.friction == pytest.approx(cycle.friction_stance, rel=1e-4)


def test_the_ankle_lets_the_ground_bear_elsewhere(cycle):
    # moments about the ankle of what bears and what is borne: rate of the angular momentum
    machine = Compass(replace(cycle.parameters, theta=0.0))
    x, step = np.array([0.1, 2.9, -1.0, 0.5]), 1e-6
    torques = carrying_torques(machine, cycle.parameters, x)
    q2 = np.linalg.solve(machine.inertia(x), torques - machine.coriolis(x) - machine.gravity(x))
    foot = np.zeros(2)
    rate = np.concatenate([x[2:], q2])
    ahead, behind = (machine.angular_momentum(x + sign * step * rate, foot) for sign in (1.0, -1.0))
    spin = (ahead - behind) / (2.0 * step)
    # the same without the ankle is the moment of the weights
    free = np.linalg.solve(machine.inertia(x), -machine.coriolis(x) - machine.gravity(x))
    rate = np.concatenate([x[2:], free])
    ahead, behind = (machine.angular_momentum(x + sign * step * rate, foot) for sign in (1.0, -1.0))
    weights = (ahead - behind) / (2.0 * step)
    assert spin - weights == pytest.approx(torques[0], rel=1e-6)


def test_actuation_does_the_power_of_its_angles():
    rates = np.array([0.3, -1.1])
    for name, rate in (("ankle", rates[0]), ("hip", rates[1])):
        assert ACTUATION[name][:, 0] @ rates == rate
