"""Pushes as bands in every panel over time of a page.

Figures are made by many functions, of machines too, and none should have to think of pushes: the
page says what is marked while it makes its figures, and ``figure.draw`` marks it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from footfall.report.panels import TIME
from footfall.show.colours import PUSH_COLOUR
from footfall.trajectory.pushes import LinkPush

MARKED = " Bands show when something pushes."
_LOOK: dict[str, Any] = {
    "facecolor": to_rgba(PUSH_COLOUR, 0.13),
    "edgecolor": to_rgba(PUSH_COLOUR, 0.3),  # of short ones nothing else is seen
    "linewidth": 0.5,
    "zorder": 0.5,
}
_HIGH = (-0.1, 1.2)  # of a panel, beyond its edges

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
    """Draw a band for each push in the panels over time; returns whether there are any."""
    pushes = _marked.get()
    panels = [panel for panel in axes.ravel() if panel.get_visible() and _is_over_time(panel)]
    if not pushes or not panels:
        return False
    for panel in panels:
        limits = panel.get_xlim(), panel.get_ylim()
        spans = [_within(push, *limits[0]) for push in pushes]
        across = panel.get_xaxis_transform()  # time, and shares of the panel's height
        panel.broken_barh(
            [span for span in spans if span[1] > 0.0], _HIGH, transform=across, **_LOOK
        )
        panel.set(xlim=limits[0], ylim=limits[1])
    figure.legend([Patch(**_LOOK)], ["push"], loc="outside upper right")
    return True


def _within(push: LinkPush, first: float, last: float) -> tuple[float, float]:
    """Start of a push within a panel, and how long it lasts there, not above 0 where not at all."""
    start = max(push.start, first)
    return start, min(push.end, last) - start


def _is_over_time(panel: Axes) -> bool:
    """Return whether a panel, or one that shares its x axis, says that this is time."""
    together = panel.get_shared_x_axes().get_siblings(panel)
    return any(one.get_xlabel() == TIME for one in together)
