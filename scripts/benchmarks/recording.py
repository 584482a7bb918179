"""Cost of recording a run: microseconds a step with it and without, and megabytes of contacts.

    python scripts/benchmarks/recording.py                      four machines, Moreau engine
    python scripts/benchmarks/recording.py --engine drake-sap   or another engine
    python scripts/benchmarks/recording.py path/to.yaml         or a scenario of your own

Without: the simulator alone, to the end at once. With: the loop of `footfall run`, which keeps
states, efforts, contacts and the account of energy of every step. Processor time, in rounds that
take turns; the ratio is the median of those within a round. Contacts are given in megabytes for ten
seconds: as dense arrays over time and contact, as they are kept, and of the whole file.

On a shared machine of two cores, steps of 1 ms:

                      us without    with   ratio    MB dense    kept    file
    biped                   50.9    57.2    1.14         5.7     6.5     3.9
    quadruped               75.5    82.9    1.11         4.5     5.2     5.7
    humanoid                82.0    88.3    1.08         9.1    10.3     6.3
    wheels                 417.5   431.5    1.03         5.7     5.2     5.1

and Unitree's G1 as it falls and lies, whose hulls and pairs are 1,392 contacts: 1,460 MB dense, 275
kept; the file has 73 MB, 246 with a value for each contact.
"""

import argparse
import copy
import tempfile
import time
from pathlib import Path

import numpy as np
from machines import DT, scenario_of
from stepping import Stepper, simulated

import footfall.simulation
from footfall.scenario.assemble import Robot, build_robot
from footfall.scenario.schema import Scenario
from footfall.simulation import Hooks, simulate
from footfall.trajectory import Trajectory
from footfall.trajectory.contact_table import CONTACT_VARIABLES, contact_table

NAMES = ("biped", "quadruped", "humanoid", "wheels")
STEPS, ROUNDS = 600, 15
SPAN = 10.0  # s, for which megabytes are given


class _ProcessorTime:
    """Stands for the module time in the loop that is measured."""

    perf_counter = staticmethod(time.process_time)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("machines", nargs="*", default=list(NAMES), metavar="MACHINE")
    parser.add_argument("--engine", default="moreau")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"rounds of {STEPS} steps each")
    arguments = parser.parse_args()
    footfall.simulation.time = _ProcessorTime  # type: ignore[assignment]
    heads = f"{'us without':>12}{'with':>8}{'ratio':>8}{'MB dense':>12}{'kept':>8}{'file':>8}"
    print(f"{'step 1 ms, ' + arguments.engine:20}{heads}")
    with tempfile.TemporaryDirectory() as folder:
        for name in arguments.machines:
            scenario = scenario_of(name, Path(folder))
            scenario.duration = STEPS * DT
            robot = build_robot(scenario)
            bare = simulated(copy.deepcopy(scenario), arguments.engine)
            times = []
            for _ in range(arguments.rounds + 1):
                *measured, trajectory = _round(scenario, robot, bare, arguments.engine)
                times.append(measured)
            table = np.array(times)[1:]  # the first compiles and fills caches
            without, recorded = 1e6 / STEPS * np.median(table, axis=0)
            ratio = np.median(table[:, 1] / table[:, 0])
            sizes = "".join(
                f"{size:{width}.1f}"
                for size, width in zip(_sizes(trajectory, Path(folder)), (12, 8, 8), strict=True)
            )
            print(f"{name:20}{without:12.1f}{recorded:8.1f}{ratio:8.2f}{sizes}")


def _round(
    scenario: Scenario, robot: Robot, bare: Stepper, engine: str
) -> tuple[float, float, Trajectory]:
    """Processor time of all steps without recording, and with it [s]; and what was recorded."""
    bare.start()
    started = time.process_time()
    bare.advance(STEPS)
    without = time.process_time() - started
    done = simulate(scenario, robot, engine, Hooks(lambda: False, None))
    if done.error is not None:
        raise done.error
    return without, done.wall_time, done.trajectory


def _sizes(trajectory: Trajectory, folder: Path) -> tuple[float, float, float]:
    """Size of the contacts of a run: as dense arrays, as kept, and that of its file [MB]."""
    data, table = trajectory.data, contact_table(trajectory.data)
    dense = sum(data[name].nbytes for name in CONTACT_VARIABLES)
    arrays = (table.row, table.contact, *table.columns.values())
    trajectory.save(folder / "run.nc")
    sizes = dense, sum(array.nbytes for array in arrays), (folder / "run.nc").stat().st_size
    scale = 1e-6 * SPAN / (STEPS * DT)
    return scale * sizes[0], scale * sizes[1], scale * sizes[2]


if __name__ == "__main__":
    main()
