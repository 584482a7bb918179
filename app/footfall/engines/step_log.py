"""Log of the steps of an engine: taken cheaply as they end, worked out in blocks.

A step only copies what it has in hand: state, efforts, and of the contacts what is in the context.
What is reported of the contacts (axes, sums over the points of a pair, which point leads) is worked
out for many steps at once, to the same numbers as the port ``contact_report`` has.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from pydrake.systems.framework import Context

from footfall.arrays import Array
from footfall.contact import Mode
from footfall.engines import DrakeEngine, Engine
from footfall.engines.drake_continuous import WORKS
from footfall.engines.entries import (
    near_entries,
    room_for,
    shapes_with_many_corners,
    take_entries,
)
from footfall.engines.moreau import MoreauEngine
from footfall.engines.ports import (
    APPLIED_WRENCH,
    CONTACT_REPORT,
    DIVERGED,
    STATE,
    ContactReport,
)
from footfall.engines.record import (
    COLUMNS,
    CONSTRAINT_WORK,
    ENERGY_GAIN,
    ENERGY_RESIDUAL,
    ITERATIONS,
    MODE,
    RESIDUAL,
    STAGE,
    TAIL,
    known_rows,
    rows_for,
)
from footfall.jit import njit
from footfall.plants.contacts import ContactSet
from footfall.plants.contacts.axes import ContactAxes
from footfall.plants.coordinates import normalise_quaternions, quaternion_places
from footfall.plants.dynamics import Dynamics
from footfall.trajectory.contact_table import ContactTable, table_of


class FarCorners:
    """Tells which entries of a table are far corners of a contact set, see `entries`."""

    def __init__(self, contacts: ContactSet) -> None:
        """Look for shapes with many corners."""
        self.shape_of = shapes_with_many_corners(contacts)

    def without(self, table: ContactTable) -> ContactTable:
        """Return a table without them."""
        if self.shape_of.max(initial=-1) < 0:
            return table
        gap: Array = table.columns["gap"]
        bears = (table.columns["mode"] != Mode.OPEN) | table.columns["impulse"].any(axis=1)
        return table.only(near_entries(table.row, table.contact, gap, bears, self.shape_of))


_OPEN = int(Mode.OPEN)
_MOST_NUMBERS = 4_000_000  # of records that are kept to be worked out
_OF_REPORT = {
    "impulse": "impulse",
    "contact_velocity": "velocity",
    "gap": "gap",
    "contact_point": "p_WC",
    "contact_normal": "normal",
    "mode": "mode",
}
_OF_STEPS = {
    "residual": RESIDUAL,
    "iterations": ITERATIONS,
    "stage": STAGE,
    "constraint_work": CONSTRAINT_WORK,
    "energy_residual": ENERGY_RESIDUAL,
    "energy_gain": ENERGY_GAIN,
}


@dataclass(frozen=True, eq=False)
class LoggedContacts:
    """Contacts at n rows as they occurred, and numbers of the steps that end there, (n,).

    table: as in a trajectory, rows counted from the first of these. work: done by all contacts in
    the step [J]. of_steps: residual, iterations, stage, constraint_work, energy_residual and
    energy_gain, as in ``ContactReport``.
    """

    table: ContactTable
    work: Array
    of_steps: dict[str, Array]


class RecordReader:
    """Works records of Moreau steps out, of one world at a time."""

    def __init__(self, contacts: ContactSet, axes: ContactAxes) -> None:
        """Take the contacts, and what axes belong to a normal."""
        shape_of, dry = shapes_with_many_corners(contacts), len(contacts) - len(contacts.frictions)
        self._tables = contacts.reported_as, shape_of, dry, axes.R_WT, axes.planar
        self._entries = 0  # of a row, that there is room for

    def __call__(self, records: Array) -> LoggedContacts:
        """Return the contacts of records (n, size)."""
        work, entries, count = np.empty(len(records)), room_for(0), 1
        while count > len(entries.row):
            self._entries = max(self._entries, -(-count // len(records)))
            entries = room_for(self._entries * len(records))
            count = take_entries(records, *self._tables, entries, work)
        of_steps = {name: records[:, column].copy() for name, column in _OF_STEPS.items()}
        return LoggedContacts(entries.table(count), work, of_steps)


class StepLog:
    """Rows of a run that are not worked out yet: 1 to ``taken``, behind the last one that was, 0.

    room: how many there may be. states (room + 1, nq + nv). efforts (room + 1, nu): at the port
    ``actuation``, in the step from there on. pushing (room + 1, nv): generalized force of
    ``applied_wrench`` in that step. works (room + 1, 3): ``WORKS`` since the start [J], of an
    engine in continuous time, in whose steps powers vary. readings (room + 1, n): what the
    controller sees of n readings of sensors in that step, if ``see`` tells. most_steps: that the
    engine may take before ``look`` is called. unsound: the last row is no number, and its contacts
    are not known.
    """

    def __init__(self, system: Engine, dynamics: Dynamics, room: int) -> None:
        """Take an engine, the dynamics of its plant, and how many rows there may be at most."""
        plant = dynamics.plant
        self.taken, self.room, self.unsound = 0, room, False
        self.states = np.zeros((room + 1, plant.num_multibody_states()))
        self.efforts = np.zeros((room + 1, plant.num_actuators()))
        self.pushing = np.zeros((room + 1, plant.num_velocities()))
        self.works = np.zeros((room + 1, len(WORKS)))
        self.readings = np.zeros((room + 1, 0))
        self._see: Callable[[], Array] | None = None
        self.most_steps = room
        self._state, self._engine = system.GetOutputPort(STATE), system
        self._dynamics = dynamics

    def see_by(self, see: Callable[[], Array], count: int) -> None:
        """Take so many readings of sensors as well, by a function that tells them now."""
        self._see, self.readings = see, np.zeros((self.room + 1, count))

    def begin(self, context: Context) -> None:
        """Take the row of the start, as an engine's context has it."""
        raise NotImplementedError

    def look(self, context: Context) -> None:
        """Take what the engine's context has of the last row and the log has not."""
        raise NotImplementedError

    def take_efforts(self, context: Context) -> None:
        """Take efforts and readings at the last row, as the engine's context has them."""
        if self.efforts.shape[1] > 0:
            self.efforts[self.taken] = self._engine.efforts(context)
        self.take_readings(self.taken)

    def take_readings(self, row: int) -> None:
        """Take the readings of now as those at a row."""
        if self._see is not None:
            self.readings[row] = self._see()

    def close(self, context: Context) -> None:
        """Take what the engine's context has of the last row when the engine has stopped."""

    def last(self) -> tuple[int, float]:
        """Count the closed contacts of the row taken last; and the largest residual of all."""
        raise NotImplementedError

    def contacts(self, first: int, last: int) -> LoggedContacts:
        """Work out the contacts of rows, of which 0 may be the first."""
        raise NotImplementedError

    def clear(self, row: int) -> None:
        """Begin anew behind a row."""
        for rows in (self.states, self.efforts, self.pushing, self.works, self.readings):
            rows[0] = rows[row]
        self.taken = 0


