"""Running a scenario that asks for an analysis: what it found, or that it was interrupted."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pkgutil import resolve_name

from footfall.analysis.checkpoint import Checkpoint
from footfall.analysis.context import (
    AnalysisContext,
    AnalysisResult,
    Interrupted,
    takes_any_scenario,
)
from footfall.analysis.runs import Runner
from footfall.control.own_system import OwnSystem
from footfall.errors import ScenarioError
from footfall.interrupt import hearing_ctrl_c
from footfall.registry.machines import get_machine
from footfall.scenario.assemble import build_robot, require_machine_of
from footfall.scenario.context import ScenarioFactory, context_of
from footfall.scenario.function_runner import function_runner_of
from footfall.scenario.io import dump_scenario
from footfall.scenario.schema import Scenario
from footfall.scenario_runner import runner_of
from footfall.wording import listed
from footfall.workers import Workers, sharing_pools


@dataclass(frozen=True)
class Analysed:
    """Result of an analysis, or None where Ctrl-C ended it; wall time [s] of this part of it."""

    result: AnalysisResult | None
    wall_time: float


def analyse_scenario(
    scenario: Scenario,
    checkpoint: Checkpoint,
    tell: Callable[[str, float], None],
    workers: Workers | None = None,
) -> Analysed:
    """Carry out the analysis of a scenario, taking up what the checkpoint has done already.

    tell(what, share) hears how far it is. workers: processes that share the work, instead of as
    many as the analysis names. Raises ScenarioError for a scenario without an analysis
    or of another machine than it names, or with a controller, reference or observables of the
    user's that the analysis passes over, RunError for what the analysis cannot do.
    """
    machine = get_machine(scenario.machine)
    own = takes_any_scenario(scenario.analysis)
    if scenario.analysis is None or (machine is None and not own):
        raise ScenarioError(
            "the scenario asks for no analysis of a registered machine: set machine and analysis."
        )
    refuse_ignored_code(scenario)
    with hearing_ctrl_c() as interrupted, sharing_pools():
        robot = build_robot(scenario)
        if machine is not None:
            require_machine_of(machine, robot.model, robot.contacts)
        started = time.perf_counter()
        try:
            analysis = AnalysisContext(
                checkpoint,
                tell,
                interrupted,
                ScenarioFactory(dump_scenario(scenario)),
                _runner(scenario) if own else None,
                scenario.engine,
                workers,
                resolve_name(machine.summary) if machine is not None and machine.summary else None,
            )
            result = scenario.analysis.run(context_of(scenario, robot), analysis)
        except Interrupted:
            return Analysed(None, time.perf_counter() - started)
    return Analysed(result, time.perf_counter() - started)


def _runner(scenario: Scenario) -> Runner:
    """Return what simulates the scenario with values changed, without its analysis.

    A sweep of a function has it evaluated instead.
    """
    alone = replace(scenario, analysis=None)
    if function := getattr(scenario.analysis, "function", ""):
        return function_runner_of(alone, function, getattr(scenario.analysis, "parameters", {}))
    series = getattr(scenario.analysis, "series", ())
    wanted = getattr(scenario.analysis, "wanted", tuple)
    return runner_of(alone, series, wanted())


def refuse_ignored_code(scenario: Scenario) -> None:
    """Raise ScenarioError for code of the user's that the analysis would pass over."""
    own = [
        f"{name}: !{type(part).__name__}"
        for name in ("controller", "reference", "estimator")
        if isinstance(part := getattr(scenario, name), OwnSystem)
    ]
    if scenario.observables:
        own.append("observables")
    function = getattr(scenario.analysis, "function", "")
    knows_them = takes_any_scenario(scenario.analysis) and not function
    if own and not (knows_them or ".py:" in function):
        raise ScenarioError(
            f"analysis: !{type(scenario.analysis).__name__} takes no notice of {listed(own)}: "
            "leave that out, or simulate instead (analysis=null)."
        )
