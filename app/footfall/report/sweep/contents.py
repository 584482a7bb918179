"""Contents of the page of a sweep: the figures that it asks for, or those that fit its shape."""

import math
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import xarray as xr

from footfall.analysis.distributions import SAMPLE, SEED
from footfall.analysis.figures import (
    FigureOption,
    Lines,
    Map,
    Overlay,
    Spread,
    SuccessMap,
    SuccessRate,
    read,
)
from footfall.analysis.runs import DONE, SERIES, UNKNOWN
from footfall.errors import RunError
from footfall.metrics import Metric, most_telling
from footfall.report.figure import Figure
from footfall.report.sweep.axes import (
    REPEATED,
    drawn_values,
    label_of,
    numeric_axes,
    own_axes,
    text_of,
    unit_of,
    words_of,
)
from footfall.report.sweep.lines import lines, spread, success_rate
from footfall.report.sweep.maps import map_of, overlay, success_map
from footfall.report.tables import NONE, Contents, Table, listed, number
from footfall.wording import did_you_mean

_MOST_FIGURES = 6  # of measures that nobody named
_MOST_DRAWN = 3  # values that were drawn, likewise
_MOST_REASONS = 12
_MOST_TOLD, _MOST_EXTREMES = 12, 4  # rows of a kind and measures in a terminal
_MOST_CAUSES = 5  # likewise
_MOST_FOUND = 200  # rows of a table
_MOST_RUNS, _MOST_MEASURES = 24, 8  # of a table of all numbers
_DRAW: dict[type[Any], Callable[[xr.Dataset, Any], Figure]] = {
    Lines: lines,
    Map: map_of,
    SuccessRate: success_rate,
    Spread: spread,
    Overlay: overlay,
    SuccessMap: success_map,
}
_VALUE = re.compile(r" is \S+, not")  # of a condition that is not met
# of a message, but for the bound of a condition
_NUMBER = re.compile(r"(?<![\w.])(?<![<>] )(?<!<= )(?<!>= )[-+]?\d+(\.\d+)?(e[-+]?\d+)?")
_NONE = "there is none within the axis"
_SLIPS = {"slips": ("slip_of_step", 1e-2), "creeps": ("creep_by_foot", 1e-3)}
"""Distances that sliding feet move [m] at least, and the metric that has them."""
_OWN = ("success", "status", "message", "reason")


def sweep_contents(data: xr.Dataset, _metrics: Mapping[str, Metric]) -> Contents:
    """Return figures, what searches found, and why runs did not succeed."""
    asked = read(str(data.attrs["figures"])) or chosen(data)
    for one in asked:
        _require(data, one)
    figures = [_titled(_DRAW[type(one)](data, one), one.figure) for one in asked]
    tables = _in_engines(data), _numbers(data), _found(data), _reasons(data)
    return Contents(figures, [each for each in tables if each.rows], _notes(data))


def _titled(figure: Figure, name: str) -> Figure:
    """Return a figure with its name in a document, if it has one there."""
    return replace(figure, title=f"{name}: {figure.title}") if name else figure


def chosen(data: xr.Dataset) -> list[FigureOption]:
    """Return the figures that fit the shape of a sweep."""
    measures = measures_of(data)
    numeric, own, drawn = numeric_axes(data), own_axes(data), drawn_values(data)
    options: list[FigureOption] = []
    if not bool(data["success"].all()):
        many = len(numeric) > 1 and not any(dim in data.dims for dim in REPEATED)
        sampled = len(drawn) > 1 and not own
        options.append(Map("success") if many else SuccessMap() if sampled else SuccessRate())
    if drawn and not own:
        pairs = [(name, path) for name in measures for path in drawn[:_MOST_DRAWN]]
        options += [Spread(name, path) for name, path in pairs[: 2 * _MOST_FIGURES]]
    elif len(numeric) > 1:
        options += [Map(name) for name in measures]
    elif numeric and not any(dim in data.dims for dim in REPEATED):
        options += [Lines(name) for name in measures]
    else:
        options += [Spread(name) for name in measures]
    options += [Lines(name, over=dim) for name, dim in _curves(data)[:_MOST_FIGURES]]
    return options + [Overlay(name) for name in _series(data)]


