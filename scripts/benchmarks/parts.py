"""The parts of a Moreau step, each as a call that can be timed."""

from collections.abc import Callable
from unittest.mock import patch

import numpy as np
from stepping import alone, bare

from footfall.engines import moreau
from footfall.engines.moreau_step import ContactStep, recorded_step
from footfall.plants.dynamics import Dynamics
from footfall.scenario.assemble import build_robot
from footfall.scenario.schema import Scenario


def parts_of_a_step(scenario: Scenario) -> dict[str, Callable[[], object]]:
    """Calls by what they do, at the initial state of a scenario."""
    robot = build_robot(scenario)
    dynamics = Dynamics(robot.model, robot.contacts)
    state = robot.initial_state
    dynamics.set_state(state)
    active = dynamics.gaps()[0] <= 0.0
    whole = bare(scenario)
    parts: dict[str, Callable[[], object]] = {
        "state into the plant": lambda: dynamics.set_state(state),
        "and M": lambda: (dynamics.set_state(state), dynamics.mass_matrix()),
        "and M, h": lambda: (dynamics.set_state(state), dynamics.mass_matrix(), dynamics.h()),
        "and gaps": lambda: (dynamics.set_state(state), dynamics.gaps()),
    }
    if active.any():
        closed = int(active.sum())
        parts[f"and gaps, Jacobian of {closed} closed contacts"] = lambda: (
            dynamics.set_state(state),
            dynamics.gaps(),
            dynamics.contact_jacobian(active),
        )
        arguments = _arguments_of_the_kernel(scenario)
        parts[f"kernel with {closed} closed contacts"] = lambda: recorded_step(*arguments)
    parts["the whole step"] = lambda: whole.advance(1)
    return parts


def _arguments_of_the_kernel(scenario: Scenario) -> tuple[object, ...]:
    """Return what a step hands to its kernel."""
    engine, context = alone(scenario, build_robot(scenario))
    with patch.object(moreau, "recorded_step", wraps=recorded_step) as kernel:
        engine.EvalUniquePeriodicDiscreteUpdate(context)
    record, step = kernel.call_args.args
    return np.copy(record), ContactStep(
        *(np.copy(a) if isinstance(a, np.ndarray) else a for a in step)
    )
