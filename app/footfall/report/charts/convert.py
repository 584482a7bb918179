"""A figure of matplotlib as a chart, if all that is in it can be one."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, LogFormatter, NullFormatter, ScalarFormatter

from footfall.report.charts.late import late_panels
from footfall.report.charts.looks import NotAChart, legend_look
from footfall.report.charts.marks import marks_of
from footfall.report.charts.model import Chart, Entry, Kind, Panel, Scale
from footfall.report.late_axes import LateFigure
from footfall.report.panels import is_over_time

_Grid = tuple[Sequence[Panel], Sequence[float], Sequence[float]]  # widths and heights of its cells
_MOST_POINTS = 60_000  # of a figure: more take longer to draw than a picture


def chart_of(figure: Figure) -> Chart | None:
    """Return a figure as a chart; None where it has something that charts have not."""
    try:
        return _chart(figure)
    except (NotAChart, ValueError):  # the latter of an axis without extent
        return None


def _chart(figure: Figure) -> Chart:
    if figure.images or figure.texts or figure.get_suptitle():
        raise NotAChart("something beside the panels")
    panels, widths, heights = _late(figure) or _made(figure)
    if sum(len(mark.x) for panel in panels for mark in panel.marks) > _MOST_POINTS:
        raise NotAChart("more points than one can tell apart")
    width, height = figure.get_size_inches()
    legend = [entry for one in figure.legends for entry in _entries(one)]
    return Chart(panels, _sizes(widths, width), _sizes(heights, height), legend)


def _late(figure: Figure) -> _Grid | None:
    """Return the panels of a figure that need not be made for it, if it is one of these."""
    if not isinstance(figure, LateFigure):
        return None
    panels = late_panels(figure)
    return None if panels is None else (panels, [1.0] * figure.panels.shape[1], figure.heights)


def _made(figure: Figure) -> _Grid:
    """Return the panels of a figure that matplotlib has made."""
    seen = [panel for panel in figure.axes if panel.get_visible()]
    specs = [panel.get_subplotspec() for panel in seen]
    if not seen:
        raise NotAChart("nothing")
    grids = {spec.get_gridspec() for spec in specs if spec is not None}
    if None in specs or len(grids) != 1:
        raise NotAChart("panels that are in no grid")
    if len({(spec.num1, spec.num2) for spec in specs if spec is not None}) < len(seen):
        raise NotAChart("panels on each other")
    grid: Any = grids.pop()
    return [_panel(panel) for panel in seen], grid.get_width_ratios(), grid.get_height_ratios()


def _sizes(ratios: Any, whole: float) -> list[float]:  # noqa: ANN401 (numbers)
    shares = np.asarray(ratios, dtype=np.float64)
    return [round(float(each), 3) for each in shares / shares.sum() * whole]


def _panel(panel: Axes) -> Panel:
    spec: Any = panel.get_subplotspec()
    if not panel.axison or panel.name != "rectilinear":
        raise NotAChart("a panel without axes")
    x, y = _scale(panel.xaxis, panel.get_xlim()), _scale(panel.yaxis, panel.get_ylim())
    own = panel.get_legend()
    grid = [bool(axis.get_tick_params().get("gridOn", True)) for axis in (panel.xaxis, panel.yaxis)]
    return Panel(
        rows=(spec.rowspan.start, spec.rowspan.stop),
        columns=(spec.colspan.start, spec.colspan.stop),
        title=panel.get_title() or panel.get_title(loc="left"),
        x=x,
        y=y,
        marks=marks_of(panel),
        over_time=is_over_time(panel),
        equal=panel.get_aspect() == 1.0,
        grid=(grid[0], grid[1]),
        legend=_entries(own) if own is not None else (),
    )


def _scale(axis: Axis, ends: tuple[float, float]) -> Scale:
    if axis.get_scale() not in {"linear", "log"}:
        raise NotAChart(f"a {axis.get_scale()} axis")
    log = axis.get_scale() == "log"
    if log and min(ends) <= 0.0:
        raise NotAChart("a logarithmic axis down to zero")
    label = axis.get_label().get_text()
    return Scale(label, float(ends[0]), float(ends[1]), log, _ticks(axis))


def _ticks(axis: Axis) -> list[tuple[float, str]] | None:
    """Return ticks that somebody has chosen; None of those that matplotlib finds."""
    locator, formatter = axis.get_major_locator(), axis.get_major_formatter()
    usual = isinstance(formatter, ScalarFormatter | LogFormatter | NullFormatter)
    if usual and not isinstance(locator, FixedLocator):
        return None
    places = np.asarray(axis.get_majorticklocs(), dtype=np.float64)
    low, high = sorted(axis.get_view_interval())
    places = places[(low <= places) & (places <= high)]
    texts = formatter.format_ticks(places.tolist())
    return list(zip(places.tolist(), texts, strict=True))


def _entries(legend: Any) -> list[Entry]:  # noqa: ANN401 (matplotlib's)
    words = [text.get_text() for text in legend.get_texts()]
    entries = []
    for label, handle in zip(words, legend.legend_handles, strict=True):
        look = legend_look(handle)
        kind: Kind = "area" if "fill" in look else "line"
        entries.append(Entry(label, kind, look))
    return entries
