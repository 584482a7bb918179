"""Runs of the vehicle over the position of its front wheel."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from footfall.arrays import Array
from footfall.machines.ugv.closed_form.parameters import UgvParameters
from footfall.machines.ugv.closed_form.tracks import Track
from footfall.machines.ugv.observables import Observables, observables_of
from footfall.registry.context import MachineContext
from footfall.report.charts.panel import Panel
from footfall.report.panels import line
from footfall.report.run_view import RunView, RunViews, read_runs
from footfall.report.section import Section
from footfall.scenario.context import context_of

PLACE = "centre of the front wheel at x [m]"
BALANCE: dict[str, Any] = {"color": "#c4c4c4", "linewidth": 6.0}
"""Line of what quasi-static balance asks for, beneath all others."""
LIMIT: dict[str, Any] = {"color": "black", "linewidth": 0.9, "linestyle": (0, (5, 3))}
BALANCED = "quasi-static"
_NONSMOOTH: dict[str, Any] = {"color": "#888888", "linewidth": 0.8, "linestyle": (0, (1, 2))}
_USUAL = (0.002, 0.998)  # quantiles of what sets the axes: impacts are cut
_LEAST = 1e-3  # m: of an axis of places
_ROOM = 0.08  # of their range, beyond them


@dataclass(frozen=True, eq=False)
class DriveRun(RunView):
    """A run with what was read in it."""

    read: Observables


@dataclass(frozen=True, eq=False)
class DriveRuns(RunViews[DriveRun]):
    """All runs of a section, of one vehicle on one track."""

    context: MachineContext

    @property
    def parameters(self) -> UgvParameters:
        """The vehicle's."""
        return self.first.read.parameters

    @property
    def track(self) -> Track:
        """Track of the model."""
        return self.first.read.track

    @cached_property
    def longest(self) -> DriveRun:
        """The run that came furthest, whose quasi-static values are shown."""
        return max(self.runs, key=lambda drive: float(np.ptp(drive.read.s_f)))

    @cached_property
    def angle_jumps(self) -> list[float]:
        """Places of the front wheel at which a wheel touches two places of the track [m]."""
        read = self.longest.read
        if read.curve is None:
            return []
        found: list[float] = []
        for wheel in (read.front, read.rear):
            order = np.argsort(wheel.real, kind="stable")
            met = np.interp(
                read.curve.angle_jumps, wheel.real[order], read.s_f[order], np.nan, np.nan
            )
            found += met[np.isfinite(met)].tolist()
        return sorted(found)


def read_drives(section: Section) -> DriveRuns:
    """Read all runs of a section."""
    context = context_of(section.scenario, section.robot)
    drives = read_runs(
        section, lambda run: DriveRun(**vars(run), read=observables_of(run.trajectory, context))
    )
    return DriveRuns(section, drives, context)


def draw_balance(panel: Panel, drives: DriveRuns, values: Array) -> None:
    """A line of what quasi-static balance asks for, along the longest passage."""
    line(panel, drives.longest.read.s_f, values, label=BALANCED, zorder=1.2, **BALANCE)


def draw_runs(panel: Panel, drives: DriveRuns, values: Sequence[Array]) -> None:
    """A line for every run over the place of its front wheel."""
    for drive, row in zip(drives.runs, values, strict=True):
        line(panel, drive.read.s_f, row, label=drive.name, **drive.style)


def finish_panels(panels: Sequence[Panel], drives: DriveRuns, lowest: Sequence[Panel]) -> None:
    """Limits of the passage, marks where a wheel touches two places, labels of the lowest."""
    s = drives.longest.read.s_f
    low, high = float(np.nanmin(s)), float(np.nanmax(s))
    for panel in panels:
        panel.set_xlim(low, max(high, low + _LEAST))
        for jump in drives.angle_jumps:
            panel.axvline(jump, zorder=0.6, **_NONSMOOTH)
    for panel in lowest:
        panel.set_xlabel(PLACE)


def set_limits(panel: Panel, lines: Sequence[Array], besides: Sequence[float] = ()) -> None:
    """Limits around what is usual of lines, and around other values."""
    usual = [np.nanquantile(row, _USUAL) for row in lines if np.isfinite(row).any()]
    every = np.concatenate([*usual, np.asarray(besides, dtype=float)])
    if every.size == 0:
        return
    room = _ROOM * max(float(np.ptp(every)), 1e-6)
    panel.set_ylim(float(every.min()) - room, float(every.max()) + room)


def marked(drives: DriveRuns) -> str:
    """Legend of the marks of `finish_panels`, in words."""
    if not drives.angle_jumps:
        return ""
    return "Dotted and upright: a wheel touches two places, and goes over to the one ahead."
