"""Collecting a trajectory row by row or in blocks, cheaply enough for a loop at a kilohertz."""

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.errors import RunError
from footfall.interrupt import shielded
from footfall.trajectory.contact_table import (
    CONTACT_VARIABLES,
    ContactTable,
    table_of,
)
from footfall.trajectory.events import Event, Status
from footfall.trajectory.from_arrays import dataset, empty_column
from footfall.trajectory.growing import Growing
from footfall.trajectory.record import Trajectory
from footfall.trajectory.sparse_array import contact_variables
from footfall.trajectory.variables import VARIABLES, Layout


class ContactRow(Protocol):
    """Part of an engine's contact report that a row takes; contacts in the order of the layout."""

    @property
    def impulse(self) -> Array:
        """Impulses (n, 3) in [n, t, s] of the terrain frame, N s, of the step that ended."""

    @property
    def velocity(self) -> Array:
        """Relative velocities (n, 3) in [n, t, s], m/s."""

    @property
    def gap(self) -> Array:
        """Signed distances (n,), m."""

    @property
    def p_WC(self) -> Array:
        """Contact points (n, 3) in the world frame, m."""

    @property
    def normal(self) -> Array | float:
        """Unit normals (n, 3) in the world frame; NaN where they are not known."""

    @property
    def mode(self) -> npt.NDArray[Any]:
        """Contact modes (n,)."""

    @property
    def work(self) -> Array:
        """Work done by the contacts in the step (n,), J."""

    @property
    def residual(self) -> float:
        """Natural-map residual of the step."""

    @property
    def iterations(self) -> int:
        """Iterations of the solver in the step."""

    @property
    def stage(self) -> int:
        """Stage of the fallback chain of solvers that answered."""


# variables by the part of a report that they are, which all but the work are as it stands
_OF_REPORT = {
    "impulse": "impulse",
    "contact_velocity": "velocity",
    "gap": "gap",
    "contact_point": "p_WC",
    "contact_normal": "normal",
    "mode": "mode",
    "residual": "residual",
    "iterations": "iterations",
    "stage": "stage",
}
_BLOCK = 256  # rows that were appended one by one and are put together


