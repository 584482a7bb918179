"""Panels over time in which every run has its line."""

from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array, stretches
from footfall.report.charts.panel import Panel
from footfall.show.colours import run_colour

MOST_PANELS = 24
_MOST_POINTS = 2500
_NOISE, _ROUNDING = 1e-9, 1e-9  # of a unit, and of the value: what is less tells nothing
_BESIDE, _LEAST = 0.1, 1e-6  # of the value, and of a unit: what is seen beside a flat line
# runs that lie on each other stay visible: the first is broad, the next are finer and dashed
_WIDTHS = (2.6, 1.5, 1.1, 1.1, 1.1, 1.1, 1.1)
_DASHES: tuple[Any, ...] = (
    "-",
    "-",
    (0, (5, 2)),
    (0, (1, 1.2)),
    (0, (4, 1, 1, 1)),
    (0, (8, 2)),
    (0, (2, 2)),
)


def run_style(index: int) -> dict[str, Any]:
    """Colour, width and dashes of the line of a run."""
    kind = index % len(_WIDTHS)
    return {"color": run_colour(index), "linewidth": _WIDTHS[kind], "linestyle": _DASHES[kind]}


def line(panel: Panel, x: Array, y: Array, **style: Any) -> None:  # noqa: ANN401 (matplotlib's)
    """Draw a line, thinned to what can be told apart; where it has gaps they stay."""
    few = np.unique(np.concatenate((np.arange(len(y))[thin(y)], np.flatnonzero(~np.isfinite(y)))))
    panel.plot(x[few], y[few], **style)


def calm(panel: Panel) -> None:
    """Let what varies by rounding alone be a flat line, not noise beside thirteen digits."""
    low, high = panel.data_ends("y")
    size = max(abs(low), abs(high))
    if np.isfinite(size) and high - low < max(_NOISE, _ROUNDING * size):
        about = max(_BESIDE * size, _LEAST)
        panel.set_ylim(0.5 * (low + high) - about, 0.5 * (low + high) + about)


def thin(values: Array) -> slice:
    """A slice that leaves about as many values as can be told apart; the end may be lost by it."""
    return slice(None, None, thin_by(len(values)))


def thin_by(count: int) -> int:
    """One of how many values of a line is drawn."""
    return max(1, count // _MOST_POINTS)


def grid_shape(count: int, columns: int = 2) -> tuple[int, int]:
    """Rows and columns for a number of small panels."""
    columns = min(columns, max(count, 1))
    return max(1, -(-count // columns)), columns


def some_of(shown: int, there_are: int, what: str) -> str:
    """Say that a figure leaves something out, if it does."""
    return f"The {shown} of {there_are} {what}. " if shown < there_are else ""


def usual_top(steps: Array, mean: Array) -> float:
    """Height of an axis that usual loads of single steps (N,) and their means (N,) need.

    Impacts are left aside, and what bears nothing.
    """
    loaded = steps[steps > 0.0]
    if len(loaded) == 0:
        return 1.0
    usual = min(1.05 * float(loaded.max()), 1.6 * float(np.quantile(loaded, 0.95)))
    return max(usual, 1.2 * float(np.quantile(mean, 0.97)))


def intervals(time: Array, on: npt.NDArray[np.bool_]) -> list[tuple[float, float]]:
    """Start and length of the stretches where ``on`` holds; a mode is that of the step before."""
    before = np.concatenate((time[:1], time))
    return [(float(a), float(b - a)) for a, b in before[stretches(on)]]
