"""Runs of PASIBOT read as walks, with the slides of their feet."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from footfall.arrays import Array
from footfall.machines.pasibot.claims import constant_rate
from footfall.machines.pasibot.closed_form.motion import exchange
from footfall.machines.pasibot.closed_form.parameters import PasibotParameters
from footfall.machines.pasibot.model import parameters_of
from footfall.machines.pasibot.observables import WalkObservables, observables_of, slides
from footfall.machines.pasibot.predictions import SHOWN
from footfall.machines.pasibot.slip_system import AHEAD, BACK
from footfall.registry.machine import CLOSED_FORM, HYBRID
from footfall.report.run_view import RunView, RunViews, read_runs
from footfall.report.section import Section
from footfall.scenario.context import context_of
from footfall.trajectory import Event

_WINDOW = 0.01  # s, over which forces of engines with steps are averaged
_CREEPS = 4.0  # times as long slides are told of engines with steps, whose feet creep and rub, too
_MOMENT = 0.04  # of a step
_FAINT = 0.02  # of the largest: less force does not tell where it acts


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

    @cached_property
    def slides(self) -> tuple[SlideInSteps, ...]:
        """Slides in their order; from the events of an engine that locates them."""
        phase, slide = self.gait.phase, self.gait.slide
        located = self.engine == HYBRID
        merged: list[SlideInSteps] = []
        for ends in (
            _located(self.trajectory.events, self.gait) if located else slides(self.gait, 0)
        ):
            before, after = np.interp(ends, phase, slide).tolist()
            slid = SlideInSteps(*ends, after - before)
            # a slide goes on after a moment in which the floor trembled
            last = merged[-1] if merged and not located else slid
            if last.distance * slid.distance > 0.0 and 0.0 <= slid.begin - last.end < _MOMENT:
                slid = SlideInSteps(last.begin, slid.end, merged.pop().distance + slid.distance)
            merged.append(slid)
        least = self.shown if self.exact else _CREEPS * self.shown
        return tuple(slid for slid in merged if abs(slid.distance) > least)

    def force(self, values: Array) -> Array:
        """Force of the floor [N] as means of 10 ms, of engines with steps."""
        return self.mean(values, _WINDOW)

    @cached_property
    def zmp(self) -> Array:
        """Zero-moment point, ahead of the supporting ankle [mm]; means of the moment alike."""
        gait = self.gait
        moment = self.force(gait.zmp * gait.up)
        force = self.force(np.where(np.isfinite(gait.zmp), gait.up, 0.0))
        carried = force > _FAINT * np.nanmax(force, initial=0.0)
        return 1e3 * np.divide(moment, force, out=np.full_like(force, np.nan), where=carried)


def _located(events: Sequence[Event], gait: WalkObservables) -> list[tuple[float, float]]:
    """Phases at which slides begin and end, by events that tell modes: "stops: slide+ to stick"."""
    told = [event for event in events if event.what.startswith(f"{event.kind}: ")]
    turns = [event.what.removeprefix(f"{event.kind}: ").split(" to ") for event in told]
    if not turns:
        return []
    modes = [turns[0][0], *(after for _, after in turns)]
    at = np.interp([event.time for event in told], gait.time, gait.phase).tolist()
    ends = itertools.pairwise([float(gait.phase[0]), *at, float(gait.phase[-1])])
    intervals = []
    for mode, some in itertools.groupby(zip(modes, ends, strict=True), key=lambda one: one[0]):
        pieces = [piece for _, piece in some]
        if mode in (AHEAD, BACK):
            intervals.append((pieces[0][0], pieces[-1][1]))
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
