"""Measures of a sweep over an axis: lines, spread, and the share of runs that succeed."""

from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr
from scipy.stats import binomtest

from footfall.analysis.figures import Lines, Spread, SuccessRate
from footfall.report.charts.panel import Panel
from footfall.report.figure import Figure, draw
from footfall.report.panels import run_style
from footfall.report.sweep.axes import (
    MOST_LINES,
    REPEATED,
    at_places,
    drawn_values,
    groups,
    label_of,
    own_axes,
    places_of,
    set_axis,
    words_of,
)
from footfall.show.colours import run_colour

_REFERENCE: dict[str, Any] = {"color": "#777777", "linewidth": 2.4, "zorder": 1.0}
_BORDER: dict[str, Any] = {"linewidth": 1.0, "linestyle": (0, (4, 2))}
_JITTER = 0.12  # of the distance between names, so that dots are seen beside each other
_HEIGHT = 3.2  # inches
_DOT, _LARGE_DOT, _MANY = 3.0, 6.0, 300  # points, and the dots beyond which they are small


def lines(data: xr.Dataset, option: Lines) -> Figure:
    """Draw a measure over an axis, a line for each place on the others, medians of chance."""
    over, name = option.over or _first(data), option.measure
    shown = at_places(_median(data), option.at)
    curve = over not in data["success"].dims  # of which each run has its own points
    references = shown.sel(engine=[option.reference]) if option.reference else None
    rest = [one for one in shown["engine"].to_numpy() if one != option.reference]

    def plot(axes: npt.NDArray[Any]) -> None:
        (panel,) = axes[0]
        if references is not None:
            for k, (_, one) in enumerate(groups(references, [over], name)):
                text = option.reference if k == 0 else None
                panel.plot(places_of(one, over), one[name], label=text, **_REFERENCE)
        for k, (label, one) in enumerate(groups(shown.sel(engine=rest), [over], name)):
            style = run_style(k) | ({} if curve else {"marker": "o", "markersize": 4.0})
            own = label or (str(rest[0]) if option.reference else None)
            known = one.dropna(over, subset=[name]) if curve else one
            panel.plot(places_of(known, over), known[name], label=own, **style)
            _mark(panel, one, name, over, run_colour(k))
        set_axis(panel, data, over)
        panel.set_ylabel(label_of(data, name))
        if option.scale == "log":
            panel.set(xscale="log", yscale="log")
        panel.legend()

    alt = f"{name} over {over}, a line for each other setting."
    note = "" if curve or not _gaps(shown, name) else "Gaps: runs that have no such number."
    others = shown.sel(engine=rest)[name].sizes.items()
    count = int(np.prod([size for dim, size in others if dim != over]))
    if count > MOST_LINES:
        note = f"{MOST_LINES} of {count} lines, evenly chosen. {note}".strip()
    if any(name in data for name in border_names(over)):
        note = f"Vertical, dashed: borders of success. {note}".strip()
    if any(dim in data.dims for dim in REPEATED):
        note = f"Medians over chance. {note}".strip()
    return draw(_title(data, name, over), alt, (1, 1), plot, note=note, row_height=_HEIGHT)


def spread(data: xr.Dataset, option: Spread) -> Figure:
    """Draw a measure of every run as a dot over an axis or a value that was drawn."""
    name, over = option.measure, option.over or _first(data)
    sampled = over in drawn_values(data)
    chance = [dim for dim in REPEATED if dim in data.dims]

    def plot(axes: npt.NDArray[Any]) -> None:
        (panel,) = axes[0]
        places = places_of(data, over)
        named = not np.issubdtype(data[over].dtype, np.number)
        for k, (label, one) in enumerate(groups(data, [over, *chance])):
            values = one[name].transpose(..., *([] if sampled else [over]))
            x = np.broadcast_to(_matched(one, values, over) if sampled else places, values.shape)
            shift = _JITTER * (k + 1) if named and k else 0.0
            size = _DOT if data["success"].size > _MANY else _LARGE_DOT
            style = {"color": run_colour(k), "markersize": size, "alpha": 0.55}
            panel.plot(x.ravel() + shift, values.to_numpy().ravel(), "o", label=label, **style)
            if not sampled:
                middle = values.median([dim for dim in values.dims if dim != over])
                panel.plot(places + shift, middle, "_", color=run_colour(k), markersize=16.0)
        set_axis(panel, data, over)
        panel.set_ylabel(label_of(data, name))
        panel.legend()

    alt = f"{name} of every run as a dot over {over}."
    note = "A dot a run." if sampled else "A dot a run; the bars are medians."
    return draw(_title(data, name, over), alt, (1, 1), plot, note=note, row_height=_HEIGHT)


