"""A controller of your own, in either engine: the biped falls with braked joints.

python scripts/own_controller.py [ENGINE ...]
"""

import sys

import numpy as np
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import BasicVector, Context, DiagramBuilder, LeafSystem

from footfall.engines import add_engine
from footfall.scenario.assemble import build_machine
from footfall.scenario.io import load_scenario


class Damper(LeafSystem):
    """Brakes every actuated joint of the biped: tau = -2 N m s times its rate."""

    def __init__(self) -> None:
        super().__init__()
        self._state = self.DeclareVectorInputPort("state", 12)
        self.DeclareVectorOutputPort("actuation", 4, self._calc_actuation)

    def _calc_actuation(self, context: Context, output: BasicVector) -> None:
        output.SetFromVector(-2.0 * self._state.Eval(context)[-4:])


def simulate(engine_name: str, duration: float) -> np.ndarray:
    """Let the biped fall with braked joints; returns its last [q; v]."""
    scenario = load_scenario("biped/drop")
    machine = build_machine(scenario)
    builder = DiagramBuilder()
    engine = add_engine(
        builder, engine_name, machine.model, machine.contacts, scenario.time_step,
        moreau=scenario.moreau, drake=scenario.drake,
    )  # fmt: skip
    controller = builder.AddSystem(Damper())
    builder.Connect(engine.GetOutputPort("state"), controller.GetInputPort("state"))
    builder.Connect(controller.GetOutputPort("actuation"), engine.GetInputPort("actuation"))
    simulator = Simulator(builder.Build())
    context = engine.GetMyMutableContextFromRoot(simulator.get_mutable_context())
    engine.set_state(context, machine.initial_state)
    simulator.AdvanceTo(duration)
    return engine.GetOutputPort("state").Eval(context).copy()


if __name__ == "__main__":
    for name in sys.argv[1:] or ["moreau", "drake"]:
        print(name, simulate(name, 0.5).round(3))
