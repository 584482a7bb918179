"""Mass matrices and potential energies of a plant: at a state, or at many one after the other."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import MultibodyForces
from pydrake.systems.framework import Context

from footfall.arrays import Array
from footfall.plants.coordinates import joint_damping


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
    """Mass matrices (n, nv, nv) and potential energies (n,) [J] at n states.

    force: generalized force (n, nv) of gravity, springs and inertia, -C(q, v) v; (0, nv) unless it
    was asked for.
    """

    mass: Array
    potential: Array
    force: Array


class EnergyReader:
    """Reads a plant at many states, in a context of its own, which forgets little between them."""

    def __init__(self, plant: MultibodyPlant) -> None:
        """Take a plant in continuous time."""
        self._plant, self._damping = plant, joint_damping(plant)
        self._applied = MultibodyForces(plant)
        self._context: Context = plant.CreateDefaultContext()
        self.knows_potential = knows_potential(plant, self._context)

    def read(
        self,
        states: Array,
        stop: Callable[[Context], bool] | None = None,
        *,
        forces: bool = False,
    ) -> Readings:
        """Read at states [q; v], (n, nq + nv), up to the first at which ``stop`` says so.

        stop: asked with the plant's context at each state. forces: whether they are read, too.
        """
        plant, context, known = self._plant, self._context, self.knows_potential
        nv = plant.num_velocities()
        mass, potential = np.empty((len(states), nv, nv)), np.empty(len(states))
        force = np.empty((len(states) if forces else 0, nv))
        for k, state in enumerate(states):
            context.SetContinuousState(state)
            mass[k] = mass_matrix(plant, context)
            potential[k] = potential_energy(plant, context, known=known)
            if forces:
                force[k] = self._force(state[-nv:])
            if stop is not None and stop(context):
                return Readings(mass[: k + 1], potential[: k + 1], force[: k + 1])
        return Readings(mass, potential, force)

    def _force(self, v: Array) -> Array:
        """Force of gravity, springs and inertia (nv,) at the state of the context."""
        plant, context = self._plant, self._context
        plant.CalcForceElementsContribution(context, self._applied)  # dampers are among them
        held: Array = plant.CalcInverseDynamics(context, np.zeros_like(v), self._applied)
        return self._damping * v - held
