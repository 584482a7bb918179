"""Figures of a robot's feet: forces, gait diagram, friction utilisation, slip, clearance."""

from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr
from matplotlib.axes import Axes

from footfall.arrays import Array
from footfall.feet.gait import WINDOW, mean_of
from footfall.report.balance_figures import balance_figures
from footfall.report.contact_figures import intervals
from footfall.report.figure import Figure, draw
from footfall.report.foot_panels import (
    Quantity,
    feet_of,
    foot_colour,
    has_feet,
    lines_of_feet,
    over_time,
    some_of,
)
from footfall.report.load_figures import balance_over_time, cones, joint_powers
from footfall.report.panels import TIME, finish_time_panels
from footfall.report.section import Section
from footfall.report.step_figures import step_figures
from footfall.report.wording import listed
from footfall.show.colours import run_colour

_MEANS = f"Means over {1e3 * WINDOW:g} ms."
_STANCE = (
    f"Interruptions and stances shorter than {1e3 * WINDOW:g} ms, as of a foot that rattles while "
    "it lands, are left out."
)
_FRAME = " The centre of pressure is that of a loaded foot, in the frame of its link."
_ROW = 1.9  # inches


def foot_figures(section: Section) -> list[Figure]:
    """Figures of feet and balance; nothing unless every run tells of feet, and one bears a load."""
    if not all(has_feet(run) for run in section.runs.values()):
        return []
    feet = feet_of(section)
    some = some_of(section)
    clearance = over_time(section, "Clearance of the feet", feet, [_CLEARANCE], some)
    if not any(_bears(run.trajectory.data) for run in section.runs.values()):
        return [clearance]
    return [
        *_feet(section, feet),
        cones(section, feet),
        *step_figures(section),
        over_time(
            section,
            "Friction utilisation and slip",
            feet,
            _FRICTION,
            f"{some}Utilisation is friction over mu times normal force, while a foot bears a load: "
            f"at 1 it slides. {_MEANS} Slip is the distance slid under load since the start.",
        ),
        clearance,
        *balance_figures(section),
        balance_over_time(section),
        *joint_powers(section),
    ]


def _bears(data: xr.Dataset) -> bool:
    return bool((data["foot_normal_force"].to_numpy() > 0.0).any())


def _normal(data: xr.Dataset, foot: str) -> Array:
    return mean_of(data, data["foot_normal_force"].sel(foot=foot).to_numpy())


def _friction(data: xr.Dataset, foot: str) -> Array:
    """Magnitude of the force across the normals of the contacts."""
    square = (data["foot_force"].sel(foot=foot).to_numpy() ** 2).sum(axis=1)
    normal = data["foot_normal_force"].sel(foot=foot).to_numpy()
    return mean_of(data, np.sqrt(np.maximum(square - normal**2, 0.0)))


def _use(data: xr.Dataset, foot: str) -> Array:
    use = mean_of(data, data["foot_friction_utilisation"].sel(foot=foot).to_numpy())
    use[data["foot_contact"].sel(foot=foot).to_numpy() == 0] = np.nan
    return use


def _slip(data: xr.Dataset, foot: str) -> Array:
    slip: Array = 1e3 * data["foot_slip"].sel(foot=foot).to_numpy()
    return slip


def _clearance(data: xr.Dataset, foot: str) -> Array:
    clearance: Array = 1e3 * data["foot_clearance"].sel(foot=foot).to_numpy()
    return clearance


def _pressure(data: xr.Dataset, foot: str, axis: int) -> Array:
    """Centre of pressure of a loaded foot along an axis of its link's frame [mm]."""
    values = data["foot_centre_of_pressure_link"].sel(foot=foot).to_numpy()[:, axis]
    pressure = mean_of(data, 1e3 * values)
    pressure[data["foot_contact"].sel(foot=foot).to_numpy() == 0] = np.nan
    return pressure


_FORCES = (Quantity("normal [N]", _normal), Quantity("friction [N]", _friction))
_FRICTION = (
    Quantity("utilisation [1]", _use, limit=1.0, top=1.2),
    Quantity("slip [mm]", _slip),
)
_PRESSURES = (
    Quantity(
        "centre of pressure,\nx of the link [mm]", lambda data, foot: _pressure(data, foot, 0)
    ),
    Quantity(
        "centre of pressure,\ny of the link [mm]", lambda data, foot: _pressure(data, foot, 1)
    ),
)
_CLEARANCE = Quantity("clearance [mm]", _clearance, limit=0.0)


def _feet(section: Section, feet: list[str]) -> list[Figure]:
    """Stances, forces and centres of pressure: of one run below each other, on one time axis."""
    some = some_of(section)
    quantities = [*_FORCES, *_PRESSURES[: 1 if section.robot.contacts.dim == 2 else 2]]
    if len(section.runs) > 1:
        title, note = "Forces of the ground on the feet", some + _MEANS
        pressure = over_time(section, "Centre of pressure", feet, quantities[2:], note + _FRAME)
        return [_gait(section, feet), over_time(section, title, feet, _FORCES, note), pressure]
    gait = _gait_height(len(feet))

    def plot(axes: npt.NDArray[Any]) -> None:
        _plot_gait(axes[0, 0], section, feet)
        for panel, quantity in zip(axes[1:, 0], quantities, strict=True):
            lines_of_feet(panel, section.first, feet, quantity)
        finish_time_panels(axes, axes.size, legend=axes[1, 0])

    what = listed(quantity.label for quantity in quantities)
    alt = f"Over time the stances of {listed(feet)} as bars, {what}, for {listed(section.runs)}."
    heights = (gait, *[_ROW] * len(quantities))
    return [
        draw(
            "Feet: stance, force, centre of pressure",
            alt,
            (len(heights), 1),
            plot,
            note=f"{some}A bar is a stance. {_STANCE} {_MEANS}{_FRAME}",
            heights=heights,
        )
    ]


def _gait_height(rows: int) -> float:
    return 0.7 + 0.28 * rows  # inches


def _gait(section: Section, feet: list[str]) -> Figure:
    """Gait diagram: a bar for every stance of a foot."""

    def plot(axes: npt.NDArray[Any]) -> None:
        _plot_gait(axes[0, 0], section, feet)
        axes[0, 0].set_xlabel(TIME)

    alt = f"Bars over time while {listed(feet)} are in contact, in {listed(section.runs)}."
    note = f"{some_of(section)}A bar is a stance. {_STANCE}"
    height = _gait_height(len(feet) * len(section.runs))
    return draw("Gait diagram", alt, (1, 1), plot, note=note, row_height=height)


def _plot_gait(panel: Axes, section: Section, feet: list[str]) -> None:
    """Draw a row of bars for every foot in every run."""
    rows = [(foot, name) for foot in feet for name in section.runs]
    alone = len(section.runs) == 1
    order = list(section.runs)
    for level, (foot, name) in enumerate(rows):
        data = section.runs[name].trajectory.data
        stands = data["foot_contact"].sel(foot=foot).to_numpy() == 1
        bars = intervals(data["time"].to_numpy(), stands)
        colour = foot_colour(feet.index(foot)) if alone else run_colour(order.index(name))
        panel.broken_barh(bars, (level - 0.38, 0.76), facecolors=colour, linewidth=0.0)
    labels = [foot if alone else f"{foot}, {name}" for foot, name in rows]
    panel.set_yticks(range(len(rows)), labels)
    panel.set_ylim(len(rows) - 0.5, -0.5)
    end = max(float(run.trajectory.data["time"][-1]) for run in section.runs.values())
    panel.set_xlim(0.0, end)
    panel.grid(visible=False, axis="y")
