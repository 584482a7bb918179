"""Collecting a trajectory row by row, cheaply enough for a loop at a kilohertz."""

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.errors import RunError
from footfall.trajectory.events import Event, Status
from footfall.trajectory.from_arrays import dataset, empty_column
from footfall.trajectory.record import Trajectory
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


class TrajectoryBuilder:
    """Rows of a run in growing columns; ``finish`` makes a Trajectory of the rows so far.

    A row is copied when it is appended, so the caller may reuse its arrays. ``finish`` may be
    called at any time and any number of times, also before the first row.
    """

    def __init__(self, layout: Layout, capacity: int = 1024) -> None:
        """Take the names up front and make room for ``capacity`` rows; more is made as needed."""
        self.layout = layout
        self._rows = 0
        self._capacity = max(1, capacity)
        self._last_time = -np.inf
        self._sizes = (len(layout.position), len(layout.velocity))
        self._actuators = len(layout.actuator)
        self._contacts = len(layout.contact)
        self._time = np.empty(self._capacity)
        self._columns = {name: empty_column(layout, name, self._capacity) for name in VARIABLES}

    def __len__(self) -> int:
        """Count of rows so far."""
        return self._rows

    def append(
        self,
        time: float,
        q: Array,
        v: Array,
        actuation: Array | None = None,
        contacts: ContactRow | None = None,
        *,
        kinetic_energy: float = np.nan,
        potential_energy: float = np.nan,
        actuator_work: float = np.nan,
        contact_work: float = np.nan,
        damping_work: float = np.nan,
        constraint_work: float = np.nan,
        push_work: float = np.nan,
        energy_gain: float = np.nan,
        energy_residual: float = np.nan,
    ) -> None:
        """Add one row: time in s, then q, v, actuation in SI and the energies in J.

        What is left out is NaN in the trajectory; the modes of a row without contact report are
        unknown (-1). Times may repeat, as before and after an impact, but not decrease. Raises
        RunError for a time that goes back or an array of the wrong length.
        """
        if not time >= self._last_time:
            raise RunError(f"trajectory: time {time} s follows {self._last_time} s")
        if (len(q), len(v)) != self._sizes:
            raise RunError(f"trajectory: a row of {len(q)} q, {len(v)} v; expected {self._sizes}")
        if self._rows == self._capacity:
            self._grow()
        row, columns = self._rows, self._columns
        self._time[row] = time
        columns["q"][row] = q
        columns["v"][row] = v
        columns["kinetic_energy"][row] = kinetic_energy
        columns["potential_energy"][row] = potential_energy
        columns["actuator_work"][row] = actuator_work
        columns["contact_work"][row] = contact_work
        columns["damping_work"][row] = damping_work
        columns["constraint_work"][row] = constraint_work
        columns["push_work"][row] = push_work
        columns["energy_gain"][row] = energy_gain
        columns["energy_residual"][row] = energy_residual
        if actuation is not None:
            self._put_actuation(row, actuation)
        if contacts is not None:
            self._put_contacts(row, contacts)
        self._last_time = time
        self._rows += 1

    def rows_from(self, row: int, names: Iterable[str]) -> tuple[Array, dict[str, Array]]:
        """Times from a row on, (n,) [s], and columns by name; views, until the next row."""
        since = slice(row, self._rows)
        return self._time[since], {name: self._columns[name][since] for name in names}

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
        columns = {name: self._filled(column) for name, column in self._columns.items()}
        data = dataset(self.layout, self._filled(self._time), columns, attributes)
        return Trajectory(data, tuple(events), status, message)

    def _filled(self, column: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Rows of a column so far: itself where it is full, for no row changes once it is there.

        A robot with thousands of corners has half a gigabyte of them in two seconds.
        """
        return column if self._rows == self._capacity else column[: self._rows].copy()

    def _put_actuation(self, row: int, actuation: Array) -> None:
        """Write the efforts of a row."""
        if len(actuation) != self._actuators:
            raise RunError(f"trajectory: {len(actuation)} efforts for {self._actuators} actuators")
        self._columns["actuation"][row] = actuation

    def _put_contacts(self, row: int, contacts: ContactRow) -> None:
        """Write the contact report of a row."""
        gap = contacts.gap
        if len(gap) != self._contacts:
            raise RunError(f"trajectory: {len(gap)} contacts reported, {self._contacts} named")
        columns = self._columns
        columns["gap"][row] = gap
        columns["impulse"][row] = contacts.impulse
        columns["contact_velocity"][row] = contacts.velocity
        columns["contact_point"][row] = contacts.p_WC
        columns["contact_normal"][row] = contacts.normal
        columns["mode"][row] = contacts.mode
        columns["dissipation"][row] = 0.0 - contacts.work
        columns["residual"][row] = contacts.residual
        columns["iterations"][row] = contacts.iterations
        columns["stage"][row] = contacts.stage

    def _grow(self) -> None:
        """Double the room for rows."""
        added = self._capacity
        self._time = np.concatenate([self._time, np.empty(added)])
        for name, column in self._columns.items():
            self._columns[name] = np.concatenate([column, empty_column(self.layout, name, added)])
        self._capacity += added
