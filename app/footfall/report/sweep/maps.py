"""Measures of a sweep over two axes, its runs over each other, and counts of those that succeed."""

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr
from matplotlib import colormaps
from matplotlib.cm import ScalarMappable
from matplotlib.colors import BoundaryNorm, Colormap, ListedColormap, LogNorm, Normalize

from footfall.analysis.figures import Map, Overlay, SuccessMap
from footfall.analysis.runs import SERIES
from footfall.arrays import Array
from footfall.report.charts.panel import Panel
from footfall.report.curves import Line, Part, Plot, curves
from footfall.report.figure import Figure, draw_picture
from footfall.report.panels import grid_shape
from footfall.report.sweep.axes import (
    REPEATED,
    at_places,
    drawn_values,
    groups,
    label_of,
    numeric_axes,
    own_axes,
    set_axis,
    words_of,
)
from footfall.report.tables import listed
from footfall.show.colours import run_colour

_SHARE_COLOURS = "RdYlGn"
_PALE = 0.35
_CORNER = np.array([0.02, 0.97])  # of a field, where its counts stand
_FIELD_HEIGHT = 4.0  # inches
_DOTS: dict[str, Any] = {"linestyle": "", "alpha": 0.8}
_RUN_MARKS: tuple[tuple[bool, str, dict[str, Any]], ...] = (
    (True, "succeeds", {"marker": "o", "color": "#009E73", "markersize": 4.0, **_DOTS}),
    (False, "does not", {"marker": "x", "color": "#B00020", "markersize": 5.0, **_DOTS}),
)


def success_map(data: xr.Dataset, option: SuccessMap) -> Figure:
    """Draw every run at two of its values, and in fields how many of how many succeed.

    A panel for each place on the other dimensions, such as the engines.
    """
    drawn = drawn_values(data)
    x, y = option.x or drawn[0], option.y or drawn[1]
    panels, told = list(groups(data, [str(dim) for dim in data[x].dims])), []
    labels = [option.x_label or label_of(data, x), option.y_label or label_of(data, y)]
    edges = [field_edges(data[name].to_numpy(), option.fields) for name in (x, y)]

    plots = []
    for label, one in panels:
        values = [one[name].to_numpy().ravel() for name in (x, y)]
        success = one["success"].to_numpy().ravel().astype(np.bool_)
        parts: list[Part] = [partial(_fields, edges=edges, counted=counts(values, success, edges))]
        for succeeded, words, look in _RUN_MARKS:
            own = success == succeeded
            parts.append(Line(values[0][own], values[1][own], words, look))
        count = f"{int(success.sum())} of {success.size}"
        title = f"{label}: {count} succeed" if label else f"{count} succeed"
        plots.append(Plot(labels[1], parts, title, labels[0]))
        told.append(f"{label or 'all'} {count}")
    over = f"{labels[0]} and {labels[1]}"
    alt = f"Runs that succeed and that do not over {over}, with counts: {listed(told)}."
    note = "A mark a run; in each field, those that succeed of those that are there."
    title = f"Success over {over}"
    return curves(None, title, plots, alt=alt, note=note, columns=2, row_height=_FIELD_HEIGHT)


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


def _fields(panel: Panel, edges: Sequence[Array], counted: tuple[Array, Array]) -> None:
    """Colour the fields by the share that succeeds, and write the counts into them."""
    panel.grid(visible=False)
    good, runs = counted
    share = good / np.maximum(runs, 1.0)
    x, y = edges
    for i, j in zip(*np.nonzero(runs), strict=True):
        corners = np.array(
            [(x[a], y[b]) for a, b in ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1))]
        )
        colour = colormaps[_SHARE_COLOURS](share[i, j])
        panel.polygons([corners], facecolor=colour, edgecolor="white", alpha=_PALE)
        at = corners[0] + _CORNER * (corners[2] - corners[0])
        text = f"{int(good[i, j])}/{int(runs[i, j])}"
        panel.text(float(at[0]), float(at[1]), text, va="top", fontsize=9.0, fontweight="bold")


_COLOURS = "viridis"
_NONE = "#dddddd"  # where there is no number
_MOST_PANELS = 4
_MOST_RUNS = 400  # of an overlay
_HEIGHT = 3.4  # inches
_NAMED = 5  # values of an axis of numbers, in a legend
_BROAD = 0.6  # of a line's width among many