def measures_of(data: xr.Dataset, most: int = _MOST_FIGURES) -> list[str]:
    """Return the measures that differ among runs, the most telling few of them."""
    dims = data["success"].dims
    measures = []
    for name, array in data.data_vars.items():
        if name in _OWN or array.dims != dims:
            continue
        values = array.to_numpy()
        known = values[np.isfinite(values)]
        if known.size > 1 and np.ptp(known) > 1e-9 * np.abs(known).max():
            measures.append(str(name))
    return most_telling(measures)[:most]


def _series(data: xr.Dataset) -> list[str]:
    return [str(name)[len(SERIES) :] for name in data.data_vars if str(name).startswith(SERIES)]


def _curves(data: xr.Dataset) -> list[tuple[str, str]]:
    """Return the curves of the runs, each with what it is over."""
    dims = data["success"].dims
    return [
        (str(name), str(one.dims[-1]))
        for name, one in data.data_vars.items()
        if one.dims[:-1] == dims and not str(name).startswith(SERIES)
    ]


def _require(data: xr.Dataset, option: FigureOption) -> None:
    """Raise RunError for a figure of what the sweep has not."""
    what = f"analysis.figures: !{type(option).__name__}"
    measure = getattr(option, "measure", None)
    if measure is not None and measure not in data.data_vars:
        known = [str(name) for name in data.data_vars]
        raise RunError(f"{what}: there is no measure {measure!r}; {did_you_mean(measure, known)}")
    series = getattr(option, "series", None)
    if series is not None and series not in _series(data):
        raise RunError(f"{what}: series {series!r} was not kept; name it in analysis.series.")
    reference = getattr(option, "reference", "")
    if reference and reference not in data["engine"].to_numpy():
        raise RunError(f"{what}: the reference {reference!r} is none of the engines of the sweep.")
    for field in ("over", "x", "y"):
        axis = getattr(option, field, "")
        own = data[measure].dims if measure is not None else ()
        known = [*map(str, dict.fromkeys((*data["success"].dims, *own))), *drawn_values(data)]
        if axis and axis not in known:
            raise RunError(f"{what}: there is no axis {axis!r}; {did_you_mean(axis, known)}")
    if isinstance(option, SuccessMap) and len(drawn_values(data)) < 2:
        raise RunError(f"{what}: the sweep draws no two values; name them in analysis.draw.")
    for axis in getattr(option, "at", {}):
        if axis not in data["success"].dims:
            known = list(map(str, data["success"].dims))
            raise RunError(f"{what}: there is no axis {axis!r}; {did_you_mean(axis, known)}")
    if isinstance(option, Map) and len(numeric_axes(data)) < 2 and not (option.x and option.y):
        raise RunError(f"{what}: the sweep has no two axes of numbers.")


def answers(data: xr.Dataset) -> list[Table]:
    """Return what a terminal shows of a sweep: what was found, and why runs did not succeed."""
    found, reasons = _found(data), _reasons(data, _MOST_CAUSES)
    more = len(found.rows) - _MOST_TOLD
    note = f"And {more} more of searches, on the page." if more > 0 else ""
    if any(row[-1] == NONE for row in found.rows):
        note = f"{NONE}: {_NONE}. {note}".rstrip()
    rows = [*found.rows[:_MOST_TOLD], *_steps_of_success(data), *_extremes(data)]
    rows += [(words_of(data, name), "", data[name].attrs[UNKNOWN]) for name in _unknown(data)]
    tables = _in_engines(data), Table("What was found", found.headings, rows, note), reasons
    return [table for table in tables if table.rows]


def _unknown(data: xr.Dataset) -> list[str]:
    """Return the measures that were asked for by name and that no run has."""
    return [str(name) for name, one in data.data_vars.items() if UNKNOWN in one.attrs]


def _steps_of_success(data: xr.Dataset) -> list[tuple[str, str, str]]:
    """Return between which values of an axis success begins or ends, where nothing searched it.

    Of several axes it is the one with most values. Runs that are repeated have such steps by
    chance, and none is told.
    """
    axes = [axis for axis in numeric_axes(data) if data.sizes[axis] > 1]
    searched = any(str(name).startswith("border_") for name in data.data_vars)
    if not axes or searched or any(data.sizes.get(dim, 1) > 1 for dim in REPEATED):
        return []
    axis = max(axes, key=data.sizes.__getitem__)
    rows = []
    for one in _places(data.sortby(axis), [dim for dim in data["success"].dims if dim != axis]):
        values = one[axis].to_numpy()
        for k in np.flatnonzero(np.diff(one["success"].to_numpy())):
            middle, half = np.mean(values[k : k + 2]), np.ptp(values[k : k + 2]) / 2.0
            told = f"{_bordered(one, axis, middle)}, of the grid"
            where = _where(data, one, axis)
            rows.append(
                (f"border {words_of(data, axis)}", where, _value(data, axis, middle, half) + told)
            )
    return rows[:_MOST_TOLD]


