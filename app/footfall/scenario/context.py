"""The context of a machine, made from a scenario and its robot."""

import math

from footfall.registry.context import MachineContext
from footfall.scenario.assemble import Robot
from footfall.scenario.schema import Scenario


def context_of(scenario: Scenario, robot: Robot) -> MachineContext:
    """Return a scenario and its robot as the code of its machine sees them."""
    return MachineContext(
        model=robot.model,
        contacts=robot.contacts,
        slope=math.radians(scenario.terrain.slope_deg),
        controller=scenario.controller,
        reference=robot.reference,
        initial_state=robot.initial_state,
        time_step=scenario.time_step,
        duration=scenario.duration,
        seed=scenario.seed,
        simulator=scenario.simulator,
    )
