"""Time of a tick of whole-body control along a run: median, 99th percentile, and its parts.

Usage: python scripts/benchmarks/whole_body.py [SCENARIO ...] [--duration 3]

A run of each scenario gives the states; then every tick of it is solved again, alone, and timed by
the processor's clock, which other programs disturb less than that on the wall.
"""

import argparse
import time
from collections import Counter
from collections.abc import Callable
from typing import TypeVar

import numpy as np
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder

from footfall.arrays import Array
from footfall.control.whole_body import WholeBody
from footfall.engines.ports import STATE
from footfall.scenario.assemble import add_robot, build_robot
from footfall.scenario.io import load_scenario
from footfall.scenario.schema import Scenario
from footfall_controllers.whole_body.targets import Targets
from footfall_controllers.whole_body_qp import WholeBodyQp

_SCENARIOS = ("humanoid/stand", "humanoid/walk", "scenes/balance", "scenes/trot")
_Result = TypeVar("_Result")
_FIRST = 20  # ticks that warm up


def main() -> None:
    """Print a line a scenario."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenarios", nargs="*", default=_SCENARIOS)
    parser.add_argument("--duration", type=float, default=3.0)
    asked = parser.parse_args()
    print(
        f"{'scenario':24}{'unknowns':>9}{'ticks':>7}{'median':>9}{'p99':>9}"
        f"{'without the programme':>23}  outcomes  [us]"
    )
    for name in asked.scenarios:
        law, ticks = _ticks(load_scenario(name), asked.duration)
        times, outcomes, others = [], Counter[str](), []
        for state, targets, start in ticks:
            took, tick = _timed(lambda: law.solve(state, targets, start))  # noqa: B023
            times.append(took)
            outcomes[tick.outcome.name.lower()] += 1
            others.append(took - _timed(lambda: law.solver.solve(tick.programme))[0])  # noqa: B023
        times, others = times[_FIRST:], others[_FIRST:]
        told = ", ".join(f"{count} {what}" for what, count in outcomes.items())
        print(
            f"{name:24}{len(tick.x):9d}{len(ticks):7d}{np.median(times):9.0f}"
            f"{np.quantile(times, 0.99):9.0f}{np.median(others):23.0f}  {told}"
        )


def _ticks(
    scenario: Scenario, duration: float
) -> tuple[WholeBodyQp, list[tuple[Array, Targets, Array]]]:
    """Return the controller of a scenario, and state, targets and start at each of its ticks."""
    robot, builder = build_robot(scenario), DiagramBuilder()
    engine = add_robot(builder, scenario, robot, scenario.engine)
    diagram = builder.Build()
    simulator = Simulator(diagram)
    root = simulator.get_mutable_context()
    engine.set_state(engine.GetMyMutableContextFromRoot(root), robot.initial_state)
    if not isinstance(scenario.controller, WholeBody):
        raise SystemExit(f"{scenario.name} has no whole-body controller")
    walks = scenario.controller.walk is not None
    found, period = [], scenario.controller.period or scenario.time_step
    start = robot.initial_state[: robot.plant.num_positions()]
    simulator.Initialize()
    for k in range(round(duration / period)):
        targets = Targets()
        if walks:
            pattern = diagram.GetSubsystemByName("walk_pattern")
            port = pattern.GetOutputPort("targets")
            targets = port.Eval(pattern.GetMyContextFromRoot(root))
        state = engine.GetOutputPort(STATE).Eval(engine.GetMyContextFromRoot(root))
        found.append((state.copy(), targets, start))
        simulator.AdvanceTo((k + 1) * period)
    return scenario.controller.system(robot.plant), found


def _timed(work: Callable[[], _Result]) -> tuple[float, _Result]:
    """Return the processor time [us] of a call, and what it gives."""
    begun = time.process_time_ns()
    result = work()
    return 1e-3 * (time.process_time_ns() - begun), result


if __name__ == "__main__":
    main()
