"""Jumps of the hopper in the engines with time steps, at steps of one's own."""

import numpy as np
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder

from footfall.control.controller import Wiring
from footfall.engines import ContactReport, DrakeConfig, MoreauConfig, add_engine
from footfall.plants.layout import layout_of
from footfall.registry.context import MachineContext
from footfall.trajectory import Status, Trajectory, TrajectoryBuilder


def stepped(context: MachineContext, engine: str, time_step: float) -> Trajectory:
    """Simulate a setting that has a controller in an engine with a time step [s].

    Rows have what a jump is read from: states, torque and contacts, no energies. Raises RunError
    and ContactNotSolved as the engines do, ScenarioError for an unknown engine.
    """
    model, contacts = context.model, context.contacts
    builder = DiagramBuilder()
    system = add_engine(
        builder,
        engine,
        model,
        contacts,
        time_step,
        moreau=MoreauConfig(),
        drake=DrakeConfig(),
    )
    if context.controller is None:
        raise ValueError("a hopper without a controller does not jump")
    ports = system.GetOutputPort("state"), system.GetInputPort("actuation")
    wiring = Wiring(builder, *ports, model, contacts, time_step)
    context.controller.connect(wiring, context.reference)
    simulator = Simulator(builder.Build())
    root = system.GetMyMutableContextFromRoot(simulator.get_mutable_context())
    system.set_state(root, context.initial_state)
    system.watch(simulator)
    simulator.Initialize()
    rows = TrajectoryBuilder(layout_of(model.plant, contacts))
    for k in range(round(context.duration / time_step) + 1):
        if k > 0:  # to advance to the start would take the first step
            simulator.AdvanceTo(k * time_step)
        state = system.GetOutputPort("state").Eval(root)
        report: ContactReport = system.GetOutputPort("contact_report").Eval(root)
        tau = system.GetInputPort("actuation").Eval(root)
        rows.append(k * time_step, state[:4], state[4:], np.array(tau), report)
    return rows.finish(Status.DONE, attributes={"engine": engine})
