"""From a scenario to the parts of a simulation.

Model, contacts, engine, controller, what lies between these two, initial state.
"""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import DiagramBuilder, InputPort, OutputPort
from pydrake.systems.primitives import ConstantVectorSource, PortSwitch

from footfall.arrays import Array
from footfall.control.own_system import OwnSystem
from footfall.control.python_code import Python
from footfall.engines import CONTINUOUS, Engine, MoreauEngine, add_engine
from footfall.engines.ports import ACTUATION, APPLIED_WRENCH, CONTACT_IMPULSES, STATE
from footfall.errors import ScenarioError, refusing
from footfall.plants.contacts import ContactSet, collect_contacts
from footfall.plants.coordinates import (
    actuators_of,
    coordinate_names,
    floating_joints,
    normalise_quaternions,
    quaternion_joints,
    quaternion_places,
)
from footfall.plants.dynamics import Dynamics
from footfall.plants.fall_detection import FallDetector
from footfall.plants.flat.laws import Law, limits_of, prescribed
from footfall.plants.grounds import RoughGround
from footfall.plants.loading.load import Model, ModelSpec, load_model
from footfall.plants.loading.plant_check import check_mass_matrix
from footfall.plants.messages import one_line
from footfall.plants.motors import PdGains, speed_limits
from footfall.plants.nearest_posture import consistent_velocities, nearest_posture
from footfall.plants.pushes import PushSource, resolved
from footfall.plants.sensing import ActuatorSystem, SensorSystem
from footfall.plants.terrain import Ground
from footfall.registry.machine import Machine
from footfall.registry.machines import get_machine
from footfall.scenario.lowering import drop, lay, require_above
from footfall.scenario.schema import Scenario
from footfall.trajectory.pushes import LinkPush
from footfall.wording import did_you_mean
from footfall_controllers.controller import LawRequest, Reference, Wiring
from footfall_controllers.log import LogReference
from footfall_controllers.motor_limits import MotorLimits


def between_controller_and_joints(scenario: Scenario, gains: PdGains) -> str:
    """Name what keeps gains of a controller from the joints in a scenario; empty if nothing does.

    Sensors and an estimator do, but for gains of the drives' own loops.
    """
    there = {
        "sensors": scenario.sensors is not None and not gains.by_drive,
        "estimator": scenario.estimator is not None and not gains.by_drive,
        "actuators": scenario.actuators is not None,
        "motors": any(motor.is_limited for motor in scenario.motors.values()),
    }
    return " and ".join(name for name, has in there.items() if has)


def through_motors(
    builder: DiagramBuilder,
    scenario: Scenario,
    plant: MultibodyPlant,
    system: Engine,
) -> InputPort:
    """Return the port that takes torques: the engine's, or that of limits of motors and speeds."""
    limited = {name: motor for name, motor in scenario.motors.items() if motor.is_limited}
    if isinstance(system, MoreauEngine):
        system.limit(limits_of(plant, limited, system.drives))
        return system.GetInputPort(ACTUATION)
    if not limited and not np.isfinite(speed_limits(plant)).any():
        return system.GetInputPort(ACTUATION)
    limits = builder.AddNamedSystem("motor_limits", MotorLimits(plant, limited, system.drives))
    builder.Connect(system.GetOutputPort(STATE), limits.GetInputPort("state"))
    builder.Connect(limits.GetOutputPort("actuation"), system.GetInputPort(ACTUATION))
    return limits.GetInputPort("command")


def through_actuators(
    builder: DiagramBuilder, scenario: Scenario, actuation: InputPort, *, continuous: bool
) -> InputPort:
    """Return the port that takes commands: that of the torques, or of actuators with errors."""
    if scenario.actuators is None or actuation.size() == 0:
        return actuation
    errors = ActuatorSystem(
        actuation.size(),
        scenario.actuators,
        scenario.seed,
        scenario.time_step,
        continuous=continuous,
    )
    added = builder.AddNamedSystem("actuators", errors)
    builder.Connect(added.GetOutputPort("actuation"), actuation)
    return added.GetInputPort("command")


