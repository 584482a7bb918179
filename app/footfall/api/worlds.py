"""Rollouts of a machine in many worlds, on threads: each in blocks, of which is kept what is asked.

A world computes nothing that depends on another one, or on the thread that it is in.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from pydrake.systems.framework import Context

from footfall.arrays import Array
from footfall.energy.reader import EnergyReader
from footfall.engines import MoreauEngine
from footfall.engines.entries import room_for
from footfall.engines.record import ITERATIONS, RESIDUAL, STAGE
from footfall.engines.step_log import RecordReader
from footfall.errors import FootfallError, ScenarioError
from footfall.plants.contacts.axes import ContactAxes
from footfall.plants.coordinates import normalise_quaternions
from footfall.plants.fall_detection import FallDetector
from footfall.plants.flat.laws import Law, limits_of
from footfall.recorder.recorder import End, end_by_fall, end_without_fall
from footfall.recorder.thinning import Thinning
from footfall.scenario.assemble import Robot, between_controller_and_joints, contacts_of
from footfall.scenario.schema import Scenario
from footfall.trajectory import Layout, Status
from footfall.trajectory.rows import Rows

LAWS = ("friction", "static_friction", "restitution", "tangential_restitution")
"""Fields of a scenario that change the laws of contact and nothing else."""

ENERGIES = ("kinetic_energy", "potential_energy")
_NUMBERS = 100_000  # of the records of a block, which then stay near the processor
_MOST = 1000  # steps of a block, between two looks at Ctrl-C
_UNIT = 1e-12  # of a quaternion's length: rounding


@dataclass(frozen=True, eq=False)
class Prepared:
    """A machine that is ready to roll: what all threads read, and engines that none has now."""

    scenario: Scenario
    robot: Robot
    layout: Layout
    axes: ContactAxes
    quaternions: Sequence[slice]
    idle: list[tuple[MoreauEngine, Context]]


@dataclass(frozen=True, eq=False)
class World:
    """A rollout: its number, its scenario, whose contact laws are its own, start and torques."""

    number: int
    scenario: Scenario
    state: Array
    law: Law


@dataclass(frozen=True, eq=False)
class Kept:
    """Rows and ends that are kept of all worlds, (worlds,) and (worlds, rows, ...) each.

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
    """Engine and buffers of a thread, in which it rolls one world after the other."""

    def __init__(
        self, machine: Prepared, engine: MoreauEngine, context: Context, kept: Kept
    ) -> None:
        """Take a machine, its engine in a context, and where to keep what comes of it."""
        scenario, robot = machine.scenario, machine.robot
        self._prepared, self._kept = machine, kept
        self._engine, self._context, self._dt = engine, context, scenario.time_step
        plant, size = robot.plant, len(engine.record_in(context))
        self._nq = plant.num_positions()
        self._room = room = max(1, min(kept.steps, _MOST, _NUMBERS // size))
        widths = plant.num_multibody_states(), plant.num_actuators(), plant.num_velocities(), size
        self._arrays = [np.zeros((room + 1, width)) for width in widths]
        self._read = RecordReader(robot.contacts, machine.axes)
        self._falls: FallDetector | None = None
        if scenario.fallen_below or kept.rows.keys() & set(ENERGIES):
            surface = robot.model.surface
            self._falls = FallDetector(plant, scenario.fallen_below, surface)
            self._energies = EnergyReader(plant, self._falls.frames)
        self._laws, self._contacts = scenario, robot.contacts

    def roll(self, world: World, stopped: Callable[[], bool]) -> None:
        """Roll a world to its end, or until it is stopped."""
        kept, k, end = self._kept, world.number, None
        thinning, done, row = Thinning(kept.every, self._prepared.axes), 0, 0
        try:
            self._begin(world)
        except FootfallError as error:  # of laws that do not go with those of its files
            end = End(str(error))
        while done < kept.steps and end is None:
            if stopped():
                end = End(f"interrupted at t = {done * self._dt:.4f} s", status=Status.INTERRUPTED)
                break
            steps = min(self._room, kept.steps - done)
            states, efforts, applied, records = (array[: steps + 1] for array in self._arrays)
            self._context.SetTime(done * self._dt)
            count, fault = self._engine.roll(
                self._context, states, efforts, applied[:steps], records
            )
            rows, end = self._rows(done, count, End(str(fault)) if fault else None)
            done += len(rows.time) - (done == 0)
            kept.done[k] = done
            kept.residual[k] = np.fmax.reduce(rows.columns["residual"], initial=kept.residual[k])
            row = self._keep(thinning.add(rows), k, row)
        by = self._prepared.scenario.expected_fall
        if end is None and by is not None and by <= kept.steps * self._dt:
            end = end_without_fall(by)
        if done == kept.steps and (rest := thinning.rest()) is not None:
            self._keep(rest, k, row)
        kept.ended[k] = end or End("", status=Status.DONE)

    def _begin(self, world: World) -> None:
        """Let the engine be at the start of a world, and know of no other one."""
        if world.scenario is self._prepared.scenario:
            self._contacts = self._prepared.robot.contacts
        elif world.scenario is not self._laws:
            self._contacts = contacts_of(world.scenario, self._prepared.robot.model)
        self._laws = world.scenario
        # planes between the bodies of a pair are remembered from step to step
        if self._contacts is not self._engine.contacts or len(self._contacts.pairs) > 0:
            self._engine.change_friction(self._context, self._contacts)
        self._engine.law = world.law
        self._engine.set_state(self._context, world.state)

    def _rows(self, done: int, count: int, end: End | None) -> tuple[Rows, End | None]:
        """Return the rows of a block of steps, with the start before the first, and its end."""
        first = 0 if done == 0 else 1
        states = self._arrays[0][first : count + 1].copy()
        normalise_quaternions(states, self._prepared.quaternions)
        columns = {"q": states[:, : self._nq], "v": states[:, self._nq :]}
        if self._falls is not None:
            read = self._energies.read(states)
            columns |= {"kinetic_energy": read.kinetic, "potential_energy": read.potential}
            row, what = self._falls.first_fallen(read.p_WF[1 - first :])
            if what:
                count, by = row + 1, self._prepared.scenario.expected_fall
                end = end_by_fall(by, (done + count) * self._dt, what)
        records, count = self._arrays[-1][first : count + 1], count + 1 - first
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


def roll_worlds(
    machine: Prepared, worlds: list[World], kept: Kept, threads: int, stopped: Callable[[], bool]
) -> None:
    """Roll worlds on so many threads, those that are left by whichever thread is free."""
    threads = min(threads, len(worlds))
    taken = [machine.idle.pop() if machine.idle else engine_of(machine) for _ in range(threads)]
    hands, left = [Hand(machine, *each, kept) for each in taken], iter(worlds)

    def work(hand: Hand) -> None:
        for world in left:
            hand.roll(world, stopped)

    if threads == 1:
        work(hands[0])
    else:
        with ThreadPoolExecutor(threads) as pool:
            for each in [pool.submit(work, hand) for hand in hands]:
                each.result()
    machine.idle.extend(taken)


def engine_of(machine: Prepared) -> tuple[MoreauEngine, Context]:
    """Return another engine of a machine, as its scenario has it, and a context of it."""
    scenario, robot, plant = machine.scenario, machine.robot, machine.robot.plant
    gains = None if scenario.controller is None else scenario.controller.pd_gains(plant)
    if gains is not None and between_controller_and_joints(scenario, gains):
        gains = None
    config, dt = scenario.moreau, scenario.time_step
    engine = MoreauEngine(robot.model, robot.contacts, dt, config, gains)
    limited = {name: motor for name, motor in scenario.motors.items() if motor.is_limited}
    engine.limit(limits_of(plant, limited, engine.drives))
    engine.put(robot.pushes)
    return engine, engine.CreateDefaultContext()


def with_unit_quaternions(states: Array, places: Sequence[slice], what: str) -> Array:
    """Return states (..., nq + nv) whose quaternions have length one, or raise ScenarioError.

    Those that have it but for rounding stay as they are.
    """
    states = states.copy()
    for place in places:
        with np.errstate(over="ignore"):
            length = np.linalg.norm(states[..., place], axis=-1, keepdims=True)
        if not (np.isfinite(length).all() and length.all()):
            told = "states have a quaternion that is 0 or far too long: give it a length"
            raise ScenarioError(f"{what}: {told}.")
        off = np.abs(length - 1.0) > _UNIT
        states[..., place] = np.where(off, states[..., place] / length, states[..., place])
    return states
