"""The motor in closed form as an engine: rows at the scenario's time steps."""

import numpy as np

from footfall.machines.motor.model import response_of
from footfall.plants.layout import layout_of
from footfall.registry.context import MachineContext
from footfall.registry.machine import CLOSED_FORM
from footfall.trajectory import Status, Trajectory, TrajectoryBuilder


def closed_form(context: MachineContext) -> Trajectory:
    """The response, exact at every row.

    Raises ScenarioError for a torque that is not one constant, ModelError for another machine.
    """
    response, plant = response_of(context), context.model.plant
    time = np.arange(round(context.duration / context.time_step) + 1) * context.time_step
    angle, speed = response.angle_at(time), response.speed_at(time)
    torque = response.motor.n * response.torque_at(time)
    work, taken = response.work_at(time), response.friction_at(time)
    energy = response.energy_at(time)
    plant_context = plant.CreateDefaultContext()
    height = float(plant.CalcPotentialEnergy(plant_context))  # the load is balanced
    rows = TrajectoryBuilder(layout_of(plant, context.contacts), len(time))
    for k, now in enumerate(time.tolist()):
        rows.append(
            now,
            angle[k : k + 1],
            speed[k : k + 1],
            torque[k : k + 1],
            kinetic_energy=energy[k],
            potential_energy=height,
            actuator_work=work[k],
            contact_work=0.0,
            damping_work=-taken[k],
            constraint_work=0.0,
            energy_gain=0.0,
        )
    return rows.finish(Status.DONE, attributes={"engine": CLOSED_FORM})