def map_of(data: xr.Dataset, option: Map) -> Figure:
    """Draw a measure over two axes in colours, a panel for each place on the others."""
    name, known = option.measure, numeric_axes(data)
    x, y = option.x or known[0], option.y or known[1]
    chance = [dim for dim in REPEATED if dim in data.dims]
    values = at_places(data[[name]], {k: v for k, v in option.at.items() if k in data[name].dims})
    values = values.astype(float)
    values = values.mean(chance, keep_attrs=True) if chance else values
    panels = list(groups(values, [x, y], name, _MOST_PANELS))
    shown = np.concatenate([one[name].to_numpy().ravel() for _, one in panels])
    codes = {} if chance else _codes(data[name], shown)
    norm, colours = _colouring(shown, codes)

    def plot(axes: npt.NDArray[Any]) -> None:
        for panel, (label, one) in zip(axes.ravel(), panels, strict=False):
            table = one[name].transpose(y, x).to_numpy()
            places = one[x].to_numpy(), one[y].to_numpy()
            style: dict[str, Any] = {"shading": "nearest", "norm": norm, "cmap": colours}
            panel.pcolormesh(*places, table, rasterized=True, **style)
            panel.grid(visible=False)
            set_axis(panel, data, x)
            panel.set_ylabel(label_of(data, y))
            if data[y].attrs.get("scale") == "log":
                panel.set_yscale("log")
            panel.set_title(label)
        for panel in axes.ravel()[len(panels) :]:
            panel.set_visible(False)
        figure: Any = axes[0, 0].figure
        bar = figure.colorbar(ScalarMappable(norm, colours), ax=axes.ravel().tolist())
        if codes:
            bar.set_ticks(list(codes), labels=list(codes.values()))
            bar.ax.tick_params(length=0)
        bar.set_label(words_of(data, name) if codes else label_of(data, name))

    alt = f"{name} over {x} and {y} in colours."
    note = "Grey: no run there has such a number." if np.isnan(shown).any() else ""
    count = int(np.prod([size for dim, size in values[name].sizes.items() if dim not in (x, y)]))
    if count > len(panels):
        note = f"{len(panels)} of {count} maps, evenly chosen. {note}".strip()
    if chance:
        note = f"Means over chance. {note}".strip()
    shape = grid_shape(len(panels))
    title = " and ".join(words_of(data, axis) for axis in (x, y))
    title = f"{words_of(data, name)} over {title}"
    return draw_picture(title, alt, shape, plot, note=note, row_height=_HEIGHT, share_x=False)


def _codes(measure: xr.DataArray, shown: Array) -> dict[float, str]:
    """Words for the values of a measure whose meaning lists them, as in "0: goal, 1: saved".

    Those that occur; none where a value has no words.
    """
    listed = re.findall(r"(\d+): ([^,]+)", str(measure.attrs.get("long_name", "")))
    words = {float(code): meaning.strip() for code, meaning in listed}
    values = np.unique(shown[np.isfinite(shown)]).tolist()
    return {code: words[code] for code in values} if set(values) <= words.keys() else {}


def _colouring(shown: Array, codes: Mapping[float, str]) -> tuple[Normalize, Colormap]:
    """Return which value has which colour: one for each code, else a scale."""
    colours = colormaps[_COLOURS]
    if len(codes) > 1:
        places = np.array(list(codes))
        ends = [places[0] - 0.5, *(0.5 * (places[:-1] + places[1:])), places[-1] + 0.5]
        some = ListedColormap(colours(np.linspace(0.2, 0.95, len(codes))))
        return BoundaryNorm(ends, len(codes)), some.with_extremes(bad=_NONE)
    low, high = (np.nanmin(shown), np.nanmax(shown)) if np.isfinite(shown).any() else (0.0, 1.0)
    scale = Normalize(low, high if high > low else low + 1.0)
    return scale, colours.with_extremes(bad=_NONE)


def overlay(data: xr.Dataset, option: Overlay) -> Figure:
    """Draw a time series of all runs over each other, coloured along an axis."""
    name = f"{SERIES}{option.series}"
    over = option.over or next(iter(own_axes(data)), "engine")
    table = data[name].transpose(..., over, "time").to_numpy()
    table = table.reshape(-1, data.sizes[over], data.sizes["time"])
    every = max(1, len(table) * data.sizes[over] // _MOST_RUNS)
    time, values = data["time"].to_numpy(), data[over].to_numpy()
    names, colours = [str(value) for value in values], [run_colour(k) for k in range(len(values))]
    if np.issubdtype(values.dtype, np.number) and len(values) > 1:
        kind = LogNorm if data[over].attrs.get("scale") == "log" else Normalize
        colours = list(colormaps[_COLOURS](kind(values.min(), values.max())(values)))
        few = np.unique(np.linspace(0, len(values) - 1, _NAMED).astype(int)).tolist()
        names = [f"{value:.4g}" if k in few else "" for k, value in enumerate(values)]
        names[0] = f"{label_of(data, over)} {names[0]}"
    lines = [
        Line(time, table[row, k], "" if row else names[k], {"color": colour, "linewidth": _BROAD})
        for row in range(len(table))
        for k, colour in enumerate(colours)
        if (row * len(colours) + k) % every == 0
    ]
    unit = data[name].attrs["units"]
    plot = Plot(f"{option.series} [{unit}]" if unit else option.series, lines)
    alt = f"{option.series} over time of all runs, coloured by {over}."
    note = f"One of {every} runs is drawn." if every > 1 else ""
    title = f"{option.series} of all runs"
    return curves(None, title, [plot], alt=alt, note=note, row_height=_HEIGHT)
