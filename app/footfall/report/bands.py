"""Pushes and phases as bands in every panel over time of a page.

Figures are made by many functions, of machines too, and none should have to think of these: the
page says what is marked while it makes its figures, and ``figure.finished`` marks it.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import numpy as np

from footfall.report.charts.looks import Ends, Entry, area_look
from footfall.report.charts.panel import Chart
from footfall.show.colours import PUSH_COLOUR
from footfall.trajectory.pushes import LinkPush

PHASE_COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9")
_BEHIND = 0.5


@dataclass(frozen=True)
class Phase:
    """A phase of a motion: when it begins and ends [s], and its name.

    colour: of its bands; empty for one of its own, None for no band.
    """

    begin: float
    end: float
    name: str
    colour: str | None = ""


@dataclass(frozen=True)
class Band:
    """Spans of time [s] with a name in the legend and words of `Panel.axvspans`."""

    label: str
    spans: Sequence[Ends]
    look: dict[str, Any]


_marked: ContextVar[tuple[Band, ...]] = ContextVar("bands that figures mark", default=())


@contextmanager
def marking(bands: Sequence[Band]) -> Iterator[None]:
    """Let figures that are drawn meanwhile mark bands, besides those that they mark already."""
    token = _marked.set((*_marked.get(), *bands))
    try:
        yield
    finally:
        _marked.reset(token)


def mark_bands(chart: Chart) -> str:
    """Draw the bands in the panels over time; returns a sentence that tells of them."""
    panels = [panel for panel in chart.shown if panel.over_time]
    labels: dict[str, Entry] = {}
    for band in _marked.get():
        for panel in panels:
            if seen := _within(band.spans, *panel.get_xlim()):
                panel.axvspans(seen, counts=False, zorder=_BEHIND, **band.look)
                labels.setdefault(band.label, Entry(band.label, "area", area_look(**band.look)))
    chart.legend += labels.values()
    return f" Bands: {', '.join(labels)}." if labels else ""


def push_bands(pushes: Sequence[LinkPush]) -> list[Band]:
    """Return when anything pushes: for some time, and from some time on."""
    look: dict[str, Any] = {
        "facecolor": f"{PUSH_COLOUR}21",
        "edgecolor": f"{PUSH_COLOUR}4d",  # of short ones nothing else is seen
        "linewidth": 0.5,
    }
    passing = _joined([push for push in pushes if np.isfinite(push.end)])
    lasting = _joined([push for push in pushes if not np.isfinite(push.end)])
    # wind must not hide when something else pushes
    return [Band("push", spans, look) for spans in (passing, lasting) if spans]


def phase_bands(phases: Sequence[Phase]) -> list[Band]:
    """Return the spans of every name, in the order in which names come."""
    spans: dict[str, list[Ends]] = {}
    for phase in phases:
        spans.setdefault(phase.name, []).append((phase.begin, phase.end))
    own = {phase.name: phase.colour for phase in phases}
    bands: list[Band] = []
    for name, those in spans.items():
        if (colour := own[name]) is not None:
            face = colour or PHASE_COLOURS[len(bands) % len(PHASE_COLOURS)]
            bands.append(Band(name, those, {"color": face, "alpha": 0.12, "linewidth": 0.0}))
    return bands


def _joined(pushes: Sequence[LinkPush]) -> list[Ends]:
    """Starts and ends of the times at which any of the pushes acts."""
    spans: list[Ends] = []
    for start, end in sorted((push.start, push.end) for push in pushes):
        if spans and start <= spans[-1][1]:
            spans[-1] = spans[-1][0], max(end, spans[-1][1])
        else:
            spans.append((start, end))
    return spans


def _within(spans: Sequence[Ends], first: float, last: float) -> list[Ends]:
    """Starts and ends of spans as far as they lie in a panel."""
    cut = [(max(start, first), min(end, last)) for start, end in spans]
    return [(start, end) for start, end in cut if start < end]
