"""Running a scenario that asks for an analysis: what it found, or that it was interrupted."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from pydrake.systems.analysis import ApplySimulatorConfig, Simulator
from pydrake.systems.framework import DiagramBuilder

from footfall.analysis.checkpoint import Checkpoint
from footfall.analysis.context import (
    AnalysisContext,
    AnalysisResult,
    Interrupted,
    takes_any_scenario,
)
from footfall.analysis.factory import Simulation
from footfall.analysis.runs import Runner
from footfall.control.own_system import OwnSystem
from footfall.errors import ScenarioError
from footfall.interrupt import hearing_ctrl_c
from footfall.registry.machines import get_machine
from footfall.scenario.assemble import add_robot, build_robot, require_machine_of
from footfall.scenario.context import context_of
from footfall.scenario.io import dump_scenario, parse_scenario, with_values
from footfall.scenario.schema import Scenario
from footfall.scenario_runner import runner_of
from footfall.wording import listed
from footfall.workers import Workers, sharing_pools

_NO_VALUES: Mapping[str, object] = MappingProxyType({})


@dataclass(frozen=True)
class Analysed:
    """Result of an analysis, or None where Ctrl-C ended it; wall time [s] of this part of it."""

    result: AnalysisResult | None
    wall_time: float


@dataclass(frozen=True)
class ScenarioFactory:
    """Builds simulations of a scenario, which it holds as the text of its file."""

    text: str

    def simulation(self, engine: str, values: Mapping[str, object] = _NO_VALUES) -> Simulation:
        """The scenario's machine in an engine with ports; raises as `run_scenario`."""
        scenario = with_values(parse_scenario(self.text), values, "the scenario")
        robot = build_robot(scenario)
        builder = DiagramBuilder()
        system = add_robot(builder, scenario, robot, engine)
        simulator = Simulator(builder.Build())
        ApplySimulatorConfig(scenario.simulator, simulator)
        return Simulation(context_of(scenario, robot), engine, system, simulator)


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
    _refuse_what_it_ignores(scenario)
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
            )
            result = scenario.analysis.run(context_of(scenario, robot), analysis)
        except Interrupted:
            return Analysed(None, time.perf_counter() - started)
    return Analysed(result, time.perf_counter() - started)


def _runner(scenario: Scenario) -> Runner:
    """Return what simulates the scenario with values changed, without its analysis."""
    series = getattr(scenario.analysis, "series", ())
    wanted = getattr(scenario.analysis, "wanted", tuple)
    return runner_of(replace(scenario, analysis=None), series, wanted())


def _refuse_what_it_ignores(scenario: Scenario) -> None:
    """Raise ScenarioError for code of the user's that the analysis would pass over."""
    own = [
        f"{name}: !{type(part).__name__}"
        for name in ("controller", "reference", "estimator")
        if isinstance(part := getattr(scenario, name), OwnSystem)
    ]
    if scenario.observables:
        own.append("observables")
    if own and not takes_any_scenario(scenario.analysis):
        raise ScenarioError(
            f"analysis: !{type(scenario.analysis).__name__} takes no notice of {listed(own)}: "
            "leave that out, or simulate instead (analysis=null)."
        )
