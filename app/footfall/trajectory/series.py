"""Time series of a trajectory by name: ``q.theta1``, ``impulse.biped::foot_a.n``, ``com.z``.

A name is the variable's, then what stands on its dimensions besides time. A short name, such as
``theta1`` or ``hip_height``, is found where it says which series is meant. A
CSV file has a row a time and a column a series, with the unit in its heading.
"""

import csv
import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr

from footfall.arrays import Array
from footfall.errors import RunError
from footfall.files import replacing
from footfall.trajectory.contact_table import contact_table
from footfall.trajectory.observables import observables_of
from footfall.wording import did_you_mean

_FIRST = ("q", "actuation", "foot_normal_force", "impulse", "v")
"""Variables that a bare name along a dimension is looked for in, before all others."""


@dataclass(frozen=True, eq=False)
class Series:
    """One number over time: values (N,), SI; unit as text, empty for none; meaning in words."""

    name: str
    values: Array
    unit: str
    meaning: str


def series_of(data: xr.Dataset, variable: str) -> list[Series]:
    """Return every series of a variable over time, such as ``q`` or ``com``."""
    array = data.variables[variable]
    meaning = str(array.attrs.get("long_name", ""))
    dims = [str(dim) for dim in array.dims if dim != "time"]
    values: Array = array.transpose("time", *dims).to_numpy().astype(np.float64)
    columns = values.reshape(len(values), math.prod(values.shape[1:])).T
    places = itertools.product(*(_labels(data, dim) for dim in dims))
    units = _units(data, str(array.attrs.get("units", "")), dims)
    return [
        Series(".".join([variable, *labels]), column, unit, meaning)
        for labels, unit, column in zip(places, units, columns, strict=True)
    ]


def all_series(data: xr.Dataset) -> Iterator[Series]:
    """Give every number over time of a trajectory, in the order of its variables."""
    for variable in variables_over_time(data):
        yield from series_of(data, variable)


def variables_over_time(data: xr.Dataset) -> list[str]:
    """Return the variables that hold numbers over time, as those of sensors may not."""
    arrays = ((str(name), data.variables[name]) for name in data.data_vars)
    return [
        name
        for name, array in arrays
        if "time" in array.dims
        and np.issubdtype(array.dtype, np.number)
        and all(size > 0 for dim, size in array.sizes.items() if dim != "time")
    ]


def find_series(data: xr.Dataset, name: str) -> list[Series]:
    """Return the series of a name: one, or all of a variable, a foot, a contact or an observable.

    Raises RunError, one line with the nearest name, where there is none.
    """
    variables = variables_over_time(data)
    observable = observables_of(data).get(name)
    if observable is not None:
        return series_of(data, str(observable.name))
    if name in variables:
        return series_of(data, name)
    variable = name.partition(".")[0]
    if variable in variables:
        own = series_of(data, variable)
        named = [each for each in own if f"{each.name}.".startswith(f"{name}.")]
        if named:
            return named
        raise RunError(f"no series '{name}': {did_you_mean(name, [each.name for each in own])}")
    for candidate in sorted(variables, key=_rank):
        dims = [str(dim) for dim in data[candidate].dims if dim != "time"]
        if dims and name in _labels(data, dims[0]):
            prefix = f"{candidate}.{name}."
            own = series_of(data, candidate)
            return [each for each in own if f"{each.name}.".startswith(prefix)]
    raise RunError(f"the run has no series '{name}'; {did_you_mean(name, names_of(data))}")


def names_of(data: xr.Dataset) -> list[str]:
    """Return the short names of a trajectory: of coordinates, actuators, feet, and variables."""
    variables = variables_over_time(data)
    dims = [str(dim) for name in variables for dim in data[name].dims if dim not in _PLAIN]
    labels = [label for dim in dict.fromkeys(dims) for label in _labels(data, dim)]
    return list(dict.fromkeys((*labels, *observables_of(data), *variables)))


_PLAIN = ("time", "xyz", "axis")


def _rank(variable: str) -> int:
    return _FIRST.index(variable) if variable in _FIRST else len(_FIRST)


def _labels(data: xr.Dataset, dim: str) -> list[str]:
    named = dim in data.coords
    return [str(one) for one in (data[dim].to_numpy() if named else range(data.sizes[dim]))]


def _units(data: xr.Dataset, unit: str, dims: Sequence[str]) -> list[str]:
    """Return the unit of each series: of their variable, or of the names along a dimension."""
    where = unit.rpartition("see ")[2]
    own: Any = data[where] if where != unit and where in data.coords else xr.DataArray(unit)
    sizes = {dim: data.sizes[dim] for dim in dims}
    every = own.variable.set_dims(sizes).transpose(*dims).to_numpy()
    return ["" if one == "1" else str(one) for one in every.ravel()]


_MANY = 50  # contacts


def without_idle_contacts(data: xr.Dataset) -> xr.Dataset:
    """Leave out contacts that never touched where there are many, as corners of hulls are."""
    if data.sizes["contact"] <= _MANY:
        return data
    table = contact_table(data)
    touches = (table.columns["mode"] > 0) | table.columns["impulse"].any(axis=1)
    return data.isel(contact=np.unique(table.contact[touches]))


def write_csv(data: xr.Dataset, path: Path, names: Sequence[str] = ()) -> int:
    """Write time series and return the number of columns, time included.

    names: series as `find_series` takes them, all unless given. A heading is the full name and the
    unit, ``q.theta1 [rad]``; what has none stands alone. Numbers are in SI with all their digits,
    empty where there is none. Raises RunError for a name that there is not, and where the file
    cannot be written.
    """
    if names:
        chosen = [series for name in names for series in find_series(data, name)]
    else:
        chosen = list(all_series(data))
    headings = ["time [s]", *(f"{s.name} [{s.unit}]" if s.unit else s.name for s in chosen)]
    columns = [data["time"].to_numpy(), *(series.values for series in chosen)]
    with replacing(path) as temporary, temporary.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(headings)
        for row in np.column_stack(columns).tolist():
            writer.writerow([value if value == value else "" for value in row])  # noqa: PLR0124 (NaN)
    return len(headings)
