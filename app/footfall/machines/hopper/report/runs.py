"""What the hopper's pictures are made of: its runs read as jumps."""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import xarray as xr
from scipy.ndimage import uniform_filter1d

from footfall.arrays import Array
from footfall.machines.hopper.closed_form.model import Hopper
from footfall.machines.hopper.closed_form.phases import Phase
from footfall.machines.hopper.closed_form.points import Margins, margins
from footfall.machines.hopper.model import ACTUATOR, POINTS, parameters_of
from footfall.machines.hopper.observables import Interval, JumpObservables, jump_of, states_of
from footfall.registry.machine import HYBRID
from footfall.report.section import RunLike, Section, finite_rows

Rows = npt.NDArray[np.intp]

_SHORTEST = 1e-3  # of a time step: between rows that are closer a force is rounding
_COMPLIANT = 0.01  # s: so long a landing on Drake's compliant ground takes at most
_TREMBLING = 0.004  # s, over which forces on it are averaged


@dataclass(frozen=True)
class Hop:
    """A run as a jump: its finite rows, its place among the runs, and what was read in it.

    time_step: of the scenario [s].
    """

    name: str
    index: int
    data: xr.Dataset
    jump: JumpObservables
    machine: Hopper
    time_step: float

    @cached_property
    def time(self) -> Array:
        """Times of the rows, (N,) [s]."""
        return np.asarray(self.data["time"].to_numpy(), dtype=np.float64)

    @cached_property
    def x(self) -> Array:
        """States (x, y, theta1, theta2; rates), component first, (8, N)."""
        return states_of(self.data)

    @property
    def end(self) -> float:
        """When the jump ends, or the run if it did not come to that [s]."""
        return self.jump.end if np.isfinite(self.jump.end) else float(self.time[-1])

    @cached_property
    def shown(self) -> slice:
        """Rows up to the end of the jump."""
        return slice(0, max(2, int(np.searchsorted(self.time, self.end, side="right"))))

    @property
    def exact(self) -> bool:
        """Whether its events are located, not stepped over."""
        return self.data.attrs.get("engine") == HYBRID

    @property
    def compliant(self) -> bool:
        """Whether its ground yields, so that P may tremble on it."""
        return str(self.data.attrs.get("engine", "")).startswith("drake")

    @cached_property
    def torque(self) -> Array:
        """Torque that the motor gives in every row, (N,) [N m]."""
        limit = self.machine.parameters.tau_max
        return np.clip(self.data["actuation"].sel(actuator=ACTUATOR).to_numpy(), -limit, limit)

    @cached_property
    def margins(self) -> Margins:
        """What every row leaves of what the task allows, (N,) each; SI, angles in radians."""
        return margins(self.machine, self.x, self.torque)

    @cached_property
    def struck(self) -> npt.NDArray[np.bool_]:
        """Rows in which P is being struck, (N,): the first ones of every phase after a flight."""
        taken = _COMPLIANT if self.compliant else 0.0
        struck = np.zeros(len(self.time), dtype=bool)
        for before, interval in pairwise(self.jump.intervals):
            if before.phase is Phase.FLIGHT:
                row = interval.rows.start
                end = np.searchsorted(self.time, self.time[row] + taken, side="right")
                struck[row:end] = True
        return struck

    def force(self) -> tuple[Array, Array]:
        """Times (k,) [s] and force of the ground on P (k, 2) [N], (t, n); NaN at an impact.

        The mean between two rows, in the middle between them, up to the end of the jump; on
        compliant ground the mean of some more, since P may have no load in one step and twice its
        load in the next.
        """
        spans = np.diff(self.time)
        rows = np.flatnonzero(spans > _SHORTEST * self.time_step) + 1
        last = self.shown.stop if self.exact else self.shown.stop - 1  # there Q or R is struck
        rows = rows[rows < last]
        impulse = self.data["impulse"].sel(contact=POINTS[0], axis=["t", "n"]).to_numpy()[rows]
        force = np.nan_to_num(impulse) / spans[rows - 1, None]
        force[self.struck[rows]] = np.nan
        time = 0.5 * (self.time[rows] + self.time[rows - 1])
        if self.compliant:
            few = max(1, round(_TREMBLING / self.time_step))
            for interval in self.jump.intervals:
                inside = (time > interval.start) & (time < interval.end)
                kept = np.flatnonzero(inside & ~self.struck[rows])
                if len(kept) > 0:
                    force[kept] = uniform_filter1d(force[kept], few, axis=0, mode="nearest")
        return time, force

    def losses(self) -> tuple[Array, Array]:
        """Work of friction and of impacts since the start, (N,) each [J], not positive."""
        work = np.diff(self.data["contact_work"].to_numpy(), prepend=0.0)
        work[0] = 0.0
        struck = self.struck | self._repeated()
        return np.cumsum(np.where(struck, 0.0, work)), np.cumsum(np.where(struck, work, 0.0))

    def _repeated(self) -> npt.NDArray[np.bool_]:
        """Rows at the time of the row before, (N,): just after an impact."""
        return np.diff(self.time, prepend=-np.inf) <= _SHORTEST * self.time_step

    def row_at(self, time: float) -> int:
        """The row nearest to a time [s]; of two at the same time the second."""
        after = int(np.searchsorted(self.time, time + 1e-9, side="right"))
        near = [row for row in (after - 1, after) if 0 <= row < len(self.time)]
        return min(near, key=lambda row: abs(self.time[row] - time))


@dataclass(frozen=True)
class Hops:
    """All runs of a section with the hopper that they are of."""

    machine: Hopper
    hops: list[Hop]

    @property
    def first(self) -> Hop:
        """The run whose phases are marked."""
        return self.hops[0]

    @property
    def end(self) -> float:
        """End of the last jump [s]."""
        return max(hop.end for hop in self.hops)


@dataclass(frozen=True)
class Instant:
    """One of the instants at which the task wants the machine drawn."""

    time: float
    what: str


def read_hops(section: Section) -> Hops:
    """Read a section's runs; raises ModelError for a model that is no hopper."""
    machine = Hopper(parameters_of(section.robot.model, section.robot.contacts))
    step = section.scenario.time_step
    hops = [
        _hop(machine, name, place, run, step)
        for place, (name, run) in enumerate(section.runs.items())
    ]
    return Hops(machine, hops)


def _hop(machine: Hopper, name: str, index: int, run: RunLike, time_step: float) -> Hop:
    data = run.trajectory.data.isel(time=finite_rows(run))
    return Hop(name, index, data, jump_of(run.trajectory, machine), machine, time_step)


def instants(hop: Hop) -> list[Instant]:
    """Start, separation, two in flight, impact, two after it, end; those that the run came to."""
    jump = hop.jump
    found = [Instant(0.0, "start")]
    if np.isfinite(jump.separation):
        found.append(Instant(jump.separation, "separation"))
    if np.isfinite(jump.impact):
        found += _between(jump.separation, jump.impact, "in flight")
        found.append(Instant(jump.impact, "P lands"))
        found += _between(jump.impact, hop.end, "second contact")
    end = f"{jump.lands} lands" if jump.lands else "end of the run"
    return [*found, Instant(hop.end, end)]


def _between(start: float, end: float, what: str) -> list[Instant]:
    return [Instant(float(t), what) for t in np.linspace(start, end, 4)[1:3]]


def spelt(interval: Interval) -> str:
    """The name of an interval's phase as a reader likes it."""
    return interval.phase.value.replace("-", "\N{MINUS SIGN}")
