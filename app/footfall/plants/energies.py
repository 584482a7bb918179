"""Mass matrices and potential energies of a plant: at a state, or at many one after the other."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import Context

from footfall.arrays import Array


def mass_matrix(plant: MultibodyPlant, context: Context) -> Array:
    """M(q), shape (nv, nv), reflected rotor inertia included."""
    mass: Array = plant.CalcMassMatrix(context).T  # symmetric, and now in C order
    return mass


def knows_potential(plant: MultibodyPlant, context: Context) -> bool:
    """Return whether Drake knows the potential energy; it does not where a plant has a bushing."""
    try:
        plant.CalcPotentialEnergy(context)
    except RuntimeError:
        return False
    return True


def potential_energy(plant: MultibodyPlant, context: Context, *, known: bool) -> float:
    """V(q) [J]: gravity and springs; gravity alone where Drake says no more, which known tells."""
    if known:
        return float(plant.CalcPotentialEnergy(context))
    weight = plant.CalcTotalMass(context) * plant.gravity_field().gravity_vector()
    return float(-weight @ plant.CalcCenterOfMassPositionInWorld(context))


class Readings(NamedTuple):
    """Mass matrices (n, nv, nv) and potential energies (n,) [J] at n states."""

    mass: Array
    potential: Array


class EnergyReader:
    """Reads a plant at many states, in a context of its own, which forgets little between them."""

    def __init__(self, plant: MultibodyPlant) -> None:
        """Take a plant in continuous time."""
        self._plant = plant
        self._context: Context = plant.CreateDefaultContext()
        self.knows_potential = knows_potential(plant, self._context)

    def read(self, states: Array, stop: Callable[[Context], bool] | None = None) -> Readings:
        """Read at states [q; v], (n, nq + nv), up to the first at which ``stop`` says so.

        stop: asked with the plant's context at each state.
        """
        plant, context, known = self._plant, self._context, self.knows_potential
        nv = plant.num_velocities()
        mass, potential = np.empty((len(states), nv, nv)), np.empty(len(states))
        for k, state in enumerate(states):
            context.SetContinuousState(state)
            mass[k] = mass_matrix(plant, context)
            potential[k] = potential_energy(plant, context, known=known)
            if stop is not None and stop(context):
                return Readings(mass[: k + 1], potential[: k + 1])
        return Readings(mass, potential)