class MoreauLog(StepLog):
    """Log of the Moreau engine, which calls it at the end of every step.

    records (room + 1, size): of the steps, as in ``footfall.engines.record``. interrupted: asked
    then; the step is dropped if it says so, by KeyboardInterrupt.
    """

    def __init__(
        self,
        system: MoreauEngine,
        dynamics: Dynamics,
        room: int,
        interrupted: Callable[[], bool],
    ) -> None:
        """Listen to an engine."""
        contacts = dynamics.contacts
        size = rows_for(contacts) * COLUMNS + TAIL
        room = max(1, min(room, _MOST_NUMBERS // size))
        super().__init__(system, dynamics, room)
        self._system, self._contacts, self._interrupted = system, contacts, interrupted
        self.records = np.zeros((room + 1, size))
        self._worked_out = RecordReader(contacts, dynamics.axes)
        self._looked = 0  # the row whose effort is known
        system.on_step = self.take

    def begin(self, context: Context) -> None:
        """Take the row of the start."""
        self.taken = 1
        self.states[1] = self._state.Eval(context)
        self.records[1] = self._system.record_in(context)
        self.look(context)

    def take(self, effort: Array, pushing: Array, state: Array, record: Array) -> None:
        """Take a step: its actuation and pushes, the state at its end, and its record."""
        if self._interrupted():
            raise KeyboardInterrupt
        row = self.taken
        # a state may have changed the effort since it was looked at
        self.efforts[row], self.pushing[row] = effort, pushing
        self.take_readings(row)
        self.states[row + 1], self.records[row + 1] = state, record
        self.took(1)

    def took(self, steps: int) -> None:
        """Count steps whose rows were written into the arrays.

        From row ``taken`` on stand efforts and pushing, and behind it states and records.
        """
        self.taken += steps

    def look(self, context: Context) -> None:
        """Take the efforts at the last row, before a step uses them."""
        self.take_efforts(context)
        self._looked = self.taken

    def close(self, context: Context) -> None:
        """Take the efforts at the last row; without, as where a controller fails, it is no row."""
        if self.taken == self._looked:
            return
        try:
            self.look(context)
        except (Exception, SystemExit, KeyboardInterrupt):  # noqa: BLE001 (it ended the run already)
            self.taken -= 1

    def clear(self, row: int) -> None:
        """Begin anew behind a row."""
        super().clear(row)
        self.records[0] = self.records[row]
        self._looked = 0

    def last(self) -> tuple[int, float]:
        """Count closed contacts."""
        rows, which = known_rows(self.records[self.taken])
        closed = self._contacts.reported_as[which[rows[:, MODE] > _OPEN]]
        return len(np.unique(closed)), float(self.records[: self.taken + 1, RESIDUAL].max())

    def contacts(self, first: int, last: int) -> LoggedContacts:
        """Work the records out."""
        return self._worked_out(self.records[first : last + 1])


class PortLog(StepLog):
    """Log of an engine at whose ports it looks after every step."""

    def __init__(self, system: Engine, dynamics: Dynamics, room: int) -> None:
        """Take the engine."""
        super().__init__(system, dynamics, room)
        self.most_steps = 1
        self._system, self._far_corners = system, FarCorners(dynamics.contacts)
        self._report = system.GetOutputPort(CONTACT_REPORT)
        self._wrench = system.GetInputPort(APPLIED_WRENCH)
        self._reports = [ContactReport()] * (room + 1)
        self._continuous = isinstance(system, DrakeEngine) and system.knows_works

    def begin(self, context: Context) -> None:
        """Take the row of the start."""
        self.look(context)

    def look(self, context: Context) -> None:
        """Take a row."""
        row = self.taken + 1
        self.states[row] = self._state.Eval(context)
        if self.efforts.shape[1] > 0:
            self.efforts[row] = self._system.efforts(context)
        self.unsound = not are_sound(self.states[row : row + 1], self.efforts[row : row + 1])[0]
        if self.unsound:
            self.taken = row
            return
        self._reports[row] = self._report.Eval(context)
        self.take_readings(row)
        if self._continuous:
            self.take_readings(row - 1)  # held since events at the beginning of the step
            # events at the beginning of the step may have changed the effort that was seen there
            self.efforts[row - 1], self.works[row] = self._system.take_works(context)
        elif self._wrench.HasValue(context):
            self._take_pushes(row, context)
        self.taken = row

    def last(self) -> tuple[int, float]:
        """Count closed contacts."""
        return int((self._reports[self.taken].mode > _OPEN).sum()), np.nan

    def clear(self, row: int) -> None:
        """Begin anew behind a row."""
        super().clear(row)
        self._reports[0] = self._reports[row]

    def contacts(self, first: int, last: int) -> LoggedContacts:
        """Put the reports together."""
        reports = self._reports[first : last + 1]
        columns = contact_columns(reports)
        of_steps = {
            name: np.array([getattr(report, name) for report in reports], dtype=np.float64)
            for name in _OF_STEPS
        }
        table = table_of(columns)
        work = _total_work(table, *columns["gap"].shape)
        return LoggedContacts(self._far_corners.without(table), work, of_steps)

    def _take_pushes(self, row: int, context: Context) -> None:
        applied = self._wrench.Eval(context)
        self.pushing[row] = 0.0
        if applied:
            state = self.states[row].copy()
            normalise_quaternions(state, quaternion_places(self._dynamics.plant))
            self._dynamics.set_state(state)
            self.pushing[row] = self._dynamics.applied_force(applied)


def contact_columns(reports: Sequence[ContactReport]) -> dict[str, npt.NDArray[Any]]:
    """Variables of a trajectory for contacts, (n, contacts, ...) each, as n reports have them."""
    columns = {
        name: np.array([getattr(report, field) for report in reports])
        for name, field in _OF_REPORT.items()
    }
    return columns | {"dissipation": 0.0 - np.array([report.work for report in reports])}


def step_log(
    system: Engine,
    dynamics: Dynamics,
    room: int,
    interrupted: Callable[[], bool],
) -> StepLog:
    """Return the log of an engine, for so many rows at most."""
    if isinstance(system, MoreauEngine):
        return MoreauLog(system, dynamics, room, interrupted)
    return PortLog(system, dynamics, room)


@njit
def are_sound(states: Array, efforts: Array) -> npt.NDArray[np.bool_]:
    """Return whether states (n, nq + nv) and efforts (n, nu) are numbers, and none huge, (n,)."""
    sound = np.ones(len(states), dtype=np.bool_)
    for row in range(len(states)):
        for value in states[row]:
            sound[row] &= abs(value) < DIVERGED
        for value in efforts[row]:
            sound[row] &= np.isfinite(value)
    return sound


def _total_work(table: ContactTable, rows: int, names: int) -> Array:
    """Work done by all contacts in the step that ends at each row, (rows,) [J]."""
    work: Array = 0.0 - table.dense("dissipation", rows, names).sum(axis=1)
    return work
