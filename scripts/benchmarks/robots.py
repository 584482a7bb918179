"""Time of a step of makers' robots, in microseconds of processor time, beside Drake.

    python scripts/benchmarks/robots.py                      solo12, a1, talos_reduced
    python scripts/benchmarks/robots.py talos_full_v2        others of example-robot-data

Each robot is repaired, stands with the controller that ``footfall new`` writes, and falls without
one: onto its feet, its knees and its hands. The engines take turns in every round; medians. Behind
them is by how much the Moreau engine is faster than real time. Needs the extra ``robots``.
"""

import argparse
import importlib.metadata
import tempfile
from pathlib import Path

from stepping import median_times, simulated

from footfall.scenario.io import load_scenario
from footfall.scenario.schema import Scenario
from footfall.scenario.starter import write_starter

ROBOTS = ("solo12", "a1", "talos_reduced")
ENGINES = ("moreau", "drake-lagged", "drake-sap")
ROUNDS, STEPS, SETTLING = 10, 20, 300


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("robots", nargs="*", metavar="ROBOT", default=ROBOTS)
    arguments = parser.parse_args()
    print(f"{'us a step of 1 ms':24}" + "".join(f"{engine:>14}" for engine in ENGINES) + "  x real")
    for name in arguments.robots:
        with tempfile.TemporaryDirectory() as folder:
            scenario = standing(name, Path(folder) / name)
            _print(f"{name} stands", scenario)
            scenario.controller = None
            _print(f"{name} falls", scenario)


def standing(name: str, folder: Path) -> Scenario:
    """The scenario that is written for a robot, without its push."""
    files = importlib.metadata.files("example-robot-data") or []
    path = next(str(file.locate()) for file in files if file.name == f"{name}.urdf")
    scenario = load_scenario(str(write_starter(path, folder).scenario))
    scenario.pushes = []
    return scenario


def _print(title: str, scenario: Scenario) -> None:
    times = _times(scenario)
    real = 1e6 * scenario.time_step / times[0]
    print(f"{title:24}" + "".join(f"{t:14.0f}" for t in times) + f"{real:8.2f}")


def _times(scenario: Scenario) -> list[float]:
    """Median time of a step in each engine [us]."""
    steppers = [simulated(scenario, engine) for engine in ENGINES]
    return median_times(steppers, SETTLING, ROUNDS, STEPS)


if __name__ == "__main__":
    main()
