"""The compass walks down its slope: the limit cycles of three published walkers, in every engine.

    python scripts/compass.py                        both lab cases and Goswami's compass
    python scripts/compass.py --hip 5 --slope 2.5    Goswami's with a hip and a slope of your own

Writes a run folder for every simulation and one report.html that compares them. The event-driven
engine comes first: it walks on the exact cycle, from which the others start.
"""

import argparse
import sys
from pathlib import Path

from footfall.cli.simulation import simulate_all
from footfall.errors import FootfallError
from footfall.run import Run
from footfall.scenario.io import load_scenario
from footfall.scenario.schema import Scenario

ENGINES = ("hybrid", "moreau", "drake")
WALKERS = ("compass/lab_case1", "compass/lab_case2", "compass/goswami")


def main() -> None:
    """Simulate, print short tables, write the report and say where it is."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hip", type=float, help="mass of the hip in kg (legs have 5 kg)")
    parser.add_argument("--slope", type=float, help="slope in degrees, positive downhill")
    parser.add_argument("--duration", type=float, help="simulated time in s; else ten steps")
    parser.add_argument("--out", type=Path, help="folder to write to")
    arguments = parser.parse_args()
    settings = []
    if arguments.hip is not None:
        settings.append(f"arguments.compass.m_hip={arguments.hip}")
    if arguments.slope is not None:
        settings.append(f"terrain.slope_deg={-arguments.slope}")
    names = ("compass/goswami",) if settings else WALKERS
    if arguments.duration is not None:
        settings.append(f"duration={arguments.duration}")
    try:
        scenarios = {name: load_scenario(name, settings) for name in names}
        sys.exit(simulate_all("compass", scenarios, ENGINES, arguments.out, tell))
    except FootfallError as error:
        parser.exit(2, f"compass: {error}\n")
    except KeyboardInterrupt:
        parser.exit(1, "compass: interrupted\n")


def tell(scenario: Scenario, run: Run) -> None:
    """Say how a run ended: a walk that ends in a fall is a result."""
    print(f"{scenario.name} {run.engine}: {run.trajectory.message or 'walked to the end'}")


if __name__ == "__main__":
    main()
