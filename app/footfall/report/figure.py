"""Figures for a page: plotted by matplotlib in one style, as charts where they can be."""

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure as Canvas

from footfall.report.charts.convert import chart_of
from footfall.report.charts.model import Chart
from footfall.report.data_uri import png_uri, svg_uri
from footfall.report.late_axes import LateFigure
from footfall.report.layout import lay_out
from footfall.report.push_bands import MARKED, mark_pushes

Plot = Callable[[npt.NDArray[Any]], None]
"""Fills an array (rows, columns) of axes."""

LARGEST_SVG = 180_000  # bytes; what is larger becomes a PNG
_PNG_DPI = 130
_PAGE_WIDTH = 9.0  # inches
_LEGEND = 0.3  # inches

STYLE: Any = {
    "font.size": 10.0,
    "axes.titlesize": 10.5,
    "axes.grid": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.formatter.useoffset": False,
    "axes.labelpad": 5.0,
    "figure.constrained_layout.use": True,
    "figure.constrained_layout.w_pad": 0.08,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.3,
    "legend.frameon": False,
    "legend.fontsize": 9.0,
    "legend.borderaxespad": 0.1,
    "svg.hashsalt": "footfall",
    "text.parse_math": False,  # names of a robot may hold dollar signs
    "path.simplify_threshold": 0.3,
}


@dataclass(frozen=True)
class Figure:
    """A figure with its heading, what it shows in words for those who do not see it, and a note.

    source: a data URI, empty of a chart. share: of the page's width. chart: what the page draws.
    """

    title: str
    alt: str
    source: str
    note: str = ""
    share: float = 1.0
    chart: Chart | None = None


def draw(
    title: str,
    alt: str,
    shape: tuple[int, int],
    plot: Plot,
    *,
    note: str = "",
    row_height: float = 2.2,
    heights: Sequence[float] | None = None,
    width: float = _PAGE_WIDTH,
    dense: bool = False,
    share_x: bool = True,
) -> Figure:
    """Make a figure of (rows, columns) axes that share their x axis; lengths in inches.

    heights: of the rows, where they differ. dense: it has so many points that an SVG need not be
    tried, where it is no chart. share_x: False where every panel has an x axis of its own.
    """
    rows, _ = shape
    with mpl.rc_context(STYLE):
        tall = [row_height] * rows if heights is None else list(heights)
        size = width, sum(tall) + _LEGEND
        figure = LateFigure(shape, STYLE, heights=tall, share_x=share_x, figsize=size)
        plot(figure.panels)
        if mark_pushes(figure, figure.panels):
            alt += MARKED
        content = _embedded(figure, dense=dense)
        chart = content if isinstance(content, Chart) else None
        source = content if isinstance(content, str) else ""
        return Figure(title, alt, source, note, width / _PAGE_WIDTH, chart)


def _embedded(figure: Canvas, *, dense: bool) -> Chart | str:
    """The figure as a chart, else as a data URI: SVG when that is small, or PNG."""
    chart = chart_of(figure)
    return _picture(figure, dense=dense) if chart is None else chart


def _picture(figure: Canvas, *, dense: bool) -> str:
    """The figure as a data URI: SVG when that is small, else PNG."""
    canvas: Any = FigureCanvasAgg(figure)  # its methods have no types
    lay_out(figure, canvas.get_renderer())
    if not dense:
        buffer = io.StringIO()
        drawing: Any = FigureCanvasSVG(figure)
        drawing.print_svg(buffer, metadata={"Date": None})
        if buffer.tell() <= LARGEST_SVG:
            return svg_uri(buffer.getvalue())
    figure.dpi = _PNG_DPI
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    pixels = np.ascontiguousarray(np.asarray(canvas.buffer_rgba())[:, :, :3])
    return png_uri(pixels, palette=not any(panel.images for panel in figure.axes))
