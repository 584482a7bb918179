"""Measures of a sweep over an axis: lines, spread, and the share of runs that succeed."""

from typing import Any

import numpy as np
import xarray as xr

from footfall.analysis.figures import Lines, Spread, SuccessRate
from footfall.analysis.shares import wilson
from footfall.report.curves import Line, Part, Uprights, curves
from footfall.report.figure import Figure
from footfall.report.panels import run_style
from footfall.report.sweep.axes import (
    MOST_LINES,
    REPEATED,
    at_places,
    drawn_values,
    groups,
    label_of,
    own_axes,
    panel_over,
    places_of,
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
    rest = [one for one in shown["engine"].to_numpy() if one != option.reference]
    parts: list[Part] = []
    if option.reference:
        references = shown.sel(engine=[option.reference])
        for k, (_, one) in enumerate(groups(references, [over], name)):
            text = option.reference if k == 0 else ""
            parts.append(Line(places_of(one, over), one[name], text, _REFERENCE))
    for k, (label, one) in enumerate(groups(shown.sel(engine=rest), [over], name)):
        look = run_style(k) | ({} if curve else {"marker": "o", "markersize": 4.0})
        own = label or (str(rest[0]) if option.reference else "")
        known = one.dropna(over, subset=[name]) if curve else one
        parts.append(Line(places_of(known, over), known[name], own, look))
        parts += _marks(one, name, over, run_colour(k))
    note = "" if curve or not _gaps(shown, name) else "Gaps: runs that have no such number."
    others = shown.sel(engine=rest)[name].sizes.items()
    count = int(np.prod([size for dim, size in others if dim != over]))
    if count > MOST_LINES:
        note = f"{MOST_LINES} of {count} lines, evenly chosen. {note}".strip()
    if any(name in data for name in border_names(over)):
        note = f"Vertical, dashed: borders of success. {note}".strip()
    if any(dim in data.dims for dim in REPEATED):
        note = f"Medians over chance. {note}".strip()
    log = option.scale == "log"
    plot = panel_over(data, over, label_of(data, name), parts, log=log, log_across=log)
    alt = f"{name} over {over}, a line for each other setting."
    return curves(None, _title(data, name, over), [plot], alt=alt, note=note, row_height=_HEIGHT)


def spread(data: xr.Dataset, option: Spread) -> Figure:
    """Draw a measure of every run as a dot over an axis or a value that was drawn."""
    name, over = option.measure, option.over or _first(data)
    sampled = over in drawn_values(data)
    chance = [dim for dim in REPEATED if dim in data.dims]
    places = places_of(data, over)
    named = not np.issubdtype(data[over].dtype, np.number)
    size = _DOT if data["success"].size > _MANY else _LARGE_DOT
    dots = {"linestyle": "", "marker": "o", "markersize": size, "alpha": 0.55}
    bars = {"linestyle": "", "marker": "_", "markersize": 16.0}
    parts: list[Part] = []
    for k, (label, one) in enumerate(groups(data, [over, *chance])):
        values, colour = one[name].transpose(..., *([] if sampled else [over])), run_colour(k)
        x = np.broadcast_to(_matched(one, values, over) if sampled else places, values.shape)
        shift = _JITTER * (k + 1) if named and k else 0.0
        look = {"color": colour, **dots}
        parts.append(Line(x.ravel() + shift, values.to_numpy().ravel(), label, look))
        if not sampled:
            middle = values.median([dim for dim in values.dims if dim != over])
            parts.append(Line(places + shift, middle, look={"color": colour, **bars}))
    plot = panel_over(data, over, label_of(data, name), parts)
    alt = f"{name} of every run as a dot over {over}."
    note = "A dot a run." if sampled else "A dot a run; the bars are medians."
    return curves(None, _title(data, name, over), [plot], alt=alt, note=note, row_height=_HEIGHT)


def success_rate(data: xr.Dataset, option: SuccessRate) -> Figure:
    """Draw the share of runs that succeed over an axis, with Wilson's interval."""
    over = option.over or _first(data)
    several = [str(dim) for dim in data["success"].dims if dim not in ("engine", over)]
    places = places_of(data, over)
    parts: list[Part] = []
    for k, (label, one) in enumerate(groups(data, [over, *several])):
        rows = one["success"].transpose(over, ...).to_numpy().reshape(data.sizes[over], -1)
        share, low, high = np.array([wilson(int(row.sum()), row.size) for row in rows]).T
        ends = np.minimum(low, share), np.maximum(high, share), np.full(len(share), np.nan)
        bars, colour = np.column_stack(ends).ravel(), run_colour(k)
        parts.append(Line(np.repeat(places, 3), bars, look={"color": colour, "marker": "_"}))
        parts.append(Line(places, share, label, {"color": colour, "marker": "o"}))
        parts += _marks(one, "", over, colour)
    plot = panel_over(data, over, "share that succeeds", parts, low=-0.03, high=1.03)
    alt = f"Share of the runs that succeed over {over}, with 95 % intervals."
    alone = all(data.sizes[dim] == 1 for dim in several)
    note = "" if alone else "Bars: 95 % intervals by Wilson's formula, of the runs at each place."
    title = f"Success over {words_of(data, over)}"
    return curves(None, title, [plot], alt=alt, note=note, row_height=_HEIGHT)


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


def _marks(one: xr.Dataset, measure: str, over: str, colour: str) -> list[Part]:
    """Marks at the borders of success along an axis, and at the optimum of a measure."""
    found = [float(one[name]) for name in border_names(over) if name in one and not one[name].ndim]
    marks: list[Part] = [Uprights(found, look={"color": colour, **_BORDER})] if found else []
    best = f"best_{over}_of_{measure}"
    if best in one and one[best].ndim == 0:
        value = float(one[f"best_{measure}_over_{over}"])
        look = {"color": colour, "linestyle": "", "marker": "x", "markersize": 11.0, "zorder": 3.0}
        marks.append(Line([float(one[best])], [value], look=look))
    return marks
