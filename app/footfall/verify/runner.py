"""Running the cases: every engine over every step, errors, observed orders, verdicts.

The numbers of a verification are written as JSON, for other programs and for later.
"""

import itertools
import json
import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from footfall.arrays import Array
from footfall.engine_names import MUJOCO
from footfall.errors import FootfallError
from footfall.files import write_text
from footfall.interrupt import hearing_ctrl_c
from footfall.provenance import Provenance
from footfall.registry.claims import Claim
from footfall.run import run_scenario
from footfall.run_folder import plain
from footfall.scenario.io import load_scenario
from footfall.scenario.schema import Scenario
from footfall.textbook.convergence import observed_order
from footfall.trajectory import Status, Trajectory
from footfall.verify.case import Case, Quantity
from footfall.verify.observables import times

JUDGED = "moreau"
"""The engine whose errors make the verdict; the others are shown beside it."""

ORDER_SLACK = 0.2
"""An observed order may be lower than the expected one by this much.

Where in its step an impact or a stop falls is chance, and worth a factor of 2 of the error. Over
steps that differ by a factor of 2^5 it bends the slope by 1/5 at most.
"""

_ROUNDING = float(np.finfo(float).eps)
_UNREADABLE = (FootfallError, IndexError, ValueError)

Simulate = Callable[[Scenario, str, str], Trajectory]
"""Runs a scenario in an engine; the third argument says in a few words what it is."""


@dataclass(frozen=True)
class EngineOutcome:
    """One quantity in all engines.

    ``check``: of the Moreau engine's value at the finest step. ``values``: engine to (n_steps,)
    measured values, NaN where the trajectory does not have it. ``order``: observed in the Moreau
    engine, None where none is expected.
    """

    check: Claim
    values: Mapping[str, Array]
    order: float | None
    expected_order: float | None

    @property
    def passed(self) -> bool:
        """True if the check holds, and errors shrink as they should."""
        expected = -math.inf if self.expected_order is None else self.expected_order
        order = math.inf if self.order is None else self.order
        return self.check.verdict == "check" and order >= expected - ORDER_SLACK

    def errors(self, engine: str) -> Array:
        """Absolute errors over the steps, (n_steps,)."""
        return np.abs(self.values[engine] - self.check.target)


@dataclass(frozen=True)
class CaseResult:
    """One case as it came out.

    ``curves``: engine to (times [s], values) at the finest step. ``failures``: what ended a run,
    by "engine at step". ``wall_time`` in seconds.
    """

    case: Case
    outcomes: Sequence[EngineOutcome]
    curves: Mapping[str, tuple[Array, Array]]
    failures: Mapping[str, str]
    wall_time: float

    @property
    def engines(self) -> list[str]:
        """The engines that ran, the judged one first."""
        return list(self.outcomes[0].values)

    @property
    def troubles(self) -> list[str]:
        """A line for every message in ``failures``, with the runs that it ended."""
        runs: dict[str, list[str]] = {}
        for label, message in self.failures.items():
            runs.setdefault(message, []).append(label)
        return [f"{', '.join(labels)}: {message}" for message, labels in runs.items()]

    @property
    def passed(self) -> bool:
        """True if every quantity is within its tolerance and converges where it should."""
        fell = any(label.startswith(f"{JUDGED} ") for label in self.failures)
        return not fell and all(outcome.passed for outcome in self.outcomes)


def simulate(scenario: Scenario, engine: str, label: str) -> Trajectory:  # noqa: ARG001 (Simulate)
    """Run a scenario without telling anybody how far it is."""
    return run_scenario(scenario, scenario.name, engine).trajectory


def run_cases(
    cases: Iterable[Case],
    engines: Sequence[str] | None = None,
    simulate: Simulate = simulate,
    done: Callable[[CaseResult], None] = lambda _: None,
) -> tuple[list[CaseResult], bool]:
    """Run cases one after the other; returns the results, and whether Ctrl-C cut them short.

    engines: besides Moreau's, only these of each case's Drake engines, and MuJoCo's; None: all of
    Drake's. done is called with every result as it comes. A case that was interrupted is left out.
    """
    results: list[CaseResult] = []
    with hearing_ctrl_c() as interrupted:
        for case in cases:
            result = None if interrupted() else run_case(case, engines, simulate, interrupted)
            if result is None:
                return results, True
            done(result)
            results.append(result)
    return results, False


