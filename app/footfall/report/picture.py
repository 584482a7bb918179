"""Pictures for a page: matplotlib figures in one style, embedded as data URIs."""

import base64
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from footfall.show.colours import run_colour

Array = npt.NDArray[np.float64]

LARGEST_SVG = 180_000  # bytes; what is larger becomes a PNG
_PNG_DPI = 130
_WIDTH = 9.0  # inches

STYLE: dict[str, Any] = {
    "font.size": 10.0,
    "axes.titlesize": 10.5,
    "axes.grid": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.formatter.useoffset": False,
    "axes.labelpad": 5.0,
    "figure.constrained_layout.w_pad": 0.08,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.3,
    "legend.frameon": False,
    "legend.fontsize": 9.0,
    "figure.constrained_layout.use": True,
    "svg.hashsalt": "footfall",
    "path.simplify_threshold": 0.3,
}
# runs that lie on each other stay visible: the first is broad, the next ones are dashed ever finer
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


@dataclass(frozen=True)
class Picture:
    """A picture with its heading, what it shows in words (for those who do not see it), and a note beneath.

    source: a data URI. share: of the page's width.
    """

    title: str
    alt: str
    source: str
    note: str = ""
    share: float = 1.0


def draw(
    title: str,
    alt: str,
    rows: int,
    columns: int,
    paint: Callable[[npt.NDArray[Any]], None],
    *,
    note: str = "",
    height: float = 2.2,
    sharex: bool = True,
    width: float = _WIDTH,
) -> Picture:
    """Make a picture of rows x columns axes; paint fills the (rows, columns) array of axes. Heights in inches a row."""
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(width, height * rows + 0.3))
        FigureCanvasAgg(figure)
        axes = figure.subplots(rows, columns, squeeze=False, sharex=sharex)
        paint(axes)
        return Picture(title, alt, _embedded(figure), note, width / _WIDTH)


def _embedded(figure: Figure) -> str:
    """The figure as a data URI: SVG when that is small, else PNG."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None})
    if buffer.tell() <= LARGEST_SVG:
        return _uri("image/svg+xml", buffer.getvalue())
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=_PNG_DPI)
    return _uri("image/png", buffer.getvalue())


def _uri(kind: str, content: bytes) -> str:
    return f"data:{kind};base64,{base64.b64encode(content).decode('ascii')}"


def run_style(index: int) -> dict[str, Any]:
    """Colour, width and dashes of the line of a run."""
    place = index % len(_WIDTHS)
    return {"color": run_colour(index), "linewidth": _WIDTHS[place], "linestyle": _DASHES[place]}


def thin(values: Array, count: int = 2500) -> slice:
    """A slice that leaves at most about ``count`` of the values; ends may be lost by less than one stride."""
    return slice(None, None, max(1, len(values) // count))


def legend_above(axes: Axes, columns: int = 5) -> None:
    """Legend above the axes, where it covers no line."""
    handles, labels = axes.get_legend_handles_labels()
    if handles:
        axes.legend(
            handles,
            labels,
            loc="lower left",
            bbox_to_anchor=(0.0, 1.0),
            ncols=columns,
            borderaxespad=0.1,
        )


def legend_on_top(axes: Axes, columns: int = 7) -> None:
    """The legend of these axes on top of the whole picture, for panels that share it."""
    handles, labels = axes.get_legend_handles_labels()
    if handles:
        axes.figure.legend(
            handles, labels, loc="outside upper left", ncols=columns, borderaxespad=0.1
        )


def grid_shape(count: int, columns: int = 2) -> tuple[int, int]:
    """Rows and columns for a number of small panels."""
    columns = min(columns, max(count, 1))
    return -(-count // columns), columns


def hide_unused(axes: Sequence[Axes]) -> None:
    """Take away panels that nothing is drawn in."""
    for one in axes:
        one.set_visible(False)
