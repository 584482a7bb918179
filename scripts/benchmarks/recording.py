"""Cost of recording a run: microseconds a step with it and without, in rounds that take turns.

    python scripts/benchmarks/recording.py                      three machines, Moreau engine
    python scripts/benchmarks/recording.py --engine drake-sap   or another engine
    python scripts/benchmarks/recording.py path/to.yaml         or a scenario of your own

Without: the simulator alone, to the end at once. With: the loop of `footfall run`, which keeps
states, efforts, contacts and the account of energy of every step. Processor time; the ratio is the
median of those within a round. On a shared machine of two cores, Moreau engine, steps of 1 ms:

              us without   with   ratio
    biped           54      65    1.18
    quadruped       73      89    1.22
    humanoid        90     105    1.17
"""

import argparse
import copy
import tempfile
import time
from pathlib import Path

import numpy as np
from machines import DT, scenario_of
from stepping import Stepper, simulated

import footfall.simulation
from footfall.scenario.assemble import Robot, build_robot
from footfall.scenario.schema import Scenario
from footfall.simulation import Hooks, simulate

NAMES = ("biped", "quadruped", "humanoid")
STEPS, ROUNDS = 600, 15


class _ProcessorTime:
    """Stands for the module time in the loop that is measured."""

    perf_counter = staticmethod(time.process_time)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("machines", nargs="*", default=list(NAMES), metavar="MACHINE")
    parser.add_argument("--engine", default="moreau")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"rounds of {STEPS} steps each")
    arguments = parser.parse_args()
    footfall.simulation.time = _ProcessorTime  # type: ignore[assignment]
    print(f"{'step 1 ms, ' + arguments.engine:24}{'us without':>12}{'with':>8}{'ratio':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for name in arguments.machines:
            scenario = scenario_of(name, Path(folder))
            scenario.duration = STEPS * DT
            robot = build_robot(scenario)
            bare = simulated(copy.deepcopy(scenario), arguments.engine)
            rounds = range(arguments.rounds + 1)  # the first compiles and fills caches
            measured = [_round(scenario, robot, bare, arguments.engine) for _ in rounds]
            times = np.array(measured)[1:]
            without, recorded = 1e6 / STEPS * np.median(times, axis=0)
            ratio = np.median(times[:, 1] / times[:, 0])
            print(f"{name:24}{without:12.1f}{recorded:8.1f}{ratio:8.2f}")


def _round(scenario: Scenario, robot: Robot, bare: Stepper, engine: str) -> tuple[float, float]:
    """Processor time of all steps without recording, and with it [s]."""
    bare.start()
    started = time.process_time()
    bare.advance(STEPS)
    without = time.process_time() - started
    _, error, recorded = simulate(scenario, robot, engine, Hooks(lambda: False, None, None))
    if error is not None:
        raise error
    return without, recorded


if __name__ == "__main__":
    main()
