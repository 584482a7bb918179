"""The walker as an engine: feet held by the ground, phase by phase, under its controllers.

`closed-form` has the thesis's Newton-Euler equations, `hybrid` the same walker in Drake's plant.
Both integrate as the scenario's simulator says: Euler with fixed steps, as the thesis has it,
switches phases at time steps; an integrator with an accuracy locates them.
"""

import numpy as np
from pydrake.systems.analysis import ApplySimulatorConfig, Simulator
from pydrake.systems.framework import Context, DiagramBuilder, LeafSystem

from footfall.arrays import Array
from footfall.control.controller import Wiring
from footfall.errors import FootfallError, ScenarioError
from footfall.machines.humanoid.closed_form.phases import GaitPhase
from footfall.machines.humanoid.control import (
    PATH,
    SELECTOR,
    TORQUE,
    TOUCHDOWN,
    HumanoidWalk,
)
from footfall.machines.humanoid.drake_dynamics import DrakeDynamics
from footfall.machines.humanoid.held_plant import Coordinates, Dynamics, HeldPlant, NewtonEuler
from footfall.machines.humanoid.landing import landing
from footfall.machines.humanoid.model import exact_parameters
from footfall.machines.humanoid.record import Record
from footfall.machines.humanoid.supports import support
from footfall.plants.constraints import Weld
from footfall.plants.supports import CUT, SupportRows
from footfall.registry.context import MachineContext
from footfall.registry.machine import CLOSED_FORM, HYBRID
from footfall.trajectory import Trajectory

_HOLDS = "moreau"  # Drake's constraints know no frame of the world
_FIXED_STEPS = ("explicit_euler", "semi_explicit_euler", "runge_kutta2")


def check_engine(engine: str, context: MachineContext) -> None:
    """Raise ScenarioError for a walk of the thesis in an engine whose ground holds no feet.

    Engines with contacts hold one foot at most, that of the first phase, where the scenario welds
    it to the ground.
    """
    if engine in (CLOSED_FORM, HYBRID) or not isinstance(context.controller, HumanoidWalk):
        return
    foot = support(context.controller.first_phase).held[0]
    welded = {
        name.rpartition("::")[2]
        for constraint in context.model.spec.constraints
        if isinstance(constraint, Weld)
        for name in (constraint.a, constraint.b)
    }
    if foot not in welded or engine != _HOLDS:
        message = (
            f"engine {engine}: the thesis's walk takes feet that the ground holds, phase by phase: "
            f"choose {CLOSED_FORM} or {HYBRID}, or {_HOLDS} with '{foot}' welded to the ground for "
            "one phase."
        )
        raise ScenarioError(message)


def warm_up(context: MachineContext) -> None:
    """Compile the equations of both supports and the pose of the trunk."""
    numbers = exact_parameters(context.model, context.contacts).numbers()
    coordinates = Coordinates(context.model.plant, numbers)
    angle, rate = coordinates.angles(context.initial_state).reshape(2, 12)
    for phase in (GaitPhase.LEFT_DOUBLE, GaitPhase.LEFT_SINGLE):
        ground = coordinates.ground(phase, context.initial_state)
        NewtonEuler(numbers)(ground, angle.copy(), rate.copy(), np.zeros(12))
        coordinates.state(ground, angle, rate)


def closed_form(context: MachineContext) -> Trajectory:
    """Walk by the thesis's equations; raises ScenarioError for what they do not know."""
    numbers = exact_parameters(context.model, context.contacts).numbers()
    return _walk(context, NewtonEuler(numbers, _cut(context)), CLOSED_FORM)


def hybrid(context: MachineContext) -> Trajectory:
    """Walk by Drake's equations of motion; raises ScenarioError for what they do not know."""
    numbers = exact_parameters(context.model, context.contacts).numbers()
    return _walk(context, DrakeDynamics(context.model, numbers, _cut(context)), HYBRID)