def through_sensors(
    builder: DiagramBuilder,
    scenario: Scenario,
    plant: MultibodyPlant,
    system: Engine,
    *,
    continuous: bool,
) -> tuple[OutputPort, OutputPort | None]:
    """Return the ports of what a controller sees: state, and what an IMU tells if there is one.

    The state is that of the estimator, if the scenario has one.
    """
    state, imu = system.GetOutputPort(STATE), None
    if scenario.sensors is not None:
        sensors = SensorSystem(
            plant, scenario.sensors, scenario.seed, scenario.time_step, continuous=continuous
        )
        added = builder.AddNamedSystem(SENSORS, sensors)
        builder.Connect(state, added.GetInputPort("state"))
        state = added.GetOutputPort("state")
        imu = added.GetOutputPort("imu") if scenario.sensors.imu is not None else None
    if scenario.estimator is not None:
        has_imu = imu is not None
        estimator = scenario.estimator.estimator(plant, has_imu=has_imu)
        added = builder.AddNamedSystem("estimator", estimator)
        builder.Connect(state, added.GetInputPort("state"))
        if added.HasInputPort("imu"):
            builder.Connect(imu, added.GetInputPort("imu"))
        state = added.GetOutputPort("state")
    return state, imu


PUSHES, TORQUES, SENSORS = "pushes", "torques", "sensors"
"""Names of systems that push links, choose between torques, and sense, where there are any."""

OF_SCENARIO, OF_PROGRAM = "of_scenario", "of_program"
"""Ports of TORQUES."""


@dataclass(frozen=True)
class Robot:
    """A scenario's machine before any engine moves it.

    model: continuous, the provider of M, h and the contact geometry. reference: what the controller
    tracks, if any.
    initial_state: [q; v]. pushes: those of the scenario, then those that were drawn. moved: new
    values of coordinates that the scenario starts where loops are open or limits exceeded, by name;
    start_notes: lines about these, and about velocities that were changed likewise.
    """

    model: Model
    contacts: ContactSet
    reference: Reference | None
    initial_state: Array
    pushes: tuple[LinkPush, ...] = ()
    moved: Mapping[str, float] = field(default_factory=dict)
    start_notes: tuple[str, ...] = ()

    @property
    def plant(self) -> MultibodyPlant:
        """The continuous plant."""
        return self.model.plant


def model_spec(scenario: Scenario) -> ModelSpec:
    """Return models and ground; raises ScenarioError for a scenario without a model."""
    if not scenario.directives:
        message = "the scenario has no model: add directives with an add_model of your URDF or SDF."
        raise ScenarioError(message)
    return ModelSpec(
        directives=scenario.directives,
        terrain=ground_of(scenario),
        gravity=scenario.gravity,
        packages=scenario.packages,
        arguments=scenario.arguments,
        mass_scale=scenario.mass_scale,
        motors=scenario.motors,
        constraints=scenario.constraints,
    )


def ground_of(scenario: Scenario) -> Ground:
    """Return the ground; what is rough by chance follows from the seed of the scenario."""
    ground = scenario.terrain
    return ground.seeded(scenario.seed) if isinstance(ground, RoughGround) else ground


def build_robot(scenario: Scenario, *, start: Array | None = None) -> Robot:
    """Load the model, find its contacts, make the reference and the initial state.

    start: a state [q; v] instead of the scenario's, for who reads a run: no code that the scenario
    brings along is run then, and nothing is asked of the start.
    """
    model, contacts = load_contacts(scenario)
    if start is not None:
        own = _own_reference(scenario, model.plant)
        return Robot(model, contacts, own, start, _pushes(scenario, model.plant))
    reference = _reference(scenario, model.plant)
    FallDetector(model.plant, scenario.fallen_below)  # refuses links that there are not
    state, moved, notes = _initial_state(scenario, model, contacts, reference)
    if model.surface is not None:
        require_above(model, contacts, state)
    pushes = _pushes(scenario, model.plant)
    return Robot(model, contacts, reference, state, pushes, moved, notes)


