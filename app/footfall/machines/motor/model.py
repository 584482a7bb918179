"""The motor of a model, the torque asked of it, and its closed form as an engine."""

import math

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import RevoluteJoint

from footfall.arrays import Array
from footfall.errors import ModelError, ScenarioError
from footfall.plants.contacts import ContactSet
from footfall.plants.coordinates import actuator_names, actuators_of, joint_damping
from footfall.plants.layout import layout_of
from footfall.plants.loading.load import Model
from footfall.plants.motors import Motor, motors_by_actuator
from footfall.registry.context import MachineContext
from footfall.registry.machine import CLOSED_FORM
from footfall.textbook.motor import GearedMotor, SpeedResponse
from footfall.trajectory import Trajectory, trajectory_from_arrays
from footfall_controllers.torque_profile import TorqueProfile

LOAD = "load"
"""Name of the coordinate."""

_BALANCED = 1e-12  # of what the weight of the load would have at an arm of a metre
_TURNS = (0.0, 0.5, 1.7)  # rad: three angles show a moment that one might hide


def motor_of(model: Model, contacts: ContactSet) -> GearedMotor:
    """Read motor, gear and load off a model, whether its file or the scenario has them.

    Raises ModelError for a model that is more than a motor with a load that turns freely.
    """
    plant = model.plant
    sizes = (plant.num_positions(), plant.num_velocities(), plant.num_actuators())
    if sizes != (1, 1, 1) or not isinstance(actuators_of(plant)[0].joint(), RevoluteJoint):
        raise ModelError(f"a motor has one joint that turns, '{LOAD}', and one actuator at it.")
    besides = {
        "contacts": contacts.num_touching > 0,
        "joint limits": len(contacts.limits) > 0,
        "dry friction": len(contacts.frictions) > 0,
        "a moment of its weight": not _balanced(plant),
    }
    for what, there in besides.items():
        if there:
            raise ModelError(
                f"the motor's equation has no {what}, but this model has: take it out, or leave "
                "machine empty."
            )
    (actuator,) = actuators_of(plant)
    context = plant.CreateDefaultContext()
    n, J_m = actuator.default_gear_ratio(), actuator.default_rotor_inertia()
    actuator.SetRotorInertia(context, 0.0)  # to take it away afterwards would cost digits
    own = motors_by_actuator(plant, model.spec.motors).get(0, Motor())
    effort = actuator.effort_limit() / n
    try:
        return GearedMotor(
            J_l=float(plant.CalcMassMatrix(context)[0, 0]),
            J_m=J_m,
            n=n,
            B=float(joint_damping(plant)[0]) / n**2,
            stall=math.inf if own.stall_torque is None else own.stall_torque,
            no_load=math.inf if own.no_load_speed is None else own.no_load_speed,
            limit=effort if own.torque_limit is None else min(effort, own.torque_limit),
        )
    except ValueError as error:
        raise ModelError(f"the motor's equation does not hold here: {error}.") from error


def _balanced(plant: MultibodyPlant) -> bool:
    """Return whether gravity does not turn the load, at whatever angle it stands."""
    context = plant.CreateDefaultContext()
    weight = plant.CalcTotalMass(context) * float(
        np.linalg.norm(plant.gravity_field().gravity_vector())
    )
    for angle in _TURNS:
        plant.SetPositions(context, [angle])
        if np.abs(plant.CalcGravityGeneralizedForces(context)).max() > _BALANCED * weight:
            return False
    return True


def torque_of(context: MachineContext) -> float:
    """Torque that is asked of the rotor all the time [N m], as the closed form knows it.

    Without a controller none is. Raises ScenarioError for another course of the torque.
    """
    law = context.controller
    if law is None:
        return 0.0
    if isinstance(law, TorqueProfile):
        (actuator,), (name,) = (
            actuators_of(context.model.plant),
            actuator_names(context.model.plant),
        )
        profile = law.profiles_of(context.model.plant).get(name)
        parts = profile.segments if profile is not None else ()
        if not parts:
            return 0.0
        lasts = parts[0].end >= context.duration
        if lasts and not any(parts[0].coefficients[1:]):
            return float(parts[0].coefficients[0]) / actuator.default_gear_ratio()
    raise ScenarioError(
        "engine closed-form: the motor in closed form has one constant torque from the start to "
        "the end: give controller !TorqueProfile one segment with one coefficient, or choose "
        "moreau or drake."
    )


def response_of(context: MachineContext) -> SpeedResponse:
    """Return the closed form's response in a context; raises ModelError, ScenarioError as above."""
    angle, speed = context.initial_state.tolist()
    return SpeedResponse(
        motor_of(context.model, context.contacts), torque_of(context), angle, speed
    )


def closed_form(context: MachineContext) -> Trajectory:
    """The response, exact at every row.

    Raises ScenarioError for a torque that is not one constant, ModelError for another machine.
    """
    response, plant = response_of(context), context.model.plant
    steps = np.arange(round(context.duration / context.time_step) + 1, dtype=np.float64)
    time: Array = steps * context.time_step
    angle, speed = response.angle_at(time), response.speed_at(time)
    torque = response.motor.n * response.torque_at(time)
    work, taken = response.work_at(time), response.friction_at(time)
    energy = response.energy_at(time)
    plant_context = plant.CreateDefaultContext()
    height = float(plant.CalcPotentialEnergy(plant_context))  # the load is balanced
    return trajectory_from_arrays(
        layout_of(plant, context.contacts),
        time,
        q=angle[:, None],
        v=speed[:, None],
        actuation=torque[:, None],
        kinetic_energy=energy,
        potential_energy=height,
        actuator_work=work,
        contact_work=0.0,
        damping_work=-taken,
        constraint_work=0.0,
        energy_gain=0.0,
        attributes={"engine": CLOSED_FORM},
    )
