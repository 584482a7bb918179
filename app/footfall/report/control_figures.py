"""Figures of a controller that solves a programme a tick: tasks, constraints, time of ticks."""

from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.report.charts.panel import TIME
from footfall.report.figure import Figure, draw
from footfall.report.panels import calm, finish_time_panels, intervals, line
from footfall.report.section import Section
from footfall.report.tables import listed
from footfall.show.colours import run_colour
from footfall.trajectory.control import ControlTicks, control_of

_MOST_TASKS, _MOST_CONSTRAINTS = 12, 24
_ACTIVE, _CONFLICT = "#0072B2", "#D55E00"
_FIRST = 5  # ticks that warm up


def control_figures(section: Section) -> list[Figure]:
    """Figures of every run whose controller told of its ticks."""
    every = {name: control_of(run.trajectory.data) for name, run in section.runs.items()}
    ticks = {name: each for name, each in every.items() if each is not None and len(each.time) > 1}
    if not ticks:
        return []
    figures = [_tasks(section, ticks)]
    figures += [_constraints(name, each) for name, each in ticks.items() if len(_shown(each))]
    return [*figures, _times(section, ticks)]


def _tasks(section: Section, ticks: dict[str, ControlTicks]) -> Figure:
    """Error and cost of every task, all runs."""
    first = next(iter(ticks.values()))
    names, units = first.tasks[:_MOST_TASKS], first.units[:_MOST_TASKS]
    order = list(section.runs)

    def plot(axes: npt.NDArray[Any]) -> None:
        for row, task, unit in zip(axes, names, units, strict=True):
            for name, each in ticks.items():
                if task not in each.tasks:
                    continue
                k = each.tasks.index(task)
                style = {"color": run_colour(order.index(name)), "label": name}
                line(row[0], each.time, each.error[:, k], **style)
                line(row[1], each.time, each.cost[:, k], **style)
            row[0].set_ylabel(f"{task}\nerror [{unit}]" if unit else f"{task}\nerror")
            row[1].set_ylabel("cost")
            for panel in row:
                calm(panel)
        finish_time_panels(axes, axes.size)

    there_are = len(first.tasks)
    some = f"The first {len(names)} of {there_are} tasks. " if len(names) < there_are else ""
    note = (
        f"{some}Errors are magnitudes of what a task leads to zero; a cost is the weight of a task "
        "times the square of what is missing of it."
    )
    alt = f"Error and cost over time of the tasks {listed(names)}, for {listed(ticks)}."
    title = "Tasks of the controller"
    return draw(title, alt, (len(names), 2), plot, note=note, row_height=1.3)


def _shown(ticks: ControlTicks) -> npt.NDArray[np.int64]:
    """Constraints that held some tick or contradicted others: those that did most often."""
    often = (ticks.active > 0).sum(axis=0) + (ticks.conflict > 0.0).sum(axis=0)
    most = np.sort(np.argsort(-often, kind="stable")[:_MOST_CONSTRAINTS])
    chosen: npt.NDArray[np.int64] = most[often[most] > 0]
    return chosen


def _constraints(name: str, ticks: ControlTicks) -> Figure:
    """A bar for every constraint while it holds the torques, another colour in a conflict."""
    shown = _shown(ticks)

    def plot(axes: npt.NDArray[Any]) -> None:
        panel = axes[0, 0]
        for level, k in enumerate(shown):
            for flags, colour in ((ticks.active, _ACTIVE), (ticks.conflict, _CONFLICT)):
                bars = intervals(ticks.time, flags[:, k] > 0)
                panel.broken_barh(bars, (level - 0.38, 0.76), facecolor=colour, linewidth=0.0)
        panel.set_yticks(range(len(shown)), [ticks.constraints[k] for k in shown])
        panel.set_ylim(len(shown) - 0.5, -0.5)
        panel.set_xlim(0.0, float(ticks.time[-1]))
        panel.grid(visible=False, axis="y")
        panel.plot([], [], color=_ACTIVE, linewidth=6.0, label="holds the torques")
        if ticks.conflict.any():
            panel.plot([], [], color=_CONFLICT, linewidth=6.0, label="contradicts others")
        panel.set_xlabel(TIME)
        panel.legend()

    gave_way = int((ticks.outcome > 0).sum())
    ever = int(((ticks.active > 0).any(axis=0) | (ticks.conflict > 0.0).any(axis=0)).sum())
    some = f"The {len(shown)} of {ever} that did so most often. " if len(shown) < ever else ""
    note = (
        f"{some}A friction cone holds where an edge of its pyramid bears nothing. Something had to "
        f"give way in {gave_way} of {len(ticks.time)} ticks."
    )
    alt = f"Bars over time while constraints hold the torques of {name}."
    return draw(
        f"Active constraints of the controller: {name}",
        alt,
        (1, 1),
        plot,
        note=note,
        row_height=0.9 + 0.24 * len(shown),
    )


def _times(section: Section, ticks: dict[str, ControlTicks]) -> Figure:
    """Time of ticks, with median and 99th percentile."""
    order = list(section.runs)
    numbers = []
    for name, each in ticks.items():
        median, late = 1e6 * np.quantile(each.took[_FIRST:], [0.5, 0.99])
        numbers.append(f"{name}: median {median:.0f} µs, 99th percentile {late:.0f} µs")

    def plot(axes: npt.NDArray[Any]) -> None:
        panel = axes[0, 0]
        top = 0.0
        for name, each in ticks.items():
            colour = run_colour(order.index(name))
            took = 1e6 * each.took
            panel.plot(each.time, took, ".", markersize=2.0, color=colour, label=name)
            late = float(np.quantile(took[_FIRST:], 0.99))
            panel.axhline(late, color=colour, linewidth=0.9, linestyle=(0, (4, 3)))
            top = max(top, 1.6 * late)
        panel.set_ylim(0.0, top)
        panel.set(xlabel=TIME, ylabel="time of a tick [µs]")
        panel.legend()

    note = (
        f"Processor time without that of targets; {'; '.join(numbers)}. Dashed: the 99th "
        "percentile; ticks beyond the axis are those of the first calls, or of a processor that "
        "did something else."
    )
    alt = f"Processor time of every tick of the controller, for {listed(ticks)}."
    return draw("Ticks of the controller", alt, (1, 1), plot, note=note)
