"""The same scenario in every engine that is here: Moreau's, Drake's own, and MuJoCo if installed.

MuJoCo comes with the extra of its name; nothing drives it here.
"""

import copy
import importlib.util

from stepping import Stepper, simulated

from footfall.scenario.assemble import build_robot
from footfall.scenario.schema import Scenario

MOREAU, MIDPOINT, LAGGED, SAP, MUJOCO = "moreau", "midpoint", "drake-lagged", "drake-sap", "mujoco"
HAS_MUJOCO = importlib.util.find_spec("mujoco") is not None
ENGINES = (MOREAU, LAGGED, SAP, *((MUJOCO,) if HAS_MUJOCO else ()))


def stepper_of(scenario: Scenario, engine: str) -> Stepper:
    """A scenario in an engine; ``midpoint`` is Moreau's with its scheme of second order."""
    if engine == MUJOCO:
        from mujoco_peer import MujocoRobot

        return MujocoRobot(scenario, build_robot(scenario)).stepper()
    if engine == MIDPOINT:
        scenario = copy.deepcopy(scenario)
        scenario.moreau.scheme = "implicit-midpoint"
        engine = MOREAU
    return simulated(scenario, engine)
