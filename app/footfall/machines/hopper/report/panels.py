"""Panels over time on which the phases of a jump are marked, and lines of several runs."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from footfall.arrays import Array
from footfall.machines.hopper.closed_form.phases import JumpPhase
from footfall.machines.hopper.report.runs import JumpRun, JumpRuns, spelt
from footfall.report.panels import TIME, line

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
_COLUMNS = 7  # that a legend has at most
_LETTER = 0.072  # inches that a letter of a label takes
_GAP = 0.08  # inches between two labels
_TIGHT = 1.4  # of its phase: a label that is wider than this has no room there
_LOWEST, _RAISED = 3.0, 23.0  # points: how high the two rows of labels are
_BEND, _LINE = 12.0, 20.0  # points: where a line to a raised label bends, and where it ends
_BEYOND = 1.015  # the time axis goes so far beyond the end of the jump


def mark_phases(panels: Sequence[Axes], jumps: JumpRuns) -> None:
    """Phases of the first run: their names above the first panel, lines between them in all."""
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
    _label_phases(panels[0], run)


def transitions(run: JumpRun) -> list[float]:
    """Times at which one phase follows another, and the end of the jump [s]."""
    starts = [interval.start for interval in run.jump.intervals[1:]]
    return [*starts, run.jump.end] if np.isfinite(run.jump.end) else starts


def _label_phases(panel: Axes, run: JumpRun) -> None:
    """Names above a panel; those that have no room in their phase stand a row higher."""
    low, high = panel.get_xlim()
    figure = panel.get_figure()
    wide = figure.get_size_inches()[0] if isinstance(figure, Figure) else 1.0
    per_inch = (high - low) / (panel.get_position().width * wide)
    names = [(spelt(i), 0.5 * (i.start + i.end), i.end - i.start) for i in run.jump.intervals]
    if run.jump.lands:
        names.append((f"{run.jump.lands} lands", run.jump.end, 0.0))
    raised: list[tuple[str, float, float]] = []
    for text, time, room in names:
        width = _LETTER * len(text) * per_inch
        if width <= _TIGHT * room:
            _label(panel, text, time, time, raised=False)
        else:
            raised.append((text, time, width + _GAP * per_inch))
    for (text, time, _), at in zip(raised, _side_by_side(raised), strict=True):
        _label(panel, text, time, at, raised=True)


def _label(panel: Axes, text: str, time: float, at: float, *, raised: bool) -> None:
    """A name above a panel at a time; a raised one has a line down to the place of its phase."""
    across = panel.get_xaxis_transform()
    style: dict[str, Any] = {"textcoords": "offset points", "ha": "center", "va": "bottom"}
    up = _RAISED if raised else _LOWEST
    panel.annotate(
        text, (at, 1.0), (0.0, up), xycoords=across, fontsize=9.0, annotation_clip=False, **style
    )
    if raised:
        up = 1.0 + _LINE * _per_point(panel)
        bend = 1.0 + _BEND * _per_point(panel)
        thin: dict[str, Any] = {"color": "#888888", "linewidth": 0.6, "clip_on": False}
        panel.add_line(Line2D([time, time, at], [1.0, bend, up], transform=across, **thin))


def _per_point(panel: Axes) -> float:
    """Share of a panel's height that a point of type has, about."""
    figure = panel.get_figure()
    tall = figure.get_size_inches()[1] if isinstance(figure, Figure) else 1.0
    return 1.0 / (72.0 * panel.get_position().height * tall)


def _side_by_side(labels: Sequence[tuple[str, float, float]]) -> list[float]:
    """Places for labels (text, wanted place, width) beside each other, near what is wanted."""
    groups: list[list[tuple[float, float]]] = []  # (wanted, width) of labels that touch
    for _, wanted, width in labels:
        groups.append([(wanted, width)])
        while len(groups) > 1 and _ends(groups[-2])[1] > _ends(groups[-1])[0]:
            last = groups.pop()
            groups[-1] += last
    places = []
    for group in groups:
        at = _ends(group)[0]
        for _, width in group:
            places.append(at + 0.5 * width)
            at += width
    return places


def _ends(group: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Ends of a row of labels about the middle of their wanted positions."""
    whole = sum(width for _, width in group)
    middle = float(np.mean([wanted for wanted, _ in group]))
    return middle - 0.5 * whole, middle + 0.5 * whole


def plot_quantities(
    panel: Axes,
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
    panel: Axes, jumps: JumpRuns, quantities: Sequence[tuple[str, str]], *more: Line2D
) -> None:
    """Legend on top of a figure: colours of quantities, and dashes of runs if there are some.

    more: what else there is to tell.
    """
    handles = [Line2D([], [], color=colour, label=label) for label, colour in quantities]
    handles += more
    if len(jumps.runs) > 1:
        for run in jumps.runs:
            style = _style(jumps, run) | {"color": "#333333"} if quantities else run.style
            handles.append(Line2D([], [], label=run.name, **style))
    figure = panel.get_figure()
    if handles and isinstance(figure, Figure):
        lines = -(-len(handles) // _COLUMNS)
        columns = -(-len(handles) // lines)
        figure.legend(handles=handles, loc="outside upper left", ncols=columns)
