"""Ticks of whole-body control come once a period, and their torques act from their state on."""

import numpy as np
import pytest
from tests.controllers.test_whole_body import SCENE

from footfall.run import run_scenario
from footfall.scenario.assemble import build_robot
from footfall.scenario.io import load_scenario
from footfall_controllers.whole_body.tasks import Targets

PUSHED = "pushes=[{link: trunk, start: 0.02, duration: 0.1, force: [0.0, 60.0, 0.0]}]"
STEPS = 5  # of 1 ms in a period


@pytest.mark.parametrize("engine", ["moreau", "drake-sap"])
def test_torques_are_of_the_state_at_their_tick_and_held_for_a_period(engine):
    scenario = load_scenario(SCENE, [PUSHED, "duration=0.4"])
    robot = build_robot(scenario)
    system = scenario.controller.system(robot.plant, scenario.time_step)
    start = robot.initial_state[: robot.plant.num_positions()]
    data = run_scenario(scenario, SCENE, engine).trajectory.data
    torques = data["actuation"].to_numpy()
    changes = 1 + np.flatnonzero((np.diff(torques, axis=0) != 0.0).any(axis=1))
    assert changes.tolist() == list(range(STEPS, len(torques), STEPS))
    states = np.concatenate([data["q"].to_numpy(), data["v"].to_numpy()], axis=1)
    for row in changes[::8]:
        # the same programme of the same numbers; a warm start may end on another set that is active
        wanted = system.solve(states[row], Targets(), start).torques
        assert torques[row] == pytest.approx(wanted, abs=1e-6)
