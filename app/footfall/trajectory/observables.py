"""Observables of the user's own in a trajectory: variables over time, and metrics of them."""

from collections.abc import Iterator

import numpy as np
import xarray as xr

from footfall.arrays import Array
from footfall.metrics import Metric

_MARK = "observable"
_MEANINGS = {
    "final": "at the end",
    "min": "smallest",
    "max": "largest",
    "mean": "mean over time",
}
METRIC_KINDS = tuple(_MEANINGS)
"""Endings of the names of the metrics of an observable."""


def observable_dataset(
    name: str, values: Array, time: xr.DataArray, what: str, unit: str
) -> xr.Dataset:
    """Return an observable as a variable ``observable_<name>`` over time.

    values: (N,) or (N, k). what: the function that it comes from. unit: as the user says, or empty.
    """
    dims = ("time", f"{name}_component")[: values.ndim]
    attrs = {"units": unit, "long_name": what, _MARK: name}
    return xr.Dataset({f"{_MARK}_{name}": (dims, values, attrs)}, {"time": time})


def observables_of(data: xr.Dataset) -> dict[str, xr.DataArray]:
    """Return the observables of a trajectory by their names."""
    return {
        str(data.variables[name].attrs[_MARK]): data[name]
        for name in data.data_vars
        if _MARK in data.variables[name].attrs
    }


def observable_metrics(data: xr.Dataset) -> dict[str, Metric]:
    """Return the last, smallest, largest and mean value of every observable.

    Lists for those of several components; values that are not finite are left out of all but the
    last. The mean is that over time (trapezoidal).
    """
    return {
        f"{name}_{kind}": values.tolist()
        for name, variable in observables_of(data).items()
        for kind, values in _metrics(data["time"].to_numpy(), variable.to_numpy())
    }


def observable_meanings(data: xr.Dataset) -> dict[str, tuple[str, str]]:
    """Unit and meaning of every metric of `observable_metrics`, by its name."""
    return {
        f"{name}_{kind}": (
            str(variable.attrs["units"]),
            f"{variable.attrs['long_name']}, {meaning}",
        )
        for name, variable in observables_of(data).items()
        for kind, meaning in _MEANINGS.items()
    }


def _metrics(time: Array, values: Array) -> Iterator[tuple[str, Array]]:
    known = np.isfinite(values).reshape(len(values), -1).all(axis=1)
    some, when = values[known], time[known]
    if len(some) == 0:
        return
    span = when[-1] - when[0]
    mean = np.trapezoid(some, when, axis=0) / span if span > 0.0 else some[-1]
    numbers = (values[-1], some.min(axis=0), some.max(axis=0), mean)
    yield from zip(_MEANINGS, map(np.asarray, numbers), strict=True)
