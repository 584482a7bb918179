"""Compile the kernels that most simulations need, in two processes, and say how long that took.

    python scripts/compile_kernels.py

A kernel is compiled at its first call and kept on disk. Processes that start together would compile
the same ones, each for itself; `make test` runs this first, so that its workers find them. Nothing
is done or said where all are there. What only a search compiles (paths of ugv, jumps of hopper) is
left to it.
"""

import hashlib
import time
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numba import int64, typeof

import footfall
import footfall_controllers
from footfall.jit import PYTHON, folder_of

if TYPE_CHECKING:
    from footfall.engines import MoreauEngine

STEPS = 3

# A few steps of these have called every kernel but those of searches: balls, boxes and round bodies
# that touch each other, uneven ground, closed loops, whole-body control with capsules, the step of
# second order, what Drake's engines report, and the engines of machines that have compiled ones.
# Each of the two processes translates what its kernels call, once for all of them: one has those
# that measure contacts and solve for their impulses, the other one those of controllers and of
# single machines.
STEP = (("scenes/stack", "drake-sap"), "steps")
SOLVERS = ("networks", "solvers")
MACHINES = (
    ("humanoid/opc", "closed-form"),
    ("compass/report", "hybrid"),
    ("biped/climb", "closed-form"),
    ("scenes/trot", "drake-sap"),
    ("scenes/rough", "drake-sap"),
)
# when steps and what measures contacts are there; under laws: inverse dynamics, PD control
AFTERWARDS = tuple(
    (name, "moreau")
    for name in (
        "biped/climb",
        "biped/stand_pd",
        "scenes/stack",
        "scenes/two_robots",
        "scenes/trot",
        "scenes/rough",
        "verify/cradle",
        "verify/tumbling",
        "pasibot/walk",
        "ugv/step_drive",
    )
)


def main() -> None:
    """Compile what is missing; a line on standard output tells the time."""
    done = stamp()
    if done.exists():
        return
    began = time.perf_counter()
    with _process() as one, _process() as other:
        steps, solvers = (one.submit(compile_group, group) for group in (STEP, SOLVERS))
        machines = other.submit(compile_group, MACHINES)
        steps.result()
        afterwards = other.submit(compile_group, AFTERWARDS)
        for each in (solvers, machines, afterwards):
            each.result()
    print(f"kernels compiled in {time.perf_counter() - began:.0f} s")
    with suppress(OSError):
        done.touch()


def _process() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, mp_context=get_context("spawn"))


def stamp() -> Path:
    """Return the file that is there where all kernels have been compiled as they are now."""
    folders = [folder_of(path) for path in kernel_files()]
    digest = hashlib.sha256("".join(folder.name for folder in folders).encode()).hexdigest()
    return folders[0].parent / f"compiled-{digest[:12]}.{PYTHON}"


def kernel_files() -> list[Path]:
    """Return the files that have kernels."""
    roots = [Path(module.__file__ or "").parent for module in (footfall, footfall_controllers)]
    files = [path for root in roots for path in sorted(root.rglob("*.py"))]
    return [path for path in files if b"njit\n" in path.read_bytes()]


def compile_group(group: tuple[str | tuple[str, str], ...]) -> None:
    """Compile steps, solvers, and what the scenarios of a group call, by their engines."""
    for one in group:
        if one == "steps":
            compile_steps()
        elif one == "solvers":
            compile_solvers()
        elif one == "networks":
            compile_networks()
        else:
            simulate(*one)


def compile_steps() -> None:
    """Compile Moreau's step, which is one kernel."""
    engine().warm_up()


def compile_networks() -> None:
    """Compile the steps of large islands, which a pile asks for as it comes to rest."""
    from footfall.engines.answers import as_network

    cast("Any", as_network).compile((typeof(engine().handle), int64, int64))


def engine() -> "MoreauEngine":
    """Return an engine of a small machine."""
    from footfall.engines import MoreauEngine
    from footfall.scenario.assemble import load_contacts
    from footfall.scenario.io import load_scenario

    scenario = load_scenario("biped/climb")
    model, contacts = load_contacts(scenario)
    return MoreauEngine(model, contacts, scenario.time_step, scenario.moreau)


def compile_solvers() -> None:
    """Compile what solves a contact problem that somebody hands over."""
    from footfall.solvers import solve
    from footfall.solvers.velocity_space import solve_factored

    W, mu = np.eye(2), np.ones(1)
    q = np.array([-1.0, 0.0])
    solve(W, q, 1.0, 2)  # one kernel calls all methods, planar or not
    solve_factored(W, q, mu, 2, 1.0, 1e-10, 1, np.zeros(2))


def simulate(name: str, engine: str) -> None:
    """Make the first steps of a shipped scenario."""
    from footfall.run import run_scenario
    from footfall.scenario.io import load_scenario

    scenario = load_scenario(name)
    scenario.duration = STEPS * scenario.time_step
    run_scenario(scenario, name, engine)


if __name__ == "__main__":
    main()
