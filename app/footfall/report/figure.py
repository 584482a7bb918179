"""Figures for a page: charts of data, which the page draws, and pictures that matplotlib draws."""

import base64
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image

from footfall.report.bands import mark_bands
from footfall.report.charts.packing import points_of
from footfall.report.charts.panel import Chart

_ROW = 5  # every so many rows of pixels are looked at for what the colours of a palette are


def png_uri(pixels: npt.NDArray[np.uint8], *, palette: bool) -> str:
    """Return pixels (height, width, 3) as a data URI; with a palette of 256 colours, or all."""
    image = Image.fromarray(pixels)
    buffer = io.BytesIO()
    (_with_palette(image, pixels) if palette else image).save(buffer, "png")
    return f"data:image/png;base64,{base64.b64encode(buffer.getvalue()).decode('ascii')}"


def _with_palette(image: Image.Image, pixels: npt.NDArray[np.uint8]) -> Image.Image:
    """Return an image of 256 colours, each the mean of what it stands for.

    So lines and paper keep theirs.
    """
    coarse = image.quantize(256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    index = np.asarray(coarse)[::_ROW].ravel()
    seen = pixels[::_ROW].reshape(-1, 3)
    count = np.bincount(index, minlength=256)
    colours = np.array((coarse.getpalette() or []) + [0] * 768)[:768].reshape(256, 3)
    for channel in range(3):
        total = np.bincount(index, weights=seen[:, channel], minlength=256)
        mean = np.round(total / np.maximum(count, 1))
        colours[:, channel] = np.where(count > 0, mean, colours[:, channel])
    coarse.putpalette(colours.astype(np.uint8).ravel().tolist())
    return coarse


Plot = Callable[[npt.NDArray[Any]], None]
"""Fills an array (rows, columns) of panels, or of axes."""

_MOST_POINTS = 60_000  # of a chart: more take a page longer to draw than a picture
_PNG_DPI = 160
_ROW_HEIGHT = 2.2  # inches
PAGE_WIDTH = 9.0
"""Inches of all columns of a figure."""


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
    row_height: float = _ROW_HEIGHT,
    heights: Sequence[float] | None = None,
    width: float = PAGE_WIDTH,
    share_x: bool = True,
) -> Figure:
    """Make a figure of (rows, columns) panels that share their x axis; lengths in inches.

    heights: of the rows, where they differ. share_x: False where every panel has an x axis of its
    own.
    """
    chart = Chart(shape, heights or [row_height] * shape[0], width, share_x=share_x)
    plot(chart.panels)
    return finished(title, alt, chart, note)


def finished(title: str, alt: str, chart: Chart, note: str = "") -> Figure:
    """Make a figure of a chart that is filled, with the bands that the page marks.

    What has more points than a page can draw is a picture.
    """
    alt += mark_bands(chart)
    share = chart.width / PAGE_WIDTH
    if points_of(chart) > _MOST_POINTS:
        from footfall.report.charts.picture import figure_of

        return Figure(title, alt, embedded(figure_of(chart)), note, share)
    return Figure(title, alt, "", note, share, chart)


def draw_picture(
    title: str,
    alt: str,
    shape: tuple[int, int],
    plot: Plot,
    *,
    note: str = "",
    row_height: float = _ROW_HEIGHT,
    share_x: bool = True,
) -> Figure:
    """Make a picture of (rows, columns) axes of matplotlib, for maps in colours; lengths in inches.

    Arguments as of `draw`.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure as Canvas

    from footfall.report.charts.picture import LEGEND, STYLE

    with mpl.rc_context(STYLE):
        canvas = Canvas(figsize=(PAGE_WIDTH, row_height * shape[0] + LEGEND))
        plot(canvas.subplots(*shape, squeeze=False, sharex=share_x))
        return Figure(title, alt, embedded(canvas), note)


def embedded(figure: Any) -> str:  # noqa: ANN401 (a figure of matplotlib)
    """Return a figure of matplotlib as a data URI."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    figure.dpi = _PNG_DPI
    canvas: Any = FigureCanvasAgg(figure)
    canvas.draw()
    pixels = np.ascontiguousarray(np.asarray(canvas.buffer_rgba())[:, :, :3])
    return png_uri(pixels, palette=not any(panel.images for panel in figure.axes))
