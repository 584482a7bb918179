"""The page of a search for the longest jump: how it went, the torque it found, what d hangs on.

What an analysis leaves out, its page leaves out.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

from footfall.machines.hopper.report.jump_spin import SPIN_NOTE, spin_figures, spin_tables
from footfall.machines.hopper.report.margins import LIMITS
from footfall.metrics import Metric
from footfall.report.contents import Contents, Table
from footfall.report.figure import Figure, draw
from footfall.report.panels import TIME, legend_on_top, run_style
from footfall.report.wording import listed, number

_PALE: dict[str, Any] = {"linewidth": 0.9, "alpha": 0.7, "drawstyle": "steps-post"}
_OVER = {
    "mu": ("distance_mu", "friction µ [1]"),
    "mass": ("distance_mass", "mass of a link [kg]"),
    "torque_scale": ("distance_torque", "torque over the design's [1]"),
}
_DIGITS = 4
_SIDE = 0.05  # of what was tried, left and right of it


def jump_contents(data: xr.Dataset, _metrics: Mapping[str, Metric]) -> Contents:
    """Figures and tables of a JumpSearch, or of a JumpTranscription, which has fewer."""
    figures, tables, notes = [], [], []
    if "best_distance" in data:
        figures.append(_history(data))
    if "torque" in data:
        figures.append(_torques(data))
    if any(variable in data for variable, _ in _OVER.values()):
        figures.append(_sensitivity(data))
        notes.append(
            "A torque that is played over time knows nothing of what the machine does: where a "
            "line ends, the same torque on a slightly other machine is no valid jump any more."
        )
    tables += [table(data) for variable, table in _TABLES.items() if variable in data]
    if "spin_distance" in data:
        figures += spin_figures(data)
        tables += spin_tables(data)
        notes.append(SPIN_NOTE)
    if data.attrs.get("class"):
        notes.insert(0, f"Searched were {data.attrs['class']}.")
    if data.attrs.get("stops"):
        notes.append(f"{data.attrs['stops']}.")
    return Contents(figures, tables, notes)


def _history(data: xr.Dataset) -> Figure:
    """The longest jump so far of every search over the jumps that it has tried."""
    tried = data["evaluations"].transpose("search", "generation").to_numpy()
    best = data["best_distance"].transpose("search", "generation").to_numpy()
    last = np.array([row[np.isfinite(row)][-1] if np.isfinite(row).any() else -1.0 for row in best])

    def plot(axes: npt.NDArray[Any]) -> None:
        panel = axes[0, 0]
        winner = int(np.argmax(last))
        for index, (count, distance) in enumerate(zip(tried, best, strict=True)):
            style = {"color": "#999999"} | _PALE
            if index == winner:
                name = str(data["search"].values[winner])
                style |= {"color": "#D55E00", "linewidth": 1.8, "alpha": 1.0, "zorder": 3.0}
                style["label"] = f"the one that came farthest: {name}"
            panel.plot(count, distance, **style)
        panel.set(xlabel="jumps tried [1]", ylabel="longest valid jump so far [m]")
        panel.set_ylim(bottom=min(0.0, float(np.nanmin(best, initial=0.0))))
        legend_on_top(panel)

    alt = (
        f"Longest valid jump so far over the number of jumps tried, for {len(best)} searches from "
        "different beginnings."
    )
    note = "A line begins where a search has found its first valid jump."
    return draw("How the searches went", alt, (1, 1), plot, note=note, row_height=2.9)


def _torques(data: xr.Dataset) -> Figure:
    """Torque, angles and height of P of every design over time."""
    designs = [str(name) for name in data["design"].values]
    panels = {
        "torque": ("torque [N m]", 1.0),
        "theta1": ("theta1 [deg]", np.degrees(1.0)),
        "theta2": ("theta2 [deg]", np.degrees(1.0)),
        "y": ("height of P [m]", 1.0),
    }
    known = {name: row for name, row in panels.items() if name in data}

    def plot(axes: npt.NDArray[Any]) -> None:
        for panel, (name, (label, factor)) in zip(axes[:, 0], known.items(), strict=True):
            for index, design in enumerate(designs):
                time, values = (data[one].sel(design=design) for one in ("design_time", name))
                panel.plot(time, factor * values, label=design, **run_style(index))
            panel.set_ylabel(label)
        axes[-1, 0].set_xlabel(TIME)
        legend_on_top(axes[0, 0])

    alt = f"Torque, angles and height of P over time for the jumps {listed(designs)}."
    return draw("The jumps", alt, (len(known), 1), plot, row_height=1.7)


def _sensitivity(data: xr.Dataset) -> Figure:
    """Distance over friction, mass and torque with the torque of each design."""
    designs = [str(name) for name in data["design"].values]
    known = {name: row for name, row in _OVER.items() if row[0] in data}

    def plot(axes: npt.NDArray[Any]) -> None:
        for panel, (name, (variable, label)) in zip(axes[0], known.items(), strict=True):
            for index, design in enumerate(designs):
                distance = data[variable].sel(design=design)
                panel.plot(data[name], distance, marker=".", label=design, **run_style(index))
            # its own value is in the middle of those that were tried
            panel.axvline(
                float(data[name].median()), color="#444444", linewidth=0.9, linestyle=(0, (1, 1.5))
            )
            tried = data[name].to_numpy()
            room = _SIDE * np.ptp(tried)
            panel.set(xlabel=label, ylim=(0.0, None))
            panel.set_xlim(tried.min() - room, tried.max() + room)  # also where nothing is valid
        axes[0, 0].set_ylabel("d [m]")
        legend_on_top(axes[0, 0])

    alt = (
        f"Jump distance over {listed(label for _, label in known.values())} of the machine, with "
        f"the torques of {listed(designs)}."
    )
    note = "Dotted: the scenario's machine. Where there is no dot the jump is not valid."
    title = "What the distance hangs on"
    shape = (1, len(known))
    return draw(title, alt, shape, plot, note=note, row_height=2.8, share_x=False)


def _slopes(data: xr.Dataset) -> Table:
    """Growth of d with small changes of the machine."""
    designs = [str(name) for name in data["design"].values]
    rows = []
    for parameter in data["parameter"].values:
        slopes = [
            float(data["sensitivity"].sel(design=design, parameter=parameter)) for design in designs
        ]
        if np.isfinite(slopes).any():
            rows.append((str(parameter), *(number(10.0 * slope, _DIGITS) for slope in slopes)))
    note = "Millimetres of d for one per cent more, the torque over time being the same."
    return Table("What d grows by", ("parameter", *designs), rows, note)


def _borne(data: xr.Dataset) -> Table:
    """By how much the machine may differ."""
    designs = [str(name) for name in data["design"].values]
    rows = [
        (
            str(parameter),
            *(f"{float(data['borne'].sel(design=d, parameter=parameter)):.0e}" for d in designs),
        )
        for parameter in data["parameter"].values
    ]
    note = (
        "Largest difference in proportion, either way, with which the same torque over time still "
        "makes a jump, whatever its margins are; of 1e-11, 2e-11, 5e-11 and so on to 0.1."
    )
    return Table("What the jumps bear", ("parameter", *designs), rows, note)


def _corners(data: xr.Dataset) -> Table:
    """Distances of machines with other friction and masses."""
    designs = [str(name) for name in data["design"].values]
    kinds = ("corner_mu", "corner_mass", "corner_torque")
    parts = [name for name in kinds if name in data and np.ptp(data[name].to_numpy()) > 0.0]
    rows = []
    for corner in range(data.sizes["corner"]):
        one = data.isel(corner=corner)
        machine = [number(float(one[part]), _DIGITS) for part in parts]
        jumps = [float(one["corner_distance"].sel(design=design)) for design in designs]
        rows.append((*machine, *(number(d, _DIGITS) if np.isfinite(d) else "none" for d in jumps)))
    words = {"corner_mu": "µ", "corner_mass": "mass [kg]", "corner_torque": "torque scale"}
    headings = (*(words[part] for part in parts), *(f"d, {design} [m]" for design in designs))
    note = "none: the jump is not valid there."
    return Table("With other friction and masses", headings, rows, note)


def _margins(data: xr.Dataset) -> Table:
    """Margins of the limits."""
    designs = [str(name) for name in data["design"].values]
    rows = []
    for name in (str(name) for name in data["margin"].values):
        limit = LIMITS.get(name)
        row, unit, in_si = (limit.name, limit.unit, limit.in_si) if limit else (name, "SI", 1.0)
        left = [float(data["smallest_margin"].sel(design=d, margin=name)) for d in designs]
        rows.append((row, *(number(round(value / in_si, 9), _DIGITS) for value in left), unit))
    return Table("What is left of the limits", ("limit", *designs, "unit"), rows)


_TABLES = {
    "sensitivity": _slopes,
    "borne": _borne,
    "corner_distance": _corners,
    "smallest_margin": _margins,
}
"""By the variable that each needs."""