def _pushes(scenario: Scenario, plant: MultibodyPlant) -> tuple[LinkPush, ...]:
    """Pushes of a scenario on the links of its plant, random ones drawn from its seed."""
    drawn = []
    if scenario.random_pushes is not None:
        drawn = scenario.random_pushes.draw(plant, scenario.seed, scenario.duration)
    return resolved(plant, [*scenario.pushes, *drawn])


def load_contacts(scenario: Scenario) -> tuple[Model, ContactSet]:
    """Load the model of a scenario and find its contacts."""
    model = load_model(model_spec(scenario), expected_actuators=scenario.expected_actuators)
    return model, contacts_of(scenario, model)


def contacts_of(scenario: Scenario, model: Model) -> ContactSet:
    """Find the contacts of a model, with the laws of a scenario."""
    return collect_contacts(
        model,
        scenario.contact_material(),
        joint_friction=scenario.joint_friction,
        swing_feet=scenario.alternating_feet,
    )


def _reference(scenario: Scenario, plant: MultibodyPlant) -> Reference | None:
    """Return what the controller tracks: a reference of its own, or that of the scenario."""
    controller = scenario.controller
    if scenario.reference is None:
        return _own_reference(scenario, plant)
    if not isinstance(scenario.reference, Python):
        raise ScenarioError(
            f"reference is a {type(scenario.reference).__name__}: give a "
            "footfall.control.python_code.Python(file, name, parameters)."
        )
    if controller is None or not controller.takes_reference:
        given = "no controller" if controller is None else f"!{type(controller).__name__}"
        raise ScenarioError(
            f"reference: the scenario has {given}, which would not track it: choose controller: "
            "!InverseDynamics, or a !Python with an input reference."
        )
    return scenario.reference.source(plant)


def _own_reference(scenario: Scenario, plant: MultibodyPlant) -> Reference | None:
    """Return what the controller tracks of its own, if it does."""
    if scenario.controller is None:
        return None
    with _fitting(scenario):
        reference = scenario.controller.reference(plant)
    if isinstance(reference, LogReference):
        reference.require_until(scenario.duration - scenario.time_step)
    return reference


def _fitting(scenario: Scenario) -> AbstractContextManager[None]:
    """Turn what a controller raises about a robot, for which it may not be made, into one line."""
    what = f"controller: !{type(scenario.controller).__name__} does not fit the robot"
    return refusing(
        ScenarioError,
        lambda error: (
            f"{what}: {one_line(error).rstrip('.')}; choose another one, or set what it asks for."
        ),
    )


