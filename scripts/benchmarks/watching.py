"""Cost of watching: time of a step with a page that draws its frames, over that without.

Usage: python scripts/benchmarks/watching.py [SCENARIO ...] [--engine moreau] [--repeat 3]

Both run as fast as they can, in turn and in the same process; time is that of the thread that
simulates. All layers are shown, at up to 60 frames a second, fewer where they would take more than
their share; nobody looks, for a browser has its own cost. Medians of the runs, and of their ratios.
"""

import argparse
import math
import time
from statistics import median

from footfall.run import run_scenario
from footfall.scenario.io import load_scenario
from footfall.show import start_meshcat, view_of
from footfall.show.live.controls import Controls
from footfall.show.live.display import Display
from footfall.show.live.run import LiveRun
from footfall.simulation import Progress, Underway

SCENARIOS = ("biped/climb", "scenes/balance", "humanoid/walk")


class Timed(LiveRun):
    """Takes the time of the thread from the first step to the last, and counts frames."""

    taken = rate = 0.0
    _drawn = 0

    def begin(self, underway: Underway) -> None:
        """Begin to count when the scene stands."""
        super().begin(underway)
        self._began_at, self._wall, self._drawn = time.thread_time(), time.perf_counter(), 0

    def end(self, done: int) -> None:
        """Stop counting."""
        self.taken = (time.thread_time() - self._began_at) / max(done, 1)
        self.rate = self._drawn / (time.perf_counter() - self._wall)
        super().end(done)

    def _draw(self, done: int, status: str = "") -> None:
        self._drawn += 1
        super()._draw(done, status)


class Plain:
    """Conductor that looks away."""

    taken = 0.0

    def begin(self, _underway: Underway) -> None:
        """Begin to count."""
        self._began_at = time.thread_time()

    def steps(self, _done: int) -> int:
        """Let it run."""
        return 1_000_000

    def end(self, done: int) -> None:
        """Stop counting."""
        self.taken = (time.thread_time() - self._began_at) / max(done, 1)


def main() -> None:
    """Print a row each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenarios", nargs="*", default=SCENARIOS)
    parser.add_argument("--engine", default="moreau")
    parser.add_argument("--repeat", type=int, default=3)
    asked = parser.parse_args()
    print(
        "| scenario | step [us] | watched [us] | more | frames/s |",
        "|---|---|---|---|---|",
        sep="\n",
    )
    for name in asked.scenarios:
        _plain(name, asked.engine)  # which compiles what is missing
        pairs = [
            (_plain(name, asked.engine), _watched(name, asked.engine)) for _ in range(asked.repeat)
        ]
        more = median(100.0 * (seen.taken / plain - 1.0) for plain, seen in pairs)
        step, watched = (
            1e6 * median(each) for each in zip(*((p, s.taken) for p, s in pairs), strict=True)
        )
        rate = median(seen.rate for _, seen in pairs)
        print(f"| {name} | {step:.0f} | {watched:.0f} | {more:.0f} % | {rate:.0f} |", flush=True)


def _plain(name: str, engine: str) -> float:
    conductor = Plain()
    run_scenario(load_scenario(name), name, engine, conductor=conductor, report=_tell)
    return conductor.taken


def _watched(name: str, engine: str) -> Timed:
    scenario, meshcat = load_scenario(name), start_meshcat()
    view = view_of(scenario)
    display = Display(meshcat, view)
    display.shown = dict.fromkeys(display.shown, True)
    conductor = Timed(meshcat, Controls(), display, view, ("com.z", "normal_force"))
    conductor.clock.speed = math.inf
    run_scenario(scenario, name, engine, conductor=conductor, report=_tell)
    return conductor


def _tell(_progress: Progress) -> None:
    """Say nothing."""


if __name__ == "__main__":
    main()
