"""The trajectory of one run: labelled arrays, the events on the way, and how the run ended."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import xarray as xr

from footfall.trajectory.events import Event, Status
from footfall.trajectory.netcdf import begin, read, write
from footfall.trajectory.rows_file import RowsFile


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
