"""A chart drawn by matplotlib: for notebooks, for paper, and where a page would be too large."""

from collections.abc import Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from footfall.report.charts.looks import Entry, Mark
from footfall.report.charts.panel import Chart, Panel

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
    "text.parse_math": False,  # names of a robot may hold dollar signs
    "path.simplify_threshold": 0.3,
}
LEGEND = 0.3
"""Inches that a legend above a figure takes."""
_LETTERS, _HANDLE = 90, 8  # so many fit into a line of a legend; as many as a handle is wide
_ALIGNED = {"start": "left", "middle": "center", "end": "right"}
_RAISED = {"hanging": "top", "central": "center", "auto": "bottom"}


def figure_of(chart: Chart, figure: Figure | None = None) -> Figure:
    """Return a chart as a figure of matplotlib, or fill one."""
    with mpl.rc_context(STYLE):
        own = figure or Figure(figsize=(chart.width, sum(chart.heights) + LEGEND))
        rows, columns = chart.panels.shape
        share_x, heights = chart.share_x, chart.heights
        panels = own.subplots(rows, columns, squeeze=False, sharex=share_x, height_ratios=heights)
        for ax, panel in zip(panels.ravel(), chart.panels.ravel(), strict=True):
            fill_axes(ax, panel)
        if chart.legend:
            handles = [_handle(one) for one in chart.legend]
            own.legend(handles=handles, loc="outside upper left", ncols=7)
    return own


def fill_axes(ax: Axes, panel: Panel) -> None:
    """Draw a panel into axes of matplotlib."""
    ax.set_visible(panel.visible)
    if not panel.visible:
        return
    x, y = panel.scale("x"), panel.scale("y")
    ax.set(xlabel=x.label, ylabel=y.label, title=panel.title)
    ax.set(xscale="log" if x.log else "linear", yscale="log" if y.log else "linear")
    for axis, scale, own in ((ax.xaxis, x, panel.axes["x"]), (ax.yaxis, y, panel.axes["y"])):
        if scale.ticks is not None:
            axis.set_ticks([at for at, _ in scale.ticks], [text for _, text in scale.ticks])
        axis.grid(visible=own.grid)
    for mark in panel.marks:
        _draw(ax, mark)
    ax.set(xlim=(x.low, x.high), ylim=(y.low, y.high))
    if panel.equal:
        ax.set_aspect("equal")
    if panel.bare:
        ax.set_axis_off()
    if x.label:
        ax.tick_params(labelbottom=True)
    if panel.legend_entries:
        ax.legend(
            handles=[_handle(one) for one in panel.legend_entries],
            loc="lower left",
            bbox_to_anchor=(0.0, 1.0),
            ncols=_columns(panel.legend_entries),
        )


def _columns(entries: Sequence[Entry]) -> int:
    """Return as many columns of a legend as fit above a panel."""
    return max(1, _LETTERS // (max(len(one.label) for one in entries) + _HANDLE))


def _draw(ax: Axes, mark: Mark) -> None:
    transform = {
        (False, False): ax.transData,
        (True, False): ax.get_yaxis_transform(),
        (False, True): ax.get_xaxis_transform(),
        (True, True): ax.transAxes,
    }[mark.shares]
    own: dict[str, Any] = {"transform": transform, "zorder": mark.order}
    look = mark.style
    if mark.kind == "text":
        ax.annotate(
            look["text"],
            (float(mark.x[0]), float(mark.y[0])),
            look["offset"],
            xycoords=transform,
            textcoords="offset points",
            ha=_ALIGNED[look["align"]],
            va=_RAISED[look["raise"]],
            color=look["fill"],
            fontsize=look["size"],
            fontweight="bold" if look["bold"] else "normal",
            zorder=mark.order,
        )
    elif "heads" in look:
        (x0, x1), (y0, y1) = mark.x, mark.y
        arrow = {"arrowstyle": "<|-|>" if look["heads"] == 2 else "-|>", "shrinkA": 0, "shrinkB": 0}
        arrow |= {"color": look["stroke"], "linewidth": look["width"]}
        ax.annotate("", (x1, y1), (x0, y0), arrowprops=arrow, annotation_clip=False)
    elif mark.kind == "line":
        ax.plot(mark.x, mark.y, label=mark.label or None, **_line(look), **own)
    elif len(mark.x):
        ax.fill(*_closed(mark), label=mark.label or None, **_area(look), **own)


def _closed(mark: Mark) -> list[Any]:
    """Return the corners of the areas of a mark, x and y of each."""
    gaps = np.flatnonzero(np.isnan(mark.x))
    pieces = zip(np.split(mark.x, gaps), np.split(mark.y, gaps), strict=True)
    return [one[np.isfinite(one)] for pair in pieces for one in pair]


def _line(look: dict[str, Any]) -> dict[str, Any]:
    width = look.get("width", 1.0)
    dashes = look.get("dashes")
    style: dict[str, Any] = {
        "color": look.get("stroke") or look.get("face") or look.get("edge"),
        "linewidth": width,
        "linestyle": "" if "stroke" not in look else "-",
        "alpha": look.get("alpha"),
    }
    if dashes:
        style["linestyle"] = (0, tuple(one / width for one in dashes))
    if "marker" in look:
        style |= {"marker": look["marker"], "markersize": look["size"]}
        style |= {"markerfacecolor": look.get("face", "none")}
        style |= {"markeredgecolor": look.get("edge", "none")}
    return style


def _area(look: dict[str, Any]) -> dict[str, Any]:
    return {
        "facecolor": look.get("fill", "none"),
        "edgecolor": look.get("stroke", "none"),
        "linewidth": look.get("width", 0.0),
        "alpha": look.get("alpha"),
    }


def _handle(entry: Entry) -> Any:  # noqa: ANN401 (lines and patches of matplotlib)
    if entry.kind == "area":
        return Patch(label=entry.label, **_area(entry.style))
    return Line2D([], [], label=entry.label, **_line(entry.style))
