"""The keeper over time: its place, speed and acceleration between their bounds, and its lag."""

from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array, Flags
from footfall.machines.goalkeeper.report.runs import KeeperRun, KeeperRuns
from footfall.registry.dashed import MAGENTA
from footfall.registry.machine import CLOSED_FORM
from footfall.report.charts.panel import TIME, Panel
from footfall.report.figure import Figure, draw
from footfall.report.panels import legend_on_top, line
from footfall.report.tables import number

BOUND: dict[str, Any] = {"color": "black", "linewidth": 1.0, "linestyle": (0, (5, 3))}
"""Lines at what the keeper does not exceed."""
WANTED: dict[str, Any] = {"color": MAGENTA, "linewidth": 3.4, "alpha": 0.35}
_BISECTOR: dict[str, Any] = {"color": MAGENTA, "linewidth": 1.0, "linestyle": (0, (1, 1.5))}
_SHADED: dict[str, Any] = {"color": MAGENTA, "alpha": 0.12, "linewidth": 0.0, "zorder": 0.1}
_COLUMNS = 5  # of the legend
_ROOM = 1.15  # axes go so far beyond a bound
_MOST = 12.0  # bounds: what a keeper without any takes is cut there


def keeper_over_time(runs: KeeperRuns) -> Figure:
    """Place, speed, acceleration and lag of the keeper in every run."""
    law = runs.law

    def plot(axes: npt.NDArray[Any]) -> None:
        position, speed, acceleration, lag = axes[:, 0]
        _places(position, runs)
        _speeds(speed, runs)
        for run in runs.runs:
            line(acceleration, *run.acceleration, **run.style)
            line(lag, run.time, run.lag, **run.style)
        if runs.bounded:
            _bound(speed, law.max_speed)
            _bound(acceleration, law.max_acceleration)
        lag.axhline(0.0, color="black", linewidth=0.7)
        acceleration.set_ylabel("acceleration\n[m/s²]")
        lag.set_ylabel("keeper less\ntarget [m]")
        for panel in axes[:, 0]:
            _shade(panel, runs.first)
        lag.set_xlabel(TIME)
        legend_on_top(position)

    alt = (
        "The keeper over time: the bisector's place and its saturated target, the place of the "
        f"keeper in {runs.listed} between the bounds of ±{number(law.reach, 3)} m, "
        "its speed and acceleration with their bounds, and how far it is from its target."
    )
    return draw("The keeper over time", alt, (4, 1), plot, note=_note(runs), row_height=1.75)


def _places(panel: Panel, runs: KeeperRuns) -> None:
    """Bisector, target and keepers, between the bounds of the place."""
    first, law = runs.first, runs.law
    line(panel, first.time, first.target[0], label="target", **WANTED)
    line(panel, first.time, first.bisector, label="bisector OP", **_BISECTOR)
    for run in runs.runs:
        label = f"keeper, {run.name}"
        line(panel, run.time, run.observed.keeper, label=label, **run.style)
    for sign in (1.0, -1.0):
        text = f"±{number(law.reach, 3)} m" if sign > 0.0 else None
        panel.axhline(sign * law.reach, label=text, **BOUND)
    half = 0.5 * law.goal_width
    panel.set(ylim=(-half, half), yticks=[-law.reach, 0.0, law.reach], ylabel="x [m]")
    if first.saturated.any():
        panel.axvspan(np.nan, np.nan, label="saturated", **_SHADED)


def _speeds(panel: Panel, runs: KeeperRuns) -> None:
    """Speeds of the target and of the keepers."""
    first = runs.first
    moved = first.moving
    line(panel, first.time[moved], first.target[1][moved], **WANTED)
    for run in runs.runs:
        moved = run.moving
        line(panel, run.time[moved], run.observed.keeper_speed[moved], **run.style)
    panel.set_ylabel("speed [m/s]")


def _bound(panel: Panel, most: float) -> None:
    """Lines at a bound, and axes that show them and not much more than a few times that."""
    for sign in (1.0, -1.0):
        panel.axhline(sign * most, **BOUND)
    low, high = panel.get_ylim()
    panel.set_ylim(
        max(min(low, -_ROOM * most), -_MOST * most), min(max(high, _ROOM * most), _MOST * most)
    )


def _shade(panel: Panel, run: KeeperRun) -> None:
    """Shade the times in which the bisector is beyond the keeper's reach."""
    for start, end in spans(run.time, run.saturated):
        panel.axvspan(start, end, **_SHADED)
    panel.set_xlim(run.time[0], run.time[-1])


def spans(time: Array, on: Flags) -> list[tuple[float, float]]:
    """Times of the first and last row of every stretch of rows in which something is on."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], on, [False])).astype(np.int8)))
    pairs = zip(edges[::2], edges[1::2] - 1, strict=True)
    return [(float(time[first]), float(time[last])) for first, last in pairs]


def _note(runs: KeeperRuns) -> str:
    law = runs.law
    text = f"Dashed: where the keeper stops, ±{number(law.reach, 3)} m"
    if runs.bounded:
        text += (
            f", and its bounds of speed and acceleration, ±{number(law.max_speed, 3)} m/s and "
            f"±{number(law.max_acceleration, 3)} m/s²"
        )
    text += ". Magenta in the second panel: speed of the target."
    if CLOSED_FORM in runs.names:
        text += (
            " The keeper of the listing (closed-form) is at its target at once; what that takes is "
            f"cut at {_MOST:g} times the bounds."
        )
    return text
