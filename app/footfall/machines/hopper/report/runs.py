"""Runs of the hopper read as jumps."""

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from scipy.ndimage import uniform_filter1d

from footfall.arrays import Array
from footfall.machines.hopper.closed_form.model import Hopper
from footfall.machines.hopper.closed_form.phases import JumpPhase
from footfall.machines.hopper.model import POINTS, parameters_of
from footfall.machines.hopper.observables import JumpObservables, PhaseInterval, jump_of
from footfall.report.run_view import RunView, RunViews, read_runs
from footfall.report.section import Section

Rows = npt.NDArray[np.intp]

_SHORTEST = 1e-3  # of a time step: between rows that are closer a force is rounding
_FAINT = 1e-3  # of the largest force: below it a ratio is rounding
_COMPLIANT = 0.01  # s: so long a landing on Drake's compliant ground takes at most
_TREMBLING = 0.004  # s, over which forces on it are averaged


@dataclass(frozen=True, eq=False)
class JumpRun(RunView):
    """A run up to the end of its jump, with what was read in it; time_step: of the scenario [s]."""

    jump: JumpObservables
    machine: Hopper
    time_step: float

    @property
    def x(self) -> Array:
        """States (x, y, theta1, theta2; rates), component first, (8, N)."""
        return self.states

    @property
    def end(self) -> float:
        """End of the jump, or of the run if it did not come to that [s]."""
        return self.jump.end if np.isfinite(self.jump.end) else float(self.time[-1])

    @cached_property
    def in_impact(self) -> npt.NDArray[np.bool_]:
        """Rows in which P is in an impact, (N,): the first ones of every phase after a flight."""
        taken = _COMPLIANT if self.compliant else 0.0
        rows_of_impacts = np.zeros(len(self.time), dtype=bool)
        for before, interval in pairwise(self.jump.intervals):
            if before.phase is JumpPhase.FLIGHT:
                row = interval.rows.start
                end = np.searchsorted(self.time, self.time[row] + taken, side="right")
                rows_of_impacts[row:end] = True
        return rows_of_impacts

    @cached_property
    def force(self) -> tuple[Array, Array]:
        """Times (k,) [s] and force of the ground on P (k, 2) [N], (t, n); NaN at an impact.

        The mean between two rows, in the middle between them, up to the end of the jump; on
        compliant ground the mean of some more, since P may have no load in one step and twice its
        load in the next.
        """
        spans = np.diff(self.time)
        rows = np.flatnonzero(spans > _SHORTEST * self.time_step) + 1
        last = len(spans) + int(self.exact)  # there Q or R lands
        rows = rows[rows < last]
        impulse = self.data["impulse"].sel(contact=POINTS[0], axis=["t", "n"]).to_numpy()[rows]
        force = np.nan_to_num(impulse) / spans[rows - 1, None]
        force[self.in_impact[rows]] = np.nan
        time = 0.5 * (self.time[rows] + self.time[rows - 1])
        if self.compliant:
            few = max(1, round(_TREMBLING / self.time_step))
            for interval in self.jump.intervals:
                inside = (time > interval.start) & (time < interval.end)
                bearing = np.flatnonzero(inside & ~self.in_impact[rows])
                if len(bearing) > 0:
                    force[bearing] = uniform_filter1d(force[bearing], few, axis=0, mode="nearest")
        return time, force


@dataclass(frozen=True, eq=False)
class JumpRuns(RunViews[JumpRun]):
    """All runs of a section with the hopper that they are of; the first one's phases are marked."""

    machine: Hopper

    @property
    def end(self) -> float:
        """End of the last jump [s]."""
        return max(run.end for run in self.runs)


@dataclass(frozen=True)
class JumpInstant:
    """One of the instants at which the task wants the machine drawn."""

    time: float
    what: str


def read_jumps(section: Section) -> JumpRuns:
    """Read a section's runs; raises ModelError for a model that is no hopper."""
    machine = Hopper(parameters_of(section.robot.model, section.robot.contacts))
    step = section.scenario.time_step

    def read(run: RunView) -> JumpRun:
        jump = jump_of(run.trajectory, machine)
        end = max(2, int(np.searchsorted(run.time, jump.end, side="right")))
        shown = replace(run.trajectory, data=run.data.isel(time=slice(0, end)))
        return JumpRun(run.name, run.index, shown, jump, machine, step)

    jumps = read_runs(section, read)
    return JumpRuns(section, jumps, machine)


def normal(run: JumpRun) -> tuple[Array, Array]:
    """Times [s] and normal force of the ground on P [N]."""
    time, force = run.force
    return time, force[:, 1]


def ratio(run: JumpRun) -> tuple[Array, Array]:
    """Times [s] and tangential over normal force, NaN where there is next to none."""
    time, force = run.force
    faint = _FAINT * np.nanmax(np.abs(force[:, 1]), initial=0.0)
    return time, force[:, 0] / np.where(force[:, 1] > faint, force[:, 1], np.nan)


def largest(run: JumpRun) -> float:
    """Largest normal force [N]; 0 on compliant ground, where bounces are."""
    return 0.0 if run.compliant else float(np.nanmax(run.force[1][:, 1], initial=0.0))


def largest_after(run: JumpRun) -> float:
    """The same after the landing; 0 without one."""
    time, force = run.force
    late = force[time > run.jump.impact, 1]  # nothing is later than NaN
    return 0.0 if run.compliant else float(np.nanmax(late, initial=0.0))


def instants(run: JumpRun) -> list[JumpInstant]:
    """Start, separation, two in flight, impact, two after it, end; those that the run came to."""
    jump = run.jump
    moments = [JumpInstant(0.0, "start")]
    if np.isfinite(jump.separation):
        moments.append(JumpInstant(jump.separation, "separation"))
    if np.isfinite(jump.impact):
        moments += _between(jump.separation, jump.impact, "in flight")
        moments.append(JumpInstant(jump.impact, "P lands"))
        moments += _between(jump.impact, run.end, "second contact")
    end = f"{jump.lands} lands" if jump.lands else "end of the run"
    return [*moments, JumpInstant(run.end, end)]


def _between(start: float, end: float, what: str) -> list[JumpInstant]:
    return [JumpInstant(float(t), what) for t in np.linspace(start, end, 4)[1:3]]


def spelt(interval: PhaseInterval) -> str:
    """The name of an interval's phase as a reader likes it."""
    return interval.phase.value.replace("-", "\N{MINUS SIGN}")
