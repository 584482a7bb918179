"""Rollouts of a machine in many worlds, on threads: each in blocks, of which is kept what is asked.

A world computes nothing that depends on another one, or on the thread that it is in.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.energy.reader import EnergyReader
from footfall.engines import MoreauEngine
from footfall.engines.answers import handle_of
from footfall.engines.entries import room_for
from footfall.engines.machine import memory_of, roomier
from footfall.engines.moreau_report import end_of_step
from footfall.engines.moreau_step import DONE, NO_ROOM, roll
from footfall.engines.record import ITERATIONS, RESIDUAL, STAGE, empty_record, rows_for
from footfall.engines.step_log import RecordReader
from footfall.engines.tables import Machine, Memory
from footfall.plants.contacts import collect_contacts
from footfall.plants.contacts.axes import ContactAxes
from footfall.plants.coordinates import normalise_quaternions
from footfall.plants.fall_detection import FallDetector
from footfall.recorder.recorder import End, end_by_fall, end_without_fall
from footfall.recorder.thinning import Thinning
from footfall.scenario.assemble import Robot
from footfall.scenario.schema import Scenario
from footfall.trajectory import Layout, Status
from footfall.trajectory.rows import Rows

ENERGIES = ("kinetic_energy", "potential_energy")
_NUMBERS = 100_000  # of the records of a block, which then stay near the processor
_MOST = 1000  # steps of a block, between two looks at Ctrl-C


@dataclass(frozen=True, eq=False)
class Prepared:
    """A machine that is ready to roll, if it rolls; quaternions: their places in its positions."""

    scenario: Scenario
    robot: Robot
    engine: MoreauEngine
    tables: Machine
    axes: ContactAxes
    layout: Layout
    quaternions: Sequence[slice]
    rolls: bool


@dataclass(frozen=True, eq=False)
class World:
    """A rollout: its number, its scenario, whose contact laws are its own, and where it starts.

    state: [q; v]. off: as ``footfall.engines.moreau_step.roll`` takes it. torques (steps, nu): None
    for none.
    """

    number: int
    scenario: Scenario
    state: Array
    off: Array
    torques: Array | None


@dataclass(frozen=True, eq=False)
class Kept:
    """What is kept of all worlds, (worlds,) and (worlds, rows, ...) each.

    rows: by name of a variable. every: steps of a row. residual: the largest of a world. done:
    steps that came to their end.
    """

    steps: int
    every: int
    rows: Mapping[str, npt.NDArray[Any]]
    residual: Array
    done: npt.NDArray[np.int64]
    ended: list[End]


class Hand:
    """What a thread rolls with, one world after the other: buffers, and memory for a machine."""

    def __init__(self, machine: Prepared, kept: Kept) -> None:
        """Take a machine, and where to keep what comes of it."""
        scenario, robot = machine.scenario, machine.robot
        self._prepared, self._kept = machine, kept
        self._nq, self._dt = robot.plant.num_positions(), scenario.time_step
        plant, self._empty = robot.plant, empty_record(rows_for(robot.contacts))
        self._room = room = max(1, min(kept.steps, _MOST, _NUMBERS // len(self._empty)))
        self._states = np.zeros((room + 1, plant.num_multibody_states()))
        self._efforts = np.zeros((room, plant.num_actuators()))
        self._applied = np.zeros((room, plant.num_velocities()))
        self._records = np.zeros((room + 1, len(self._empty)))
        self._read = RecordReader(robot.contacts, machine.axes)
        self._falls: FallDetector | None = None
        if scenario.fallen_below or kept.rows.keys() & set(ENERGIES):
            surface = robot.model.surface
            self._falls = FallDetector(robot.plant, scenario.fallen_below, surface)
            self._energies = EnergyReader(robot.plant, self._falls.frames)
        self._laws: Scenario | None = None  # of the machine at hand
        self._contacts, self._off = robot.contacts, np.zeros(0)
        self._tables: Machine
        self._memory: Memory

    def roll(self, world: World, stopped: Callable[[], bool]) -> None:
        """Roll a world to its end, or until it is stopped."""
        self._take(world)
        kept, k, end = self._kept, world.number, None
        thinning, done, row = Thinning(kept.every, self._prepared.axes), 0, 0
        self._states[0], self._records[0] = world.state, self._empty
        while done < kept.steps and end is None:
            if stopped():
                end = End(f"interrupted at t = {done * self._dt:.4f} s", status=Status.INTERRUPTED)
                break
            count, end = self._block(world, done)
            rows, end = self._rows(done, count, end)
            count = len(rows.time) - (done == 0)
            done += count
            kept.done[k] = done
            kept.residual[k] = np.fmax.reduce(rows.columns["residual"], initial=kept.residual[k])
            row = self._keep(thinning.add(rows), k, row)
            self._states[0], self._records[0] = self._states[count], self._records[count]
        by = self._prepared.scenario.expected_fall
        if end is None and by is not None and by <= kept.steps * self._dt:
            end = end_without_fall(by)
        if done == kept.steps and (rest := thinning.rest()) is not None:
            self._keep(rest, k, row)
        kept.ended[k] = end or End("", status=Status.DONE)

    def _take(self, world: World) -> None:
        """Have a machine with the laws of a world, and memory that knows of no other world."""
        machine, scenario = self._prepared, world.scenario
        if scenario is not self._laws:
            self._contacts, self._laws = machine.robot.contacts, scenario
            if scenario is not machine.scenario:
                self._contacts = collect_contacts(
                    machine.robot.model,
                    scenario.contact_material(),
                    joint_friction=scenario.joint_friction,
                    swing_feet=scenario.alternating_feet,
                )
            own = scenario is machine.scenario
            self._tables = machine.tables if own else machine.engine.machine_with(self._contacts)
            self._remember(memory_of(self._tables, self._contacts, self._nq))
        elif len(self._contacts.pairs) > 0:  # whose planes are known from step to step
            self._remember(memory_of(self._tables, self._contacts, self._nq))
        self._off = world.off.copy()

    def _remember(self, memory: Memory) -> None:
        self._memory, self._handle = memory, handle_of(self._tables, memory)

    def _block(self, world: World, done: int) -> tuple[int, End | None]:
        """Make steps until the buffers are full; returns how many, and what ended the next one."""
        states, records, count = self._states, self._records, 0
        steps = min(self._room, self._kept.steps - done)
        if world.torques is not None:
            self._efforts[:steps] = world.torques[done : done + steps]
        while count < steps:
            ports = (
                states[count : steps + 1],
                self._efforts[count:steps],
                self._applied[count:steps],
            )
            made, status = roll(self._handle, 0, *ports, self._off, records[count : steps + 1])
            count += made
            if status == NO_ROOM:
                self._remember(roomier(self._tables, self._memory, self._contacts))
            elif status != DONE:
                v, time = states[count, self._nq :], (done + count) * self._dt
                step = self._handle, self._contacts, records[count + 1]
                error = end_of_step(status, *step, v, time)
                return count, End(str(error))
        return count, None

    def _rows(self, done: int, count: int, end: End | None) -> tuple[Rows, End | None]:
        """Return the rows of a block of steps, with the start before the first, and its end."""
        first = 0 if done == 0 else 1
        states = self._states[first : count + 1].copy()
        normalise_quaternions(states, self._prepared.quaternions)
        columns = {"q": states[:, : self._nq], "v": states[:, self._nq :]}
        if self._falls is not None:
            read = self._energies.read(states)
            columns |= {"kinetic_energy": read.kinetic, "potential_energy": read.potential}
            row, what = self._falls.first_fallen(read.p_WF[1 - first :])
            if what:
                count, by = row + 1, self._prepared.scenario.expected_fall
                end = end_by_fall(by, (done + count) * self._dt, what)
        records, count = self._records[first : count + 1], count + 1 - first
        for name, column in (("residual", RESIDUAL), ("iterations", ITERATIONS), ("stage", STAGE)):
            columns[name] = records[:, column].copy()
        table = self._read(records).table if "impulse" in self._kept.rows else _NO_ENTRIES
        columns = {name: values[:count] for name, values in columns.items()}
        instants = np.arange(done + first, done + first + count, dtype=np.float64)
        return Rows(instants * self._dt, columns, table), end

    def _keep(self, rows: Rows, world: int, row: int) -> int:
        """Keep rows of a world from a row on; returns the next one."""
        end = row + len(rows.time)
        for name, values in self._kept.rows.items():
            if name == "impulse":
                dense = rows.contacts.dense(name, len(rows.time), values.shape[2])
                values[world, row:end] = dense
            else:
                values[world, row:end] = rows.columns[name]
        return end


_NO_ENTRIES = room_for(0).table(0)


def roll_worlds(hands: Sequence[Hand], worlds: list[World], stopped: Callable[[], bool]) -> None:
    """Roll worlds, those that are left by whichever hand is free, each hand in a thread."""
    left = iter(worlds)

    def work(hand: Hand) -> None:
        for world in left:
            hand.roll(world, stopped)

    if len(hands) == 1:
        work(hands[0])
        return
    with ThreadPoolExecutor(len(hands)) as pool:
        for each in [pool.submit(work, hand) for hand in hands]:
            each.result()
