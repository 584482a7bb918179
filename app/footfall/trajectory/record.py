"""The trajectory of one run: labelled arrays, the events on the way, and how the run ended.

It is made of whole columns by engines that compute all their rows at once, or collected in blocks
of rows, cheaply enough for a loop at a kilohertz.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

from footfall.arrays import Array
from footfall.errors import RunError
from footfall.trajectory.contact_table import CONTACT_VARIABLES, ContactTable, contact_variables
from footfall.trajectory.events import Event, Status
from footfall.trajectory.netcdf import RowsFile, begin, read, write
from footfall.trajectory.variables import VARIABLES, Layout


@dataclass(frozen=True, eq=False)
class Trajectory:
    """Everything a run computed, up to its end or as far as it came.

    ``data`` has the dimensions time, position, velocity, actuator, contact, axis (n, t, s) and
    xyz; every variable carries ``units`` (SI) and ``long_name``. ``message`` says in one line why
    a run that is not done has ended.
    """

    data: xr.Dataset
    events: tuple[Event, ...]
    status: Status
    message: str

    def identical(self, other: Trajectory) -> bool:
        """Return whether data, names, attributes, events, status and message are all the same."""
        return (
            self.data.identical(other.data)
            and self.events == other.events
            and (self.status, self.message) == (other.status, other.message)
        )

    def save(self, path: str | Path) -> None:
        """Write NetCDF4, in place of what is at ``path`` once it is whole.

        Raises RunError when the file cannot be written.
        """
        write(Path(path), self.data, self.events, self.status, self.message)

    def begin(self, path: str | Path) -> RowsFile:
        """Write the start of a run under way, and return the file that its rows are added to.

        Until ``save`` writes the whole one there, ``load`` reads the rows that came so far. Raises
        RunError when a file cannot be written.
        """
        return begin(Path(path), self.data, self.events)

    @staticmethod
    def load(path: str | Path) -> Trajectory:
        """Read back what ``save`` wrote, exactly; of a run under way or killed, what there is.

        Raises RunError when there is no such file, or it is damaged or from another program.
        """
        return Trajectory(*read(Path(path)))


def trajectory_from_arrays(
    layout: Layout,
    time: Array,
    *,
    events: Iterable[Event] = (),
    failure: str = "",
    attributes: Mapping[str, str] | None = None,
    **columns: npt.ArrayLike,
) -> Trajectory:
    """Return the trajectory of columns that are named as in VARIABLES, time first in their shapes.

    time (N,) [s] may repeat, as before and after an impact, but not decrease. A column is a scalar
    where all its values are the same; one that is left out is as TrajectoryBuilder leaves it: NaN,
    modes -1. failure says why the run ended before its time, if it did: the status is FAILED then,
    and a last event says so. attributes: texts to keep in the file, such as the engine. Raises
    RunError for a time that goes back and for a column of an unknown name or of another shape.
    """
    if not (np.diff(time) >= 0.0).all() or np.isnan(time).any():
        raise RunError("trajectory: a time goes back or is not a number")
    unknown = columns.keys() - VARIABLES.keys()
    if unknown:
        raise RunError(f"trajectory: there is no variable {', '.join(sorted(unknown))}")
    filled = {}
    for name in VARIABLES:
        filled[name] = empty_column(layout, name, len(time))
        if name in columns:
            values = np.asarray(columns[name])
            if values.shape not in ((), filled[name].shape):
                expected = filled[name].shape
                raise RunError(f"trajectory: {name} has the shape {values.shape}, not {expected}")
            filled[name][...] = values
    data = dataset(layout, np.array(time, dtype=np.float64), filled, attributes)
    if not failure:
        return Trajectory(data, tuple(events), Status.DONE, "")
    last = Event(float(time[-1]), Status.FAILED.value, failure)
    return Trajectory(data, (*events, last), Status.FAILED, failure)


def empty_column(layout: Layout, name: str, rows: int) -> npt.NDArray[Any]:
    """Return a column of a variable in which nothing is known yet."""
    variable = VARIABLES[name]
    shape = (rows, *(layout.size(dim) for dim in variable.dims))
    return np.full(shape, variable.fill, dtype=variable.dtype)


def dataset(
    layout: Layout,
    time: Array,
    columns: Mapping[str, Any],
    attributes: Mapping[str, str] | None,
) -> xr.Dataset:
    """Label all columns, arrays or what stands for them, with dimensions, names and units.

    columns: one for each of VARIABLES.
    """
    variables = {
        name: (("time", *variable.dims), columns[name], variable.attrs)
        for name, variable in VARIABLES.items()
    }
    times = ("time", time, {"units": "s", "long_name": "time"})
    return xr.Dataset(variables, {"time": times, **layout.coordinates()}, dict(attributes or {}))


class Growing:
    """Values of rows so far, whatever the shape of one."""

    def __init__(self, shape: tuple[int, ...], dtype: str, capacity: int) -> None:
        """Take the shape and type of a row, and make room for so many."""
        self._values = np.empty((capacity, *shape), dtype)
        self._rows = 0

    def __len__(self) -> int:
        """Count of rows so far."""
        return self._rows

    def extend(self, values: npt.ArrayLike, rows: int) -> None:
        """Add so many rows: values (rows, ...), or one value that all of them have."""
        end = self._rows + rows
        if end > len(self._values):
            room = max(end, 2 * len(self._values))
            larger = np.empty((room, *self._values.shape[1:]), self._values.dtype)
            larger[: self._rows] = self._values[: self._rows]
            self._values = larger
        self._values[self._rows : end] = values
        self._rows = end

    def since(self, row: int) -> npt.NDArray[Any]:
        """Rows from one on, as a view until the next is added."""
        return self._values[row : self._rows]

    def first(self, rows: int) -> npt.NDArray[Any]:
        """Return so many rows: a copy, or all there is room for, which does not change any more."""
        return self._values if rows == len(self._values) else self._values[:rows].copy()


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
