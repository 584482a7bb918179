"""The torque of the vehicle's wheels over its way, and what the ground gives them."""

from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.machines.ugv.analyses.traversal_task import friction_of
from footfall.machines.ugv.observables import SPAN
from footfall.machines.ugv.report.runs import (
    BALANCED,
    LIMIT,
    DriveRun,
    DriveRuns,
    draw_balance,
    draw_runs,
    finish_panels,
    marked,
    set_limits,
)
from footfall.report.figure import Figure, draw
from footfall.report.panels import legend_on_top, line
from footfall.report.tables import number


def torque_over_path(drives: DriveRuns) -> Figure:
    """Torque of either wheel with the quasi-static one beneath it, and how far it is from that."""
    torques = [drive.read.torque for drive in drives.runs]
    balance = drives.longest.read.quasi_static.torque
    stepping = drives.stepping
    away = [_away(drive) for drive in stepping]

    def plot(axes: npt.NDArray[Any]) -> None:
        panels = list(axes[:, 0])
        draw_balance(panels[0], drives, balance)
        draw_runs(panels[0], drives, torques)
        panels[0].set_ylabel("torque of a\nwheel M [N m]")
        set_limits(panels[0], [*torques, balance])
        if stepping:
            for drive, row in zip(stepping, away, strict=True):
                fine = drive.style | {"linestyle": "-", "linewidth": 0.8}  # it trembles
                line(panels[1], drive.read.s_f, row, **fine)
            panels[1].set_ylabel("less the\nquasi-static one [N m]")
            set_limits(panels[1], away, [0.0])
        for panel in panels:
            panel.axhline(0.0, color="black", linewidth=0.7)
        finish_panels(panels, drives, panels[-1:])
        legend_on_top(panels[0])

    note = (
        "The same on both wheels; a positive torque drives ahead. Grey: what quasi-static balance "
        f"asks for at the places and angles of {drives.longest.name}. "
    )
    if stepping:
        note += (
            "Below, each run less that at its own place and angles, once it has its speed. Impacts "
            "are cut. "
        )
    note += marked(drives)
    alt = f"Torque of a wheel over the way of the front wheel, for {drives.listed}."
    shape = (2 if stepping else 1, 1)
    return draw("Torque of the wheels", alt, shape, plot, note=note.strip(), row_height=2.2)


def _away(drive: DriveRun) -> Array:
    """Torque less that of balance [N m]; NaN where the drive has not its speed yet."""
    read = drive.read
    return np.where(read.steady, read.torque - read.quasi_static.torque, np.nan)


def ground_forces(drives: DriveRuns) -> Figure:
    """Normal forces of both wheels, and the friction that they use."""
    balance = drives.longest.read.quasi_static
    friction = friction_of(drives.context.contacts)
    with np.errstate(divide="ignore", invalid="ignore"):
        columns = [
            (name, k, normal, np.abs(balance.friction) / np.where(normal > 0.0, normal, np.nan))
            for k, (name, normal) in enumerate(
                (("rear", balance.normal_r), ("front", balance.normal_f))
            )
        ]

    def plot(axes: npt.NDArray[Any]) -> None:
        for name, k, normal, needed in columns:
            upper, lower = axes[:, k]
            normals = [drive.read.normal[k] for drive in drives.runs]
            used = [drive.read.needed[k] for drive in drives.runs]
            draw_balance(upper, drives, normal)
            draw_runs(upper, drives, normals)
            draw_balance(lower, drives, needed)
            draw_runs(lower, drives, used)
            set_limits(upper, [*normals, normal], [0.0])
            most = np.nanmax([0.0, *(np.nanmax(row, initial=0.0) for row in (*used, needed))])
            set_limits(lower, [*used, needed], [0.0])
            if most > 0.5 * friction:  # else it would flatten the lines
                lower.axhline(friction, **LIMIT)
            upper.set_ylabel(f"{name} wheel:\nnormal force [N]")
            lower.set_ylabel(f"{name} wheel:\nfriction used [1]")
        finish_panels(list(axes.ravel()), drives, list(axes[-1]))
        legend_on_top(axes[0, 0])

    note = (
        f"Friction used: force along over force across the track, of at most {number(friction, 3)} "
        f"that there is. Of engines with time steps both are means over {1e3 * SPAN:g} ms; of a "
        f"wheel that bears less than a tenth of the weight the friction is not told. Grey: "
        f"{BALANCED}. {marked(drives)}"
    )
    alt = (
        "Normal force and ratio of the ground's forces at the rear and the front wheel over the "
        f"way, for {drives.listed}."
    )
    return draw("Forces of the ground", alt, (2, 2), plot, note=note.strip(), row_height=2.1)


def legs_over_path(drives: DriveRuns) -> Figure:
    """Angles of both legs and the torques of their actuators."""
    balance = drives.longest.read.quasi_static
    columns = (("rear", 0, balance.leg_r), ("front", 1, balance.leg_f))

    def plot(axes: npt.NDArray[Any]) -> None:
        for name, k, torque in columns:
            upper, lower = axes[:, k]
            angles = [np.degrees(drive.read.angles[k]) for drive in drives.runs]
            torques = [drive.read.legs[k] for drive in drives.runs]
            draw_runs(upper, drives, angles)
            draw_balance(lower, drives, torque)
            draw_runs(lower, drives, torques)
            middle = float(np.nanmedian(angles[0]))
            set_limits(upper, angles, [middle - 1.0, middle + 1.0])
            set_limits(lower, [*torques, torque])
            upper.set_ylabel(f"{name} leg:\nangle φ [deg]")
            lower.set_ylabel(f"{name} leg:\ntorque τ [N m]")
        finish_panels(list(axes.ravel()), drives, list(axes[-1]))
        legend_on_top(axes[1, 0])

    note = (
        "Angles between a leg and the body: 90 degrees stand down from it, 180 are in line with "
        "it. A positive torque opens its angle; where the angle goes along it works. Grey: "
        f"{BALANCED}. {marked(drives)}"
    )
    alt = f"Angles and torques of both legs over the way, for {drives.listed}."
    return draw("Legs", alt, (2, 2), plot, note=note.strip(), row_height=2.0)
