"""Convergence of a scenario's metrics with the time step, in any engine.

The scenario is simulated at steps that shrink by a factor. The order is the slope of a straight
line through the logarithms of the errors: of the differences between neighbouring steps, which
shrink at the same order, or of the distances from a reference engine. Where in a step an event
falls looks like chance, which the interval of the slope shows; against a reference, the error of a
step can be the root mean square over several steps beside it.
"""

# (No `from __future__ import annotations` here: Drake's YAML reader needs the types themselves.)

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np
import xarray as xr

from footfall.analysis.axes import Axis, Change, axis_of_values
from footfall.analysis.context import AnalysisContext, AnalysisResult, run_points
from footfall.analysis.runs import (
    DONE,
    Outcome,
    dataset_of,
    points_of,
    reason_of,
    with_success,
)
from footfall.arrays import Array
from footfall.engine_names import require_engine
from footfall.errors import RunError, ScenarioError
from footfall.metrics import Metric
from footfall.registry.context import MachineContext
from footfall.registry.machines import known_metrics
from footfall.wording import did_you_mean

ERROR, ORDER, LIMIT, REFERENCE = "error_", "order_", "limit_", "reference_"
"""Beginnings of the names of what is found about a measure."""

_STEP = "time_step"
_MOST = 20  # steps, and samples of each
_BESIDE = 0.11  # of a step: those beside it lie within so much of it
_LIKELY = 0.95  # that an order lies within its interval
_ROUNDING = 1e-11  # of a value: smaller errors are rounding, and tell no order
_WHOLE = 1e-9  # of a step
_NOT_OF_THE_MOTION = ("median_iterations", "max_residual", "energy_residual")


@dataclass
class Convergence:
    """Metrics at several time steps, and the orders at which they converge."""

    # How many steps; the first is the scenario's own.
    steps: int = 6
    # Each is so many times shorter than the one before.
    ratio: float = 2.0
    # Engines; none: the scenario's own.
    engines: list[str] = field(default_factory=list)
    # Metrics to look at; none: all that are numbers and change with the step.
    measures: list[str] = field(default_factory=list)
    # Engine, at the scenario's own step, from which the distances are; empty: each step's distance
    # from the next one.
    reference: str = ""
    # Steps beside each, evenly about it, over which errors from the reference are the root mean
    # square, and metrics the mean; the last of such runs ends within a step after the duration.
    samples: int = 1

    takes_any_scenario: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Refuse steps of which no order follows."""
        if not 3 <= self.steps <= _MOST:
            raise ScenarioError(f"convergence: steps is {self.steps}: give 3 to {_MOST}.")
        if not 1.0 < self.ratio <= 100.0:
            raise ScenarioError(f"convergence: ratio is {self.ratio:g}: give more than 1.")
        for engine in [*self.engines, *([self.reference] if self.reference else [])]:
            require_engine(engine)
        if not 1 <= self.samples <= _MOST or (self.samples > 1 and not self.reference):
            raise ScenarioError(
                f"convergence: samples is {self.samples}: give 1 to {_MOST}, and with more than 1 "
                "a reference."
            )
        if len(set(self.engines)) < len(self.engines):
            raise ScenarioError("convergence: engines has one twice: give each once.")

    def metrics(self) -> dict[str, tuple[str, str]]:
        """Unit and meaning of every metric."""
        return {
            "runs": ("1", "simulations"),
            "measures": ("1", "metrics that change with the time step"),
            "lowest_order": ("1", "lowest order of any of them, in the first engine"),
        }

    def run(self, context: MachineContext, analysis: AnalysisContext) -> AnalysisResult:
        """Simulate all steps; raises ScenarioError for a time that they do not fill."""
        steps = [context.time_step / self.ratio**k for k in range(self.steps)]
        for step in steps if self.samples == 1 else ():
            count = context.duration / step
            if abs(count - round(count)) > _WHOLE * count:
                raise ScenarioError(
                    f"convergence: {context.duration:g} s are not a whole number of steps of "
                    f"{step:.6g} s: change duration, time_step or ratio."
                )
        engines = self.engines or [analysis.engine]
        axis = axis_of_values(_STEP, steps)
        if self.samples > 1:
            axis = _axis_beside(steps, self.samples, context.duration)
        points = points_of(engines, [axis])
        exact = points_of([self.reference], []) if self.reference else []
        outcomes = run_points(analysis, [*points, *exact])
        of_steps = [outcomes[k : k + self.samples] for k in range(0, len(points), self.samples)]
        data = self._measured(engines, steps, [_mean(those) for those in of_steps])
        reference = outcomes[-1].metrics if exact else {}
        data = self._with_orders(data, reference, of_steps)
        names = _names(data)
        orders = [float(data[f"{ORDER}{name}"][0]) for name in names]
        known = [order for order in orders if math.isfinite(order)]
        metrics: dict[str, Metric] = {
            "runs": float(len(outcomes)),
            "measures": float(len(names)),
            "lowest_order": min(known, default=math.nan),
        }
        return AnalysisResult(data, metrics)

    def _measured(
        self, engines: list[str], steps: list[float], outcomes: list[Outcome]
    ) -> xr.Dataset:
        axes = [axis_of_values(_STEP, steps, logarithmic=True)]
        data = dataset_of(engines, axes, outcomes, known_metrics(), self.measures)
        data[_STEP].attrs["units"] = "s"
        failed = [one for one in outcomes if one.status != DONE]
        if len(failed) == len(outcomes):
            raise RunError(f"convergence: no run comes to its end: {failed[0].message}")
        for name in self.measures:
            if bool(data[name].isnull().all()):
                every = sorted({known for one in outcomes for known in one.metrics})
                raise ScenarioError(
                    f"convergence: there is no metric {name!r}; {did_you_mean(name, every)}"
                )
        return with_success(data, [reason_of(one) for one in outcomes])

    def _with_orders(
        self, data: xr.Dataset, exact: Mapping[str, float], of_steps: Sequence[Sequence[Outcome]]
    ) -> xr.Dataset:
        """Return the data with errors, orders with their intervals, and limits."""
        steps, dims = data[_STEP].to_numpy(), ("engine", _STEP)
        changing = [str(name) for name in data.data_vars if _changes(data[name])]
        named = [name for name in changing if name not in _NOT_OF_THE_MOTION]
        for name in self.measures or named:
            values, unit = data[name].to_numpy(), data[name].attrs["units"]
            errors = self._errors(values)
            if self.reference:
                errors = _distances(name, of_steps, exact.get(name, math.nan)).reshape(values.shape)
                told = {"units": unit, "long_name": f"{name} of the reference"}
                data[f"{REFERENCE}{name}"] = (), exact.get(name, math.nan), told
            rows = np.array(
                [fitted(steps, row, float(np.nanmax(np.abs(values)))) for row in errors]
            )
            what = "distance from the reference" if self.reference else "distance from the next"
            data[f"{ERROR}{name}"] = (dims, errors, {"units": unit, "long_name": what})
            about = f"order of {name} in the time step"
            for k, (end, words) in enumerate(
                (("", about), ("_low", "its 95 % interval"), ("_high", "its 95 % interval"))
            ):
                attrs = {"units": "1", "long_name": words}
                data[f"{ORDER}{name}{end}"] = ("engine", rows[:, k], attrs)
            limits = [
                extrapolated(row, order, self.ratio)
                for row, order in zip(values, rows[:, 0], strict=True)
            ]
            attrs = {"units": unit, "long_name": f"{name} in the limit, extrapolated"}
            data[f"{LIMIT}{name}"] = ("engine", np.array(limits), attrs)
        return data

    def _errors(self, values: Array) -> Array:
        """Return the distances (engine, step) from the next step; NaN for the last step."""
        last = np.full((len(values), 1), np.nan)
        return np.hstack([np.abs(np.diff(values, axis=1)), last])


def fitted(steps: Array, errors: Array, size: float) -> tuple[float, float, float]:
    """Return the order of errors in steps, and the ends of its 95 % interval.

    size: of the values, below whose rounding errors tell nothing. NaN where fewer than two errors
    are left, and for the interval where fewer than three are.
    """
    from scipy import stats  # takes a third of a second to import

    told = np.isfinite(errors) & (errors > _ROUNDING * abs(size))
    count = int(told.sum())
    if count < 2:
        return math.nan, math.nan, math.nan
    line = stats.linregress(np.log(steps[told]), np.log(errors[told]))
    if count < 3:
        return float(line.slope), math.nan, math.nan
    beside = float(stats.t.ppf(0.5 + 0.5 * _LIKELY, count - 2) * line.stderr)
    return float(line.slope), float(line.slope) - beside, float(line.slope) + beside


def extrapolated(values: Array, order: float, ratio: float) -> float:
    """Return the limit of values at shrinking steps by Richardson's formula; NaN without order."""
    if not (math.isfinite(order) and order > 0.0 and np.isfinite(values[-2:]).all()):
        return math.nan
    return float(values[-1] + (values[-1] - values[-2]) / (ratio**order - 1.0))


