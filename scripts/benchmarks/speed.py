"""Time of a step in every engine, in microseconds, all measured in one run.

    python scripts/benchmarks/speed.py                  a table of medians: four machines
    python scripts/benchmarks/speed.py humanoid         one of biped, humanoid, quadruped, wheels
    python scripts/benchmarks/speed.py path/to.yaml     or a scenario of your own, as it starts
    python scripts/benchmarks/speed.py --profile        and where a step of the Moreau engine goes

A machine starts anew in every round of 100 steps. Processor time is measured, which other programs
disturb less than the clock; and the rounds go through the cases in turn, so that what disturbs
falls on all of them: ratios, medians of those within a round, mean more than microseconds. Nothing
is recorded, drawn or written.
"""

import argparse
import copy
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from machines import DT, MACHINES, scenario_of
from parts import parts_of_a_step
from stepping import Stepper, bare, empty, led, median_call, simulated

from footfall.scenario.io import load_scenario
from footfall.scenario.schema import Scenario

ROUNDS = 40
STEPS = 100  # of a case in a round
REFERENCE = "drake-lagged"


@dataclass
class Case:
    """Something that can be stepped, and how long it took, in seconds a step."""

    name: str
    stepper: Stepper
    times: list[float] = field(default_factory=list)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("machines", nargs="*", default=list(MACHINES), metavar="MACHINE")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"rounds of {STEPS} steps each")
    parser.add_argument("--profile", action="store_true", help="the parts of a Moreau step as well")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        scenarios = {name: scenario_of(name, Path(folder)) for name in arguments.machines}
        groups = {name: _cases(name, scenario) for name, scenario in scenarios.items()}
        groups["framework"] = [Case("empty Python update", empty(DT))]
        _measure([case for cases in groups.values() for case in cases], arguments.rounds)
        print(f"{'step 1 ms':34}{'us a step':>10}{'10..90 %':>14}{'x real time':>13}{'ratio':>8}")
        for name, cases in groups.items():
            _print_group(name, cases)
        print(f"ratio: to {REFERENCE} with the same machine")
        if arguments.profile:
            for name, scenario in scenarios.items():
                _print_profile(name, parts_of_a_step(scenario), arguments.rounds)


def _cases(name: str, scenario: Scenario) -> list[Case]:
    """The engines with one machine; the biped also climbs, under a controller in Python."""
    cases = [
        Case("moreau, bare loop", bare(scenario)),
        Case("moreau, loop of one's own", led(scenario)),
    ]
    cases += [
        Case(engine, simulated(copy.deepcopy(scenario), engine))
        for engine in ("moreau", "drake-lagged", "drake-sap")
    ]
    if name == "biped":
        climb = load_scenario("biped/climb", [f"time_step={DT}"])
        cases += [
            Case(f"{engine}, controller", simulated(climb, engine))
            for engine in ("moreau", "drake-lagged", "drake-sap")
        ]
    return cases


def _measure(cases: list[Case], rounds: int) -> None:
    for case in cases:
        case.stepper.start()
        case.stepper.advance(STEPS)  # compile, fill caches
    for _ in range(rounds):
        for case in cases:
            case.stepper.start()
            started = time.process_time()
            case.stepper.advance(STEPS)
            case.times.append((time.process_time() - started) / STEPS)


def _print_group(name: str, cases: list[Case]) -> None:
    print(name)
    times = {case.name: np.array(case.times) for case in cases}
    for case in cases:
        low, middle, high = np.percentile(case.times, (10, 50, 90))
        spread = f"{1e6 * low:.0f}..{1e6 * high:.0f}"
        row = f"  {case.name:32}{1e6 * middle:10.1f}{spread:>14}{DT / middle:13.1f}"
        if REFERENCE in times:
            row += f"{np.median(times[case.name] / times[REFERENCE]):8.2f}"
        print(row)


def _print_profile(name: str, parts: dict[str, Callable[[], object]], rounds: int) -> None:
    print(f"\n{'parts of a Moreau step: ' + name:44}{'us':>8}")
    for label, part in parts.items():
        print(f"{label:44}{median_call(part, rounds, STEPS):8.1f}")


if __name__ == "__main__":
    main()
