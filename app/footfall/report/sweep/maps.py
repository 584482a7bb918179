"""Measures of a sweep over two axes, and time series of its runs over each other."""

import re
from collections.abc import Mapping
from typing import Any

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
import xarray as xr
from matplotlib.cm import ScalarMappable
from matplotlib.colors import BoundaryNorm, Colormap, ListedColormap, LogNorm, Normalize
from matplotlib.ticker import NullFormatter

from footfall.analysis.figures import Map, Overlay
from footfall.analysis.runs import SERIES
from footfall.arrays import Array
from footfall.report.figure import Figure, draw
from footfall.report.light_axes import PlainPowers
from footfall.report.panels import TIME, grid_shape, legend_above
from footfall.report.sweep.axes import (
    REPEATED,
    at_places,
    groups,
    label_of,
    numeric_axes,
    own_axes,
    set_axis,
    words_of,
)
from footfall.show.colours import run_colour

_COLOURS = "viridis"
_NONE = "#dddddd"  # where there is no number
_MOST_PANELS = 4
_MOST_RUNS = 400  # of an overlay
_HEIGHT = 3.4  # inches
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
                panel.yaxis.set_minor_formatter(NullFormatter())
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
    return draw(title, alt, shape, plot, note=note, row_height=_HEIGHT, share_x=False)


def _codes(measure: xr.DataArray, shown: Array) -> dict[float, str]:
    """Words for the values of a measure whose meaning lists them, as in "0: goal, 1: saved".

    Those that occur; none where a value has no words.
    """
    listed = re.findall(r"(\d+): ([^,]+)", str(measure.attrs.get("long_name", "")))
    words = {float(code): meaning.strip() for code, meaning in listed}
    found = np.unique(shown[np.isfinite(shown)]).tolist()
    return {code: words[code] for code in found} if set(found) <= words.keys() else {}


def _colouring(shown: Array, codes: Mapping[float, str]) -> tuple[Normalize, Colormap]:
    """Return which value has which colour: one for each code, else a scale."""
    colours = mpl.colormaps[_COLOURS]
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
    series = data[name].transpose(..., over, "time")
    table = series.to_numpy().reshape(-1, data.sizes[over], data.sizes["time"])
    every = max(1, len(table) * data.sizes[over] // _MOST_RUNS)
    numeric = np.issubdtype(data[over].dtype, np.number) and data.sizes[over] > 1
    time, values = data["time"].to_numpy(), data[over].to_numpy()
    norm: Any = None
    if numeric:
        kind = LogNorm if data[over].attrs.get("scale") == "log" else Normalize
        norm = kind(values.min(), values.max())

    def colour(k: int) -> Any:  # noqa: ANN401 (as matplotlib has it)
        return mpl.colormaps[_COLOURS](norm(values[k])) if numeric else run_colour(k)

    def plot(axes: npt.NDArray[Any]) -> None:
        (panel,) = axes[0]
        for number, row in enumerate(table):
            for k, one in enumerate(row):
                if (number * len(row) + k) % every == 0:
                    label = str(values[k]) if number == 0 and not numeric else None
                    panel.plot(time, one, color=colour(k), linewidth=_BROAD, label=label)
        unit = data[name].attrs["units"]
        panel.set(xlabel=TIME, ylabel=f"{option.series} [{unit}]" if unit else option.series)
        if numeric:
            figure: Any = panel.figure
            bar = ScalarMappable(norm, mpl.colormaps[_COLOURS])
            powers = PlainPowers() if isinstance(norm, LogNorm) else None
            figure.colorbar(bar, ax=panel, label=label_of(data, over), format=powers)
        else:
            legend_above(panel, ncols=5)

    alt = f"{option.series} over time of all runs, coloured by {over}."
    note = f"One of {every} runs is drawn." if every > 1 else ""
    title, dense = f"{option.series} of all runs", len(table) * data.sizes[over] > _MOST_PANELS * 10
    return draw(title, alt, (1, 1), plot, note=note, row_height=_HEIGHT, dense=dense)
