"""Processor time and memory of a scenario's first run, when no kernel is compiled yet.

    python scripts/benchmarks/compilation.py                    biped/climb by Moreau's engine
    python scripts/benchmarks/compilation.py scenes/stack       or another scenario
    python scripts/benchmarks/compilation.py PATH --engine hybrid

Each kernel is listed with its own share: the time to compile it less that of the functions that
were compiled on its way. A kernel that Python calls has in its share the optimisation of all.
"""

import argparse
import os
import resource
import sys
import tempfile
import time
from collections import Counter

STEPS = 20
TOP = 10


def main() -> None:
    """Run the first steps of a scenario with an empty cache, and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("scenario", nargs="?", default="biped/climb")
    parser.add_argument("--engine", default="moreau")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["NUMBA_CACHE_DIR"] = folder  # before numba is imported
        _measure(arguments.scenario, arguments.engine)


def _measure(name: str, engine: str) -> None:
    from numba.core import event

    class Shares(event.Listener):  # type: ignore[misc]
        """Own processor time of every function that numba compiles."""

        def __init__(self) -> None:
            self.seconds: Counter[str] = Counter()
            self._open: list[list[float]] = []

        def on_start(self, _event: event.Event) -> None:
            self._open.append([time.process_time(), 0.0])

        def on_end(self, ended: event.Event) -> None:
            began, inside = self._open.pop()
            total = time.process_time() - began
            function = ended.data["dispatcher"].py_func
            self.seconds[f"{function.__module__}.{function.__name__}"] += total - inside
            if self._open:
                self._open[-1][1] += total

    shares = Shares()
    event.register("numba:compile", shares)
    from footfall.run import run_scenario
    from footfall.scenario.io import load_scenario

    scenario = load_scenario(name)
    scenario.duration = STEPS * scenario.time_step
    run_scenario(scenario, name, engine)
    unit = 1024 * (1024 if sys.platform == "darwin" else 1)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
    spent = time.process_time()
    print(f"{name}, {engine}, {STEPS} steps: {spent:.1f} s of processor time, {peak:.0f} MB")
    print(f"{sum(shares.seconds.values()):.1f} s of it compile; the largest shares:")
    for kernel, seconds in shares.seconds.most_common(TOP):
        print(f"{seconds:8.2f} s  {kernel}")


if __name__ == "__main__":
    main()
