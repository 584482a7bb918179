"""The walker as an engine: feet held by the ground, phase by phase, under its controllers.

`closed-form` has the thesis's Newton-Euler equations, `hybrid` the same walker in Drake's plant.
Both integrate as the scenario's simulator says: Euler with fixed steps, as the thesis has it,
switches phases at time steps; an integrator with an accuracy locates them.
"""

import math
from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.linalg import LinAlgError
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.analysis import ApplySimulatorConfig, Simulator
from pydrake.systems.framework import DiagramBuilder, EventStatus

from footfall.arrays import Array
from footfall.errors import FootfallError, ScenarioError
from footfall.machines.humanoid.closed_form.parameters import Numbers
from footfall.machines.humanoid.closed_form.phases import JOINTS, GaitPhase
from footfall.machines.humanoid.constrained_plant import (
    ConstrainedPlant,
    Coordinates,
    DrakeDynamics,
    Dynamics,
    newton_euler,
)
from footfall.machines.humanoid.control import SELECTOR, TOUCHDOWN, HumanoidWalk
from footfall.machines.humanoid.ground_walk import FreedWalk, GroundWalk
from footfall.machines.humanoid.model import (
    exact_parameters,
    parameters_of,
    pendulum,
    stride,
    stride_ground,
    support,
)
from footfall.machines.humanoid.record import MEND, Record
from footfall.plants.constraints import Weld
from footfall.plants.contacts import ContactSet
from footfall.plants.loading.load import Model
from footfall.plants.support_motions import free_motions
from footfall.registry.context import MachineContext
from footfall.registry.machine import CLOSED_FORM, HYBRID
from footfall.trajectory import Trajectory
from footfall_controllers.controller import Controller, Wiring
from footfall_controllers.optimal_predictive import TrackedCoordinates
from footfall_controllers.swing_path import SwingPath

_HOLDS = "moreau"  # Drake's constraints know no frame of the world
_THESIS_STEP = 0.01  # s
_ROUNDING = 1e-9  # of a step of time
_FIXED_STEPS = ("explicit_euler", "semi_explicit_euler", "runge_kutta2")


def check_engine(engine: str, context: MachineContext) -> None:
    """Raise ScenarioError for a walk of the thesis in an engine whose ground holds no feet.

    Engines with contacts hold one foot at most, that of the first phase, where the scenario welds
    it to the ground.
    """
    if engine in (CLOSED_FORM, HYBRID):
        _law(context, engine)
        return
    if not isinstance(context.controller, HumanoidWalk):
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


def is_thesis_step(context: MachineContext) -> bool:
    """Return True for Euler's method with steps of 10 ms, which section 4.1 of the thesis chose."""
    simulator = context.simulator
    return simulator.integration_scheme == "explicit_euler" and math.isclose(
        simulator.max_step_size, _THESIS_STEP
    )


def warm_up(context: MachineContext) -> None:
    """Compile the equations of both supports and the pose of the trunk."""
    numbers = exact_parameters(context.model, context.contacts).numbers()
    coordinates = Coordinates(context.model.plant, numbers)
    angle, rate = coordinates.angles(context.initial_state).reshape(2, 12)
    for phase in (GaitPhase.LEFT_DOUBLE, GaitPhase.LEFT_SINGLE):
        ground = coordinates.ground(phase, context.initial_state)
        newton_euler(numbers)(ground, angle.copy(), rate.copy(), np.zeros(12))
        coordinates.state(ground, angle, rate)


def closed_form(context: MachineContext) -> Trajectory:
    """Walk by the thesis's equations; raises ScenarioError for what they do not know."""
    return _walk(context, CLOSED_FORM, newton_euler)


def hybrid(context: MachineContext) -> Trajectory:
    """Walk by Drake's equations of motion; raises ScenarioError for what they do not know."""
    return _walk(context, HYBRID, partial(DrakeDynamics, context.model))


ENGINES = {CLOSED_FORM: closed_form, HYBRID: hybrid}


def _law(context: MachineContext, engine: str) -> HumanoidWalk:
    """Return the controller of a walk; raises ScenarioError for another one."""
    if isinstance(context.controller, HumanoidWalk):
        return context.controller
    message = (
        f"engine {engine}: feet that the ground holds change with the phase of a walk: let the "
        "controller be !HumanoidWalk, or choose moreau or drake."
    )
    raise ScenarioError(message)


def walking_diagram(
    context: MachineContext, numbers: Numbers, dynamics: Dynamics, engine: str
) -> tuple[DiagramBuilder, ConstrainedPlant]:
    """Return plant and controllers, connected; raises ScenarioError for another controller."""
    law = _law(context, engine)
    coordinates = Coordinates(context.model.plant, numbers)
    ground = coordinates.ground(law.first_phase, context.initial_state)
    start = coordinates.angles(context.initial_state)
    builder = DiagramBuilder()
    system = ConstrainedPlant(coordinates, dynamics, ground, start)
    builder.AddNamedSystem("constrained_plant", system)
    wiring = Wiring(
        builder,
        system.GetOutputPort("state"),
        system.GetInputPort("actuation"),
        context.model,
        context.contacts,
        context.time_step,
    )
    law.connect(wiring, context.reference)
    selector = builder.GetSubsystemByName(SELECTOR)
    for name in ("guard", "next_phase"):
        builder.Connect(selector.GetOutputPort(name), system.GetInputPort(name))
    landing = builder.GetSubsystemByName(TOUCHDOWN).GetOutputPort("landing")
    builder.Connect(landing, system.GetInputPort("landing"))
    return builder, system


