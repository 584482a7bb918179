"""Optimisation of values of a scenario by an evolution strategy (CMA-ES), among simulations."""

# (No `from __future__ import annotations` here: Drake's YAML reader needs the types themselves.)

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
import xarray as xr

from footfall.analysis.axes import Change
from footfall.analysis.context import AnalysisContext, AnalysisResult, run_points
from footfall.analysis.distributions import SEED, LogUniform, Uniform
from footfall.analysis.runs import Outcome, Point, read_conditions, reason_of
from footfall.errors import RunError, ScenarioError
from footfall.metrics import Metric
from footfall.registry.context import MachineContext
from footfall.registry.machines import known_metrics

_WORST = 1e30  # stands for what is no success; the strategy looks at ranks only
_WIDE = 0.3  # of a range: standard deviation of the first generation
_MOST = 1_000_000  # runs


@dataclass
class Optimisation:
    """Search for the values of a scenario at which a measure is largest or smallest."""

    # Ranges of values by the paths that --set takes, two or more: !Uniform {min, max}, or
    # !LogUniform {min, max} for what is searched by its logarithm.
    over: dict[str, Uniform | LogUniform] = field(default_factory=dict)
    # Metric, and whether it is to be max or min.
    measure: str = ""
    sense: str = "max"
    # How many candidates are simulated, besides the scenario as it is.
    runs: int = 200
    # Candidates of a generation; 0: 4 + 3 ln(number of values).
    population: int = 0
    # Seeds 0, 1, ... over which the measure of a candidate is the mean; 0: the scenario's own.
    seeds: int = 0
    # What every run has to meet besides coming to its end, as in "x_final > 0.5".
    success: list[str] = field(default_factory=list)

    takes_any_scenario: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Refuse what is no search."""
        self.over = dict(sorted(self.over.items()))
        if len(self.over) == 1:
            raise ScenarioError(
                "optimisation: over has one value: search along it by a sweep's optima, or name "
                "two and more."
            )
        for path, one in self.over.items():
            if not one.min < one.max:
                raise ScenarioError(f"optimisation: {path} has no range: give min below max.")
        if self.sense not in ("max", "min"):
            raise ScenarioError(f"optimisation: sense is '{self.sense}': choose max or min.")
        for name, least in (("runs", 1), ("population", 0), ("seeds", 0)):
            value = getattr(self, name)
            if not least <= value <= _MOST:
                raise ScenarioError(
                    f"optimisation: {name} is {value}: give a whole number from {least} on."
                )
        read_conditions(self.success)

    def metrics(self) -> dict[str, tuple[str, str]]:
        """Unit and meaning of every metric."""
        unit = known_metrics().get(self.measure, ("", ""))[0]
        return {
            "best": (unit, f"best {self.measure} that was found"),
            "own": (unit, f"{self.measure} of the scenario as it is"),
            "runs": ("1", "candidates that were simulated"),
            "succeeded": ("1", "those of them that succeeded"),
        }

    def wanted(self) -> list[str]:
        """Return the metrics that runs have to tell."""
        return [self.measure, *(condition.metric for condition in read_conditions(self.success))]

    def run(self, context: MachineContext, analysis: AnalysisContext) -> AnalysisResult:
        """Search; raises ScenarioError for values that the scenario does not take.

        Raises RunError where no run has the measure.
        """
        if not self.over or not self.measure:
            raise ScenarioError("optimisation: name values in over, and a measure.")
        return _Search(self, context.seed, analysis).result()


class _Search:
    """A search being carried out; generation by generation it follows from its seed alone."""

    def __init__(self, options: Optimisation, seed: int, analysis: AnalysisContext) -> None:
        if analysis.runner is None:
            raise ValueError("an analysis of any scenario needs a runner")
        self._options, self._runner, self._seed = options, analysis.runner, seed
        self._engine, self._conditions = analysis.engine, read_conditions(options.success)
        self._sign = -1.0 if options.sense == "max" else 1.0
        self._rows: list[list[float]] = []
        self._values: list[float] = []
        self._reasons: list[str] = []
        self._tell = analysis.tell
        self._analysis = replace(analysis, tell=self._told)

    def result(self) -> AnalysisResult:
        """Simulate the scenario as it is, then generations of candidates."""
        import cma  # takes as long as all else that a command without it needs

        paths = list(self._options.over)
        for shares in ([0.0] * len(paths), [1.0] * len(paths)):
            self._runner.check(self._point(self._at(shares)))
        ((own, _),) = self._measured([None])
        strategy = cma.CMAEvolutionStrategy([0.5] * len(paths), _WIDE, self._settings())
        generations: list[int] = []
        while len(self._rows) < self._options.runs and not strategy.stop():
            shares = strategy.ask()
            measured = self._measured([self._at(row) for row in shares])
            worst = [_WORST if math.isnan(value) else self._sign * value for value, _ in measured]
            strategy.tell(shares, worst)
            generations += [len(generations) // len(shares)] * len(shares)
            self._rows += [self._at(row) for row in shares]
            self._values += [value for value, _ in measured]
            self._reasons += [reason for _, reason in measured]
        if np.isnan(self._values).all():
            raise RunError(
                f"optimisation: no run has {self._options.measure} and succeeds: "
                f"{self._reasons[0] or 'it is no number'}"
            )
        return self._finished(own, generations)

    def _settings(self) -> dict[str, Any]:
        settings = {"bounds": [0.0, 1.0], "seed": self._seed % 2**31 + 1, "verbose": -9}
        if self._options.population:
            settings["popsize"] = self._options.population
        return settings

    def _at(self, shares: Sequence[float]) -> list[float]:
        """Return the values at shares of their ranges."""
        ranges = self._options.over.values()
        return [float(one.at(float(u))) for one, u in zip(ranges, shares, strict=True)]

    def _point(self, values: Sequence[float] | None, seed: int | None = None) -> Point:
        changed: dict[str, Any] = dict(zip(self._options.over, values or (), strict=False))
        return Point(self._engine, Change(changed | ({} if seed is None else {SEED: seed})))

    def _measured(self, candidates: Sequence[Sequence[float] | None]) -> list[tuple[float, str]]:
        """Return the mean measure of candidates, NaN and why for those that do not succeed."""
        seeds = range(self._options.seeds) if self._options.seeds else [None]
        points = [self._point(values, seed) for values in candidates for seed in seeds]
        outcomes = run_points(self._analysis, points)
        each = len(seeds)
        return [self._mean(outcomes[k : k + each]) for k in range(0, len(outcomes), each)]

    def _mean(self, outcomes: Sequence[Outcome]) -> tuple[float, str]:
        for one in outcomes:
            if reason := reason_of(one, self._conditions):
                return math.nan, reason
        values = [one.metrics.get(self._options.measure, math.nan) for one in outcomes]
        mean = float(np.mean(values))
        return mean, f"no {self._options.measure}" if math.isnan(mean) else ""

    def _told(self, _what: str, _share: float) -> None:
        known = [self._sign * value for value in self._values if not math.isnan(value)]
        best = f", best {self._sign * min(known):.5g}" if known else ""
        done = len(self._rows)
        self._tell(f"{done} of {self._options.runs} runs{best}", done / self._options.runs)

    def _finished(self, own: float, generations: list[int]) -> AnalysisResult:
        options = self._options
        measured = self._sign * np.array(self._values)
        best = int(np.nanargmin(measured))
        unit = known_metrics().get(options.measure, ("", ""))
        so_far = self._sign * np.fmin.accumulate(measured)
        texts = np.array(self._reasons, dtype=np.str_)
        data = xr.Dataset(
            {
                options.measure: ("run", self._values, {"units": unit[0], "long_name": unit[1]}),
                "best_so_far": ("run", so_far, {"units": unit[0], "long_name": "best until then"}),
                "success": ("run", (texts == "").astype(np.int8), {"units": "1"}),
                "reason": ("run", texts, {"long_name": "why the run did not succeed"}),
                "generation": ("run", generations, {"units": "1"}),
            },
            {"run": np.arange(len(self._rows))},
        )
        table = np.array(self._rows)
        for k, (path, one) in enumerate(options.over.items()):
            scale = {"scale": "log"} if isinstance(one, LogUniform) else {}
            data[path] = ("run", table[:, k], {"long_name": path, "searched": 1, **scale})
        data.attrs.update(measure=options.measure, sense=options.sense, own=own)
        metrics: dict[str, Metric] = {
            "best": self._values[best],
            "own": own,
            "runs": float(len(self._rows)),
            "succeeded": float((texts == "").sum()),
        }
        settings = [
            f"{path}={value!r}"
            for path, value in zip(options.over, table[best].tolist(), strict=True)
        ]
        return AnalysisResult(data, metrics, scenarios={"best": settings})
