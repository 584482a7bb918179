"""A second of torque noise moves a machine in every engine, and brings no warning."""

import numpy as np
import pytest
from tests.models.planar import shaken
from tests.slow import some_slow

from footfall.engines import ENGINES
from footfall.plants.dynamics import Dynamics
from footfall.scenario.assemble import build_robot
from footfall.scenario.io import load_scenario

# deviation [N m]: of the biped what standing needs, of the compass half of what holds a leg level,
# of the hopper about what holds link 2 level
MACHINES = {
    "biped/stand": 20.0,
    "compass/goswami": 5.0,
    "hopper/rest": 0.5,
    "motor/step": 3.0,
}


# some of them have links without mass, which drake-cenic refuses
TAKING_ALL = [engine for engine in ENGINES if engine != "drake-cenic"]


@pytest.mark.parametrize("engine", some_slow(TAKING_ALL, "drake-continuous", "mujoco"))
@pytest.mark.parametrize("name", MACHINES)
def test_a_second_of_torque_noise_brings_no_warning(name, engine, caplog):
    robot = build_robot(load_scenario(name))
    state = shaken(robot.model, engine, robot.initial_state, MACHINES[name], caplog)
    assert np.abs(state - robot.initial_state).max() > 1e-3
    dynamics = Dynamics(robot.model, robot.contacts)
    dynamics.set_state(state)
    # regularised contact sinks in by some millimetres at most
    assert dynamics.gaps()[0].min(initial=0.0) > (-1e-2 if engine == "mujoco" else -5e-3)
