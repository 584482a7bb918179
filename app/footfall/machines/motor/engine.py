"""The motor in closed form as an engine: all rows at once, at the scenario's time steps."""

import numpy as np

from footfall.arrays import Array
from footfall.machines.motor.model import response_of
from footfall.plants.layout import layout_of
from footfall.registry.context import MachineContext
from footfall.registry.machine import CLOSED_FORM
from footfall.trajectory import Trajectory, trajectory_from_arrays


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
