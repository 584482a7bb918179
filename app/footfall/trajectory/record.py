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
from footfall.trajectory.contact_table import CONTACT_VARIABLES, ContactTable
from footfall.trajectory.events import Event, Status
from footfall.trajectory.netcdf import RowsFile, begin, read, write
from footfall.trajectory.rows import COLUMNS, Rows, dataset, empty_column
from footfall.trajectory.variables import VARIABLES, Layout

_ROW, _CONTACT = "entry_row", "entry_contact"


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


class TrajectoryBuilder:
    """Rows of a run, block by block; ``finish`` makes a Trajectory of the rows so far.

    Arrays of rows are kept as they are added, and must not change. ``finish`` may be called at any
    time and any number of times, also before the first row.
    """

    def __init__(self, layout: Layout) -> None:
        """Take the names up front."""
        self.layout = layout
        self._last_time, self._count = -np.inf, 0
        index = np.zeros(0, dtype=np.int64)
        first: dict[str, npt.NDArray[Any]] = {"time": np.zeros(0), _ROW: index, _CONTACT: index}
        for name, variable in VARIABLES.items():
            dims = variable.dims[name in CONTACT_VARIABLES :]  # an entry is of one contact
            first[name] = np.empty((0, *map(layout.size, dims)), variable.dtype)
        # by name; the first block has nothing but shape and type
        self._blocks = {name: [values] for name, values in first.items()}

    def __len__(self) -> int:
        """Count of rows so far."""
        return self._count

    def extend(self, rows: Rows) -> None:
        """Add rows; a column that is left out is unknown.

        Raises RunError for a time that goes back.
        """
        earlier = np.concatenate(([self._last_time], rows.time[:-1]))
        back = np.flatnonzero(~(rows.time >= earlier))
        if len(back) > 0:
            first = back[0]
            raise RunError(f"trajectory: time {rows.time[first]} s follows {earlier[first]} s")
        entries = rows.contacts.behind(self._count)
        new: dict[str, Any] = {
            **rows.columns,
            "time": rows.time,
            _ROW: entries.row,
            _CONTACT: entries.contact,
            **entries.columns,
        }
        for name, blocks in self._blocks.items():
            kind = blocks[0].dtype
            if name in new:
                blocks.append(np.asarray(new[name], kind))
            else:
                shape = len(rows.time), *blocks[0].shape[1:]
                blocks.append(np.full(shape, VARIABLES[name].fill, kind))
        self._count += len(rows.time)
        self._last_time = rows.time[-1] if len(rows.time) > 0 else self._last_time

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
        for blocks in self._blocks.values():  # one by one: the rows are not there twice
            blocks[:] = [np.concatenate(blocks)]
        whole = {name: blocks[0] for name, blocks in self._blocks.items()}
        entries = {name: whole[name] for name in CONTACT_VARIABLES}
        table = ContactTable(whole[_ROW], whole[_CONTACT], entries)
        rows = Rows(whole["time"], {name: whole[name] for name in COLUMNS}, table)
        return Trajectory(rows.dataset(self.layout, attributes), tuple(events), status, message)