def _walk(
    context: MachineContext, engine: str, equations: Callable[[Numbers, float], Dynamics]
) -> Trajectory:
    """Simulate, and record a row for every step: the state from which it starts and what it uses.

    A phase that ends between two steps leaves one row, the one with which the next phase starts:
    its torques and reactions are those of the step that follows, and times increase. The state in
    which the phase ended is kept with the change of phase. With an accuracy, rows stand at the
    scenario's time steps, whatever the integrator takes between them, and at changes of phase.
    """
    numbers = exact_parameters(context.model, context.contacts).numbers()
    dynamics = equations(numbers, _law(context, engine).cut)
    builder, system = walking_diagram(context, numbers, dynamics, engine)
    simulator = Simulator(builder.Build())
    ApplySimulatorConfig(context.simulator, simulator)
    rows = 1  # in a time step
    if context.simulator.integration_scheme in _FIXED_STEPS:
        largest = context.simulator.max_step_size
        rows = math.ceil(context.time_step / largest * (1.0 - _ROUNDING))
        integrator = simulator.get_mutable_integrator()
        # a step that rounding leaves short of its end would be followed by one of nearly nothing
        integrator.set_maximum_step_size((1.0 + _ROUNDING) * largest)
    else:  # locate changes of phase
        simulator.get_mutable_context().SetAccuracy(context.simulator.accuracy)
    record = Record(context, numbers, engine, system, simulator)
    # what is due changes at the start of a step: stop before it, to see both sides of the change
    own = system.GetMyContextFromRoot(simulator.get_context())
    simulator.set_monitor(
        lambda _root: (
            EventStatus.ReachedTermination(system, "the phase ends")
            if system.is_due(own)
            else EventStatus.DidNothing()
        )
    )
    failure = ""
    try:
        simulator.Initialize()
        record.observe()
        for k in range(1, rows * round(context.duration / context.time_step) + 1):
            end = k * context.time_step / rows
            while own.get_time() < end:
                simulator.AdvanceTo(end)
                record.observe()
    except FootfallError as error:
        failure = f"the walk ends after t = {record.time:.4f} s: {error}"
    except KeyboardInterrupt:
        failure = f"interrupted at t = {record.time:.4f} s"
    except (RuntimeError, ArithmeticError, LinAlgError) as error:
        reason = " ".join(str(error).split()).partition(" (")[0].rstrip(".")
        failure = f"the walk ends after t = {record.time:.4f} s ({reason}): {MEND}."
    return record.trajectory(failure)


_SMALL = 1e-2  # singular values of tracked velocities below this, over the largest, are left out


def gait(model: Model, _contacts: ContactSet, controller: Controller | None) -> Array:
    """State [q; v] where a phase starts; the thesis starts at rest, in left double support."""
    p = parameters_of(model).numbers()
    if isinstance(controller, (FreedWalk, GroundWalk)):
        controller = controller.gait
    law = controller if isinstance(controller, HumanoidWalk) else HumanoidWalk()
    phase, path = law.first_phase, law.path(p)
    progress, left = law.progress, 0.0
    if law.sway:
        single, spans = not phase.is_double, path.spans
        side = 1.0 - 2.0 * phase.side
        left = side * float(pendulum(p, law.height, law.sway).motion(single, 0.0, spans)[0])
        progress = spans[1] * law.speed.single
    behind = (progress if phase.is_double else law.step) - law.near
    ahead = law.step - behind
    angle = stride(p, phase, law.height, ahead, behind, left)
    ground = stride_ground(p, phase, ahead, behind)
    state = Coordinates(model.plant, p).state(ground, angle, np.zeros(len(JOINTS)))
    if law.moving:
        state[model.plant.num_positions() :] = _velocities(law, model.plant, p, state)
    return state


def _velocities(law: HumanoidWalk, plant: MultibodyPlant, p: Numbers, state: Array) -> Array:
    """Velocities (nv,) that the support allows, nearest to those of the first references."""
    phase, own = law.first_phase, plant.CreateDefaultContext()
    plant.SetPositionsAndVelocities(own, state)
    tracked = TrackedCoordinates(plant, law.predictive(p, phase))
    free = free_motions(tracked.rows.jacobian(own), law.cut)
    J = tracked.jacobian(own) @ free
    wanted = SwingPath(plant, law.path(p)).reference(phase, 0.0, state)[1, : len(J)]
    return np.asarray(free @ np.linalg.lstsq(J, wanted, rcond=_SMALL)[0])
