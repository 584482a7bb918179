"""Sweep: simulations of one scenario at many values of it, in one labelled dataset."""

# (No `from __future__ import annotations` here: Drake's YAML reader needs the types themselves.)

import json
from dataclasses import dataclass, field
from typing import ClassVar

from footfall.analysis.axes import (
    Axis,
    LogRange,
    Range,
    Value,
    Values,
    axis_of_values,
    axis_of_variants,
)
from footfall.analysis.conditions import read_conditions
from footfall.analysis.context import AnalysisContext, AnalysisResult
from footfall.analysis.distributions import Gaussian, LogUniform, Uniform, UniformDiscrete
from footfall.analysis.figures import Lines, Map, Overlay, Spread, SuccessMap, SuccessRate
from footfall.analysis.runs import DONE
from footfall.analysis.sampling import LATIN_HYPERCUBE, METHODS, SEED, axis_of_samples
from footfall.analysis.searches import Border, Optimum
from footfall.analysis.sweep_work import SweepWork
from footfall.engine_names import require_engine
from footfall.errors import ScenarioError
from footfall.metrics import Metric
from footfall.registry.context import MachineContext

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
    # Metrics to keep; none: all that are numbers.
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
        found = SweepWork(self, axes, context.duration, analysis).result()
        told = json.dumps(dict(self.parameters))
        for path in self.labels.keys() & {*self.over, *self.draw}:
            label, _, unit = self.labels[path].partition(" [")
            own = unit.removesuffix("]") or found.data[path].attrs["units"]
            found.data[path].attrs.update(label=label, units=own)
        found.data.attrs.update(function=self.function, parameters=told)
        if analysis.summary is None or not (found.data["status"] == DONE).any():
            return found
        more, claims = analysis.summary(found.data, context)
        numbers: dict[str, Metric] = {
            str(name): float(one) for name, one in more.data_vars.items() if one.ndim == 0
        }
        return AnalysisResult(found.data.merge(more), {**found.metrics, **numbers}, claims)
