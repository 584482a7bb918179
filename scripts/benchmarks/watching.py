"""Cost of watching: time of a step with a page that draws 60 frames a second, over that without.

Usage: python scripts/benchmarks/watching.py [SCENARIO ...] [--engine moreau] [--repeat 3]

Both run as fast as they can, in the same process; time is that of the thread that simulates. All
layers are shown; nobody looks, for a browser has its own cost. The least of the repeated runs is
taken.
"""

import argparse
import math
import time

from footfall.run import run_scenario
from footfall.scenario.io import load_scenario
from footfall.show import start_meshcat, view_of
from footfall.show.live.controls import Controls
from footfall.show.live.display import Display
from footfall.show.live.run import LiveRun
from footfall.simulation import Progress, Underway

SCENARIOS = ("biped/climb", "scenes/balance", "humanoid/walk")


class Timed(LiveRun):
    """Takes the time of the thread from the first step to the last."""

    taken = 0.0

    def begin(self, underway: Underway) -> None:
        """Begin to count when the scene stands."""
        super().begin(underway)
        self._began_at = time.thread_time()

    def end(self, done: int) -> None:
        """Stop counting."""
        self.taken = (time.thread_time() - self._began_at) / max(done, 1)
        super().end(done)


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
    print("| scenario | step [us] | watched [us] | more |", "|---|---|---|---|", sep="\n")
    for name in asked.scenarios:
        plain = min(_plain(name, asked.engine) for _ in range(asked.repeat))
        seen = min(_watched(name, asked.engine) for _ in range(asked.repeat))
        more = f"{100.0 * (seen / plain - 1.0):.0f} %"
        print(f"| {name} | {1e6 * plain:.0f} | {1e6 * seen:.0f} | {more} |", flush=True)


def _plain(name: str, engine: str) -> float:
    conductor = Plain()
    run_scenario(load_scenario(name), name, engine, conductor=conductor, report=_tell)
    return conductor.taken


def _watched(name: str, engine: str) -> float:
    scenario, meshcat = load_scenario(name), start_meshcat()
    view = view_of(scenario)
    display = Display(meshcat, view)
    display.shown = dict.fromkeys(display.shown, True)
    conductor = Timed(meshcat, Controls(), display, view, ("com.z", "normal_force"))
    conductor.clock.speed = math.inf
    run_scenario(scenario, name, engine, conductor=conductor, report=_tell)
    return conductor.taken


def _tell(_progress: Progress) -> None:
    """Say nothing."""


if __name__ == "__main__":
    main()
