"""Runs of a sweep: what each simulates, what it has to meet, and outcomes as labelled arrays."""

import math
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import product
from typing import Any, Protocol

import numpy as np
import xarray as xr

from footfall.analysis.axes import Axis, Change, unit_of
from footfall.analysis.distributions import SAMPLE
from footfall.errors import ScenarioError

DONE, REFUSED, FAILED = "done", "refused", "failed"


@dataclass(frozen=True)
class Point:
    """A run of a sweep: engine, and what is different from the scenario."""

    engine: str
    change: Change

    @property
    def name(self) -> str:
        """Return what it follows from, in words that no other run has."""
        values = [f"{path}={value!r}" for path, value in self.change.values.items()]
        return f"{self.engine}: {', '.join([*self.change.settings, *values]) or 'as it is'}"

    def also(self, path: str, value: float) -> "Point":
        """Return the same with another value."""
        return Point(self.engine, Change({**self.change.values, path: value}, self.change.settings))


@dataclass(frozen=True)
class Outcome:
    """End of a run: status, why it is not done, metrics that are one number, and time series.

    status: ``done``, ``refused`` where the scenario could not be simulated, else as a trajectory's.
    meanings: unit and meaning of metrics that no machine knows, the user's own. series: by name, at
    even times of the whole duration, NaN where the run had ended. curves: arrays with dimensions of
    their own, as `xarray.Dataset.to_dict` has them; none if it is empty.
    """

    status: str
    message: str = ""
    metrics: Mapping[str, float] = field(default_factory=dict)
    meanings: Mapping[str, Sequence[str]] = field(default_factory=dict)
    series: Mapping[str, Sequence[float]] = field(default_factory=dict)
    curves: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON holds of it."""
        return asdict(self)


class Runner(Protocol):
    """Simulation of points; it can be sent to another process."""

    def __call__(self, point: Point) -> dict[str, Any]:
        """Return the outcome of a point, as `Outcome.to_dict` has it; a failed one as well.

        Raises Interrupted for one that Ctrl-C cut off.
        """

    def check(self, point: Point) -> None:
        """Raise ScenarioError, one line, for a point that no scenario is."""


def points_of(engines: Sequence[str], axes: Sequence[Axis]) -> list[Point]:
    """Return the runs of all engines at all places of a grid, the last axis fastest."""
    return [
        Point(engine, _together(changes))
        for engine in engines
        for changes in product(*(axis.changes for axis in axes))
    ]


def _together(changes: Sequence[Change]) -> Change:
    values: dict[str, Any] = {}
    for change in changes:
        values |= change.values
    return Change(values, tuple(setting for change in changes for setting in change.settings))


_WRITTEN = re.compile(r"\s*([A-Za-z_]\w*)\s*(<=|>=|<|>)\s*(\S+)\s*")
_HOLDS: Mapping[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}


@dataclass(frozen=True)
class Condition:
    """A bound on a metric."""

    metric: str
    relation: str
    bound: float

    def unmet(self, metrics: Mapping[str, float]) -> str:
        """Say how metrics do not meet it; empty where they do."""
        value = metrics.get(self.metric, math.nan)
        if math.isnan(value):
            return f"no {self.metric}, wanted {self.relation} {self.bound:g}"
        if _HOLDS[self.relation](value, self.bound):
            return ""
        return f"{self.metric} is {value:.6g}, not {self.relation} {self.bound:g}"


def read_conditions(texts: Sequence[str]) -> list[Condition]:
    """Read conditions such as ``x_final > 0.5``; raises ScenarioError for what is none."""
    return [_read(text) for text in texts]


def _read(text: str) -> Condition:
    match = _WRITTEN.fullmatch(text)
    try:
        if match is not None and math.isfinite(float(match[3])):
            return Condition(match[1], match[2], float(match[3]))
    except ValueError:
        pass
    raise ScenarioError(f"success: '{text}' is no condition: write it as x_final > 0.5.")


OF_WALL_TIME = ("realtime_factor",)
"""Metrics that are not the same when a run is repeated, which a sweep leaves out."""
SERIES_POINTS = 201
"""Times at which series are kept."""
SERIES = "series_"
"""Beginning of the names of time series."""

Meanings = Mapping[str, tuple[str, str]]
"""Unit and meaning by name."""


UNKNOWN = "unknown"
"""Attribute of a metric that was asked for by name and that no run has."""


def dataset_of(
    engines: Sequence[str],
    axes: Sequence[Axis],
    outcomes: Sequence[Outcome],
    meanings: Meanings,
    measures: Sequence[str] = (),
) -> xr.Dataset:
    """Return the numbers of all runs, and how they ended, on the grid of engines and axes.

    meanings: of metrics that outcomes say nothing of. measures: metrics that are wanted; all that
    any run has if none is named. NaN where a run has none. ``status`` and ``message`` say how each
    run ended.
    """
    meanings = {**meanings, **_own_meanings(outcomes)}
    data = xr.Dataset(coords=_coordinates(engines, axes))
    dims, shape = tuple(data.sizes), tuple(data.sizes.values())
    known = dict.fromkeys(name for each in outcomes for name in each.metrics)
    for name in measures or known:
        if name in data.coords:
            continue  # what is given is no result
        values = [each.metrics.get(name, math.nan) for each in outcomes]
        unit, meaning = meanings.get(name, ("", ""))
        attrs = {"units": unit, "long_name": meaning}
        attrs |= {} if name in known else {UNKNOWN: "no run tells it"}
        data[name] = (dims, np.array(values, dtype=np.float64).reshape(shape), attrs)
    for name, meaning in (("status", "how the run ended"), ("message", "why it ended so")):
        texts = np.array([getattr(each, name) for each in outcomes], dtype=np.str_)
        data[name] = (dims, texts.reshape(shape), {"long_name": meaning})
    return data


def _own_meanings(outcomes: Sequence[Outcome]) -> Meanings:
    """Return unit and meaning of metrics and series that outcomes bring along."""
    return {name: (unit, what) for one in outcomes for name, (unit, what) in one.meanings.items()}


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
) -> xr.Dataset:
    """Return the data with time series of the runs, NaN where one had ended."""
    if not names:
        return data
    meanings = _own_meanings(outcomes)
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


def reason_of(outcome: Outcome, conditions: Sequence[Condition] = ()) -> str:
    """Say why a run is not done, or which condition it does not meet; empty where it succeeds."""
    if outcome.status != DONE:
        return f"{outcome.status}: {outcome.message}"
    return next(filter(None, (each.unmet(outcome.metrics) for each in conditions)), "")


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
