"""Runs and analyses of shipped scenarios of which pages state numbers, each made once."""

import functools
from collections.abc import Mapping

from footfall.analyse import analyse_scenario
from footfall.analysis.checkpoint import Checkpoint
from footfall.analysis.context import AnalysisResult
from footfall.api.result import RunResult
from footfall.api.running import run
from footfall.metrics import Metric, scalar
from footfall.registry.context import MachineContext
from footfall.scenario.assemble import build_robot
from footfall.scenario.context import context_of
from footfall.scenario.io import load_scenario
from footfall.workers import Workers


@functools.cache
def context(name: str, *settings: str) -> MachineContext:
    """Machine of a scenario: model, contacts, start."""
    scenario = load_scenario(name, settings)
    return context_of(scenario, build_robot(scenario))


@functools.cache
def ran(name: str, engine: str, *settings: str) -> RunResult:
    """Run of a scenario in an engine; it must not be changed."""
    return run(load_scenario(name, settings), engine)


def metric(name: str, engine: str, quantity: str, *settings: str) -> float:
    """One number of a run; NaN where it has none."""
    return scalar(ran(name, engine, *settings).metrics, quantity)


@functools.cache
def analysed(name: str, *settings: str) -> AnalysisResult:
    """Result of the analysis of a scenario; it must not be changed."""
    scenario = load_scenario(name, settings)
    found = analyse_scenario(scenario, Checkpoint(), lambda _what, _share: None, Workers(1)).result
    if found is None:
        raise KeyboardInterrupt
    return found


def numbers(metrics: Mapping[str, Metric], name: str) -> list[float]:
    """Numbers of a name; raises TypeError unless they are a list of numbers."""
    values = metrics[name]
    if isinstance(values, int | float | Mapping):
        raise TypeError(f"{name} is no list: {values!r}")
    return [_number(value) for value in values]


def _number(value: Metric) -> float:
    if not isinstance(value, int | float):
        raise TypeError(f"{value!r} is no number")
    return float(value)
