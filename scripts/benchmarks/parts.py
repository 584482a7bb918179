"""The parts of a Moreau step, each as a call that can be timed."""

from collections.abc import Callable

from stepping import alone, bare

from footfall.engines.moreau_step import roll
from footfall.plants.dynamics import Dynamics
from footfall.scenario.assemble import build_robot
from footfall.scenario.schema import Scenario

STEPS = 100  # of a rollout


def parts_of_a_step(scenario: Scenario) -> dict[str, Callable[[], object]]:
    """Calls by what they do, at the initial state of a scenario; the whole step is the last one."""
    robot = build_robot(scenario)
    dynamics = Dynamics(robot.model, robot.contacts)
    state = robot.initial_state
    whole = bare(scenario)
    engine, _ = alone(scenario, build_robot(scenario))
    ports = engine.arrays_for(1)
    many = engine.arrays_for(STEPS)
    return {
        "M and h": lambda: (dynamics.set_state(state), dynamics.mass_matrix(), dynamics.h()),
        "gaps": lambda: (dynamics.set_state(state), dynamics.gaps()),
        "compiled step": lambda: roll(engine.handle, 0, *ports),
        f"{STEPS} steps in a rollout": lambda: roll(engine.handle, 0, *many),
        "the whole step": lambda: whole.advance(1),
    }