def _bordered(one: xr.Dataset, axis: str, border: float) -> str:
    """Return on which side of a border runs succeed; one: the runs along its axis."""
    places = one[axis].to_numpy()
    above = np.flatnonzero(places > border)
    nearest = above[np.argmin(places[above])]
    return f", succeeds {'above' if one['success'].to_numpy()[nearest] else 'below'}"


def _extremes(data: xr.Dataset) -> list[tuple[str, str, str]]:
    """Return the largest and the smallest values of measures, of the runs that succeeded.

    Of runs with several seeds they are those of medians. What figures show comes first.
    """
    known = measures_of(data, len(data.data_vars))
    shown = [getattr(one, "measure", "") for one in read(str(data.attrs["figures"]))]
    rows = []
    for name in list(dict.fromkeys(n for n in (*shown, *known) if n in known))[:_MOST_EXTREMES]:
        values = data[name].where(data["success"] == 1)
        median = values.sizes.get(SEED, 1) > 1
        values = values.median(SEED) if median else values
        if values.min() == values.max() or not values.notnull().any():
            continue
        for words, best in (("largest", values.max()), ("smallest", values.min())):
            at = np.argwhere(values.to_numpy() == best.item())
            place = dict(zip(values.dims, map(int, at[0]), strict=True))
            where = _where(data, data.isel(place), *(SEED,) * median)
            more = f" and {len(at) - 1} more" if len(at) > 1 else ""
            what = f"{words} {'median ' if median else ''}{words_of(data, name)}"
            rows.append((what, where + more, _value(data, name, best.item())))
    return rows


def _places(data: xr.Dataset, dims: Sequence[Hashable]) -> Iterator[xr.Dataset]:
    """Give the runs at every place on some dimensions."""
    for place in np.ndindex(*(data.sizes[dim] for dim in dims)):
        yield data.isel(dict(zip(dims, place, strict=True)))


def _where(data: xr.Dataset, one: xr.Dataset, *without: str) -> str:
    """Return in words at which place of a sweep its data at one are, with what was drawn there."""
    dims = [str(dim) for dim in data["success"].dims if data.sizes[dim] > 1 and dim not in without]
    dims += drawn_values(data) if SAMPLE in dims else []
    return ", ".join(text_of(data, dim, one[dim].item()) for dim in dims)


def _value(data: xr.Dataset, name: str, value: float, error: float = math.nan) -> str:
    """Return a value of a measure or an axis, to its error where that is known, and its unit."""
    if not math.isfinite(value):
        return number(value)
    if not error > 0.0:
        return f"{number(value, 6)} {unit_of(data, name)}".rstrip()
    places = [math.floor(math.log10(abs(one))) for one in (value or error, error)]
    digits = max(2, 2 + places[0] - places[1])
    return f"{number(value, digits)} ± {number(error, 2)} {unit_of(data, name)}".rstrip()


def _numbers(data: xr.Dataset) -> Table:
    """Return what was measured in every run, where these are few."""
    dims = [str(dim) for dim in data["success"].dims if data.sizes[dim] > 1]
    measures = measures_of(data, _MOST_MEASURES)
    rows = []
    if dims and data["success"].size <= _MOST_RUNS:
        for one in _places(data, dims):
            values = [number(one[name].item(), 5) for name in measures]
            rows.append((_where(data, one), *values))
    return Table("Every run", ("run", *(label_of(data, name) for name in measures)), rows)


