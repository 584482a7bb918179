"""Running a scenario that asks for an analysis: what it found, or that it was interrupted."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pydrake.systems.analysis import ApplySimulatorConfig, Simulator
from pydrake.systems.framework import DiagramBuilder

from footfall.errors import ScenarioError
from footfall.interrupt import hearing_ctrl_c
from footfall.ledger import Ledger
from footfall.run import setting_of
from footfall.scenario.assemble import add_machine, build_machine, require_machine_of
from footfall.scenario.io import dump_scenario, parse_scenario, with_settings
from footfall.scenario.schema import Scenario
from footfall.studies import get_study
from footfall.studies.analysis import Desk, Findings, Interrupted
from footfall.studies.bench import Simulation


@dataclass(frozen=True)
class Analysed:
    """Findings of an analysis, or None where Ctrl-C ended it; wall time [s] of this part of it."""

    findings: Findings | None
    wall_time: float


@dataclass(frozen=True)
class ScenarioBench:
    """Builds simulations of a scenario, which it holds as the text of its file."""

    text: str

    def simulation(self, engine: str, settings: Sequence[str] = ()) -> Simulation:
        """The scenario's machine in an engine with ports; raises as `run_scenario`."""
        scenario = with_settings(parse_scenario(self.text), settings, "the scenario")
        machine = build_machine(scenario)
        builder = DiagramBuilder()
        system = add_machine(builder, scenario, machine, engine)
        simulator = Simulator(builder.Build())
        ApplySimulatorConfig(scenario.simulator, simulator)
        return Simulation(setting_of(scenario, machine), system, simulator)


def analyse_scenario(
    scenario: Scenario, ledger: Ledger, tell: Callable[[str, float], None]
) -> Analysed:
    """Carry out the analysis of a scenario, taking up what the ledger has done already.

    tell(what, share) hears how far it is. Raises ScenarioError for a scenario without an analysis
    or of another machine than its study's, RunError for what the analysis cannot do.
    """
    study = get_study(scenario.study)
    if scenario.analysis is None or study is None:
        message = "the scenario asks for no analysis of a study's machine: set study and analysis."
        raise ScenarioError(message)
    with hearing_ctrl_c() as interrupted:
        machine = build_machine(scenario)
        require_machine_of(study, machine.model, machine.contacts)
        started = time.perf_counter()
        try:
            bench = ScenarioBench(dump_scenario(scenario))
            desk = Desk(ledger, tell, interrupted, bench)
            findings = scenario.analysis.run(setting_of(scenario, machine), desk)
        except Interrupted:
            return Analysed(None, time.perf_counter() - started)
    return Analysed(findings, time.perf_counter() - started)