def walking_diagram(
    context: MachineContext, dynamics: Dynamics, engine: str
) -> tuple[DiagramBuilder, HeldPlant]:
    """Return plant and controllers, connected; raises ScenarioError for another controller."""
    if not isinstance(context.controller, HumanoidWalk):
        message = (
            f"engine {engine}: feet that the ground holds change with the phase of a walk: let the "
            "controller be !HumanoidWalk, or choose moreau or drake."
        )
        raise ScenarioError(message)
    plant = context.model.plant
    numbers = exact_parameters(context.model, context.contacts).numbers()
    coordinates = Coordinates(plant, numbers)
    ground = coordinates.ground(context.controller.first_phase, context.initial_state)
    start = coordinates.angles(context.initial_state)
    builder = DiagramBuilder()
    system = HeldPlant(plant, numbers, dynamics, ground, start)
    builder.AddNamedSystem("held_plant", system)
    wiring = Wiring(
        builder,
        system.GetOutputPort("state"),
        system.GetInputPort("actuation"),
        context.model,
        context.contacts,
        context.time_step,
    )
    context.controller.connect(wiring, context.reference)
    selector = builder.GetSubsystemByName(SELECTOR)
    for name in ("guard", "next_phase"):
        builder.Connect(selector.GetOutputPort(name), system.GetInputPort(name))
    landing = builder.GetSubsystemByName(TOUCHDOWN).GetOutputPort("landing")
    builder.Connect(landing, system.GetInputPort("landing"))
    return builder, system


def _walk(context: MachineContext, dynamics: Dynamics, engine: str) -> Trajectory:
    """Simulate and record a row a time step, and two at every change of phase."""
    builder, system = walking_diagram(context, dynamics, engine)
    diagram = builder.Build()
    simulator = Simulator(diagram)
    ApplySimulatorConfig(context.simulator, simulator)
    if context.simulator.integration_scheme not in _FIXED_STEPS:  # locate changes of phase
        simulator.get_mutable_context().SetAccuracy(context.simulator.accuracy)
    selector, path, torque = (diagram.GetSubsystemByName(n) for n in (SELECTOR, PATH, TORQUE))
    numbers = exact_parameters(context.model, context.contacts).numbers()
    record, root = Record(context, numbers, engine), simulator.get_mutable_context()
    plant = context.model.plant
    rows = [SupportRows(plant, support(GaitPhase(k), _cut(context))) for k in range(4)]
    scratch = plant.CreateDefaultContext()
    failure, last = "", -np.inf
    try:
        simulator.Initialize()
        for k in range(round(context.duration / context.time_step) + 1):
            simulator.AdvanceTo(k * context.time_step)
            own = system.GetMyContextFromRoot(root)
            start, jump = _value(selector, "start", root), system.jump(own)
            ground = system.ground(own)
            if jump.time > last:
                before = system.coordinates.state(jump.ground, jump.angle, jump.rate)
                phase, of_phase = GaitPhase(ground.phase), rows[ground.phase]
                states = (before, start)
                record.add_landing(landing(plant, scratch, of_phase, jump.time, phase, states))
                last = jump.time
            began = float(_value(selector, "phase", root)[1])
            values = {
                "actuation": _value(torque, "actuation", root),
                "reactions": _value(system, "reactions", root),
                "reference": path.reference(ground.phase, own.get_time() - began, start)[0],
                "work": system.work(own),
            }
            record.add(own.get_time(), ground, _value(system, "state", root), values)
    except FootfallError as error:
        failure = str(error)
    except RuntimeError as error:
        failure = f"the walk ends after t = {record.time:.4f} s: {error}"
    return record.trajectory(failure)


def _cut(context: MachineContext) -> float:
    """Singular value below which equations of the loop are cut."""
    law = context.controller
    return law.cut if isinstance(law, HumanoidWalk) else CUT


def _value(system: LeafSystem, port: str, root: Context) -> Array:
    value: Array = system.GetOutputPort(port).Eval(system.GetMyContextFromRoot(root))
    return value
