"""Runs of the humanoid read as walks: their phases, gait cycles and demands on the ground."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.machines.humanoid.closed_form.phases import GaitPhase
from footfall.machines.humanoid.ground_forces import Audit, audit
from footfall.machines.humanoid.measures import cycle_begins, hinge_loads
from footfall.registry.context import MachineContext
from footfall.report.charts.panel import Panel
from footfall.report.panels import thin_by
from footfall.report.run_view import RunView, RunViews, read_runs
from footfall.report.section import Section
from footfall.scenario.context import context_of

SHOWN_CYCLES = 2  # of a walk: as many as the thesis shows
JOINT_COLOURS = {
    "hip_roll": "#0072B2",
    "hip_pitch": "#D55E00",
    "knee": "#009E73",
    "ankle_pitch": "#CC79A7",
    "ankle_roll": "#E69F00",
    "toe": "#444444",
}
"""Colours of the joints of a leg, from the hip down."""
_DOUBLE: dict[str, Any] = {"color": "#9a9a9a", "alpha": 0.18, "linewidth": 0.0, "zorder": 0.2}
_USUAL = (0.005, 0.995)  # quantiles of what sets the axes
_ROOM = 0.12  # of their range, beyond them


@dataclass(frozen=True)
class PhaseRows:
    """A phase of a walk: its rows, and when it begins and ends [s]."""

    phase: GaitPhase
    rows: slice
    begin: float
    end: float


@dataclass(frozen=True, eq=False)
class HumanoidRun(RunView):
    """A run; what tells of phases is there where its engine knows any."""

    context: MachineContext

    @property
    def walks(self) -> bool:
        """True of a run that knows phases of a gait."""
        return "gait_phase" in self.data

    @property
    def is_held(self) -> bool:
        """True of an engine whose ground holds the feet, and tells what that takes."""
        return "reaction" in self.data

    @cached_property
    def phase(self) -> npt.NDArray[np.int8]:
        """Phases of the rows, (N,)."""
        return np.asarray(self.data["gait_phase"].to_numpy(), dtype=np.int8)

    @cached_property
    def phases(self) -> list[PhaseRows]:
        """Phases in their order."""
        begins = np.flatnonzero(np.diff(self.phase, prepend=-1) != 0)
        ends = np.append(begins[1:], len(self.phase))
        last = len(self.time) - 1
        return [
            PhaseRows(
                GaitPhase(int(self.phase[begin])),
                slice(int(begin), int(end)),
                float(self.time[begin]),
                float(self.time[min(end, last)]),
            )
            for begin, end in zip(begins, ends, strict=True)
        ]

    @cached_property
    def shown(self) -> slice:
        """Rows of the first two gait cycles, or of all where fewer are complete."""
        if not self.walks:
            return slice(0, len(self.time))
        begins = cycle_begins(self.phase)
        if len(begins) <= SHOWN_CYCLES:
            return slice(0, len(self.time))
        return slice(0, int(begins[SHOWN_CYCLES]) + 1)

    @cached_property
    def second_cycle(self) -> list[PhaseRows]:
        """Phases of the second gait cycle; of the first, or of what there is, where there is none.

        The first begins at rest.
        """
        begins = cycle_begins(self.phase)
        of_cycle = [each for each in self.phases if each.rows.start in begins]
        if len(of_cycle) < 2:
            return self.phases[:4]
        start = self.phases.index(of_cycle[1])
        return self.phases[start : start + 4]

    @cached_property
    def audit(self) -> Audit:
        """Demands on the ground."""
        return audit(self.trajectory, self.context)

    @cached_property
    def loads(self) -> tuple[Array, Array]:
        """Forces in the hinges [N], and moments across their axes [N m], (N, 12) each."""
        return hinge_loads(self.data)

    @cached_property
    def power(self) -> Array:
        """Power of the joints, (N, actuators) [W]."""
        matrix = self.context.model.plant.MakeActuationMatrix()
        rate = self.data["v"].to_numpy() @ matrix
        return np.asarray(self.data["actuation"].to_numpy() * rate, dtype=np.float64)


@dataclass(frozen=True, eq=False)
class HumanoidRuns(RunViews[HumanoidRun]):
    """All runs of a section."""

    @property
    def walks(self) -> tuple[HumanoidRun, ...]:
        """Runs that know phases."""
        return tuple(run for run in self.runs if run.walks)


def read_humanoid(section: Section) -> HumanoidRuns:
    """Read all runs of a section."""
    context = context_of(section.scenario, section.robot)
    return HumanoidRuns(
        section, read_runs(section, lambda run: HumanoidRun(**vars(run), context=context))
    )


def draw_rows(panel: Panel, run: HumanoidRun, rows: slice, values: Array, **style: Any) -> None:  # noqa: ANN401 (matplotlib's)
    """Line of values (N,) over time in some rows, in the style of the run."""
    few = slice(rows.start, rows.stop, thin_by(rows.stop - rows.start))
    panel.plot(run.time[few], values[few], **(run.style | style))


def mark_double_support(panels: list[Panel], run: HumanoidRun, rows: slice) -> None:
    """Bands of the double supports of a run in panels over time, and limits of its rows."""
    begin, end = float(run.time[rows][0]), float(run.time[rows][-1])
    for panel in panels:
        panel.set_xlim(begin, max(end, begin + 1e-6))
        for each in run.phases if run.walks else ():
            if each.phase.is_double and each.begin < end:
                panel.axvspan(max(each.begin, begin), min(each.end, end), **_DOUBLE)


def marked(runs: HumanoidRuns) -> str:
    """Legend of the bands, in words."""
    return f"Grey: double support of {runs.walks[0].name}." if runs.walks else ""


def widen(panel: Panel, least: float) -> None:
    """Widen the limits of a panel to a least range, for rounding not to fill it."""
    low, high = panel.get_ylim()
    room = 0.5 * max(least - (high - low), 0.0)
    panel.set_ylim(low - room, high + room)


def limit_usual(panel: Panel, rows: list[Array], besides: tuple[float, ...] = ()) -> None:
    """Limits of a panel around what is usual of some lines, and around other values."""
    usual = [np.nanquantile(values, _USUAL) for values in rows if np.isfinite(values).any()]
    every = np.concatenate([*usual, np.asarray(besides, dtype=np.float64)])
    if every.size:
        room = _ROOM * max(float(np.ptp(every)), 1e-9)
        panel.set_ylim(float(every.min()) - room, float(every.max()) + room)
