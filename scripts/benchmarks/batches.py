"""A thousand worlds of a machine at once, on one thread and on more, beside `mujoco.rollout`.

    python scripts/benchmarks/batches.py     a minute; side_by_side.py writes the table

World-steps a second of wall time on a machine that should do nothing else; the engines and counts
of threads take turns in every round, and a number is a median. Worlds start a little apart, and
keep their start and end.
"""

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from machines import scenario_of
from peers import HAS_MUJOCO, MOREAU, MUJOCO

import footfall as ff
from footfall.api.loading import LoadedScenario
from footfall.arrays import Array
from footfall.scenario.assemble import Robot, build_robot
from footfall.scenario.schema import Scenario

MACHINES = ("biped", "quadruped", "humanoid")
ENGINES = (MOREAU, *((MUJOCO,) if HAS_MUJOCO else ()))
WORLDS, STEPS, ROUNDS, THREADS = 1000, 200, 5, (1, 2)
SPREAD = 1e-4  # m/s or rad/s, of the velocities at the start

Batch = Callable[[int], object]
"""Rolls all worlds on so many threads."""


@dataclass
class BatchRow:
    """World-steps a second of a machine, by engine and count of threads."""

    name: str
    rates: dict[str, dict[int, float]] = field(default_factory=dict)

    def scaling(self, engine: str, threads: int) -> float:
        """Rate on so many threads over so many times that on one."""
        return self.rates[engine][threads] / (threads * self.rates[engine][1])


def main() -> None:
    """Print the rates."""
    with tempfile.TemporaryDirectory() as scratch:
        for name in MACHINES:
            row = measured(name, Path(scratch))
            for engine, rates in row.rates.items():
                told = (
                    f"{threads} threads {rate:.3g} ({row.scaling(engine, threads):.2f})"
                    for threads, rate in rates.items()
                )
                print(f"{name:12}{engine:10}" + ", ".join(told), flush=True)


def measured(name: str, folder: Path) -> BatchRow:
    """Measure a machine of `machines`."""
    scenario = scenario_of(name, folder)
    scenario.duration = STEPS * scenario.time_step
    robot = build_robot(scenario)
    states = np.tile(robot.initial_state, (WORLDS, 1))
    velocities = states[:, robot.plant.num_positions() :]
    velocities += SPREAD * np.random.default_rng(0).standard_normal(velocities.shape)
    batches = {MOREAU: _footfall(scenario, states)}
    if HAS_MUJOCO:
        batches[MUJOCO] = _mujoco(scenario, robot, states)
    asked = [(engine, threads) for engine in batches for threads in THREADS]
    times = np.empty((1 + ROUNDS, len(asked)))
    for row in times:
        for k, (engine, threads) in enumerate(asked):
            row[k] = _timed(batches[engine], threads)
    found = BatchRow(name)
    for (engine, threads), known in zip(asked, times[1:].T, strict=True):  # the first ones compile
        rate = WORLDS * STEPS / float(np.median(known))
        found.rates.setdefault(engine, {})[threads] = rate
    return found


def _timed(batch: Batch, threads: int) -> float:
    started = time.perf_counter()
    batch(threads)
    return time.perf_counter() - started


def _footfall(scenario: Scenario, states: Array) -> Batch:
    loaded = LoadedScenario(scenario)
    return lambda threads: ff.rollout(loaded, states=states, threads=threads, every=STEPS)


def _mujoco(scenario: Scenario, robot: Robot, states: Array) -> Batch:
    import mujoco
    from mujoco import rollout
    from mujoco_peer import MujocoRobot

    peer = MujocoRobot(scenario, robot)
    kind = mujoco.mjtState.mjSTATE_FULLPHYSICS
    at = np.empty((len(states), mujoco.mj_stateSize(peer.model, kind)))
    for row, state in zip(at, states, strict=True):
        peer.start(state)
        mujoco.mj_getState(peer.model, peer.data, row, kind)
    memory = [mujoco.MjData(peer.model) for _ in range(max(THREADS))]

    def batch(threads: int) -> None:
        rollout.rollout(peer.model, memory[:threads], initial_state=at, nstep=STEPS)

    return batch


if __name__ == "__main__":
    main()
