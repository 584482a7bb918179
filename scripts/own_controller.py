"""A controller of your own, in either engine: a machine falls with braked joints.

python scripts/own_controller.py [SCENARIO [ENGINE ...]]
"""

import sys

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import BasicVector, Context, DiagramBuilder, LeafSystem

from footfall.engines import add_engine
from footfall.scenario.assemble import build_robot
from footfall.scenario.io import load_scenario


class Damper(LeafSystem):
    """Brakes every actuated joint: tau = -2 N m s times its rate."""

    def __init__(self, plant: MultibodyPlant) -> None:
        super().__init__()
        self._nq = plant.num_positions()
        self._rates = plant.MakeActuationMatrix().T  # rates of the actuated joints out of v
        self._state = self.DeclareVectorInputPort("state", plant.num_multibody_states())
        self.DeclareVectorOutputPort("actuation", plant.num_actuators(), self._calc_actuation)

    def _calc_actuation(self, context: Context, output: BasicVector) -> None:
        v = self._state.Eval(context)[self._nq :]
        output.SetFromVector(-2.0 * self._rates @ v)


def simulate(scenario_name: str, engine_name: str, duration: float) -> np.ndarray:
    """Let a scenario's machine fall with braked joints; returns its last [q; v]."""
    scenario = load_scenario(scenario_name)
    machine = build_robot(scenario)
    builder = DiagramBuilder()
    engine = add_engine(
        builder, engine_name, machine.model, machine.contacts, scenario.time_step,
        moreau=scenario.moreau, drake=scenario.drake,
    )  # fmt: skip
    controller = builder.AddSystem(Damper(machine.plant))
    builder.Connect(engine.GetOutputPort("state"), controller.GetInputPort("state"))
    builder.Connect(controller.GetOutputPort("actuation"), engine.GetInputPort("actuation"))
    simulator = Simulator(builder.Build())
    context = engine.GetMyMutableContextFromRoot(simulator.get_mutable_context())
    engine.set_state(context, machine.initial_state)
    simulator.AdvanceTo(duration)
    return engine.GetOutputPort("state").Eval(context).copy()


if __name__ == "__main__":
    name, *engines = sys.argv[1:] or ["biped/drop"]
    for engine in engines or ["moreau", "drake"]:
        print(engine, simulate(name, engine, 0.5).round(3))
