"""Sweep: simulations of one scenario at many values of it, in one labelled dataset."""

# (No `from __future__ import annotations` here: Drake's YAML reader needs the types themselves.)

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import ClassVar

import numpy as np
import xarray as xr

from footfall.analysis.axes import (
    VARIANT,
    Axis,
    LogRange,
    Range,
    Value,
    Values,
    axis_of_values,
    axis_of_variants,
)
from footfall.analysis.context import AnalysisContext, AnalysisResult, run_points
from footfall.analysis.distributions import (
    LATIN_HYPERCUBE,
    METHODS,
    SAMPLE,
    SEED,
    Gaussian,
    LogUniform,
    Uniform,
    UniformDiscrete,
    axis_of_samples,
)
from footfall.analysis.figures import (
    Lines,
    Map,
    Overlay,
    Spread,
    SuccessMap,
    SuccessRate,
    dumped,
)
from footfall.analysis.runs import (
    DONE,
    REFUSED,
    Outcome,
    Point,
    dataset_of,
    points_of,
    read_conditions,
    reason_of,
    with_curves,
    with_series,
    with_success,
)
from footfall.analysis.searches import (
    Border,
    Optimum,
    Search,
    border_search,
    optimum_search,
    together,
)
from footfall.engine_names import require_engine
from footfall.errors import ScenarioError
from footfall.metrics import Metric
from footfall.registry.context import MachineContext
from footfall.registry.machines import known_metrics
from footfall.trajectory.observables import METRIC_KINDS
from footfall.wording import did_you_mean

_MOST_RUNS = 1_000_000
_GRID, _SEARCHED = 0.7, 0.99  # shares of the work: when the grid is done, and searches are
_NOT_RUN = Outcome("not run")
_MOST = 100_000  # samples, seeds