def add_robot(
    builder: DiagramBuilder,
    scenario: Scenario,
    robot: Robot,
    engine: str,
    *,
    by_hand: bool = False,
    stepped: bool = False,
) -> Engine:
    """Add the engine with the scenario's controller connected to it.

    by_hand: pushes may come while the run goes on. stepped: so may torques, to a ``PortSwitch``
    TORQUES whose port OF_PROGRAM takes them where it is selected; and there are sensors without a
    controller.
    """
    gains = None
    if scenario.controller is not None:
        with _fitting(scenario):
            gains = scenario.controller.pd_gains(robot.plant)
    between = between_controller_and_joints(scenario, gains) if gains is not None else ""
    system = add_engine(
        builder,
        engine,
        robot.model,
        robot.contacts,
        scenario.time_step,
        moreau=scenario.moreau,
        drake=scenario.drake,
        mujoco=scenario.mujoco,
        gains=None if between else gains,
    )
    if between:
        system.note = (
            f"the gains that the controller declares are not used, for {between} of the scenario "
            "stand between it and the joints: its torque is held over a step"
        )
    continuous = engine == CONTINUOUS
    actuation = through_motors(builder, scenario, robot.plant, system)
    actuation = through_actuators(builder, scenario, actuation, continuous=continuous)
    if stepped and actuation.size():
        switch = builder.AddNamedSystem(TORQUES, PortSwitch(actuation.size()))
        builder.Connect(switch.get_output_port(), actuation)
        actuation = switch.DeclareInputPort(OF_SCENARIO)
        switch.DeclareInputPort(OF_PROGRAM)
    if scenario.controller is not None or stepped:
        state, imu = through_sensors(builder, scenario, robot.plant, system, continuous=continuous)
    if scenario.controller is not None:
        wiring = Wiring(
            builder,
            state,
            actuation,
            robot.model,
            robot.contacts,
            0.0 if continuous else scenario.time_step,
            imu,
            system.GetOutputPort(CONTACT_IMPULSES),
            scenario.motors,
            robot.initial_state,
        )
        with _fitting(scenario):
            scenario.controller.connect(wiring, robot.reference)
    if isinstance(system, MoreauEngine):
        system.put(robot.pushes)
    elif robot.pushes or by_hand or stepped:
        step = 0.0 if continuous else scenario.time_step
        source = builder.AddNamedSystem(PUSHES, PushSource(robot.plant, robot.pushes, step))
        builder.Connect(system.GetOutputPort(STATE), source.GetInputPort("state"))
        builder.Connect(source.GetOutputPort(APPLIED_WRENCH), system.GetInputPort(APPLIED_WRENCH))
    if not builder.IsConnectedOrExported(port=actuation):
        idle = builder.AddNamedSystem(
            "no_torque", ConstantVectorSource(np.zeros(robot.plant.num_actuators()))
        )
        builder.Connect(idle.get_output_port(), actuation)
    return system


def compiled_law(
    scenario: Scenario, robot: Robot, times: Array, *, slowed: bool = False
) -> Law | None:
    """Return the law of the torques in steps of a scenario that start at times (n,) [s].

    None for a controller that is no such law, and where errors of actuators, sensors, an estimator
    or code of the user's stand between. slowed: whoever asks keeps the limits of motors and speeds,
    as ``footfall.plants.flat.laws.limit_torques`` does; else there is no law where there are any.
    """
    plant, controller = robot.plant, scenario.controller
    if scenario.actuators is not None and plant.num_actuators():
        return None
    if controller is None:
        return prescribed(np.zeros((1, plant.num_actuators())))
    between = scenario.sensors, scenario.estimator, scenario.reference
    limited = any(motor.is_limited for motor in scenario.motors.values())
    kept = slowed or not (limited or np.isfinite(speed_limits(plant)).any())
    if not kept or any(part is not None for part in between):
        return None
    with _fitting(scenario):
        asked = robot.model, robot.contacts, robot.reference, times, scenario.time_step
        return controller.compiled_law(LawRequest(*asked))


def steps_held(scenario: Scenario) -> int:
    """Count the steps of a scenario between ticks of a controller that holds its torques.

    0: it does not, or else something between it and the joints or the state works at every step.
    """
    controller = scenario.controller
    between = scenario.sensors, scenario.estimator, scenario.actuators
    if controller is None or any(part is not None for part in between):
        return 0
    return round(controller.held_for / scenario.time_step)


