"""Metrics over values of a scenario: one simulation for each point of a grid."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import xarray as xr

from footfall.analyse import refuse_ignored_code
from footfall.analysis.axes import VARIANT, Axis, axis_of_values, axis_of_variants
from footfall.analysis.checkpoint import Checkpoint
from footfall.analysis.context import AnalysisContext
from footfall.analysis.distributions import SEED
from footfall.analysis.functions import CaseFunction
from footfall.analysis.runs import Runner
from footfall.analysis.sweep import Sweep, SweepWork
from footfall.api.loading import LoadedScenario, load
from footfall.control.python_object import PythonObject
from footfall.engine_names import require_engine
from footfall.errors import ScenarioError
from footfall.interrupt import hearing_ctrl_c
from footfall.scenario.function_runner import function_runner_of
from footfall.scenario.io import changed
from footfall.scenario.schema import Scenario
from footfall.scenario_runner import runner_of
from footfall.workers import Workers, sharing_pools


def sweep(
    scenario: LoadedScenario | str | Path,
    over: Mapping[str, Sequence[Any]],
    *,
    seeds: Sequence[int] | int | None = None,
    engine: str | None = None,
    engines: Sequence[str] | None = None,
    variants: Mapping[str, Sequence[str]] | None = None,
    success: Sequence[str] = (),
    series: Sequence[str] = (),
    function: str | CaseFunction = "",
    parameters: Mapping[str, Any] | None = None,
    workers: int = 1,
    scheduler: str = "",
    **values: Any,  # noqa: ANN401 (of any field)
) -> xr.Dataset:
    """Simulate a scenario at every point of a grid and return its metrics as labelled arrays.

    scenario: a loaded one, or what ``load`` takes. over: values by path, as in
    ``{"friction": [0.4, 0.8]}``; each path is a dimension. seeds: a list, or how many from 0 on; a
    dimension ``seed`` besides. engines: a dimension ``engine``. variants: by name, each a list of
    changes as ``--set`` takes them; a dimension ``variant``. success: what a run has to meet
    besides coming to its end, as in ``["x_final > 0.5"]``. series: time series to keep, each as
    ``series_<name>`` at 201 times. function: evaluated at every point instead of a simulation: one
    of the machine by its name, ``"file.py:function"``, or itself; called as function(case,
    **parameters) with a ``footfall.analysis.functions.Case``, it returns numbers by name or an
    xarray.Dataset. parameters: those of the function; axes name them ``parameters.<name>``.
    workers: processes, 0 for one a core; with several a script needs
    ``if __name__ == "__main__":`` around its work. scheduler: address of a Dask scheduler whose
    workers do it. values: changes by path.

    Every metric that is one number is a variable with ``units`` and ``long_name``, NaN where a run
    has none; ``success``, ``reason``, ``status`` and ``message`` say how each run ended. All values
    are checked before anything is simulated; Ctrl-C leaves what is not done as ``not run``. Raises
    FootfallError, one line, for a request that is wrong.
    """
    loaded = scenario if isinstance(scenario, LoadedScenario) else load(scenario)
    base = changed(loaded.scenario, {"analysis": None, **values})
    if engine is not None:
        require_engine(engine)
    axes = _axes(over, seeds, variants or {})
    asked = Workers(workers, scheduler)
    options = Sweep(
        engines=list(engines or ()),
        success=list(success),
        series=list(series),
        function=_name_of(function),
        parameters=dict(parameters or {}),
    )
    with hearing_ctrl_c() as interrupted, sharing_pools():
        analysis = AnalysisContext(
            Checkpoint(),
            stopped=interrupted,
            runner=_runner(base, options, function, asked),
            engine=engine or base.engine,
            workers=asked,
        )
        duration = base.num_steps * base.time_step
        data = SweepWork(options, axes, duration, analysis, takes_part=True).result().data
    return data if engines is not None else data.squeeze("engine")


def _runner(
    base: Scenario, options: Sweep, function: str | CaseFunction, workers: Workers
) -> Runner:
    """Return what simulates points of the scenario, or evaluates a function at them."""
    driven_from_here = isinstance(base.controller, PythonObject)
    if function:
        if driven_from_here:
            raise ScenarioError(
                "sweep: a function is given the scenario as its file has it, which holds no object "
                "of this program: give controller: !Python {file, name}, or leave it out."
            )
        if isinstance(function, str):
            refuse_ignored_code(replace(base, analysis=options))
        return function_runner_of(base, function, options.parameters)
    if driven_from_here and not workers.are_here:
        raise ScenarioError(
            "sweep: an object of this program cannot drive runs of other processes: leave workers "
            "out, or give controller: !Python {file, name}."
        )
    return runner_of(base, options.series, here=workers.are_here)


def _name_of(function: str | CaseFunction) -> str:
    if isinstance(function, str):
        return function
    if not callable(function):
        raise ScenarioError(
            f"sweep: function is of type {type(function).__name__}: give a function, the "
            'name of one of the machine, or "file.py:function".'
        )
    return getattr(function, "__name__", type(function).__name__)


def _axes(
    over: Mapping[str, Sequence[Any]],
    seeds: Sequence[int] | int | None,
    variants: Mapping[str, Sequence[str]],
) -> list[Axis]:
    """Return the axes besides the engine; raises ScenarioError for an empty one."""
    axes = {path: list(values) for path, values in over.items()}
    if seeds is not None:
        axes[SEED] = list(range(seeds)) if isinstance(seeds, int) else list(seeds)
    empty = [path for path, values in axes.items() if not values]
    if empty or not (axes or variants):
        what = f"{empty[0]} has no values" if empty else "over names nothing"
        raise ScenarioError(f'sweep: {what}; write over={{"friction": [0.4, 0.8]}}.')
    if VARIANT in axes:
        raise ScenarioError(f"sweep: {VARIANT} is no value of a scenario: give variants.")
    named = [axis_of_variants(variants)] if variants else []
    return named + [axis_of_values(path, values) for path, values in axes.items()]
