"""An engine by itself in a diagram, with constant efforts and wrenches at its ports."""

from typing import Any, NamedTuple

from pydrake.common.value import Value
from pydrake.multibody.plant import ExternallyAppliedSpatialForce
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder
from pydrake.systems.primitives import ConstantValueSource, ConstantVectorSource

from footfall.engines import add_engine
from footfall.scenario.assemble import Robot, add_robot, build_robot


class Alone(NamedTuple):
    """A simulator, the engine in it, the engine's context, and the robot that it moves."""

    simulator: Simulator
    system: Any
    context: Any
    robot: Robot

    def output(self, name="state"):
        return self.system.GetOutputPort(name).Eval(self.context)


def alone(scenario, engine, efforts=None, wrench=None):
    """Take a scenario, and what the engine's inputs are fed with: nothing, where it is None."""
    robot, builder = build_robot(scenario), DiagramBuilder()
    system = add_engine(
        builder, engine, robot.model, robot.contacts, scenario.time_step,
        moreau=scenario.moreau, drake=scenario.drake,
    )  # fmt: skip
    sources = {}
    if efforts is not None:
        sources["actuation"] = ConstantVectorSource(efforts)
    if wrench is not None:
        applied = Value[list[ExternallyAppliedSpatialForce]]([wrench])
        sources["applied_wrench"] = ConstantValueSource(applied)
    for port, source in sources.items():
        builder.AddSystem(source)
        builder.Connect(source.get_output_port(), system.GetInputPort(port))
    return _begun(builder, system, robot)


def controlled(scenario, engine):
    """Take a scenario with its controller."""
    robot, builder = build_robot(scenario), DiagramBuilder()
    return _begun(builder, add_robot(builder, scenario, robot, engine), robot)


def _begun(builder, system, robot):
    simulator = Simulator(builder.Build())
    context = system.GetMyMutableContextFromRoot(simulator.get_mutable_context())
    system.set_state(context, robot.initial_state)
    return Alone(simulator, system, context, robot)