@dataclass
class Sweep:
    """Runs at all combinations of values, variants, samples, seeds and engines."""

    # Values by the paths that --set takes, each an axis, in the order of their names:
    # !Values {values: [0.1, 0.2]}, !Range {begin, end, count}, !LogRange {begin, end, count}.
    over: dict[str, Values | Range | LogRange] = field(default_factory=dict)
    # Variants by name, each a list of overrides as --set takes them; an axis "variant".
    variants: dict[str, list[str]] = field(default_factory=dict)
    # Distributions of values by their paths, drawn together so often: an axis "sample".
    draw: dict[str, Uniform | Gaussian | LogUniform | UniformDiscrete] = field(default_factory=dict)
    samples: int = 0
    # latin-hypercube or random.
    sampling: str = LATIN_HYPERCUBE
    # Seeds 0, 1, ... of the scenario, so many: an axis "seed". 0: its own alone.
    seeds: int = 0
    # Function that is evaluated instead of simulating: one of the machine by its name, or
    # "file.py:function" of one's own. It is called with the scenario at each place and with
    # parameters, which axes and draws may vary as "parameters.<name>".
    function: str = ""
    parameters: dict[str, Value] = field(default_factory=dict)
    # Engines; none: the scenario's own.
    engines: list[str] = field(default_factory=list)
    # Metrics to keep, of numbers by foot or joint the largest; none: all that are one number.
    measures: list[str] = field(default_factory=list)
    # What a run has to meet besides coming to its end, as in "x_final > 0.5".
    success: list[str] = field(default_factory=list)
    # Time series to keep of every run, at 201 times, as in "q.hip" or "com.z".
    series: list[str] = field(default_factory=list)
    # Searches along an axis, among more simulations.
    optima: list[Optimum] = field(default_factory=list)
    borders: list[Border] = field(default_factory=list)
    # Words for axes on the page, with a unit in brackets if they have one, in place of their paths;
    # those of what nothing varies are passed over:
    # {parameters.speed: "speed of the ball [m/s]"}.
    labels: dict[str, str] = field(default_factory=dict)
    # Figures of the page: !Lines, !Map, !SuccessRate, !Spread, !Overlay, !SuccessMap. None: chosen
    # by the shape.
    figures: list[Lines | Map | SuccessRate | Spread | Overlay | SuccessMap] = field(
        default_factory=list
    )

    takes_any_scenario: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Refuse what is no sweep; axes are in the order of their names, as files have them."""
        self.over, self.draw = dict(sorted(self.over.items())), dict(sorted(self.draw.items()))
        self.variants = dict(sorted(self.variants.items()))
        if self.sampling not in METHODS:
            raise ScenarioError(
                f"sampling is '{self.sampling}': choose one of {', '.join(METHODS)}."
            )
        for name in ("samples", "seeds"):
            value = getattr(self, name)
            if not 0 <= value <= _MOST:
                raise ScenarioError(f"sweep: {name} is {value}: give 0 to {_MOST}.")
        if bool(self.draw) != bool(self.samples):
            raise ScenarioError("sweep: give samples and what to draw together, or neither.")
        for engine in self.engines:
            require_engine(engine)
        if len(set(self.engines)) < len(self.engines):
            raise ScenarioError("sweep: engines has one twice: give each once.")
        read_conditions(self.success)
        if self.parameters and not self.function:
            raise ScenarioError("sweep: parameters are those of a function: name it as well.")
        if self.series and self.function:
            raise ScenarioError("sweep: a function has no time series: let it return curves.")

    def metrics(self) -> dict[str, tuple[str, str]]:
        """Unit and meaning of every metric."""
        return {
            "runs": ("1", "simulations of the grid"),
            "succeeded": ("1", "those of them that succeeded"),
            "refused": ("1", "those of them that could not be simulated"),
        }

    def wanted(self) -> list[str]:
        """Return the metrics that runs have to tell; none: all."""
        if not self.measures:
            return []
        bounded = [condition.metric for condition in read_conditions(self.success)]
        return [*self.measures, *bounded, *(one.measure for one in self.optima)]

    def axes(self, seed: int) -> list[Axis]:
        """Return the dimensions besides the engine; seed: what samples are drawn from."""
        axes = [axis_of_variants(self.variants)] if self.variants else []
        axes += [values.axis(path) for path, values in self.over.items()]
        if self.samples:
            axes.append(axis_of_samples(self.draw, self.samples, self.sampling, seed))
        if self.seeds:
            axes.append(axis_of_values(SEED, range(self.seeds)))
        return axes

    def run(self, context: MachineContext, analysis: AnalysisContext) -> AnalysisResult:
        """Simulate everything; raises ScenarioError, one line, for an axis that cannot be had."""
        axes = self.axes(context.seed)
        swept = SweepWork(self, axes, context.duration, analysis).result()
        told = json.dumps(dict(self.parameters))
        for path in self.labels.keys() & {*self.over, *self.draw}:
            label, _, unit = self.labels[path].partition(" [")
            own = unit.removesuffix("]") or swept.data[path].attrs["units"]
            swept.data[path].attrs.update(label=label, units=own)
        swept.data.attrs.update(function=self.function, parameters=told)
        if analysis.summary is None or not (swept.data["status"] == DONE).any():
            return swept
        more, claims = analysis.summary(swept.data, context)
        numbers: dict[str, Metric] = {
            str(name): float(one) for name, one in more.data_vars.items() if one.ndim == 0
        }
        return AnalysisResult(swept.data.merge(more), {**swept.metrics, **numbers}, claims)


class SweepWork:
    """A sweep being carried out over axes; duration [s]: of the scenario, for time series.

    takes_part: whether what was not done when Ctrl-C came is left as ``not run``, instead of
    Interrupted.
    """

    def __init__(
        self,
        sweep: Sweep,
        axes: Sequence[Axis],
        duration: float,
        analysis: AnalysisContext,
        *,
        takes_part: bool = False,
    ) -> None:
        if analysis.runner is None:
            raise ValueError("a sweep needs a runner")
        self._sweep, self._axes, self._duration = sweep, axes, duration
        self._runner = analysis.runner
        self._engines = sweep.engines or [analysis.engine]
        self._points = points_of(self._engines, axes) if self._count() else []
        self._conditions = read_conditions(sweep.success)
        self._takes_part = takes_part
        self._total, self._done, self._failed, self._tell = 0, 0, 0, analysis.tell
        self._analysis = replace(analysis, tell=self._told)

    def _count(self) -> int:
        count = len(self._engines) * math.prod(len(axis.labels) for axis in self._axes)
        if count > _MOST_RUNS:
            raise ScenarioError(f"sweep: {count} runs are too many: give at most {_MOST_RUNS}.")
        names = [axis.name for axis in self._axes]
        for name in names:
            if names.count(name) > 1 or name == "engine":
                raise ScenarioError(f"sweep: {name} is varied twice, or is an engine: see engines.")
        return count

    def result(self) -> AnalysisResult:
        """Simulate the grid, then search."""
        self._check()
        share = _GRID if self._sweep.optima or self._sweep.borders else 1.0
        outcomes = self._simulated(self._points, (0.0, share))
        refused = sum(each.status == REFUSED for each in outcomes)
        if refused == len(outcomes):
            raise ScenarioError(outcomes[0].message)
        known = known_metrics()
        data = dataset_of(self._engines, self._axes, outcomes, known, self._sweep.measures)
        reasons = [self._reason(each) for each in outcomes]
        data = with_success(data, reasons)
        data = with_series(data, outcomes, self._sweep.series, self._duration)
        data = with_curves(data, outcomes)
        for border in self._sweep.borders:
            data = self._bordered(data, border)
        for optimum in self._sweep.optima:
            data = self._optimised(data, optimum)
        data.attrs["figures"] = dumped(self._sweep.figures)
        metrics: dict[str, Metric] = {
            "runs": float(len(outcomes)),
            "succeeded": float(reasons.count("")),
            "refused": float(refused),
        }
        return AnalysisResult(data, metrics)

    def _check(self) -> None:
        """Raise ScenarioError for a value that the scenario does not take, before the first run."""
        first = self._points[0]
        if not self._axes:
            self._runner.check(first)
        for axis in self._axes:
            for change in axis.changes:
                merged = replace(
                    first.change,
                    values={**first.change.values, **change.values},
                    settings=change.settings or first.change.settings,
                )
                self._runner.check(Point(first.engine, merged))
        for border in self._sweep.borders:
            self._axis(border.over)
        for optimum in self._sweep.optima:
            self._axis(optimum.over)
        if self._sweep.function:
            return  # which says itself what it measures
        known = known_metrics()
        measures = [*self._sweep.measures, *(one.metric for one in self._conditions)]
        for name in [*measures, *(one.measure for one in self._sweep.optima)]:
            if name not in known and not name.endswith(METRIC_KINDS):
                raise ScenarioError(
                    f"sweep: there is no metric {name!r}; {did_you_mean(name, sorted(known))}"
                )

    def _told(self, _what: str, share: float) -> None:
        failed = f", {self._failed} failed" if self._failed else ""
        self._tell(f"{self._done} of {self._total} runs{failed}", share)

    def _heard(self, outcome: Outcome) -> None:
        self._done += 1
        self._failed += bool(self._reason(outcome))

    def _simulated(self, points: Sequence[Point], shares: tuple[float, float]) -> list[Outcome]:
        """Return the outcomes of points, in their order."""
        self._total += len(points)
        not_run = _NOT_RUN if self._takes_part else None
        return run_points(self._analysis, points, shares, self._heard, not_run)

    def _reason(self, outcome: Outcome) -> str:
        """Say why a run did not succeed; empty where it did."""
        reason = reason_of(outcome, self._conditions)
        told = reason and outcome.message and outcome.message not in reason
        return f"{reason}: {outcome.message}" if told else reason

    def _axis(self, name: str) -> Axis:
        """Return an axis to search along."""
        axes = {axis.name: axis for axis in self._axes if axis.is_numeric}
        axes = {name: axis for name, axis in axes.items() if name not in (SAMPLE, SEED, VARIANT)}
        if name not in axes:
            raise ScenarioError(
                f"sweep: there is no axis of numbers {name!r}; {did_you_mean(name, sorted(axes))}"
            )
        return axes[name]

    def _bordered(self, data: xr.Dataset, border: Border) -> xr.Dataset:
        """Return the data with the borders of success along an axis."""
        axis = self._axis(border.over)

        def search(row: xr.Dataset, side: str) -> Search:
            succeeded = [bool(one) for one in row["success"].to_numpy()]
            between = border.neighbours(axis, succeeded, side)
            return border_search(
                axis,
                between,
                between is not None and succeeded[between[0]],
                border.tolerance,
                lambda outcome: not self._reason(outcome),
            )

        for side, words in border.sides().items():
            names = {
                f"border_{axis.name}{side}": f"{axis.name} {words}",
                f"border_{axis.name}{side}_error": (
                    "half the distance of the two values between which it lies"
                ),
            }
            data = self._searched(data, axis, partial(search, side=side), names)
        return data

    def _optimised(self, data: xr.Dataset, optimum: Optimum) -> xr.Dataset:
        """Return the data with the optima of a measure along an axis."""
        axis, name = self._axis(optimum.over), optimum.measure
        if name not in data:
            raise ScenarioError(
                f"sweep: there is no measure {name!r}; {did_you_mean(name, list(map(str, data)))}"
            )

        def search(row: xr.Dataset) -> Search:
            return optimum_search(
                axis,
                row[name].to_numpy().tolist(),
                optimum.sense,
                optimum.tolerance,
                lambda outcome: outcome.metrics.get(name, np.nan),
            )

        best = "largest" if optimum.sense == "max" else "smallest"
        beside = "; not a number where that is at an end of the axis"
        names = {
            f"best_{axis.name}_of_{name}": f"{axis.name} of the {best} {name}{beside}",
            f"best_{name}_over_{axis.name}": f"{best} {name} along {axis.name}{beside}",
        }
        more = self._searched(data, axis, search, names)
        unit = data[name].attrs.get("units", "")
        more[f"best_{name}_over_{axis.name}"].attrs["units"] = unit
        return more

    def _searched(
        self,
        data: xr.Dataset,
        axis: Axis,
        search: Callable[[xr.Dataset], Search],
        names: dict[str, str],
    ) -> xr.Dataset:
        """Return the data with two results of a search at every place besides an axis."""
        dims = [dim for dim in data["success"].dims if dim != axis.name]
        shape = [data.sizes[dim] for dim in dims]
        places = [dict(zip(dims, place, strict=True)) for place in np.ndindex(*shape)]
        grid = np.arange(len(self._points)).reshape(data["success"].shape)
        numbers = xr.DataArray(grid, dims=data["success"].dims)
        searches = [
            (self._points[int(numbers.isel(place)[0])], axis.name, search(data.isel(place)))
            for place in places
        ]
        results = together(searches, lambda points: self._simulated(points, (_GRID, _SEARCHED)))
        table = np.array(results, dtype=np.float64).reshape(*shape, 2)
        return data.assign(
            {
                name: (dims, table[..., k], {"units": "", "long_name": meaning})
                for k, (name, meaning) in enumerate(names.items())
            }
        )
