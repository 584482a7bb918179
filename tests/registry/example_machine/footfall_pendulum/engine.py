"""The closed form as an engine: rows at the scenario's time steps."""

import math

import numpy as np

from footfall.arrays import Array
from footfall.errors import ScenarioError
from footfall.plants.layout import layout_of
from footfall.registry.context import MachineContext
from footfall.registry.machine import CLOSED_FORM
from footfall.trajectory import Trajectory, trajectory_from_arrays
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
    steps = np.arange(round(context.duration / context.time_step) + 1, dtype=np.float64)
    time: Array = steps * context.time_step
    states = np.column_stack(swing(amplitude, small_swings(context), time))
    own, energies = plant.CreateDefaultContext(), []
    for state in states:
        plant.SetPositionsAndVelocities(own, state)
        energies.append((plant.CalcKineticEnergy(own), plant.CalcPotentialEnergy(own)))
    kinetic, potential = np.transpose(energies)
    return trajectory_from_arrays(
        layout_of(plant, context.contacts),
        time,
        q=states[:, :1],
        v=states[:, 1:],
        actuation=0.0,
        kinetic_energy=kinetic,
        potential_energy=potential,
        actuator_work=0.0,
        contact_work=0.0,
        damping_work=0.0,
        constraint_work=0.0,
        energy_gain=0.0,
        attributes={"engine": CLOSED_FORM},
    )
