"""Pushes as bands in every panel over time of a page.

Figures are made by many functions, of machines too, and none should have to think of pushes: the
page says what is marked while it makes its figures, and ``figure.draw`` marks it.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np

from footfall.report.charts.looks import Entry, area_look
from footfall.report.charts.panel import Chart
from footfall.show.colours import PUSH_COLOUR
from footfall.trajectory.pushes import LinkPush

MARKED = " Bands show when something pushes."
_LOOK: dict[str, Any] = {
    "facecolor": f"{PUSH_COLOUR}21",
    "edgecolor": f"{PUSH_COLOUR}4d",  # of short ones nothing else is seen
    "linewidth": 0.5,
}
_BEHIND = 0.5

_marked: ContextVar[tuple[LinkPush, ...]] = ContextVar("pushes that figures mark", default=())


@contextmanager
def marking(pushes: tuple[LinkPush, ...]) -> Iterator[None]:
    """Let figures that are drawn meanwhile mark pushes."""
    token = _marked.set(pushes)
    try:
        yield
    finally:
        _marked.reset(token)


def mark_pushes(chart: Chart) -> bool:
    """Draw bands where anything pushes in the panels over time; returns whether there are any."""
    pushes = _marked.get()
    panels = [panel for panel in chart.shown if panel.over_time]
    if not pushes or not panels:
        return False
    passing = _joined([push for push in pushes if np.isfinite(push.end)])
    lasting = _joined([push for push in pushes if not np.isfinite(push.end)])
    for panel in panels:
        for spans in (passing, lasting):  # wind must not hide when something else pushes
            seen = _within(spans, *panel.get_xlim())
            panel.axvspans(seen, counts=False, zorder=_BEHIND, **_LOOK)
    chart.legend.append(Entry("push", "area", area_look(**_LOOK)))
    return True


def _joined(pushes: Sequence[LinkPush]) -> list[tuple[float, float]]:
    """Starts and ends of the times at which any of the pushes acts."""
    spans: list[tuple[float, float]] = []
    for start, end in sorted((push.start, push.end) for push in pushes):
        if spans and start <= spans[-1][1]:
            spans[-1] = spans[-1][0], max(end, spans[-1][1])
        else:
            spans.append((start, end))
    return spans


def _within(
    spans: Sequence[tuple[float, float]], first: float, last: float
) -> list[tuple[float, float]]:
    """Starts and ends of spans as far as they lie in a panel."""
    cut = [(max(start, first), min(end, last)) for start, end in spans]
    return [(start, end) for start, end in cut if start < end]
