"""Figures of a robot's feet: forces, gait diagram, friction utilisation, slip, clearance, steps.

Panels of feet: lines by foot for one run; for several runs a panel by foot with all runs.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

from footfall.arrays import Array
from footfall.feet.gait import WINDOW, Steps, mean_of, slip_of_steps, steps_of
from footfall.metrics import Metric, scalar
from footfall.report.charts.panel import TIME, Panel
from footfall.report.figure import Figure, draw
from footfall.report.panels import finish_time_panels, has_feet, intervals, line, overlay
from footfall.report.section import RunLike, Section
from footfall.report.tables import Table, listed, number
from footfall.show.colours import run_colour

_LEAST = 3  # touch-downs; with fewer nothing walks
_FOOT_MARKS = "osD^vP*X"  # of the feet
_WINDOW = f"{1e3 * WINDOW:g} ms"
_PANELS: tuple[tuple[str, Callable[[Steps], Array]], ...] = (
    ("impulse of a\ntouch-down [N s]", lambda steps: steps.impulse),
    ("largest force\nin it [N]", lambda steps: steps.force),
    ("speed towards\nthe ground [m/s]", lambda steps: steps.speed),
    ("slip of the\nstep [mm]", lambda steps: 1e3 * steps.slip),
)
_STEP_NOTE = (
    f"A mark is a touch-down. Impulse and force are those along the normals in the {_WINDOW} from "
    "there on, the force as a mean over a row of the run: that of rigid contact grows as time "
    "steps become shorter, its impulse does not. Slip counts up to the next touch-down of the foot."
)


def step_figures(section: Section) -> list[Figure]:
    """Touch-downs over time, in every run; nothing for a robot that makes fewer than three."""
    walks = _walks(section)
    if not walks:
        return []
    feet: list[str] = section.first.trajectory.data["foot"].values.tolist()
    alone = len(walks) == 1
    order = list(section.runs)

    def plot(axes: npt.NDArray[Any]) -> None:
        for panel, (label, values) in zip(axes.ravel(), _PANELS, strict=True):
            for name, steps in walks.items():
                for k, foot in enumerate(feet):
                    own = steps.of(k)
                    colour = foot_colour(k) if alone else run_colour(order.index(name))
                    style = {"color": colour, "markersize": 4.0, "alpha": 0.8}
                    style["label"] = foot if alone else None
                    panel.plot(own.time, values(own), _mark(k), **style)
            panel.set_ylabel(label)
        if not alone:
            for name in walks:
                colour = run_colour(order.index(name))
                axes[0, 0].plot([], [], color=colour, linewidth=4.0, label=name)
            for k, foot in enumerate(feet):
                axes[0, 0].plot([], [], _mark(k), color="black", markersize=4.0, label=foot)
        finish_time_panels(axes, axes.size)

    title = "Touch-downs and slip, step by step"
    alt = f"Impulse, force and speed of every touch-down, and slip, for {listed(walks)}."
    return [draw(title, alt, (2, 2), plot, note=_STEP_NOTE, row_height=2.2)]


def step_tables(section: Section) -> list[Table]:
    """Steps of several runs side by side, a column each; nothing for one, or where none walks."""
    walks = _walks(section)
    if len(walks) < 2:
        return []
    columns = [_column(section.runs[name], steps) for name, steps in walks.items()]
    rows = [(label, *texts) for label, *texts in zip(_ROWS, *columns, strict=True)]
    note = (
        f"Impulses are those along the normals in the {_WINDOW} from a touch-down on. The margin "
        "is the least distance of the zero-moment point to the edge of the support polygon."
    )
    return [Table("Steps side by side", ("", *walks), rows, note)]


def _mark(foot: int) -> str:
    return _FOOT_MARKS[foot % len(_FOOT_MARKS)]


_ROWS = (
    "touch-downs",
    "impulse of a touch-down, mean [N s]",
    "impulse of a touch-down, largest [N s]",
    "force of a touch-down, median of the largest [N]",
    "speed towards the ground, mean [m/s]",
    "slip of a step, largest [mm]",
    "torque or force of a joint, largest [N m or N]",
    "margin of the zero-moment point [mm]",
    "cost of transport",
)


def _column(run: RunLike, steps: Steps) -> list[str]:
    """Texts of the rows of a run."""
    slips = np.concatenate(slip_of_steps(run.trajectory.data))
    values = (
        float(steps.impulse.mean()),
        float(steps.impulse.max()),
        float(np.median(steps.force)),
        _mean(steps.speed),
        1e3 * float(slips.max()),
        _largest(run.metrics.get("peak_effort")),
        1e3 * scalar(run.metrics, "zmp_margin"),
        scalar(run.metrics, "cost_of_transport"),
    )
    return [str(len(steps)), *(number(value, 3) for value in values)]


def _mean(values: Array) -> float:
    known = values[np.isfinite(values)]
    return float(known.mean()) if len(known) else np.nan


def _largest(metric: Metric | None) -> float:
    """Largest of numbers by name; NaN without any."""
    values: Sequence[float] = list(metric.values()) if isinstance(metric, dict) else []
    return max(values, default=np.nan)


def _walks(section: Section) -> dict[str, Steps]:
    """Touch-downs of the runs that tell of feet, if one of them walks."""
    if not all(has_feet(run) for run in section.runs.values()):
        return {}
    walks = {name: steps_of(run.trajectory.data) for name, run in section.runs.items()}
    walks = {name: steps for name, steps in walks.items() if len(steps)}
    return walks if any(len(steps) >= _LEAST for steps in walks.values()) else {}


_MOST_FEET = 8
# Okabe and Ito, so that a foot keeps its colour in all figures of a page
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#444444", "#8C6D31")


@dataclass(frozen=True)
class Quantity:
    """Quantity drawn over time: a label with its unit, and values (N,) of a run's data by name.

    limit: where a line is drawn across, if anywhere. top: end of the axis, if it is cut.
    """

    label: str
    values: Callable[[xr.Dataset, str], Array]
    limit: float | None = None
    top: float | None = None


def feet_of(section: Section) -> list[str]:
    """Feet that figures show: those that bear most in all runs, in their own order."""
    names: list[str] = section.first.trajectory.data["foot"].values.tolist()
    bears = np.zeros(len(names))
    for run in section.runs.values():
        force = run.trajectory.data["foot_normal_force"].sel(foot=names)
        bears += np.nan_to_num(force.to_numpy()).sum(axis=0)
    most = np.sort(np.argsort(-bears, kind="stable")[:_MOST_FEET])
    return [names[index] for index in most]


def some_of(section: Section) -> str:
    """Say that figures leave feet out, if they do."""
    count = section.first.trajectory.data.sizes["foot"]
    return f"The {_MOST_FEET} of {count} feet that bear most. " if count > _MOST_FEET else ""


def foot_colour(index: int) -> str:
    """Colour of the foot at a place among those that are shown."""
    return _COLOURS[index % len(_COLOURS)]


def over_time(
    section: Section, title: str, names: Sequence[str], quantities: Sequence[Quantity], note: str
) -> Figure:
    """Draw quantities of feet, or of other things with names, over time."""
    alone = len(section.runs) == 1
    shape = (len(quantities), 1) if alone else (len(names), len(quantities))

    def plot(axes: npt.NDArray[Any]) -> None:
        for column, quantity in enumerate(quantities):
            if alone:
                lines_of_feet(axes[column, 0], section.first, names, quantity)
                continue
            for panel, name in zip(axes[:, column], names, strict=True):
                overlay(panel, section, lambda data: quantity.values(data, name))  # noqa: B023 (used at once)
                _finish(panel, quantity)
                panel.set_ylabel(f"{name}\n{quantity.label}")
        finish_time_panels(axes, axes.size)

    what = listed(quantity.label.replace("\n", " ") for quantity in quantities)
    alt = f"{title}, {what}, of {listed(names)} over time, for {listed(section.runs)}."
    return draw(title, alt, shape, plot, note=note, row_height=2.2 if alone else 1.8)


def lines_of_feet(panel: Panel, run: RunLike, names: Sequence[str], quantity: Quantity) -> None:
    """Draw a line of a run for every name."""
    data = run.trajectory.data
    for index, name in enumerate(names):
        values = quantity.values(data, name)
        line(panel, data["time"].to_numpy(), values, color=foot_colour(index), label=name)
    panel.set_ylabel(quantity.label)
    _finish(panel, quantity)


def _finish(panel: Panel, quantity: Quantity) -> None:
    if quantity.limit is not None:
        panel.axhline(quantity.limit, color="black", linewidth=0.9, linestyle=(0, (4, 3)))
    if quantity.top is not None:
        panel.set_ylim(-0.04 * quantity.top, quantity.top)


MEANS = f"Means over {1e3 * WINDOW:g} ms."
_STANCE = (
    f"Interruptions and stances shorter than {1e3 * WINDOW:g} ms, as of a foot that rattles while "
    "it lands, are left out."
)
_FRAME = " The centre of pressure is that of a loaded foot, in the frame of its link."
_ROW = 1.9  # inches


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
FRICTION = (
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
CLEARANCE = Quantity("clearance [mm]", _clearance, limit=0.0)


def stance_figures(section: Section, feet: list[str]) -> list[Figure]:
    """Stances, forces and centres of pressure: of one run below each other, on one time axis."""
    some = some_of(section)
    quantities = [*_FORCES, *_PRESSURES[: 1 if section.robot.contacts.dim == 2 else 2]]
    if len(section.runs) > 1:
        title, note = "Forces of the ground on the feet", some + MEANS
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
            note=f"{some}A bar is a stance. {_STANCE} {MEANS}{_FRAME}",
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


def _plot_gait(panel: Panel, section: Section, feet: list[str]) -> None:
    """Draw a row of bars for every foot in every run."""
    rows = [(foot, name) for foot in feet for name in section.runs]
    alone = len(section.runs) == 1
    order = list(section.runs)
    for level, (foot, name) in enumerate(rows):
        data = section.runs[name].trajectory.data
        stands = data["foot_contact"].sel(foot=foot).to_numpy() == 1
        bars = intervals(data["time"].to_numpy(), stands)
        colour = foot_colour(feet.index(foot)) if alone else run_colour(order.index(name))
        panel.broken_barh(bars, (level - 0.38, 0.76), facecolor=colour, linewidth=0.0)
    labels = [foot if alone else f"{foot}, {name}" for foot, name in rows]
    panel.set_yticks(range(len(rows)), labels)
    panel.set_ylim(len(rows) - 0.5, -0.5)
    end = max(float(run.trajectory.data["time"][-1]) for run in section.runs.values())
    panel.set_xlim(0.0, end)
    panel.grid(visible=False, axis="y")
