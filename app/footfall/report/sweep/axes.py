"""Dimensions of a sweep as its figures see them."""

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import xarray as xr

from footfall.analysis.axes import Value
from footfall.analysis.distributions import SAMPLE, SEED
from footfall.analysis.functions import PARAMETERS
from footfall.report.charts.panel import Panel
from footfall.report.curves import Part, Plot

REPEATED = (SAMPLE, SEED)
"""Dimensions along which runs differ by chance alone."""
MOST_LINES = 7
_LAST = re.compile(r"[^.]*(\.\d+)*$")  # of a path, with the numbers of places in lists


def own_axes(data: xr.Dataset) -> list[str]:
    """Return the dimensions of the runs that were chosen: neither engines nor chance."""
    return [str(dim) for dim in data["success"].dims if dim not in (*REPEATED, "engine")]


def numeric_axes(data: xr.Dataset) -> list[str]:
    """Return those of them that are numbers."""
    return [axis for axis in own_axes(data) if np.issubdtype(data[axis].dtype, np.number)]


def drawn_values(data: xr.Dataset) -> list[str]:
    """Return the values that samples drew."""
    return [str(name) for name, array in data.coords.items() if array.attrs.get("drawn")]


def label_of(data: xr.Dataset, name: str) -> str:
    """Return what a figure calls a measure or an axis, with its unit."""
    words, unit = words_of(data, name), _unit_of(data, name)
    return f"{words} [{unit}]" if unit else words


def words_of(data: xr.Dataset, name: str) -> str:
    """Return what a title calls a measure or an axis: as the sweep says, or by its name."""
    given = str(data[name].attrs.get("label", "")) if name in data.variables else ""
    return given or name.removeprefix(PARAMETERS).replace("_", " ")


def _unit_of(data: xr.Dataset, name: str) -> str:
    unit = str(data[name].attrs.get("units", "")) if name in data.variables else ""
    return "" if unit == "1" else unit


def groups(
    data: xr.Dataset, beside: Sequence[str], of: str = "success", most: int = MOST_LINES
) -> Iterator[tuple[str, xr.Dataset]]:
    """Give the runs at each place on the dimensions that are not named, with its name.

    of: variable whose dimensions they are. Dimensions of one place have no part in it; at most so
    many places, spread evenly.
    """
    dims = [str(dim) for dim in data[of].dims if dim not in beside]
    places = list(itertools.product(*(range(data.sizes[dim]) for dim in dims)))
    chosen = np.unique(np.linspace(0, len(places) - 1, min(len(places), most)).round())
    for k in chosen.astype(int):
        place = dict(zip(dims, places[k], strict=True))
        parts = [
            text_of(data, dim, data[dim].to_numpy()[index])
            for dim, index in place.items()
            if data.sizes[dim] > 1
        ]
        yield ", ".join(parts), data.isel(place)


def at_places(data: xr.Dataset, at: Mapping[str, Value]) -> xr.Dataset:
    """Return the runs at places on some axes, the nearest of numbers."""
    for axis, value in at.items():
        near = "nearest" if np.issubdtype(data[axis].dtype, np.number) else None
        data = data.sel({axis: [value]}, method=near)
    return data


def text_of(data: xr.Dataset, dim: str, value: Any) -> str:  # noqa: ANN401 (a number or a text)
    """Return a place on a dimension in words."""
    if isinstance(value, str):
        return str(value)
    words = str(data[dim].attrs.get("label", "")) or _LAST.search(dim)[0].replace("_", " ")  # type: ignore[index]  # of any text
    return f"{words} {float(value):.4g} {_unit_of(data, dim)}".strip()


def panel_over(
    data: xr.Dataset,
    axis: str,
    label: str,
    parts: Sequence[Part],
    **own: Any,  # noqa: ANN401 (as of `Plot`)
) -> Plot:
    """A panel over an axis or a value that was drawn, scaled as its values were spread."""
    scaled = partial(set_axis, data=data, axis=axis)
    return Plot(label, [*parts, scaled], across=label_of(data, axis), **own)


def set_axis(panel: Panel, data: xr.Dataset, axis: str) -> None:
    """Label the x axis of a panel, and scale it as the values were spread."""
    panel.set_xlabel(label_of(data, axis))
    if data[axis].attrs.get("scale") == "log":
        panel.set_xscale("log")
    if not np.issubdtype(data[axis].dtype, np.number):
        names = [str(name) for name in data[axis].to_numpy()]
        panel.set_xticks(range(len(names)), names)


def places_of(data: xr.Dataset, axis: str) -> Any:  # noqa: ANN401 (an array of numbers)
    """Return where the values of an axis are drawn: numbers at themselves, names in a row."""
    values = data[axis].to_numpy()
    return values if np.issubdtype(values.dtype, np.number) else np.arange(len(values))
