"""Report of the vehicle: the passage and the torque that it takes, beside quasi-static balance.

The notes say what is assumed, meant and left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array, Indices
from footfall.machines.ugv.claims import is_published
from footfall.machines.ugv.closed_form.forces import torques_by_energy
from footfall.machines.ugv.observables import Observables, observables_of
from footfall.machines.ugv.report.drawing import VehicleOutline, places_apart, sequence_figure
from footfall.machines.ugv.report.free_bodies import free_bodies
from footfall.registry.context import MachineContext
from footfall.report.charts.panel import Panel
from footfall.report.figure import Figure, draw
from footfall.report.figures import coordinate_figures
from footfall.report.machine_report import MachineReport
from footfall.report.panels import legend_on_top, line
from footfall.report.run_view import RunView, RunViews, read_runs
from footfall.report.section import Section
from footfall.report.tables import listed, number
from footfall.scenario.context import context_of

BALANCED = "quasi-static"
_PLACE = "centre of the front wheel at x [m]"
_BALANCE: dict[str, Any] = {"color": "#c4c4c4", "linewidth": 6.0}
_JUMP: dict[str, Any] = {"color": "#888888", "linewidth": 0.8, "linestyle": (0, (1, 2))}
_USUAL = (0.002, 0.998)  # quantiles of what sets the axes: impacts are cut
_LEAST = 1e-3  # m: of an axis of places
_ROOM = 0.08  # of their range, beyond them
_ASSUMED = (
    "The document gives the lengths of body and legs and the masses; its figures are lost, and the "
    "matrix of its five equations has lost its signs. The radius of the wheels, how deep the body "
    "hangs, the middles as centres of mass, the angles at the hips as angles between leg and body, "
    "and that the masses are those of the half vehicle are assumed."
)
_SAME = (
    "Both wheels get the same torque, as the document has it: each is in balance by itself, so "
    "that the ground drives both with M/r along the track. The equations of forces differ from an "
    "account of work, into which no force enters, by {off} N m at most."
)
_SLOW = (
    "{names} has no inertia and knows the place of the wheels by the drive's speed alone. The "
    "others begin with the acceleration of the ramp, {ramp} s long; what metrics tell of torque, "
    "forces and work begins a second after it, when the drive has settled."
)
_TWO_POINTS = (
    "Where the track bends up in a corner, or is hollowed more tightly than a wheel is round, a "
    "wheel touches two places at once. In quasi-static balance the force goes over from one to the "
    "other in an instant, and the torque jumps; in the engines that takes as long as the drive and "
    "the legs need."
)


@dataclass(frozen=True, eq=False)
class DriveRun(RunView):
    """A run with what was read in it."""

    read: Observables


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


def sequence(drives: DriveRuns) -> Figure:
    """Vehicles in a row on the track, about as far apart as they are long, of the longest run."""
    drive = drives.longest
    rows = places_apart(drive.read.s_f, drive.read.parameters)
    return sequence_figure(
        drive.read.track,
        outlines_of_run(drive.read, rows),
        [f"{now:.1f} s" for now in drive.read.time[rows]],
        drive.read.parameters,
        "The passage",
        note=f"From {drive.name}. The red spokes point up at the start.",
    )


def outlines_of_run(read: Observables, rows: Indices) -> list[VehicleOutline]:
    """Vehicles at some rows of a run; their spokes point up at its start."""
    pitch, rear, rear_axle, front, front_axle = read.q[2:]
    middle = read.q[0] + 1j * read.q[1]
    half = 0.5 * read.parameters.L * np.exp(1j * pitch)
    turned = rear_axle - pitch + rear, front_axle - pitch - front
    return [
        VehicleOutline(
            complex(middle[k] - half[k]),
            complex(middle[k] + half[k]),
            complex(read.rear[k]),
            complex(read.front[k]),
            *(float(turn[k] - turn[0]) for turn in turned),
        )
        for k in rows
    ]


def torque_over_path(drives: DriveRuns) -> Figure:
    """Torque of either wheel with the quasi-static one beneath it, and how far it is from that."""
    torques = [drive.read.torque for drive in drives.runs]
    longest, stepping = drives.longest, drives.stepping
    balance = longest.read.quasi_static.torque
    away = [
        np.where(drive.read.steady, drive.read.torque - drive.read.quasi_static.torque, np.nan)
        for drive in stepping
    ]

    def plot(axes: npt.NDArray[Any]) -> None:
        panels: list[Panel] = list(axes[:, 0])
        line(panels[0], longest.read.s_f, balance, label=BALANCED, zorder=1.2, **_BALANCE)
        for drive, row in zip(drives.runs, torques, strict=True):
            line(panels[0], drive.read.s_f, row, label=drive.name, **drive.style)
        panels[0].set_ylabel("torque of a\nwheel M [N m]")
        _set_limits(panels[0], [*torques, balance])
        if stepping:
            for drive, row in zip(stepping, away, strict=True):
                fine = drive.style | {"linestyle": "-", "linewidth": 0.8}  # it trembles
                line(panels[1], drive.read.s_f, row, **fine)
            panels[1].set_ylabel("less the\nquasi-static one [N m]")
            _set_limits(panels[1], [*away, np.zeros(1)])
        low, high = (float(end(longest.read.s_f)) for end in (np.nanmin, np.nanmax))
        for panel in panels:
            panel.axhline(0.0, color="black", linewidth=0.7)
            panel.set_xlim(low, max(high, low + _LEAST))
            for jump in drives.angle_jumps:
                panel.axvline(jump, zorder=0.6, **_JUMP)
        panels[-1].set_xlabel(_PLACE)
        legend_on_top(panels[0])

    note = (
        "The same on both wheels; a positive torque drives ahead. Grey: what quasi-static balance "
        f"asks for at the places and angles of {longest.name}."
    )
    if stepping:
        note += (
            " Below, each run less that at its own place and angles, once it has its speed. "
            "Impacts are cut."
        )
    if drives.angle_jumps:
        note += " Dotted and upright: a wheel touches two places, and goes over to the one ahead."
    alt = f"Torque of a wheel over the way of the front wheel, for {drives.listed}."
    shape = (2 if stepping else 1, 1)
    return draw("Torque of the wheels", alt, shape, plot, note=note, row_height=2.2)


def _set_limits(panel: Panel, lines: Sequence[Array]) -> None:
    """Limits around what is usual of lines."""
    usual = [np.nanquantile(row, _USUAL) for row in lines if np.isfinite(row).any()]
    if usual:
        low, high = float(np.min(usual)), float(np.max(usual))
        room = _ROOM * max(high - low, 1e-6)
        panel.set_ylim(low - room, high + room)


def figures(drives: DriveRuns) -> list[Figure]:
    """The passage, its free bodies and the torque over it, then the coordinates."""
    exact = any(drive.exact for drive in drives.runs)  # by the equations of these bodies
    return [
        sequence(drives),
        *(free_bodies(drives.longest.read) if exact else ()),
        torque_over_path(drives),
        *coordinate_figures(drives),
    ]


def notes(drives: DriveRuns) -> list[str]:
    """Return what a reader should know, a paragraph each."""
    read = drives.longest.read
    paragraphs = [_ASSUMED] if is_published(read.parameters) else []
    off = np.abs(
        torques_by_energy(read.parameters, read.standing).torque - read.quasi_static.torque
    )
    if np.isfinite(off).any():
        paragraphs.append(_SAME.format(off=number(float(np.nanmax(off)), 2)))
    exact = [drive.name for drive in drives.runs if drive.exact]
    if exact and drives.stepping:
        ramp = getattr(drives.context.controller, "ramp", 0.0)
        paragraphs.append(_SLOW.format(names=listed(exact), ramp=number(ramp, 3)))
    return paragraphs + ([_TWO_POINTS] if drives.angle_jumps else [])


REPORT = MachineReport(figures, notes, read=read_drives)
