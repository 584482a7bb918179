"""The context of a machine, of a scenario and its robot, and simulations for analyses."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from pydrake.systems.analysis import ApplySimulatorConfig, Simulator
from pydrake.systems.framework import DiagramBuilder

from footfall.analysis.functions import CaseSimulation
from footfall.registry.context import MachineContext
from footfall.scenario.assemble import Robot, add_robot, build_robot
from footfall.scenario.io import parse_scenario, with_values
from footfall.scenario.schema import Scenario


def context_of(scenario: Scenario, robot: Robot) -> MachineContext:
    """Return a scenario and its robot as the code of its machine sees them."""
    return MachineContext(
        model=robot.model,
        contacts=robot.contacts,
        slope=math.radians(scenario.terrain.slope_deg),
        controller=scenario.controller,
        reference=robot.reference,
        initial_state=robot.initial_state,
        time_step=scenario.time_step,
        duration=scenario.duration,
        seed=scenario.seed,
        simulator=scenario.simulator,
    )


_NO_VALUES: Mapping[str, object] = MappingProxyType({})


@dataclass(frozen=True)
class ScenarioFactory:
    """Builds simulations of a scenario, which it holds as the text of its file."""

    text: str

    def simulation(self, engine: str, values: Mapping[str, object] = _NO_VALUES) -> CaseSimulation:
        """The scenario's machine in an engine with ports; raises as `run_scenario`."""
        scenario = with_values(parse_scenario(self.text), values, "the scenario")
        robot = build_robot(scenario)
        builder = DiagramBuilder()
        system = add_robot(builder, scenario, robot, engine)
        simulator = Simulator(builder.Build())
        ApplySimulatorConfig(scenario.simulator, simulator)
        return CaseSimulation(context_of(scenario, robot), engine, system, simulator)
