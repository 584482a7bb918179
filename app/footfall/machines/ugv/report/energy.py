"""Balance of the work of the vehicle's motors."""

from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.machines.ugv.report.runs import DriveRun, DriveRuns, draw_runs, finish_panels
from footfall.report.figure import Figure, draw
from footfall.report.panels import grid_shape, legend_on_top
from footfall.report.tables import Table, number
from footfall.trajectory.measures import driving_work

_NONE = 1e-9  # J


def work_over_path(drives: DriveRuns) -> Figure:
    """Work of wheels and legs, energy of the vehicle, and what is left of the account."""
    parts = [
        ("work of the\nwheels [J]", [_since(drive.read.works[:2]) for drive in drives.runs]),
        ("work of the\nlegs [J]", [_since(drive.read.works[2:]) for drive in drives.runs]),
        ("potential energy\nsince the start [J]", [_lifted(drive) for drive in drives.runs]),
        ("kinetic\nenergy [J]", [_kinetic(drive) for drive in drives.runs]),
        ("taken by the\nground [J]", [_taken(drive) for drive in drives.runs]),
        ("work less energy\nand what is taken [J]", [left_over(drive) for drive in drives.runs]),
    ]
    # what is none in all runs has nothing to show; the first always is there
    parts = parts[:1] + [part for part in parts[1:] if max(np.ptp(row) for row in part[1]) > _NONE]
    shape = grid_shape(len(parts))

    def plot(axes: npt.NDArray[Any]) -> None:
        for panel, (label, rows) in zip(axes.ravel(), parts, strict=False):
            draw_runs(panel, drives, rows)
            panel.set_ylabel(label)
            panel.margins(y=0.08)
        for panel in axes.ravel()[len(parts) :]:
            panel.set_visible(False)
        shown = list(axes.ravel()[: len(parts)])
        finish_panels(shown, drives, shown[-shape[1] :])
        legend_on_top(axes[0, 0])

    note = (
        "What is none is left out. Torque of the motors times the angles that they turn against "
        "the legs, and of the legs' actuators times theirs. In quasi-static balance nothing has "
        "kinetic energy. What is left over is the error of the time steps, and in Drake's engine "
        "what its yielding ground stores and takes."
    )
    alt = (
        "Work of wheels and legs, potential and kinetic energy and what is left over, over the "
        f"way, for {drives.listed}."
    )
    return draw("Work and energy", alt, shape, plot, note=note, row_height=1.8)


def energy_table(drives: DriveRuns) -> Table:
    """The account at the end of every run."""
    rows = []
    for drive in drives.runs:
        works = drive.read.works
        ends = (_since(works[:2]), _since(works[2:]), _lifted(drive), _kinetic(drive))
        values = [float(column[-1]) for column in ends]
        supplied = float(np.maximum(works, 0.0).sum())
        left = (float(_taken(drive)[-1]), float(left_over(drive)[-1]))
        rows.append(
            (
                drive.name,
                *(number(value, 5) for value in (*values, supplied)),
                *(number(v, 3) for v in left),
            )
        )
    headings = (
        "run",
        "work of the wheels [J]",
        "work of the legs [J]",
        "potential energy gained [J]",
        "kinetic energy [J]",
        "given while driving [J]",
        "taken by the ground [J]",
        "left over [J]",
    )
    note = (
        "Of the whole run. Works count what wheels and legs brake; what is given while driving "
        "does not, as if nothing of it were taken back."
    )
    return Table("Account of work", headings, rows, note)


def left_over(drive: DriveRun) -> Array:
    """Work of all motors and of pushes less what the vehicle has and the ground took [J]."""
    work = driving_work(drive.trajectory.data)
    return np.asarray(work - work[0] - _lifted(drive) - _gained(drive) - _taken(drive))


def _since(works: Array) -> Array:
    return np.asarray(np.cumsum(works.sum(axis=0)))


def _lifted(drive: DriveRun) -> Array:
    height = drive.trajectory.data["potential_energy"].to_numpy()
    return np.asarray(height - height[0])


def _kinetic(drive: DriveRun) -> Array:
    return np.asarray(drive.trajectory.data["kinetic_energy"].to_numpy())


def _gained(drive: DriveRun) -> Array:
    kinetic = _kinetic(drive)
    return np.asarray(kinetic - kinetic[0])


def _taken(drive: DriveRun) -> Array:
    return np.asarray(-drive.trajectory.data["contact_work"].to_numpy())
