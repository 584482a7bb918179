"""Time of the humanoid's walk: processor seconds a simulated second, and the parts of a step.

Usage: python scripts/benchmarks/humanoid.py [--duration 10] [--repeats 5]
"""

import argparse
import time
from collections.abc import Callable
from dataclasses import replace
from statistics import median

import numpy as np

from footfall.machines.humanoid.closed_form.walker import accelerations
from footfall.machines.humanoid.constrained_plant import Coordinates
from footfall.machines.humanoid.engine import closed_form, hybrid
from footfall.machines.humanoid.model import parameters_of
from footfall.registry.context import MachineContext
from footfall.scenario.assemble import build_robot
from footfall.scenario.context import context_of
from footfall.scenario.io import load_scenario

_ROUNDS = 2000


def main() -> None:
    """Print medians of several runs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--duration", type=float, default=10.0)
    parser.add_argument("--repeats", type=int, default=5)
    asked = parser.parse_args()
    scenario = load_scenario("humanoid/opc_smooth")
    context = context_of(scenario, build_robot(scenario))
    closed_form(replace(context, duration=context.time_step))  # compiles
    walk = replace(context, duration=asked.duration)
    for what, engine in (("closed-form", closed_form), ("hybrid", hybrid)):
        took = median(_seconds(lambda: engine(walk)) for _ in range(asked.repeats))  # noqa: B023
        print(f"{what:24}{took / asked.duration:9.4f} s a simulated second")
    for phase, what in enumerate(("double support", "single support")):
        took = median(_seconds(_solving(context, phase)) for _ in range(asked.repeats))
        print(f"{what:24}{1e6 * took / _ROUNDS:9.1f} us a solution of the Newton-Euler equations")


def _solving(context: MachineContext, phase: int) -> Callable[[], object]:
    numbers = parameters_of(context.model).numbers()
    coordinates = Coordinates(context.model.plant, numbers)
    ground = coordinates.ground(phase, context.initial_state)
    angles = coordinates.angles(context.initial_state)
    torque = np.zeros(12)

    def solve() -> None:
        for _ in range(_ROUNDS):
            accelerations(numbers, ground, angles[:12], angles[12:], torque)

    return solve


def _seconds(work: Callable[[], object]) -> float:
    """Processor time of one call, which other programs disturb less than the clock."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


if __name__ == "__main__":
    main()
