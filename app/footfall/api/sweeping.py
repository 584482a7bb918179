"""Metrics over values of a scenario: one simulation for each point of a grid."""

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr

from footfall.api.loading import LoadedScenario, load
from footfall.api.values import changed
from footfall.control.python_object import PythonObject
from footfall.engine_names import require_engine
from footfall.errors import ScenarioError
from footfall.metrics import Metric, scalar
from footfall.registry.machines import known_metrics
from footfall.run import run_scenario
from footfall.scenario.io import dump_scenario, parse_scenario
from footfall.scenario.own_code import with_loaded_code
from footfall.scenario.schema import Scenario
from footfall.trajectory import Status
from footfall.workers import worker_pool

_SEED = "seed"


def sweep(
    scenario: LoadedScenario | str | Path,
    over: Mapping[str, Sequence[Any]],
    *,
    seeds: Sequence[int] | int | None = None,
    engine: str | None = None,
    workers: int = 1,
    **values: Any,  # noqa: ANN401 (of any field)
) -> xr.Dataset:
    """Simulate a scenario at every point of a grid and return its metrics as labelled arrays.

    scenario: a loaded one, or what ``load`` takes. over: values by path, as in
    ``{"friction": [0.4, 0.8]}``; each path is a dimension. seeds: a list, or how many from 0 on; a
    dimension ``seed`` besides. workers: processes; with more than one a script needs
    ``if __name__ == "__main__":`` around its work. values: changes by path.

    Every metric that is one number is a variable with ``units`` and ``long_name``, NaN where a run
    has none; ``status`` and ``message`` say how each run ended. All values are checked before
    anything is simulated; Ctrl-C leaves what is not done as ``not run``. Raises FootfallError, one
    line, for a request that is wrong.
    """
    loaded = scenario if isinstance(scenario, LoadedScenario) else load(scenario)
    base = changed(loaded.scenario, values)
    if engine is not None:
        require_engine(engine)
    axes = _axes(over, seeds)
    grid = [dict(zip(axes, point, strict=True)) for point in itertools.product(*axes.values())]
    scenarios = [changed(base, point) for point in grid]
    name = base.name or "scenario"
    points = [_Point(each, name, engine) for each in scenarios]
    results = list(_in_turn(points)) if workers == 1 else _by_processes(points, base, workers)
    results += [_Outcome("not run", "", {})] * (len(points) - len(results))
    return _dataset(axes, results)


@dataclass(frozen=True)
class _Point:
    """A simulation of a grid."""

    scenario: Scenario
    name: str
    engine: str | None


@dataclass(frozen=True)
class _Outcome:
    """End of a simulation, and its metrics."""

    status: str
    message: str
    metrics: Mapping[str, Metric]


def _axes(
    over: Mapping[str, Sequence[Any]], seeds: Sequence[int] | int | None
) -> dict[str, list[Any]]:
    """Return the values along every dimension; raises ScenarioError for an empty one."""
    axes = {path: list(values) for path, values in over.items()}
    if seeds is not None:
        axes[_SEED] = list(range(seeds)) if isinstance(seeds, int) else list(seeds)
    empty = [path for path, values in axes.items() if not values]
    if empty or not axes:
        what = f"{empty[0]} has no values" if empty else "over names nothing"
        raise ScenarioError(f'sweep: {what}; write over={{"friction": [0.4, 0.8]}}.')
    return axes


def _in_turn(points: Sequence[_Point]) -> Iterator[_Outcome]:
    """Simulate one after the other, until Ctrl-C."""
    for point in points:
        result = run_scenario(point.scenario, point.name, point.engine)
        if result.trajectory.status is Status.INTERRUPTED:
            return
        ended = result.trajectory
        yield _Outcome(str(ended.status.value), ended.message, result.metrics)


def _by_processes(points: Sequence[_Point], base: Scenario, workers: int) -> list[_Outcome]:
    """Simulate in several processes."""
    if workers < 1:
        raise ScenarioError(f"sweep: workers is {workers}: give 1 or more.")
    if isinstance(base.controller, PythonObject):
        raise ScenarioError(
            "sweep: an object of this program cannot drive runs of other processes: leave workers "
            "out, or give controller: !Python {file, name}."
        )
    texts = [(dump_scenario(point.scenario), point.name, point.engine) for point in points]
    done: list[_Outcome] = []
    with suppress(KeyboardInterrupt), worker_pool(workers) as pool:
        for outcome in pool.map(_simulate, *zip(*texts, strict=True)):
            done.append(outcome)  # noqa: PERF402 (those before Ctrl-C are kept)
    return done


def _simulate(text: str, name: str, engine: str | None) -> _Outcome:
    """Simulate a scenario out of its text, in a process of its own."""
    scenario = with_loaded_code(parse_scenario(text, name), name)
    (outcome,) = _in_turn([_Point(scenario, name, engine)])
    return outcome


def _dataset(axes: Mapping[str, Sequence[Any]], results: Sequence[_Outcome]) -> xr.Dataset:
    """Return the numbers of all runs, and how they ended, on the grid."""
    dims, shape = tuple(axes), tuple(len(values) for values in axes.values())
    known = known_metrics()
    found = dict.fromkeys(name for each in results for name in each.metrics)
    data = xr.Dataset(coords={name: (name, _coordinate(axes[name])) for name in dims})
    for name in found:
        values = [scalar(each.metrics, name) for each in results]
        if all(math.isnan(value) for value in values):
            continue  # a list, or numbers by name
        unit, meaning = known.get(name, ("", ""))
        attrs = {"units": unit, "long_name": meaning}
        data[name] = (dims, np.array(values).reshape(shape), attrs)
    for name in ("status", "message"):
        texts = np.array([getattr(each, name) for each in results], dtype=np.str_)
        data[name] = (dims, texts.reshape(shape))
    return data


def _coordinate(values: Sequence[Any]) -> np.ndarray[Any, Any]:
    """Return numbers as numbers, all else as text."""
    plain = all(isinstance(value, int | float | np.number) for value in values)
    return np.array(values if plain else [str(value) for value in values])
