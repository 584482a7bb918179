"""Processor time and size of ``footfall run``: start-up, simulation and page of shipped scenarios.

    python scripts/benchmarks/page.py                         one scenario of every machine
    python scripts/benchmarks/page.py biped/climb ugv/drive   those that are named

Each command runs in a process of its own, after one whose time does not count and which compiles
kernels that are not. Start-up is a run of a hundredth of a second (or of two steps) without its
page, simulation what the whole run takes more, and the page what ``footfall report`` would add.
"""

import argparse
import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from footfall.scenario.io import load_scenario

SCENARIOS = (
    "biped/climb",
    "compass/goswami",
    "goalkeeper/arc",
    "hopper/report",
    "humanoid/opc",
    "motor/dc_line",
    "pasibot/walk",
    "rimless_wheel/roll",
    "scenes/quadruped",
    "scenes/stack",
    "ugv/drive",
    "verify/coin",
)
_SHORT = 0.01  # s


@dataclass(frozen=True)
class Cost:
    """Processor time of the parts of a run [s] and the size of its page [MB]."""

    start_up: float
    simulation: float
    page: float
    size: float


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("scenarios", nargs="*", default=list(SCENARIOS), metavar="SCENARIO")
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    heads = ("start-up [s]", "simulation [s]", "page [s]", "page [MB]")
    print(f"{'scenario':24}" + "".join(f"{head:>16}" for head in heads))
    costs = []
    for name in asked.scenarios:
        costs.append(_cost(name, asked.rounds))
        _print_row(name, costs[-1:])
    _print_row("median", costs)


def _print_row(name: str, costs: Sequence[Cost]) -> None:
    """Print medians of costs."""
    parts = ([c.start_up for c in costs], [c.simulation for c in costs], [c.page for c in costs])
    row = "".join(f"{median(part):16.2f}" for part in (*parts, [c.size for c in costs]))
    print(f"{name:24}{row}", flush=True)


def _cost(name: str, rounds: int) -> Cost:
    """Medians of several rounds."""
    short = max(_SHORT, 2.0 * load_scenario(name).time_step)
    ways = ([f"--set=duration={short}", "--no-report"], ["--no-report"], [])
    with tempfile.TemporaryDirectory() as folder:
        _seconds(name, Path(folder) / "first", ways[-1])
        page = (Path(folder) / "first" / "report.html").stat().st_size
        times = [
            [_seconds(name, Path(folder) / f"{k} {number}", way) for number, way in enumerate(ways)]
            for k in range(rounds)
        ]
    start_up, bare, whole = (median(each) for each in zip(*times, strict=True))
    return Cost(start_up, bare - start_up, whole - bare, 1e-6 * page)


def _seconds(name: str, folder: Path, options: Sequence[str]) -> float:
    """Processor time of a command; a run that ends early, as one that falls does, is one too."""
    command = [sys.executable, "-m", "footfall", "run", name, f"--out={folder}", *options]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=False, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
