"""The runs of a section as figures see them: one form, to which a machine adds its observables."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Generic, Self, TypeVar

import numpy as np
import xarray as xr

from footfall.arrays import Array
from footfall.errors import RunError
from footfall.feet.gait import WINDOW, mean_of
from footfall.registry.machine import CLOSED_FORM, HYBRID
from footfall.report.panels import run_style
from footfall.report.section import Section, finite_rows
from footfall.report.tables import listed
from footfall.show.colours import run_colour
from footfall.trajectory import Trajectory
from footfall.trajectory.series import Series, find_series, series_of, variables_over_time


@dataclass(frozen=True, eq=False)
class RunView:
    """A run with its name and its place among the runs; trajectory: its rows of finite numbers."""

    name: str
    index: int
    trajectory: Trajectory

    @property
    def data(self) -> xr.Dataset:
        """The rows of the trajectory."""
        return self.trajectory.data

    @cached_property
    def time(self) -> Array:
        """Times of the rows, (N,) [s]."""
        return np.asarray(self.data["time"].to_numpy(), dtype=np.float64)

    @cached_property
    def states(self) -> Array:
        """The plant's [q; v] in every row, component first, (nq + nv, N)."""
        return np.vstack((self.data["q"].to_numpy().T, self.data["v"].to_numpy().T))

    def series(self, name: str) -> Series:
        """Return one series by name, as ``q.theta1``; raises RunError for none or several."""
        if name not in self._found:
            variable = name.partition(".")[0]
            over_time = variable in variables_over_time(self.data)
            known = series_of(self.data, variable) if over_time else []
            self._found.update({one.name: one for one in known})
        if name not in self._found:
            series = find_series(self.data, name)
            if len(series) > 1:
                names = ", ".join(one.name for one in series[:3])
                raise RunError(f"'{name}' is {len(series)} series: name one of them, as {names}.")
            self._found[name] = series[0]
        return self._found[name]

    @cached_property
    def _found(self) -> dict[str, Series]:
        """Series that were asked for, and those of the same variables, by name."""
        return {}

    def has(self, name: str) -> bool:
        """Return whether there is such a series."""
        try:
            self.series(name)
        except RunError:
            return False
        return True

    def part(self, rows: slice) -> Self:
        """Return the run in some of its rows alone."""
        data = self.data.isel(time=rows)
        return replace(self, trajectory=replace(self.trajectory, data=data))

    def mean(self, values: Array, window: float = WINDOW) -> Array:
        """Return running means of values (N, ...) over a window [s], none counting as zero.

        What rests on contacts may bear nothing in one step and twice its load in the next. Of an
        engine whose events lie between time steps they are the values themselves.
        """
        if self.exact or len(self.time) < 2:
            return values
        return mean_of(self.time, np.nan_to_num(values), window)

    @property
    def has_feet(self) -> bool:
        """True of a run that tells of feet; older ones do not."""
        return bool(self.data.sizes.get("foot", 0) > 0)

    @property
    def engine(self) -> str:
        """The engine, as the run itself has it."""
        return str(self.data.attrs.get("engine", self.name))

    @property
    def exact(self) -> bool:
        """True of an engine of the machine's own, whose events lie between time steps."""
        return self.engine in (CLOSED_FORM, HYBRID)

    @property
    def compliant(self) -> bool:
        """True of an engine whose ground yields, so that a contact may tremble on it."""
        return self.engine.startswith("drake")

    @property
    def style(self) -> dict[str, Any]:
        """Colour, width and dashes of its lines."""
        return run_style(self.index)

    @property
    def colour(self) -> str:
        """Colour of its marks."""
        return run_colour(self.index)

    def row_at(self, time: float) -> int:
        """The row nearest to a time [s]; of two at the same time, as at an impact, the second."""
        after = int(np.searchsorted(self.time, time + 1e-9, side="right"))
        near = [row for row in (after - 1, after) if 0 <= row < len(self.time)]
        return min(near, key=lambda row: abs(self.time[row] - time))


View = TypeVar("View", bound=RunView)


@dataclass(frozen=True, eq=False)
class RunViews(Generic[View]):
    """All runs of a section; the others are compared with the first."""

    section: Section
    runs: tuple[View, ...]

    @property
    def first(self) -> View:
        """The run that the others are compared with."""
        return self.runs[0]

    @property
    def alone(self) -> bool:
        """True of a single run."""
        return len(self.runs) == 1

    def called(self, what: str, run: RunView) -> str:
        """Name of a row about something in a run: the thing alone where there is one run."""
        return what if self.alone else f"{what}, {run.name}"

    @property
    def names(self) -> list[str]:
        """Names of the runs."""
        return [run.name for run in self.runs]

    @property
    def listed(self) -> str:
        """Names of the runs in words."""
        return listed(self.names)

    def of(self, runs: Iterable[View]) -> Self:
        """Return some of the runs, or parts of them, in place of all."""
        return replace(self, runs=tuple(runs))

    @property
    def stepping(self) -> list[View]:
        """Runs of engines with steps in time."""
        return [run for run in self.runs if not run.exact]


def read_runs(section: Section, view: Callable[[RunView], View]) -> tuple[View, ...]:
    """Return every run of a section as a machine's view of it."""
    views = []
    for index, (name, run) in enumerate(section.runs.items()):
        trajectory, rows = run.trajectory, finite_rows(run)
        if len(rows) < trajectory.data.sizes["time"]:  # else contacts stay in the form they have
            trajectory = replace(trajectory, data=trajectory.data.isel(time=rows))
        views.append(view(RunView(name, index, trajectory)))
    return tuple(views)


def views_of(section: Section) -> RunViews[RunView]:
    """Return the runs of a section as any robot has them."""
    return RunViews(section, read_runs(section, lambda run: run))
