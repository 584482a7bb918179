"""Page of the vehicle: the passage and the torque that it takes, beside quasi-static balance.

The notes say what is assumed, meant and left out.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from footfall.arrays import Array
from footfall.machines.ugv.closed_form.forces import torques_by_energy
from footfall.machines.ugv.measures import Observables, is_published, observables_of
from footfall.machines.ugv.report.drawing import (
    free_bodies,
    outlines_of,
    places_apart,
    sequence_figure,
)
from footfall.registry.context import MachineContext
from footfall.registry.documents import read_notes
from footfall.report.curves import AXIS, Curve, Level, Line, Over, Part, Plot, Uprights, curves
from footfall.report.figure import Figure
from footfall.report.figures import coordinate_figures
from footfall.report.machine_report import MachineReport
from footfall.report.run_view import RunView, RunViews, read_runs
from footfall.report.section import Section
from footfall.report.tables import listed, number
from footfall.scenario.context import context_of

_NOTES = read_notes(__package__)

BALANCED = "quasi-static"
_PLACE = "centre of the front wheel at x [m]"
_BALANCE: dict[str, Any] = {"color": "#c4c4c4", "linewidth": 6.0}
_JUMP: dict[str, Any] = {"color": "#888888", "linewidth": 0.8, "linestyle": (0, (1, 2))}
_TREMBLING: dict[str, Any] = {"linestyle": "-", "linewidth": 0.8}
_LEAST = 1e-3  # m: of an axis of places


@dataclass(frozen=True, eq=False)
class DriveRun(RunView):
    """A run with what was read in it."""

    read: Observables

    @property
    def torque(self) -> Array:
        """Torque of either wheel [N m], (N,)."""
        return self.read.torque

    @property
    def excess(self) -> Array:
        """Torque beyond the quasi-static one at its own place and angles [N m].

        NaN until the run has its speed.
        """
        return np.where(self.read.steady, self.torque - self.read.quasi_static.torque, np.nan)


@dataclass(frozen=True, eq=False)
class DriveRuns(RunViews[DriveRun]):
    """All runs of a section, of one vehicle on one track."""

    context: MachineContext

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
        jumps: list[float] = []
        for wheel in (read.front, read.rear):
            order = np.argsort(wheel.real, kind="stable")
            met = np.interp(
                read.curve.angle_jumps, wheel.real[order], read.s_f[order], np.nan, np.nan
            )
            jumps += met[np.isfinite(met)].tolist()
        return sorted(jumps)


def read_drives(section: Section) -> DriveRuns:
    """Read all runs of a section."""
    context = context_of(section.scenario, section.robot)
    drives = read_runs(
        section, lambda run: DriveRun(**vars(run), read=observables_of(run.trajectory, context))
    )
    return DriveRuns(section, drives, context)


def figures(drives: DriveRuns) -> list[Figure | None]:
    """The passage, its free bodies and the torque over it, then the coordinates."""
    exact = any(drive.exact for drive in drives.runs)  # by the equations of these bodies
    return [
        sequence(drives),
        free_bodies(drives.longest.read) if exact else None,
        torque_over_path(drives),
        *coordinate_figures(drives),
    ]


def sequence(drives: DriveRuns) -> Figure:
    """Vehicles in a row on the track, about as far apart as they are long, of the longest run."""
    drive, read = drives.longest, drives.longest.read
    rows = places_apart(read.s_f, read.parameters)
    return sequence_figure(
        read.track.outline(read.rear.real.min() - 1.0, read.front.real.max() + 1.0),
        outlines_of(read.parameters, read.pose.rows(rows)),
        [f"{now:.1f} s" for now in read.time[rows]],
        read.parameters,
        "The passage",
        note=f"From {drive.name}. The red spokes point up at the start.",
    )


def torque_over_path(drives: DriveRuns) -> Figure:
    """Torque of either wheel with the quasi-static one beneath it, and how far it is from that."""
    read, stepping = drives.longest.read, drives.stepping
    low, high = float(read.s_f.min()), float(read.s_f.max())
    besides: list[Part] = [Level(0.0, look=AXIS), Uprights(drives.angle_jumps, look=_JUMP)]
    if high - low < _LEAST:
        besides.append(lambda panel: panel.set_xlim(low, low + _LEAST))
    balance = Line(read.s_f, read.quasi_static.torque, BALANCED, _BALANCE)
    torque = Curve(lambda run: run.torque)
    plots = [Plot("torque of a\nwheel M [N m]", [balance, torque, *besides], usual=True)]
    note = (
        "The same on both wheels; a positive torque drives ahead. Grey: what quasi-static balance "
        f"asks for at the places and angles of {drives.longest.name}."
    )
    if stepping:
        excess = Curve(lambda run: run.excess, runs=stepping, look=_TREMBLING)
        plots.append(Plot("less the\nquasi-static one [N m]", [excess, *besides], usual=True))
        note += (
            " Below, each run less that at its own place and angles, once it has its speed. "
            "Impacts are cut."
        )
    if drives.angle_jumps:
        note += " Dotted and upright: a wheel touches two places, and goes over to the one ahead."
    over = Over(_PLACE, lambda run: run.read.s_f)
    return curves(drives, "Torque of the wheels", plots, over=over, note=note)


def notes(drives: DriveRuns) -> list[str]:
    """Return what a reader should know, a paragraph each."""
    read = drives.longest.read
    paragraphs = [_NOTES["assumed"]] if is_published(read.parameters) else []
    off = np.abs(
        torques_by_energy(read.parameters, read.standing).torque - read.quasi_static.torque
    )
    if np.isfinite(off).any():
        paragraphs.append(_NOTES["same"].format(off=number(float(np.nanmax(off)), 2)))
    exact = [drive.name for drive in drives.runs if drive.exact]
    if exact and drives.stepping:
        ramp = getattr(drives.context.controller, "ramp", 0.0)
        paragraphs.append(_NOTES["slow"].format(names=listed(exact), ramp=number(ramp, 3)))
    return paragraphs + ([_NOTES["two_points"]] if drives.angle_jumps else [])


REPORT = MachineReport(figures, notes, read=read_drives)
