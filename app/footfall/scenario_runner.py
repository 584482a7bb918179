"""Simulation of a scenario with values changed, for sweeps: in this process or in another."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from footfall.analysis.context import Interrupted
from footfall.analysis.runs import (
    OF_WALL_TIME,
    SERIES,
    SERIES_POINTS,
    Outcome,
    Point,
)
from footfall.arrays import Array
from footfall.errors import RunError
from footfall.metrics import largest, scalar
from footfall.run import Run, run_scenario
from footfall.scenario.function_runner import failed, parsed
from footfall.scenario.io import changed, dump_scenario, with_settings
from footfall.scenario.schema import Scenario
from footfall.trajectory import Status
from footfall.trajectory.observables import observable_meanings
from footfall.trajectory.series import Series, find_series
from footfall.trust import trust, trusted


@dataclass(frozen=True)
class ScenarioRunner:
    """Simulates points of a scenario.

    base: the text of its file, for any process; or itself, which an object of this program may
    drive. series: names of the time series that are wanted. measures: the metrics, of numbers by
    foot or joint the largest; all that are one number if none is named. trusted: model files that
    may run code.
    """

    base: str | Scenario = field(repr=False)
    name: str
    series: Sequence[str] = ()
    measures: Sequence[str] = ()
    trusted: Sequence[str] = ()

    def __call__(self, point: Point) -> dict[str, Any]:
        """Return the outcome of a point; raises Interrupted for one that Ctrl-C cut off."""
        trust(self.trusted)
        return _simulated(self._scenario(), point, self.series, self.measures).to_dict()

    def check(self, point: Point) -> None:
        """Raise ScenarioError, one line, for a point that no scenario is."""
        _at(self._scenario(), point)

    def _scenario(self) -> Scenario:
        return parsed(self.base, self.name) if isinstance(self.base, str) else self.base


def runner_of(
    scenario: Scenario,
    series: Sequence[str] = (),
    measures: Sequence[str] = (),
    *,
    here: bool = False,
) -> ScenarioRunner:
    """Return what simulates points of a scenario without analysis, in any process or here."""
    base = scenario if here else dump_scenario(scenario)
    return ScenarioRunner(base, scenario.name, tuple(series), tuple(measures), tuple(trusted()))


def _simulated(
    base: Scenario, point: Point, series: Sequence[str], measures: Sequence[str]
) -> Outcome:
    """Simulate a scenario at a point; whatever goes wrong in the run is told in its outcome.

    Raises Interrupted for a run that Ctrl-C cut off, RunError for a series that there is not.
    """
    name = base.name or "scenario"
    try:
        run = run_scenario(_at(base, point), name, point.engine)
    except (Exception, SystemExit) as error:  # noqa: BLE001 (whatever it is: of this run alone)
        return failed(error)
    if run.trajectory.status is Status.INTERRUPTED:
        raise Interrupted
    metrics = {
        one: value
        for one in run.metrics
        if one in (measures or run.metrics)
        and one not in OF_WALL_TIME
        and not math.isnan(value := (largest if measures else scalar)(run.metrics, one))
    }
    duration = base.num_steps * base.time_step
    known, kept = observable_meanings(run.trajectory.data), _series_of(run, series)
    return Outcome(
        str(run.trajectory.status.value),
        run.trajectory.message,
        metrics,
        {one: meaning for one, meaning in known.items() if one in metrics}
        | {f"{SERIES}{name}": (one.unit, one.meaning) for name, one in kept.items()},
        {name: _resampled(run, one.values, duration) for name, one in kept.items()},
    )


def _at(base: Scenario, point: Point) -> Scenario:
    """Return the scenario of a point."""
    name = base.name or "scenario"
    return changed(with_settings(base, point.change.settings, name), point.change.values)


def _series_of(run: Run, names: Sequence[str]) -> dict[str, Series]:
    """Return the time series of these names; raises RunError for a name of none, or of several."""
    kept = {}
    for name in names:
        found = find_series(run.trajectory.data, name)
        if len(found) != 1:
            raise RunError(
                f"sweep: series {name!r} is {len(found)} series: name one, such as {found[0].name}."
            )
        kept[name] = found[0]
    return kept


def _resampled(run: Run, series: Array, duration: float) -> list[float]:
    """Values of a time series at even times of a whole run; NaN where it had ended."""
    time = run.trajectory.data["time"].to_numpy()
    if len(time) == 0:
        return [math.nan] * SERIES_POINTS
    at = np.linspace(0.0, duration, SERIES_POINTS)
    return np.interp(at, time, series, right=math.nan).tolist()
