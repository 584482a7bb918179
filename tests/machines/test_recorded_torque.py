"""Records of engines by events have the torque that acted in every row, on both sides of a jump.

Between two rows the work of the actuators, which no engine computes of recorded torques, is the
mean of the powers at both over the time between, but for the cube of that time. A row that lacks
the torque on one side of a jump is off by the jump itself.
"""

import numpy as np
import pytest
from tests.slow import some_slow

from footfall.machines.compass.hybrid_engine import hybrid as compass
from footfall.machines.hopper.hybrid_engine import hybrid as hopper
from footfall.machines.pasibot.engine import closed_form as pasibot_on_held_feet
from footfall.machines.pasibot.engine import hybrid as pasibot
from footfall.scenario.assemble import build_robot
from footfall.scenario.context import context_of
from footfall.scenario.io import load_scenario

RAMPS = ("time_step=2e-3", "duration=0.6")
CASES = {
    "a torque that jumps": (hopper, "hopper/robust", "time_step=1e-3"),
    "a motor at its bound": (
        hopper,
        "hopper/tracked",
        "time_step=5e-4",
        "directives.0.add_model.file=package://footfall/urdf/hopper/hopper.urdf.xacro",
        "arguments={hopper: {tau_max: 1.5}}",
    ),
    "heel strikes": (compass, "compass/goswami_shaped", "time_step=2e-3", "duration=2.0"),
    "ramps": (pasibot, "pasibot/start_stop", *RAMPS),
    "ramps of a machine on held feet": (pasibot_on_held_feet, "pasibot/start_stop", *RAMPS),
    "slides": (pasibot, "pasibot/slip_kinetic", "time_step=2e-3", "duration=0.6"),
}


# a walker's gait has to be found first
@pytest.mark.parametrize("case", some_slow(CASES, "heel strikes"))
def test_work_is_that_of_the_recorded_torques(case):
    engine, name, *settings = CASES[case]
    scenario = load_scenario(name, ("analysis=null", *settings))
    robot = build_robot(scenario)
    data = engine(context_of(scenario, robot)).data
    inputs = robot.plant.MakeActuationMatrix()
    power = np.vecdot(data["v"].to_numpy() @ inputs, data["actuation"].to_numpy())
    span = np.diff(data["time"].to_numpy())
    some = span > 1e-6
    mean = np.diff(data["actuator_work"].to_numpy())[some] / span[some]
    miss = np.abs(mean - 0.5 * (power[1:] + power[:-1])[some])
    # the torques jump by a tenth of the largest power, and more
    assert miss.max() < 0.01 * np.abs(power).max()
