"""Collecting a trajectory in blocks of rows, cheaply enough for a loop at a kilohertz."""

from collections.abc import Iterable, Mapping

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.errors import RunError
from footfall.trajectory.contact_table import CONTACT_VARIABLES, ContactTable
from footfall.trajectory.events import Event, Status
from footfall.trajectory.from_arrays import dataset
from footfall.trajectory.growing import Growing
from footfall.trajectory.record import Trajectory
from footfall.trajectory.sparse_array import contact_variables
from footfall.trajectory.variables import VARIABLES, Layout


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
        return len(self._time)

    def extend(
        self, time: Array, columns: Mapping[str, npt.ArrayLike], contacts: ContactTable
    ) -> None:
        """Add rows at times (n,) [s]: columns (n, ...) by name, and the entries of contacts.

        A column that is left out is unknown; contacts: with rows that are counted from the first of
        these. Raises RunError for a time that goes back.
        """
        earlier = np.concatenate(([self._last_time], time[:-1]))
        back = np.flatnonzero(~(time >= earlier))
        if len(back) > 0:
            first = back[0]
            raise RunError(f"trajectory: time {time[first]} s follows {earlier[first]} s")
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
