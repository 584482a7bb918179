"""Runs of a sweep over two values that samples drew, with counts of those that succeed."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr
from matplotlib import colormaps

from footfall.analysis.figures import SuccessMap
from footfall.arrays import Array
from footfall.report.charts.panel import Panel
from footfall.report.figure import Figure, draw
from footfall.report.panels import grid_shape, legend_on_top
from footfall.report.sweep.axes import drawn_values, groups, label_of
from footfall.report.wording import listed

_COLOURS = "RdYlGn"
_PALE = 0.35
_CORNER = np.array([0.02, 0.97])  # of a field, where its counts stand
_HEIGHT = 4.0  # inches
_MARKS: tuple[tuple[bool, str, dict[str, Any]], ...] = (
    (True, "succeeds", {"marker": "o", "color": "#009E73", "markersize": 4.0}),
    (False, "does not", {"marker": "x", "color": "#B00020", "markersize": 5.0}),
)


def success_map(data: xr.Dataset, option: SuccessMap) -> Figure:
    """Draw every run at two of its values, and in fields how many of how many succeed.

    A panel for each place on the other dimensions, such as the engines.
    """
    drawn = drawn_values(data)
    x, y = option.x or drawn[0], option.y or drawn[1]
    panels = list(groups(data, [str(dim) for dim in data[x].dims]))
    labels = [option.x_label or label_of(data, x), option.y_label or label_of(data, y)]
    edges = [field_edges(data[name].to_numpy(), option.fields) for name in (x, y)]

    def plot(axes: npt.NDArray[Any]) -> None:
        for panel, (label, one) in zip(axes.ravel(), panels, strict=False):
            values = [one[name].to_numpy().ravel() for name in (x, y)]
            success = one["success"].to_numpy().ravel().astype(np.bool_)
            _fields(panel, edges, *counts(values, success, edges))
            for succeeded, words, style in _MARKS:
                places = [value[success == succeeded] for value in values]
                panel.plot(*places, linestyle="none", alpha=0.8, label=words, **style)
            told = f"{int(success.sum())} of {success.size} succeed"
            panel.set(title=f"{label}: {told}" if label else told)
            panel.set(xlabel=labels[0], ylabel=labels[1])
            panel.grid(visible=False)
        for panel in axes.ravel()[len(panels) :]:
            panel.set_visible(False)
        legend_on_top(axes[0, 0])

    told = [
        f"{label or 'all'} {int(one['success'].sum())} of {one['success'].size}"
        for label, one in panels
    ]
    over = f"{labels[0]} and {labels[1]}"
    alt = f"Runs that succeed and that do not over {over}, with counts: {listed(told)}."
    note = "A mark a run; in each field, those that succeed of those that are there."
    shape = grid_shape(len(panels))
    title = f"Success over {over}"
    return draw(title, alt, shape, plot, note=note, row_height=_HEIGHT, share_x=False)


def field_edges(values: Array, fields: int) -> Array:
    """Edges (fields + 1,) of fields of one width over all values."""
    low, high = float(values.min()), float(values.max())
    edges: Array = np.linspace(low, high if high > low else low + 1.0, fields + 1)
    return edges


def counts(
    places: Sequence[Array], success: npt.NDArray[np.bool_], edges: Sequence[Array]
) -> tuple[Array, Array]:
    """Return how many runs succeed in each field, and how many are there, (fields, fields)."""
    x, y = places
    bins = list(edges)
    runs, good = (
        np.histogram2d(x[some], y[some], bins)[0] for some in (np.ones_like(success), success)
    )
    return good, runs


def _fields(panel: Panel, edges: Sequence[Array], good: Array, runs: Array) -> None:
    """Colour the fields by the share that succeeds, and write the counts into them."""
    share = good / np.maximum(runs, 1.0)
    x, y = edges
    for i, j in zip(*np.nonzero(runs), strict=True):
        corners = np.array(
            [(x[a], y[b]) for a, b in ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1))]
        )
        colour = colormaps[_COLOURS](share[i, j])
        panel.polygons([corners], facecolor=colour, edgecolor="white", alpha=_PALE)
        at = corners[0] + _CORNER * (corners[2] - corners[0])
        text = f"{int(good[i, j])}/{int(runs[i, j])}"
        panel.text(float(at[0]), float(at[1]), text, va="top", fontsize=9.0, fontweight="bold")