def _initial_state(
    scenario: Scenario, model: Model, contacts: ContactSet, reference: Reference | None
) -> tuple[Array, Mapping[str, float], tuple[str, ...]]:
    """Return [q; v], which positions were moved for loops and limits, and lines about changes."""
    plant, initial = model.plant, scenario.initial
    state: Array = plant.GetPositionsAndVelocities(plant.CreateDefaultContext())
    nq = plant.num_positions()
    joints = [actuator.joint() for actuator in actuators_of(plant)]
    named_q, named_v = set[int](), set[int]()
    if initial.from_reference:
        rows = _start_of(reference, "from_reference", "positions")
        state[places := [joint.position_start() for joint in joints]] = rows[0]
        named_q.update(places)
    if initial.velocities_from_reference:
        rows = _start_of(reference, "velocities_from_reference", "velocities")
        named_v.update(joint.velocity_start() for joint in joints)
        state[[nq + joint.velocity_start() for joint in joints]] = rows[1]
    if initial.on_gait:
        state = _on_gait(scenario, model, contacts)
    of_q, of_v = coordinate_names(plant)
    named_q |= _put(state[:nq], initial.positions, of_q, "initial.positions")
    named_v |= _put(state[nq:], initial.velocities, of_v, "initial.velocities")
    _normalise(plant, state)
    named = [named_q | _placed(scenario, plant), named_q]
    notes = [lay(state, initial.drop_along, model, named[0])]
    start = nearest_posture(model, contacts, state[:nq].copy(), named)
    state[:nq] = start.q
    if initial.drop_along:
        drop(state, initial.drop_along, initial.gap, model, contacts)
    check_mass_matrix(plant, state[:nq])
    notes.append(start.line)
    if model.constraints and state[nq:].any():
        state[nq:], line = consistent_velocities(Dynamics(model, contacts), state, named_v)
        notes.append(line)
    return state, start.moved, tuple(filter(None, notes))


def _placed(scenario: Scenario, plant: MultibodyPlant) -> set[int]:
    """Places in q of joints and free bodies that directives of the scenario place."""
    placed, free = [], floating_joints(plant)
    for model in filter(None, (directive.add_model for directive in scenario.directives)):
        instance = plant.GetModelInstanceByName(model.name)
        placed += [plant.GetJointByName(k, instance) for k in model.default_joint_positions]
        bodies = [f"{model.name}::{link}" for link in model.default_free_body_pose]
        placed += [free[body] for body in bodies if body in free]
    return {k + joint.position_start() for joint in placed for k in range(joint.num_positions())}


def _start_of(reference: Reference | None, asked: str, instead: str) -> Array:
    """Rows q_d, v_d, a_d of a reference at time 0; for messages, who asks in `initial`."""
    if reference is None:
        raise ScenarioError(
            f"initial.{asked} needs a controller that tracks a reference, whose {instead} at time "
            f"0 it takes; give the controller one, or give initial.{instead}."
        )
    return reference.sample(0.0)


def _on_gait(scenario: Scenario, model: Model, contacts: ContactSet) -> Array:
    """A state [q; v] on the periodic gait of the machine.

    Under a controller of the user's own, whose gait nobody knows, it is the gait without one.
    """
    machine = get_machine(scenario.machine)
    if machine is None or machine.gait is None:
        raise ScenarioError(
            "initial.on_gait needs a machine that has a periodic gait, such as compass: "
            "give positions and velocities instead."
        )
    require_machine_of(machine, model, contacts)
    own = isinstance(scenario.controller, OwnSystem)
    return machine.gait(model, contacts, None if own else scenario.controller)


def require_machine_of(machine: Machine, model: Model, contacts: ContactSet) -> None:
    """Raise ScenarioError or ModelError where the model is not a machine."""
    names = {*coordinate_names(model.plant)[0], *contacts.names}
    missing = [name for name in machine.requires if name not in names]
    if missing:
        raise ScenarioError(
            f"machine is '{machine.name}', but the model is not that machine: it has no "
            f"'{missing[0]}'; leave machine empty for a machine of your own."
        )
    if machine.check is not None:
        machine.check(model, contacts)


def _normalise(plant: MultibodyPlant, state: Array) -> None:
    """Bring the quaternions of floating bodies to length one."""
    places = quaternion_places(plant)
    for joint, rows in zip(quaternion_joints(plant), places, strict=True):
        if np.linalg.norm(state[rows]) == 0.0:
            raise ScenarioError(
                f"initial.positions: the quaternion of '{joint.name()}' is 0: give it a length."
            )
    normalise_quaternions(state, places)


def _put(target: Array, values: dict[str, float], names: list[str], where: str) -> set[int]:
    """Put values by name into an array; returns their places."""
    for name, value in values.items():
        if name not in names:
            raise ScenarioError(f"{where}: there is no '{name}'; {did_you_mean(name, names)}")
        target[names.index(name)] = value
    return {names.index(name) for name in values}
