"""The vehicle at some places of its way, as a run has it."""

from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.machines.ugv.observables import Observables
from footfall.machines.ugv.report.drawing import (
    VehicleOutline,
    draw_sequence,
    height_for,
    length_of,
)
from footfall.machines.ugv.report.runs import DriveRun, DriveRuns
from footfall.report.figure import Figure, draw
from footfall.report.panels import legend_on_top
from footfall.report.tables import number

_APART = 1.08  # lengths of the vehicle
_MOST, _FEW = 6, 3
_OVERLAP = 0.5  # of that: how near a pale vehicle may be
_WIDTH = 8.2  # inches, of the panel


def sequence(drives: DriveRuns) -> Figure:
    """Vehicles in a row on the track, as far apart as they are long."""
    drive, given = drives.longest, drives.parameters
    rows, faint = _places(drive, drives)
    figures, time = figures_of_run(drive.read, rows), drive.read.time[rows]

    def plot(axes: npt.NDArray[Any]) -> None:
        panel = axes[0, 0]
        draw_sequence(panel, drives.track, figures, given, faint)
        for index, (figure, now) in enumerate(zip(figures, time, strict=True)):
            if index in faint:
                continue
            top = max(figure.hip_r.imag, figure.hip_f.imag) + given.half_height
            middle = 0.5 * (figure.hip_r + figure.hip_f).real
            style: dict[str, Any] = {"ha": "center"}
            panel.annotate(f"{now:.1f} s", (middle, top), (0, 4), **style)
        panel.margins(y=0.14)
        legend_on_top(panel)

    note = (
        f"From {drive.name}. The red spokes point up at the start; wheels have a radius of "
        f"{number(given.r, 3)} m, which is assumed, as is how deep the body hangs."
    )
    if faint:
        note += " Pale: on the way between, where it would overlap with the others."
    alt = (
        f"The vehicle at {len(figures)} places of its way over the track, side view in equal axes, "
        f"with its wheels turned as far as they have rolled, in {drive.name}."
    )
    height = height_for(figures, given, _WIDTH) + 0.75
    return draw("The passage", alt, (1, 1), plot, note=note, row_height=height)


def figures_of_run(read: Observables, rows: npt.NDArray[np.intp]) -> list[VehicleOutline]:
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


def _places(drive: DriveRun, drives: DriveRuns) -> tuple[npt.NDArray[np.intp], list[int]]:
    """Rows of places in a row, the first and the last among them, and which overlap with others."""
    s = drive.read.s_f
    (first,) = figures_of_run(drive.read, np.array([0]))
    apart = _APART * length_of(first, drives.parameters)
    length = float(s[-1] - s[0])
    count = min(_MOST, 1 + int(abs(length) / apart))
    faint: list[int] = []
    if count < _FEW:  # then one between, which is pale, or the start pale behind the end
        count = 1 + min(2, int(abs(length) / (_OVERLAP * apart)))
        faint = [1] if count == _FEW else []
        if count == 1:
            count, faint = 2, [0]
    wanted = s[0] + np.linspace(0.0, length, count)
    rows = np.unique([int(np.abs(s - position).argmin()) for position in wanted])
    return rows, faint if len(rows) == count else []