def run_case(
    case: Case,
    engines: Sequence[str] | None = None,
    simulate: Simulate = simulate,
    interrupted: Callable[[], bool] = lambda: False,
) -> CaseResult | None:
    """Run one case over its steps in Moreau's engine and others; None if Ctrl-C ended it.

    A run that fails leaves NaN in its quantities and a line in ``failures``.
    """
    started = time.perf_counter()
    playing = [JUDGED, *(name for name in case.drake if engines is None or name in engines)]
    playing += [MUJOCO] if engines is not None and MUJOCO in engines else []
    values = {name: np.full((len(case.quantities), len(case.steps)), np.nan) for name in playing}
    curves: dict[str, tuple[Array, Array]] = {}
    failures: dict[str, str] = {}
    for name, (column, step) in itertools.product(playing, enumerate(case.steps)):
        label = f"{name} at {step:g} s"
        try:
            scenario = load_scenario(case.scenario, [*case.settings, f"time_step={step!r}"])
            trajectory = simulate(scenario, name, f"{case.name}, {label}")
        except FootfallError as error:
            failures[label] = _line(error)
            continue
        if trajectory.status is Status.INTERRUPTED or interrupted():
            return None
        if trajectory.status is Status.FAILED:
            failures[label] = _line(trajectory.message)
            continue
        values[name][:, column] = [_measured(q, trajectory) for q in case.quantities]
        if step == case.steps[-1]:
            curves[name] = times(trajectory), case.curve.measured(trajectory)
    outcomes = [
        _judged(quantity, case.steps, {name: table[row] for name, table in values.items()})
        for row, quantity in enumerate(case.quantities)
    ]
    return CaseResult(case, outcomes, curves, failures, time.perf_counter() - started)


def _line(message: object) -> str:
    return " ".join(str(message).split())


def _measured(quantity: Quantity, trajectory: Trajectory) -> float:
    try:
        return float(quantity.measure(trajectory))
    except _UNREADABLE:
        return math.nan


def _judged(
    quantity: Quantity, steps: Sequence[float], values: Mapping[str, Array]
) -> EngineOutcome:
    judged, order = values[JUDGED], None
    if quantity.order is not None:
        errors = np.abs(judged - quantity.check.target)
        # an error of exactly zero has no logarithm: rounding is the least that there can be
        least = _ROUNDING * max(1.0, abs(quantity.check.target))
        whole = bool(np.isfinite(errors).all())
        order = observed_order(steps, np.maximum(errors, least).tolist()) if whole else math.nan
    return EngineOutcome(quantity.check.of(float(judged[-1])), values, order, quantity.order)


def write_record(results: Sequence[CaseResult], provenance: Provenance, path: Path) -> None:
    """Write what ``record`` makes; raises RunError when the file cannot be written."""
    text = json.dumps(record(results, provenance), indent=2, allow_nan=False, ensure_ascii=False)
    write_text(path, text + "\n")


def record(results: Sequence[CaseResult], provenance: Provenance) -> dict[str, Any]:
    """All numbers of the results as plain values; null for what an engine's run does not have."""
    return {"provenance": provenance.to_dict(), "cases": [_case(result) for result in results]}


def _case(result: CaseResult) -> dict[str, Any]:
    case = result.case
    return {
        "name": case.name,
        "title": case.title,
        "source": case.source,
        "scenario": case.scenario,
        "settings": list(case.settings),
        "steps": list(case.steps),
        "passed": result.passed,
        "wall_time": result.wall_time,
        "failures": dict(result.failures),
        "quantities": [_quantity(outcome) for outcome in result.outcomes],
    }


def _quantity(outcome: EngineOutcome) -> dict[str, Any]:
    check = outcome.check
    return {
        "name": check.name,
        "unit": check.unit,
        "exact": check.target,
        "tolerance": check.tolerance,
        "reason": check.reason,
        "passed": outcome.passed,
        "expected_order": outcome.expected_order,
        "observed_order": plain(outcome.order),
        "values": plain(outcome.values),
        "errors": {name: plain(outcome.errors(name)) for name in outcome.values},
    }
