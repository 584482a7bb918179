"""Compile the kernels that most simulations need, in two processes, and say which these were.

    python scripts/compile_kernels.py

A kernel is compiled at its first call and kept on disk. Processes that start together would compile
the same ones, each for itself; `make test` runs this first, so that its workers find them. Nothing
is done or said where all are there. What only a search compiles (paths of ugv, jumps of hopper) is
left to it.
"""

import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np

import footfall
import footfall_controllers
from footfall.jit import is_compiled

FOOTFALL = Path(footfall.__file__).parent
FOLDERS = [FOOTFALL / name for name in ("contact", "engines", "feet", "plants", "solvers")]
FOLDERS += [FOOTFALL / "machines" / name for name in ("biped", "compass", "humanoid")]
FOLDERS += [Path(footfall_controllers.__file__).parent]
# faces with many corners on the ground, and problems that sweeps leave: compiled when they come
SELDOM = ("few_points.py", "factored.py")
STEPS = 3

# A few steps of these have called every kernel of the folders: balls, boxes and round bodies that
# touch each other, uneven ground, closed loops, whole-body control with capsules, the step of
# second order, what Drake's engines report, and the engines of machines that have compiled ones.
MOREAU = (
    "scenes/stack",
    "scenes/rough",
    "scenes/two_robots",
    "scenes/trot",
    "verify/cradle",
    "verify/tumbling",
    "pasibot/walk",
    "ugv/step_drive",
)
OTHERS = (
    ("scenes/stack", "drake-sap"),
    ("biped/climb", "closed-form"),
    ("compass/report", "hybrid"),
    ("humanoid/opc", "closed-form"),
)


def main() -> None:
    """Compile what is missing; a line on standard output tells the files and the time."""
    missing = kernel_files()
    if not missing:
        return
    began = time.perf_counter()
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        # the solvers are done in the one before the other comes to them
        for task in [pool.submit(compile_engine), pool.submit(compile_solvers_and_machines)]:
            task.result()
    left = kernel_files()
    done = [path for path in missing if path not in left]
    print(f"compiled in {time.perf_counter() - began:.0f} s: {_listed(done)}")
    if left:
        sys.exit(f"not compiled: {_listed(left)}")


def _listed(files: list[Path]) -> str:
    return ", ".join(f"{path.parent.name}/{path.name}" for path in files)


def kernel_files() -> list[Path]:
    """Return the files of the folders that have kernels of which none is compiled yet."""
    files = [path for folder in FOLDERS for path in sorted(folder.rglob("*.py"))]
    files = [path for path in files if path.name not in SELDOM]
    return [path for path in files if b"\n@njit" in path.read_bytes() and not is_compiled(path)]


def compile_engine() -> None:
    """Compile contacts, kinematics and Moreau's step."""
    for name in MOREAU:
        simulate(name, "moreau")


def compile_solvers_and_machines() -> None:
    """Compile the solvers, Drake's reports and machines' own engines."""
    from footfall.solvers import solve

    solve(np.eye(2), (-1.0, 0.0), 1.0, 2)  # one kernel calls all methods, planar or not
    for name, engine in OTHERS:
        simulate(name, engine)


def simulate(name: str, engine: str) -> None:
    """Make the first steps of a shipped scenario."""
    from footfall.run import run_scenario
    from footfall.scenario.io import load_scenario

    scenario = load_scenario(name)
    scenario.duration = STEPS * scenario.time_step
    run_scenario(scenario, name, engine)


if __name__ == "__main__":
    main()
