"""Places of a figure's panels, and their ticks, found once and for all.

Matplotlib's constrained layout measures every panel twice, and every measurement and every draw
finds all ticks anew: most of the time of a page. In a plain grid of panels one measurement gives
the same places once the ticks are fixed, for only they depend on the size of a panel.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backend_bases import RendererBase
from matplotlib.figure import Figure
from matplotlib.ticker import FixedFormatter, FixedLocator, ScalarFormatter

from footfall.arrays import Array

# inches that labels take, until they are measured: left, right; above, below; a legend on top
_BESIDE, _AROUND, _HEAD = (0.75, 0.1), (0.15, 0.35), 0.3
_LEAST = 0.1  # of a cell: the size of a panel whose labels leave it nothing


@dataclass(frozen=True, eq=False)
class _Cell:
    """A panel with its row and column in the grid of a figure."""

    panel: Axes
    row: int
    column: int

    def fix_ticks(self) -> None:
        """Keep the ticks as they are at the size that the panel has now."""
        _fix_ticks(self.panel.xaxis)
        _fix_ticks(self.panel.yaxis)

    def overhang(self, renderer: RendererBase) -> tuple[float, float, float, float]:
        """Return how far labels go beyond the panel: left, right, above, below.

        All over the size of the figure.
        """
        own = self.panel.get_position()
        box: Any = self.panel.get_tightbbox(renderer, for_layout_only=True)
        outer = box.transformed(self.panel.figure.transFigure.inverted())
        return own.x0 - outer.x0, outer.x1 - own.x1, outer.y1 - own.y1, own.y0 - outer.y0


@dataclass(frozen=True, eq=False)
class _Margins:
    """Margins before and after every column or row of panels, over the size of the figure."""

    before: Array
    after: Array

    def widened(self, indices: Sequence[int], before: Array, after: Array) -> "_Margins":
        """Return larger margins, each by the most that any panel of its column or row asks for."""
        found = self.before.copy(), self.after.copy()
        for margin, asked in zip(found, (before, after), strict=True):
            most = np.zeros_like(margin)
            np.maximum.at(most, indices, asked)
            margin[:] += most
        return _Margins(*found)

    def spans(self, end: float = 1.0) -> list[tuple[float, float]]:
        """Begin and size of the panels, all of one size, from 0 to an end."""
        count = len(self.before)
        size = max((end - self.before.sum() - self.after.sum()) / count, _LEAST / count)
        steps = self.before + size + self.after
        begins = np.cumsum(steps) - steps + self.before
        return [(float(begin), float(size)) for begin in begins]


def lay_out(figure: Figure, renderer: RendererBase) -> None:
    """Place the panels of a figure as its constrained layout would; nothing where it has none."""
    engine: Any = figure.get_layout_engine()  # whose methods have no types
    if engine is None:
        return
    cells = _plain_grid(figure.axes)
    plain = any(cell.panel.get_visible() for cell in cells)
    if not plain:
        engine.execute(figure)
    figure.set_layout_engine("none")
    if plain:
        _place(figure, cells, engine.get(), renderer)


def _plain_grid(panels: Sequence[Axes]) -> list[_Cell]:
    """Return panels that fill one cell each of one grid, free in their aspect; else nothing."""
    specs = [panel.get_subplotspec() for panel in panels]
    cells = [
        _Cell(panel, spec.rowspan.start, spec.colspan.start)
        for panel, spec in zip(panels, specs, strict=True)
        if spec is not None and spec.num1 == spec.num2 and panel.get_aspect() == "auto"
    ]
    grids = {spec.get_gridspec() for spec in specs if spec is not None}
    heights = [np.unique(np.asarray(grid.get_height_ratios())) for grid in grids]
    even = all(len(height) == 1 for height in heights)
    return cells if len(cells) == len(panels) and len(grids) == 1 and even else []


def _place(
    figure: Figure, cells: Sequence[_Cell], pads: Mapping[str, float], renderer: RendererBase
) -> None:
    """Place the panels; pads: w_pad, h_pad [inches], wspace, hspace [1], as matplotlib has them."""
    columns, rows = (
        max(each) + 1 for each in zip(*((c.column, c.row) for c in cells), strict=True)
    )
    width, height = figure.get_size_inches()
    across = _Margins(*(np.full(columns, each / width) for each in _BESIDE))
    down = _Margins(*(np.full(rows, each / height) for each in _AROUND))
    _move(cells, across, down, 1.0 - _HEAD / height * bool(figure.legends))
    seen = [cell for cell in cells if cell.panel.get_visible()]
    for cell in seen:
        cell.fix_ticks()
    left, right, above, below = np.transpose([cell.overhang(renderer) for cell in seen])
    across = _padded(columns, pads["w_pad"] / width, pads["wspace"])
    across = across.widened([cell.column for cell in seen], left, right)
    down = _padded(rows, pads["h_pad"] / height, pads["hspace"])
    down = down.widened([cell.row for cell in seen], above, below)
    legends: list[Any] = [legend.get_tightbbox(renderer) for legend in figure.legends]
    heads = [box.height / figure.bbox.height + 2.0 * pads["h_pad"] / height for box in legends]
    _move(cells, across, down, 1.0 - max(heads, default=0.0))


def _padded(count: int, pad: float, space: float) -> _Margins:
    """Margins around panels without labels, as matplotlib's constrained layout has them."""
    inner = max(pad, 0.5 * space / count)
    before, after = np.full(count, inner), np.full(count, inner)
    before[0] = after[-1] = pad
    return _Margins(before, after)


def _move(cells: Sequence[_Cell], across: _Margins, down: _Margins, top: float) -> None:
    """Set the places of panels, below a top."""
    columns, rows = across.spans(), down.spans(top)
    for cell in cells:
        (x, width), (below, height) = columns[cell.column], rows[cell.row]
        cell.panel.set_position((x, top - below - height, width, height))


def _fix_ticks(axis: Axis) -> None:
    """Keep the ticks of a linear scale as they are now."""
    formatter: Any = axis.get_major_formatter()
    if not isinstance(formatter, ScalarFormatter) or axis.get_scale() != "linear":
        return
    low, high = sorted(axis.get_view_interval())
    places = [place for place in axis.get_majorticklocs() if low <= place <= high]
    fixed = FixedFormatter(formatter.format_ticks(places))
    fixed.set_offset_string(formatter.get_offset())
    axis.set_major_locator(FixedLocator(places))
    axis.set_major_formatter(fixed)
