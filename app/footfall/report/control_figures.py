"""Figures of a controller that solves a programme a tick: tasks, constraints, time of ticks."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.report.curves import DOTS, Bars, Curve, Level, Plot, curves
from footfall.report.figure import Figure
from footfall.report.panels import intervals, some_of
from footfall.report.run_view import RunView, RunViews
from footfall.trajectory.control import ControlTicks, control_of

Runs = RunViews[Any]
Ticks = Mapping[str, ControlTicks]
"""Of runs by name."""

_MOST_CONSTRAINTS = 24
_ACTIVE, _CONFLICT = "#0072B2", "#D55E00"
_FIRST = 5  # ticks that warm up


def control_figures(runs: Runs) -> list[Figure]:
    """Figures of every run whose controller told of its ticks."""
    every = {run.name: control_of(run.data) for run in runs.runs}
    ticks = {name: each for name, each in every.items() if each is not None and len(each.time) > 1}
    if not ticks:
        return []
    held = [_constraints(runs, name, each) for name, each in ticks.items() if len(_shown(each))]
    return [_tasks(runs, ticks), *held, _times(runs, ticks)]


def _tasks(runs: Runs, ticks: Ticks) -> Figure:
    """Error and cost of every task, all runs."""
    first = next(iter(ticks.values()))
    plots = []
    for task, unit in zip(first.tasks, first.units, strict=True):
        own = [run for run in runs.runs if run.name in ticks and task in ticks[run.name].tasks]
        error = f"error [{unit}]" if unit else "error"
        for label, name in ((error, "error"), ("cost", "cost")):
            curve = Curve(partial(_of_task, ticks, name, task), runs=own)
            plots.append(Plot(f"{task}\n{label}", [curve]))
    note = (
        "Errors are magnitudes of what a task leads to zero; a cost is the weight of a task times "
        "the square of what is missing of it."
    )
    title = "Tasks of the controller"
    return curves(runs, title, plots, note=note, columns=2, paired=True, row_height=1.3)


def _of_task(ticks: Ticks, quantity: str, task: str, run: RunView) -> tuple[Array, Array]:
    own = ticks[run.name]
    return own.time, getattr(own, quantity)[:, own.tasks.index(task)]


def _shown(ticks: ControlTicks) -> npt.NDArray[np.int64]:
    """Constraints that held some tick or contradicted others: those that did most often."""
    often = (ticks.active > 0).sum(axis=0) + (ticks.conflict > 0.0).sum(axis=0)
    most = np.sort(np.argsort(-often, kind="stable")[:_MOST_CONSTRAINTS])
    chosen: npt.NDArray[np.int64] = most[often[most] > 0]
    return chosen


def _constraints(runs: Runs, name: str, ticks: ControlTicks) -> Figure:
    """A bar for every constraint while it holds the torques, another colour in a conflict."""
    shown = _shown(ticks).tolist()
    flags = ((ticks.active, _ACTIVE), (ticks.conflict, _CONFLICT))
    rows = [
        (ticks.constraints[k], [(intervals(ticks.time, on[:, k] > 0), own) for on, own in flags])
        for k in shown
    ]
    bars = Bars(rows, {_ACTIVE: "holds the torques", _CONFLICT: "contradicts others"})
    gave_way = int((ticks.outcome > 0).sum())
    ever = int(((ticks.active > 0).any(axis=0) | (ticks.conflict > 0.0).any(axis=0)).sum())
    note = (
        f"{some_of(len(shown), ever, 'constraints that did so most often')}A friction cone holds "
        "where an edge of its pyramid bears nothing. Something had to give way in "
        f"{gave_way} of {len(ticks.time)} ticks."
    )
    title = f"Active constraints of the controller: {name}"
    alt = f"Bars over time while constraints hold the torques of {name}."
    return curves(runs, title, [Plot("", [bars])], note=note, alt=alt, row_height=bars.height)


def _times(runs: Runs, ticks: Ticks) -> Figure:
    """Time of ticks, with median and 99th percentile."""
    own = [run for run in runs.runs if run.name in ticks]
    took = {name: 1e6 * each.took for name, each in ticks.items()}
    marks = {name: np.quantile(each[_FIRST:], [0.5, 0.99]) for name, each in took.items()}
    dots = Curve(lambda run: (ticks[run.name].time, took[run.name]), runs=own, look=DOTS)
    late: dict[str, Any] = {"linewidth": 0.9, "linestyle": (0, (4, 3))}
    levels = [Level(marks[run.name][1], look={"color": run.colour, **late}) for run in own]
    numbers = "; ".join(
        f"{name}: median {middle:.0f} µs, 99th percentile {high:.0f} µs"
        for name, (middle, high) in marks.items()
    )
    note = (
        f"Processor time without that of targets; {numbers}. Dashed: the 99th percentile; ticks "
        "beyond the axis are those of the first calls, or of a processor that did something else."
    )
    top = 1.6 * max(high for _, high in marks.values())
    plot = Plot("time of a tick [µs]", [dots, *levels], low=0.0, high=top)
    return curves(runs, "Ticks of the controller", [plot], note=note)
