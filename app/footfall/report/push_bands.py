"""Pushes as bands in every panel over time of a page.

Figures are made by many functions, of machines too, and none should have to think of pushes: the
page says what is marked while it makes its figures, and ``figure.draw`` marks it.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from footfall.report.kept import Ends
from footfall.report.late_axes import LateAxes
from footfall.report.late_marks import draw_bands
from footfall.report.panels import is_over_time
from footfall.show.colours import PUSH_COLOUR
from footfall.trajectory.pushes import LinkPush

MARKED = " Bands show when something pushes."
_LOOK: dict[str, Any] = {
    "facecolor": to_rgba(PUSH_COLOUR, 0.13),
    "edgecolor": to_rgba(PUSH_COLOUR, 0.3),  # of short ones nothing else is seen
    "linewidth": 0.5,
    "zorder": 0.5,
}
_HIGH = (-0.1, 1.1)  # shares of the height of a panel, beyond its edges

_marked: ContextVar[tuple[LinkPush, ...]] = ContextVar("pushes that figures mark", default=())


@contextmanager
def marking(pushes: tuple[LinkPush, ...]) -> Iterator[None]:
    """Let figures that are drawn meanwhile mark pushes."""
    token = _marked.set(pushes)
    try:
        yield
    finally:
        _marked.reset(token)


def mark_pushes(figure: Figure, axes: npt.NDArray[Any]) -> bool:
    """Draw bands where anything pushes in the panels over time; returns whether there are any."""
    pushes = _marked.get()
    panels = [panel for panel in axes.ravel() if panel.get_visible() and is_over_time(panel)]
    if not pushes or not panels:
        return False
    passing = _joined([push for push in pushes if np.isfinite(push.end)])
    lasting = _joined([push for push in pushes if not np.isfinite(push.end)])
    # wind must not hide when something else pushes
    kinds = [partial(_bands, spans) for spans in (passing, lasting)]
    for panel in panels:
        for bands in kinds:
            if isinstance(panel, LateAxes):
                panel.take_bands(bands)
            else:
                draw_bands(panel, bands)
    figure.legend([Patch(**_LOOK)], ["push"], loc="outside upper right")
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


def _bands(spans: Sequence[tuple[float, float]], ends: Ends) -> PolyCollection | None:
    """Areas of spans as far as they lie in a panel, if any do."""
    seen = _within(spans, *ends)
    return PolyCollection([_corners(*span) for span in seen], **_LOOK) if seen else None


def _within(
    spans: Sequence[tuple[float, float]], first: float, last: float
) -> list[tuple[float, float]]:
    """Starts and ends of spans as far as they lie in a panel."""
    cut = [(max(start, first), min(end, last)) for start, end in spans]
    return [(start, end) for start, end in cut if start < end]


def _corners(start: float, end: float) -> list[tuple[float, float]]:
    """Corners of a band: time, and share of the panel's height."""
    low, high = _HIGH
    return [(start, low), (start, high), (end, high), (end, low)]
