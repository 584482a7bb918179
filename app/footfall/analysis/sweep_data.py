"""Outcomes of a sweep as labelled arrays."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import xarray as xr

from footfall.analysis.axes import Axis, unit_of
from footfall.analysis.distributions import SAMPLE
from footfall.analysis.runs import DONE, Outcome

OF_WALL_TIME = ("realtime_factor",)
"""Metrics that are not the same when a run is repeated, which a sweep leaves out."""
SERIES_POINTS = 201
"""Times at which series are kept."""
SERIES = "series_"
"""What the names of time series begin with."""

Meanings = Mapping[str, tuple[str, str]]
"""Unit and meaning by name."""


def dataset_of(
    engines: Sequence[str],
    axes: Sequence[Axis],
    outcomes: Sequence[Outcome],
    meanings: Meanings,
    measures: Sequence[str] = (),
) -> xr.Dataset:
    """Return the numbers of all runs, and how they ended, on the grid of engines and axes.

    measures: metrics that are wanted; all that any run has if none is named. NaN where a run has
    none. ``status`` and ``message`` say how each run ended.
    """
    data = xr.Dataset(coords=_coordinates(engines, axes))
    dims, shape = tuple(data.sizes), tuple(data.sizes.values())
    known = dict.fromkeys(name for each in outcomes for name in each.metrics)
    for name in measures or known:
        if name in data.coords:
            continue  # what is given is no result
        values = [each.metrics.get(name, math.nan) for each in outcomes]
        unit, meaning = meanings.get(name, ("", ""))
        attrs = {"units": unit, "long_name": meaning}
        data[name] = (dims, np.array(values, dtype=np.float64).reshape(shape), attrs)
    for name, meaning in (("status", "how the run ended"), ("message", "why it ended so")):
        texts = np.array([getattr(each, name) for each in outcomes], dtype=np.str_)
        data[name] = (dims, texts.reshape(shape), {"long_name": meaning})
    return data


def with_success(data: xr.Dataset, reasons: Sequence[str]) -> xr.Dataset:
    """Return the data with 1 where a run succeeded, and why one did not.

    reasons: of the runs in their order, empty for a success.
    """
    dims, shape = data["status"].dims, data["status"].shape
    texts = np.array(reasons, dtype=np.str_).reshape(shape)
    attrs = {"units": "1", "long_name": "1 where the run succeeded"}
    told = {"long_name": "why the run did not succeed"}
    return data.assign(
        success=(dims, (texts == "").astype(np.int8), attrs), reason=(dims, texts, told)
    )


def with_series(
    data: xr.Dataset,
    outcomes: Sequence[Outcome],
    names: Sequence[str],
    duration: float,
    meanings: Meanings,
) -> xr.Dataset:
    """Return the data with time series of the runs, NaN where one had ended.

    meanings: besides others, those of the series by their names in the data.
    """
    if not names:
        return data
    dims, shape = data["status"].dims, data["status"].shape
    nothing = [math.nan] * SERIES_POINTS
    arrays = {
        f"{SERIES}{name}": (
            (*dims, "time"),
            np.array([each.series.get(name, nothing) for each in outcomes]).reshape(*shape, -1),
            {"units": meanings.get(f"{SERIES}{name}", ("", ""))[0], "long_name": name},
        )
        for name in names
    }
    time = np.linspace(0.0, duration, SERIES_POINTS)
    return data.assign_coords(time=("time", time, {"units": "s", "long_name": "time"})).assign(
        arrays
    )


def with_curves(data: xr.Dataset, outcomes: Sequence[Outcome]) -> xr.Dataset:
    """Return the data with the curves of the runs on top of its dimensions, NaN where one has none.

    What they are over is joined where it differs from run to run.
    """
    per_run = [
        xr.Dataset.from_dict(dict(each.curves)) if each.curves else None for each in outcomes
    ]
    known = [one for one in per_run if one is not None]
    if not known:
        return data
    nothing = xr.full_like(known[0].astype(np.float64), np.nan)
    parts = [nothing if one is None else one for one in per_run]
    alike = all(part.sizes == known[0].sizes for part in parts)
    if not alike or not all(_same_places(part, known[0]) for part in parts):
        parts = list(xr.align(*parts, join="outer"))
    dims, shape = data["status"].dims, data["status"].shape
    for name, one in parts[0].data_vars.items():
        table = np.stack([part[name].to_numpy() for part in parts])
        data[name] = ((*dims, *one.dims), table.reshape(*shape, *one.shape), known[0][name].attrs)
    for name, place in parts[0].coords.items():
        data = data.assign_coords({name: (place.dims, place.to_numpy(), known[0][name].attrs)})
    return data


def _same_places(part: xr.Dataset, other: xr.Dataset) -> bool:
    return all(part[name].equals(place) for name, place in other.coords.items())


def reason_of(outcome: Outcome) -> str:
    """Say why a run is not done; empty where it is."""
    return "" if outcome.status == DONE else f"{outcome.status}: {outcome.message}"


def _coordinates(engines: Sequence[str], axes: Sequence[Axis]) -> dict[str, xr.Variable]:
    """Return a coordinate for every dimension, and besides that the values of samples."""
    named = {"long_name": "engine"}
    coordinates = {"engine": xr.Variable("engine", np.array(engines, dtype=np.str_), named)}
    for axis in axes:
        attrs = {"long_name": axis.name, "units": unit_of(axis.name)}
        if axis.logarithmic:
            attrs["scale"] = "log"
        labels = axis.labels if axis.is_numeric else [str(label) for label in axis.labels]
        coordinates[axis.name] = xr.Variable(axis.name, np.array(labels), attrs)
        if axis.name == SAMPLE:
            for path in axis.changes[0].values:
                drawn = np.array([change.values[path] for change in axis.changes])
                coordinates[path] = xr.Variable(
                    SAMPLE, drawn, {"long_name": path, "units": unit_of(path), "drawn": 1}
                )
    return coordinates
