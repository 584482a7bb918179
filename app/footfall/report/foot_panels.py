"""Panels of feet: lines by foot for one run; for several runs a panel by foot with all runs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

from footfall.arrays import Array
from footfall.report.charts.panel import Panel
from footfall.report.figure import Figure, draw
from footfall.report.panels import finish_time_panels, line, overlay
from footfall.report.section import RunLike, Section
from footfall.report.wording import listed

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


def has_feet(run: RunLike) -> bool:
    """Return whether a run tells of feet; older ones and those of registered machines do not."""
    return bool(run.trajectory.data.sizes.get("foot", 0) > 0)


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
