"""Memory of a long run: resident size at marks of a hundred thousand steps (Linux).

    python scripts/benchmarks/memory.py                     a million steps of each engine
    python scripts/benchmarks/memory.py --steps 200000      fewer

The limp biped falls and lies on the slope, so that its contacts are solved in every step. Nothing
is recorded, so the size should stay where it is after the first mark; what it gains from there to
the end is printed last.
"""

import argparse
import os
from pathlib import Path

from machines import DT
from stepping import simulated

from footfall.scenario.io import load_scenario

MARKS = 10


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--steps", type=int, default=1_000_000)
    parser.add_argument("--engines", default="moreau,drake-lagged", help="separated by commas")
    arguments = parser.parse_args()
    for engine in arguments.engines.split(","):
        stepper = simulated(load_scenario("biped/drop", [f"time_step={DT}"]), engine)
        stepper.start()
        sizes = []
        for mark in range(1, MARKS + 1):
            stepper.advance(arguments.steps // MARKS)
            sizes.append(resident())
            print(f"{engine:16}{mark * (arguments.steps // MARKS):>10} steps{sizes[-1]:10.2f} MiB")
        print(f"{engine:16}from the first mark to the last {sizes[-1] - sizes[0]:+10.2f} MiB")


def resident() -> float:
    """Resident size of this process [MiB]."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


if __name__ == "__main__":
    main()
