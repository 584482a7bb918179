"""Runs of PASIBOT read as walks, over the steps that they make."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from scipy.ndimage import uniform_filter1d

from footfall.arrays import Array
from footfall.machines.pasibot.claims import constant_rate
from footfall.machines.pasibot.closed_form.motion import exchange
from footfall.machines.pasibot.closed_form.parameters import PasibotParameters
from footfall.machines.pasibot.model import parameters_of
from footfall.machines.pasibot.observables import WalkObservables, observables_of, slides
from footfall.machines.pasibot.predictions import SHOWN
from footfall.machines.pasibot.slip_system import AHEAD as AHEAD_MODE
from footfall.machines.pasibot.slip_system import BACK as BACK_MODE
from footfall.machines.pasibot.slip_system import LIFTED, STICK
from footfall.registry.machine import CLOSED_FORM, HYBRID
from footfall.report.charts.panel import Panel
from footfall.report.run_view import RunView, RunViews, read_runs
from footfall.report.section import Section
from footfall.scenario.context import context_of
from footfall.trajectory import Event

AHEAD, BACK = "#E69F00", "#CC79A7"
"""Of slides."""
STEPS = "steps since the start [1]"
_EXCHANGE: dict[str, Any] = {"color": "#888888", "linewidth": 0.8, "linestyle": (0, (4, 3))}
_TREMBLING = 0.01  # s, over which forces of engines with steps are averaged
_CREEPS = 4.0  # times as long slides are told of engines with steps
_MOMENT = 0.04  # of a step
_FAINT = 0.02  # of the largest: less force does not tell where it acts
_WHOLE = 1e-6  # of a step: rounding


class SlideInSteps(NamedTuple):
    """A slide: phases of its begin and end in steps since the start, and its distance ahead [m]."""

    begin: float
    end: float
    distance: float


@dataclass(frozen=True, eq=False)
class PasibotRun(RunView):
    """A run with what was read in it; shown: the shortest slide that a figure shows [m]."""

    gait: WalkObservables
    shown: float

    @property
    def least(self) -> float:
        """The shortest slide that is told [m]: with steps in time feet creep and rub, too."""
        return self.shown if self.exact else _CREEPS * self.shown

    @cached_property
    def slides(self) -> tuple[SlideInSteps, ...]:
        """Slides in their order; from the events of an engine that locates them."""
        phase, slide = self.gait.phase, self.gait.slide
        located = self.engine == HYBRID
        ends = _located(self.trajectory.events, self.gait) if located else slides(self.gait, 0.0)
        merged: list[SlideInSteps] = []
        for begin, end in ends:
            distance = float(np.interp(end, phase, slide) - np.interp(begin, phase, slide))
            slid = SlideInSteps(begin, end, distance)
            if not located and merged and _goes_on(merged[-1], slid):
                slid = SlideInSteps(merged[-1].begin, end, merged.pop().distance + distance)
            merged.append(slid)
        return tuple(slid for slid in merged if abs(slid.distance) > self.least)

    @cached_property
    def floor(self) -> tuple[Array, Array]:
        """Force of the floor along it and upwards [N]; with steps in time means of 10 ms."""
        along, up = self.gait.along, self.gait.up
        return (along, up) if self.exact else (self._mean(along), self._mean(up))

    @cached_property
    def zmp(self) -> Array:
        """Zero-moment point, ahead of the supporting ankle [m]; means of the moment alike."""
        gait = self.gait
        if self.exact:
            return gait.zmp
        up = np.where(np.isfinite(gait.zmp), gait.up, 0.0)
        moment, force = self._mean(gait.zmp * gait.up), self._mean(up)
        carried = force > _FAINT * np.nanmax(force, initial=0.0)
        return np.divide(moment, force, out=np.full_like(force, np.nan), where=carried)

    def _mean(self, values: Array) -> Array:
        """Means over 10 ms, values that are none taken as 0."""
        step = float(np.median(np.diff(self.gait.time)))
        window = max(1, round(_TREMBLING / step))
        return np.asarray(uniform_filter1d(np.nan_to_num(values), window, mode="nearest"))


def _goes_on(one: SlideInSteps, other: SlideInSteps) -> bool:
    """Return whether a slide goes on after a moment in which the floor trembled."""
    return one.distance * other.distance > 0.0 and other.begin - one.end < _MOMENT


def _located(events: Sequence[Event], gait: WalkObservables) -> list[tuple[float, float]]:
    """Phases at which slides begin and end, by events that tell modes: "slide+ to stick"."""
    intervals: list[tuple[float, float]] = []
    begun: tuple[str, float] | None = None
    for event in events:
        before, _, after = event.what.rpartition(": ")[2].partition(" to ")
        if not {before, after} <= {STICK, AHEAD_MODE, BACK_MODE, LIFTED}:
            continue
        phase = float(np.interp(event.time, gait.time, gait.phase))
        if begun is None and before in (AHEAD_MODE, BACK_MODE):
            begun = (before, float(gait.phase[0]))  # from before the start
        if begun is not None and begun[0] != after:
            intervals.append((begun[1], phase))
            begun = None
        if begun is None and after in (AHEAD_MODE, BACK_MODE):
            begun = (after, phase)
    if begun is not None:
        intervals.append((begun[1], float(gait.phase[-1])))
    return intervals


@dataclass(frozen=True, eq=False)
class PasibotRuns(RunViews[PasibotRun]):
    """All runs of a section; rate: of the crank [rad/s] where it is prescribed to be constant."""

    parameters: PasibotParameters
    rate: float | None

    @cached_property
    def sliding(self) -> PasibotRun | None:
        """The run whose slides are marked: an exact one if there is one that slides."""
        exact_first = sorted((walk for walk in self.runs if walk.slides), key=lambda w: not w.exact)
        return exact_first[0] if exact_first else None

    @cached_property
    def reference(self) -> PasibotRun | None:
        """The exact run that engines with steps are held against: hybrid if there is one."""
        exact = {walk.engine: walk for walk in self.runs if walk.exact}
        return exact.get(HYBRID, exact.get(CLOSED_FORM))

    @property
    def end(self) -> float:
        """Steps that the longest run makes."""
        return max(float(walk.gait.phase.max()) for walk in self.runs)

    @property
    def on_floor(self) -> bool:
        """True where a floor carried a foot of any run, and nothing held it."""
        return any(np.isfinite(walk.gait.up).any() for walk in self.runs)


def read_walks(section: Section) -> PasibotRuns:
    """Read all runs of a section."""
    machine = section.robot
    parameters = parameters_of(machine.model, machine.contacts)
    shown = SHOWN * exchange(parameters)["step"]
    walks = read_runs(
        section,
        lambda run: PasibotRun(
            **vars(run), gait=observables_of(run.trajectory, parameters), shown=shown
        ),
    )
    rate = constant_rate(context_of(section.scenario, machine))
    return PasibotRuns(section, walks, parameters, rate)


def mark_steps(panels: list[Panel], walks: PasibotRuns) -> None:
    """Exchanges of support as dashed lines, slides as bands, in panels over steps."""
    low = min(float(walk.gait.phase.min()) for walk in walks.runs)
    for panel in panels:
        panel.set_xlim(low, max(walks.end, low + _WHOLE))  # a crank may stand still
        for whole in np.arange(np.ceil(low + _WHOLE), walks.end - _WHOLE):
            panel.axvline(whole, zorder=0.6, **_EXCHANGE)
        for slide in walks.sliding.slides if walks.sliding else ():
            colour = AHEAD if slide.distance > 0.0 else BACK
            panel.axvspan(slide.begin, slide.end, color=colour, alpha=0.14, linewidth=0.0)
    panels[-1].set_xlabel(STEPS)


def marked(walks: PasibotRuns) -> str:
    """Legend of the marks of `mark_steps`, in words."""
    legend = "Dashed and upright: the other foot takes over."
    if walks.sliding is None:
        return legend
    return f"{legend} Bands: slides of {walks.sliding.name}, orange ahead, pink back."