def _in_engines(data: xr.Dataset) -> Table:
    """Return what a robot does in each of several engines, and what in some of them only.

    It is told where it is known how far feet slide.
    """
    rows, engines = [], [str(engine) for engine in data["engine"].to_numpy()]
    slips = {does: own for does, own in _SLIPS.items() if own[0] in data}
    told = slips and len(engines) > 1 and data["success"].size <= _MOST_FOUND
    dims = [str(dim) for dim in data["success"].dims if dim != "engine"]
    for one in _places(data, dims) if told else ():
        runs = [_does(one.sel(engine=engine), slips) for engine in engines]
        some = {
            does: [engine for engine, run in zip(engines, runs, strict=True) if does in run]
            for does in dict.fromkeys(does for run in runs for does in run)
        }
        only = [f"{does} in {listed(own)}" for does, own in some.items() if len(own) < len(engines)]
        cells = (", ".join(f"{does} {far}".rstrip() for does, far in run.items()) for run in runs)
        rows.append((_where(data, one, "engine"), *cells, "; ".join(only)))
    note = "; ".join(
        f"{does}: {data[name].attrs['long_name']}, from {least:g} m on"
        for does, (name, least) in slips.items()
    )
    return Table("In each engine", ("where", *engines, "in some only"), rows, note)


def _does(run: xr.Dataset, slips: Mapping[str, tuple[str, float]]) -> dict[str, str]:
    """Return what a robot does in a run, each with how far."""
    status, fell = str(run["status"].item()), float(run.get("fallen", math.nan)) == 1.0
    failed = "falls" if fell else status if status != DONE else "does not succeed"
    does = {"survives" if run["success"].item() else failed: ""}
    far = {each: float(run[name]) for each, (name, least) in slips.items() if run[name] >= least}
    return does | {each: f"{number(way, 2)} m" for each, way in far.items()}


def _found(data: xr.Dataset) -> Table:
    """Return what searches along axes found, a row for each place on the others."""
    names = [str(name) for name in data.data_vars if str(name).startswith(("border_", "best_"))]
    rows = []
    for name in names:
        if name.endswith("_error"):
            continue
        axis = _axis_of(data, name)
        own = axis if name.startswith(("border_", f"best_{axis}_of_")) else name
        for one in _places(data, data[name].dims):
            value, error = (float(one.get(each, math.nan)) for each in (name, f"{name}_error"))
            told = _value(data, own, value, error)
            if name.startswith("border_") and np.isfinite(value):
                told += _bordered(one, axis, value)
            rows.append((_spelled(data, name), _where(data, one, axis), told))
    meanings = {
        "±" if name.endswith("_error") else _spelled(data, name): data[name].attrs["long_name"]
        for name in names
    }
    if any(row[-1] == NONE for row in rows):
        meanings[NONE] = _NONE
    note = "; ".join(f"{name}: {words}" for name, words in meanings.items())
    return Table("Found along axes", ("what", "where", "value"), rows[:_MOST_FOUND], note)


def _axis_of(data: xr.Dataset, name: str) -> str:
    """Return the axis along which a search was, by the name of what it found."""
    axes = [str(dim) for dim in data["success"].dims if dim not in data[name].dims]
    return next(axis for axis in axes if axis in name)


def _spelled(data: xr.Dataset, name: str) -> str:
    """Return the name of what a search found, with its axis as figures call it."""
    for axis in map(str, data.coords):
        if label := data[axis].attrs.get("label"):
            name = name.replace(axis, label)
    return name.replace("_", " ")


def _reasons(data: xr.Dataset, most: int = _MOST_REASONS) -> Table:
    """Return why runs did not succeed, the most frequent reasons first."""
    texts = (str(text) for text in data["reason"].to_numpy().ravel() if text)
    alike: dict[str, Counter[str]] = {}
    for text in texts:
        alike.setdefault(_NUMBER.sub("…", text), Counter())[_VALUE.sub(" is not", text)] += 1
    counted = Counter(
        {
            next(iter(same)) if len(same) == 1 else general: same.total()
            for general, same in alike.items()
        }
    )
    rows = [(text, str(count)) for text, count in counted.most_common(most)]
    more = len(counted) - len(rows)
    note = f"And {more} more reasons, see reason in findings.nc." if more > 0 else ""
    return Table("Runs that did not succeed", ("reason", "runs"), rows, note)


def _notes(data: xr.Dataset) -> list[str]:
    runs, sizes = data["success"].size, data["success"].sizes
    varied = {str(dim): count for dim, count in sizes.items() if count > 1}
    shape = ", ".join(f"{words_of(data, dim)}: {count}" for dim, count in varied.items())
    summary = f"{runs} runs ({shape})" if len(varied) > 1 else f"{runs} runs"
    summary = (
        f"{summary}, of which {int(data['success'].sum())} succeeded. All their numbers are in"
    )
    unknown = [f"{name}: {data[name].attrs[UNKNOWN]}." for name in _unknown(data)]
    return [f"{summary} findings.nc, with the dimensions of this list.", *unknown]
