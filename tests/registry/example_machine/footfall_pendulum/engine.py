"""The closed form as an engine: rows at the scenario's time steps."""

import math

import numpy as np

from footfall.errors import ScenarioError
from footfall.plants.layout import layout_of
from footfall.registry.context import MachineContext
from footfall.registry.machine import CLOSED_FORM
from footfall.trajectory import Status, Trajectory, TrajectoryBuilder
from footfall_pendulum.closed_form import swing
from footfall_pendulum.measures import small_swings


def closed_form(context: MachineContext) -> Trajectory:
    """The exact swing; raises ScenarioError where it is driven or does not start from rest."""
    amplitude, rate = context.initial_state.tolist()
    if context.controller is not None or rate != 0.0 or abs(amplitude) >= math.pi:
        message = (
            "engine closed-form: the pendulum swings freely from rest below the highest point: "
            "take the controller and the speed out, or choose moreau or drake."
        )
        raise ScenarioError(message)
    plant = context.model.plant
    steps = round(context.duration / context.time_step)
    time = np.arange(steps + 1, dtype=np.float64) * context.time_step
    angles, rates = swing(amplitude, small_swings(context), time)
    rows = TrajectoryBuilder(layout_of(plant, context.contacts), len(time))
    own = plant.CreateDefaultContext()
    for now, angle, rate in zip(time.tolist(), angles, rates, strict=True):
        plant.SetPositionsAndVelocities(own, [angle, rate])
        rows.append(
            now,
            np.array([angle]),
            np.array([rate]),
            np.zeros(1),
            kinetic_energy=plant.CalcKineticEnergy(own),
            potential_energy=plant.CalcPotentialEnergy(own),
            actuator_work=0.0,
            contact_work=0.0,
            damping_work=0.0,
            constraint_work=0.0,
            energy_gain=0.0,
        )
    return rows.finish(Status.DONE, attributes={"engine": CLOSED_FORM})
