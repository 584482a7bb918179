"""A figure as data: panels in a grid, and a legend above them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.report.charts.panel import Entry, Panel


class Chart:
    """Panels in a grid of rows and columns.

    heights: of the rows [inches of a printed page]; width: of all columns. share_x: whether all
    panels have the same x axis. legend: of the whole figure.
    """

    def __init__(
        self, shape: tuple[int, int], heights: Sequence[float], width: float, *, share_x: bool
    ) -> None:
        """Make panels without anything in them."""
        self.heights, self.width, self.share_x = list(heights), width, share_x
        self.legend: list[Entry] = []
        rows, columns = shape
        self.panels: npt.NDArray[Any] = np.empty(shape, dtype=object)
        for row in range(rows):
            for column in range(columns):
                self.panels[row, column] = Panel(self, row, column)

    @property
    def shown(self) -> list[Panel]:
        """Panels that are to be seen, row by row."""
        return [panel for panel in self.panels.ravel().tolist() if panel.visible]
