"""A chart as the page draws it: panels with their axes, marks and legend."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from footfall.arrays import Array

Kind = Literal["line", "area", "text"]


@dataclass(frozen=True, eq=False)
class Mark:
    """Lines, areas or words in a panel.

    x, y: (n,), in units of the axes, or as shares of the panel where ``shares`` says so; NaN parts
    pieces of a line, and areas. style: what ``charts.js`` reads. label: in the legend, or empty.
    """

    kind: Kind
    x: Array
    y: Array
    style: Mapping[str, Any]
    label: str = ""
    shares: tuple[bool, bool] = (False, False)

    def __post_init__(self) -> None:
        """Refuse coordinates that do not belong together."""
        if self.x.shape != self.y.shape or self.x.ndim != 1:
            raise ValueError(f"x and y of a mark have the shapes {self.x.shape} and {self.y.shape}")


@dataclass(frozen=True)
class Scale:
    """An axis: its label, its two ends, whether it is logarithmic, and its ticks if they are fixed.

    ticks: place and text of each.
    """

    label: str
    low: float
    high: float
    log: bool = False
    ticks: Sequence[tuple[float, str]] | None = None

    def __post_init__(self) -> None:
        """Refuse an axis without extent."""
        if not (np.isfinite(self.low) and np.isfinite(self.high)) or self.low == self.high:
            raise ValueError(f"an axis goes from {self.low} to {self.high}")


@dataclass(frozen=True)
class Entry:
    """A line of a legend: words, and the look of what they mean."""

    label: str
    kind: Kind
    style: Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Panel:
    """Axes with what is drawn in them.

    rows, columns: first and last of the cells that it takes. over_time: whether x is the time [s]
    of the run. equal: whether a unit is as long along both axes. grid: along x and along y.
    """

    rows: tuple[int, int]
    columns: tuple[int, int]
    title: str
    x: Scale
    y: Scale
    marks: Sequence[Mark]
    over_time: bool = False
    equal: bool = False
    grid: tuple[bool, bool] = (True, True)
    legend: Sequence[Entry] = ()


@dataclass(frozen=True, eq=False)
class Chart:
    """Panels in a grid; widths and heights: of its columns and rows [inches of a printed page]."""

    panels: Sequence[Panel]
    widths: Sequence[float]
    heights: Sequence[float]
    legend: Sequence[Entry] = field(default=())
