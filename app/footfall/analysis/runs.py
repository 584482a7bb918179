"""Runs of a sweep: what each simulates, what became of it, and what it has to meet."""

import math
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import product
from typing import Any, Protocol

from footfall.analysis.axes import Axis, Change
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