def _axis_beside(steps: Sequence[float], samples: int, duration: float) -> Axis:
    """Return the axis of all steps beside each one, evenly about it, which is their mean."""
    places = 1.0 + 2.0 * _BESIDE * ((np.arange(samples) + 0.5) / samples - 0.5)
    beside = [float(step * place) for step in steps for place in places]
    changes = [
        Change({_STEP: step, "duration": math.ceil(duration / step * (1.0 - _WHOLE)) * step})
        for step in beside
    ]
    return Axis(_STEP, tuple(beside), tuple(changes))


def _mean(outcomes: Sequence[Outcome]) -> Outcome:
    """Return the mean of runs beside a step; one that is not done speaks for all."""
    if len(outcomes) == 1:
        return outcomes[0]
    first = next((one for one in outcomes if one.status != DONE), outcomes[0])
    names = dict.fromkeys(name for one in outcomes for name in one.metrics)
    means = {
        name: float(np.mean([one.metrics.get(name, math.nan) for one in outcomes]))
        for name in names
    }
    return replace(first, metrics=means)


def _distances(name: str, of_steps: Sequence[Sequence[Outcome]], exact: float) -> Array:
    """Return the root mean square distances of steps from a reference."""
    values = [[one.metrics.get(name, math.nan) for one in those] for those in of_steps]
    rms: Array = np.sqrt(((np.array(values, dtype=np.float64) - exact) ** 2).mean(axis=1))
    return rms


def _changes(values: xr.DataArray) -> bool:
    """Return whether numbers change with the time step."""
    if values.dims != ("engine", _STEP) or values.dtype.kind != "f":
        return False
    spread = values.max(_STEP) - values.min(_STEP)
    return bool((spread > _ROUNDING * abs(values).max()).any())


def _names(data: xr.Dataset) -> list[str]:
    return [str(name)[len(ERROR) :] for name in data.data_vars if str(name).startswith(ERROR)]