def success_rate(data: xr.Dataset, option: SuccessRate) -> Figure:
    """Draw the share of runs that succeed over an axis, with Wilson's interval."""
    over = option.over or _first(data)
    several = [str(dim) for dim in data["success"].dims if dim not in ("engine", over)]

    def plot(axes: npt.NDArray[Any]) -> None:
        (panel,) = axes[0]
        for k, (label, one) in enumerate(groups(data, [over, *several])):
            rows = one["success"].transpose(over, ...).to_numpy().reshape(data.sizes[over], -1)
            share, low, high = np.array([wilson(int(row.sum()), row.size) for row in rows]).T
            places = places_of(data, over)
            colour = run_colour(k)
            panel.errorbar(places, np.minimum(low, share), np.maximum(high, share), color=colour)
            panel.plot(places, share, marker="o", linestyle="-", color=colour, label=label)
            _mark(panel, one, "", over, run_colour(k))
        set_axis(panel, data, over)
        panel.set_ylim(-0.03, 1.03)
        panel.set_ylabel("share that succeeds")
        panel.legend()

    alt = f"Share of the runs that succeed over {over}, with 95 % intervals."
    alone = all(data.sizes[dim] == 1 for dim in several)
    note = "" if alone else "Bars: 95 % intervals by Wilson's formula, of the runs at each place."
    title = f"Success over {words_of(data, over)}"
    return draw(title, alt, (1, 1), plot, note=note, row_height=_HEIGHT)


def wilson(successes: int, runs: int) -> tuple[float, float, float]:
    """Return the share of successes and the ends of its 95 % interval."""
    interval = binomtest(successes, runs).proportion_ci(method="wilson")
    return successes / runs, float(interval.low), float(interval.high)


def _first(data: xr.Dataset) -> str:
    return next(iter(own_axes(data)), "engine")


def _title(data: xr.Dataset, name: str, over: str) -> str:
    return f"{words_of(data, name)} over {words_of(data, over)}"


def _median(data: xr.Dataset) -> xr.Dataset:
    """Return the numbers with medians over dimensions of chance."""
    chance = [dim for dim in REPEATED if dim in data.dims]
    if not chance:
        return data
    numbers = [name for name, one in data.data_vars.items() if one.dtype.kind in "fi"]
    middle: xr.Dataset = data[numbers].median(chance, keep_attrs=True)
    return middle


def _gaps(data: xr.Dataset, name: str) -> bool:
    return bool(data[name].isnull().any())


def _matched(data: xr.Dataset, values: xr.DataArray, over: str) -> Any:  # noqa: ANN401 (an array)
    return data[over].broadcast_like(values).transpose(*values.dims).to_numpy()


def border_names(axis: str) -> list[str]:
    """Return what borders of success along an axis may be called."""
    return [f"border_{axis}{side}" for side in ("", "_below", "_above")]


def _mark(panel: Panel, one: xr.Dataset, measure: str, over: str, colour: str) -> None:
    """Mark the borders of success along an axis, and the optimum of a measure."""
    for border in border_names(over):
        if border in one and one[border].ndim == 0:
            panel.axvline(float(one[border]), color=colour, **_BORDER)
    best = f"best_{over}_of_{measure}"
    if best in one and one[best].ndim == 0:
        style: dict[str, Any] = {"markersize": 11.0, "zorder": 3.0}
        value = float(one[f"best_{measure}_over_{over}"])
        panel.plot([float(one[best])], [value], "x", color=colour, **style)
