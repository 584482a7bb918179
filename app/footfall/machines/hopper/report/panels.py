"""Panels over time on which the phases of a jump are marked, and lines of several runs."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from footfall.arrays import Array
from footfall.machines.hopper.closed_form.phases import JumpPhase
from footfall.machines.hopper.report.runs import JumpRun, JumpRuns, spelt
from footfall.report.charts.looks import Entry, area_look, line_look
from footfall.report.charts.panel import TIME, Panel
from footfall.report.panels import line

PHASE_COLOURS = {
    JumpPhase.STICK: "#0072B2",
    JumpPhase.SLIP_FORWARD: "#E69F00",
    JumpPhase.SLIP_BACKWARD: "#D55E00",
    JumpPhase.FLIGHT: "#ffffff",
}
LIMIT: dict[str, Any] = {"color": "black", "linewidth": 1.0, "linestyle": (0, (5, 3))}
"""Lines at what must not be passed."""
_TRANSITION: dict[str, Any] = {"color": "#666666", "linewidth": 0.8, "linestyle": (0, (4, 3))}
_PALE = 0.10  # of a phase
_STRAY = 0.6  # of the range of the first run: so far others may reach beyond it
_FIRST = 0.45  # opacity of the first of several runs
_BEYOND = 1.015  # the time axis goes so far beyond the end of the jump


def mark_phases(panels: Sequence[Panel], jumps: JumpRuns) -> None:
    """Phases of the first run: bands whose colours the legend names, lines between them."""
    run = jumps.first
    for panel in panels:
        panel.set_xlim(0.0, _BEYOND * jumps.end)
        for time in transitions(run):
            panel.axvline(time, zorder=0.5, **_TRANSITION)
        for interval in run.jump.intervals:
            colour = PHASE_COLOURS[interval.phase]
            panel.axvspan(
                interval.start, interval.end, color=colour, alpha=_PALE, linewidth=0.0, zorder=0.1
            )
    panels[-1].set_xlabel(TIME)
    chart = panels[0].chart
    for name, phase in {spelt(one): one.phase for one in run.jump.intervals}.items():
        look = area_look(color=PHASE_COLOURS[phase], alpha=_PALE, linewidth=0.0)
        chart.legend.append(Entry(name, "area", look))


def transitions(run: JumpRun) -> list[float]:
    """Times at which one phase follows another, and the end of the jump [s]."""
    starts = [interval.start for interval in run.jump.intervals[1:]]
    return [*starts, run.jump.end] if np.isfinite(run.jump.end) else starts


def plot_quantities(
    panel: Panel,
    jumps: JumpRuns,
    quantities: Sequence[tuple[str, str, Callable[[JumpRun], Array]]],
) -> None:
    """Lines of several quantities (label, colour, values by row) in one panel, of all runs."""
    first = [values(jumps.first)[jumps.first.shown] for _, _, values in quantities]
    for _, colour, values in quantities:
        for run in jumps.runs:
            style = _style(jumps, run) | {"color": colour}
            line(panel, run.time[run.shown], values(run)[run.shown], **style)
    # a run that goes another way, tumbling, must not flatten the others
    low, high = panel.get_ylim()
    least, most = float(np.min(first)), float(np.max(first))
    room = _STRAY * max(most - least, 1e-9)
    panel.set_ylim(max(low, least - room), min(high, most + room))


def _style(jumps: JumpRuns, run: JumpRun) -> dict[str, Any]:
    """Width and dashes of a run; the first, under the others in the same colour, is paler."""
    pale = {"alpha": _FIRST} if run is jumps.first and len(jumps.runs) > 1 else {}
    return run.style | pale


def legend_of(
    panel: Panel, jumps: JumpRuns, quantities: Sequence[tuple[str, str]], *more: Entry
) -> None:
    """Legend on top of a figure: colours of quantities, and dashes of runs if there are some.

    more: what else there is to tell.
    """
    entries = [Entry(label, "line", line_look(color=colour)) for label, colour in quantities]
    entries += more
    if len(jumps.runs) > 1:
        for run in jumps.runs:
            style = _style(jumps, run) | {"color": "#333333"} if quantities else run.style
            entries.append(Entry(run.name, "line", line_look(**style)))
    panel.chart.legend += entries