class TrajectoryBuilder:
    """Rows of a run in growing columns; ``finish`` makes a Trajectory of the rows so far.

    Rows are copied when they are added, so the caller may reuse its arrays. ``finish`` may be
    called at any time and any number of times, also before the first row.
    """

    def __init__(self, layout: Layout, capacity: int = 1024) -> None:
        """Take the names up front and make room for ``capacity`` rows; more is made as needed."""
        self.layout = layout
        room = max(1, capacity)
        self._last_time = -np.inf
        # rows that were appended one by one, since they were put together last
        self._single, self._times = 0, np.zeros(_BLOCK)
        self._block: dict[str, npt.NDArray[Any]] = {}
        self._time = Growing((), "f8", room)
        self._columns = {
            name: Growing(tuple(layout.size(dim) for dim in variable.dims), variable.dtype, room)
            for name, variable in VARIABLES.items()
            if name not in CONTACT_VARIABLES
        }
        self._row, self._contact = Growing((), "i8", room), Growing((), "i8", room)
        self._entries = {
            name: Growing(
                tuple(layout.size(dim) for dim in VARIABLES[name].dims[1:]),
                VARIABLES[name].dtype,
                room,
            )
            for name in CONTACT_VARIABLES
        }

    def __len__(self) -> int:
        """Count of rows so far."""
        return len(self._time) + self._single

    def append(
        self,
        time: float,
        q: Array,
        v: Array,
        actuation: Array | None = None,
        contacts: ContactRow | None = None,
        **energies: float,
    ) -> None:
        """Add one row: time in s, then q, v, actuation in SI and the energies in J, by name.

        What is left out is NaN in the trajectory; the modes of a row without contact report are
        unknown (-1). Times may repeat, as before and after an impact, but not decrease. Raises
        RunError for a time that goes back or an array of the wrong length.
        """
        if not time >= self._last_time:
            raise RunError(f"trajectory: time {time} s follows {self._last_time} s")
        self._require_sizes(q, v, actuation, contacts)
        if energies.keys() - VARIABLES.keys():
            raise RunError(f"trajectory: there is no variable {', '.join(sorted(energies))}")
        if self._single == len(self._times):
            self._put_together()
        self._block = self._block or self._empty_block()
        row, block = self._single, self._block
        self._times[row] = time
        block["q"][row], block["v"][row] = q, v
        for name, value in energies.items():
            block[name][row] = value
        if actuation is not None:
            block["actuation"][row] = actuation
        if contacts is not None:
            for name, field in _OF_REPORT.items():
                block[name][row] = getattr(contacts, field)
            block["dissipation"][row] = 0.0 - contacts.work
        self._last_time = time
        self._single = row + 1

    def extend(
        self, time: Array, columns: Mapping[str, npt.ArrayLike], contacts: ContactTable
    ) -> None:
        """Add rows at times (n,) [s]: columns (n, ...) by name, and the entries of contacts.

        A column that is left out is unknown; contacts: with rows that are counted from the first of
        these. Raises RunError for a time that goes back.
        """
        self._put_together()
        earlier = np.concatenate(([self._last_time], time[:-1]))
        back = np.flatnonzero(~(time >= earlier))
        if len(back) > 0:
            first = back[0]
            raise RunError(f"trajectory: time {time[first]} s follows {earlier[first]} s")
        self._add(time, columns, contacts)

    def _add(
        self, time: Array, columns: Mapping[str, npt.ArrayLike], contacts: ContactTable
    ) -> None:
        """Add rows whose times go forward."""
        rows, before = len(time), len(self._time)
        for name, column in self._columns.items():
            column.extend(columns.get(name, VARIABLES[name].fill), rows)
        entries = len(contacts)
        self._row.extend(contacts.row + before, entries)
        self._contact.extend(contacts.contact, entries)
        for name, column in self._entries.items():
            column.extend(contacts.columns[name], entries)
        self._time.extend(time, rows)
        self._last_time = time[-1] if rows > 0 else self._last_time

    def finish(
        self,
        status: Status,
        message: str = "",
        events: Iterable[Event] = (),
        attributes: Mapping[str, str] | None = None,
    ) -> Trajectory:
        """The rows so far as a Trajectory; ``attributes`` are texts to keep in the file.

        Meant for what makes the run repeatable: the resolved scenario, the provenance, the engine.
        """
        self._put_together()
        rows, contacts = len(self), self.layout.size("contact")
        entries = int(np.searchsorted(self._row.since(0), rows))  # no row that was interrupted
        table = ContactTable(
            self._row.first(entries),
            self._contact.first(entries),
            {name: column.first(entries) for name, column in self._entries.items()},
        )
        columns = {name: column.first(rows) for name, column in self._columns.items()}
        whole = {**columns, **contact_variables(table, rows, contacts)}
        data = dataset(self.layout, self._time.first(rows), whole, attributes)
        return Trajectory(data, tuple(events), status, message)

    def _require_sizes(
        self, q: Array, v: Array, actuation: Array | None, contacts: ContactRow | None
    ) -> None:
        """Raise RunError for an array of a row that has the wrong length."""
        size = self.layout.size
        sizes = size("position"), size("velocity")
        if (len(q), len(v)) != sizes:
            raise RunError(f"trajectory: a row of {len(q)} q, {len(v)} v; expected {sizes}")
        if actuation is not None and len(actuation) != size("actuator"):
            given = f"{len(actuation)} efforts for {size('actuator')} actuators"
            raise RunError(f"trajectory: {given}")
        if contacts is not None and len(contacts.gap) != size("contact"):
            given = f"{len(contacts.gap)} contacts reported, {size('contact')} named"
            raise RunError(f"trajectory: {given}")

    def _empty_block(self) -> dict[str, npt.NDArray[Any]]:
        """Columns for rows of which nothing is known yet."""
        return {name: empty_column(self.layout, name, len(self._times)) for name in VARIABLES}

    def _put_together(self) -> None:
        """Take the rows that were appended one by one to the others, whatever signal comes."""
        if self._single == 0:
            return
        with shielded():
            block = {name: column[: self._single] for name, column in self._block.items()}
            self._add(self._times[: self._single], block, table_of(block))
            self._single, self._block = 0, {}
