"""The law of `footfall_controllers.energy_shaping`, for its system and compiled runs."""

from typing import NamedTuple, TypeVar

import numpy as np

from footfall.arrays import Array
from footfall.jit import njit
from footfall.plants.flat.dynamics import Scratch
from footfall.plants.flat.energy import energy_about
from footfall.plants.flat.motion import Fixed, motion_at
from footfall.plants.flat.tree import Tree

_Numbers = TypeVar("_Numbers", float, Array)


class EnergyLaw(NamedTuple):
    """The law tau = -gain (E - energy) w, |tau| <= most, of the joint of velocity hip' v.

    most: infinite for none; smooth: approached by tanh. feet: of which the slower one stands.
    """

    energy: float
    gain: float
    most: float
    smooth: bool
    hip: Array
    feet: Fixed


def energy_torque(
    wanted: float, gain: float, most: float, smooth: bool, energy: _Numbers, rate: _Numbers
) -> _Numbers:
    """Return the torque tau [N m] at energies E [J] and rates w [rad/s], each of any one shape."""
    tau = -gain * (energy - wanted) * rate
    if most == np.inf:
        return tau
    if smooth:
        return most * np.tanh(tau / most)
    return np.minimum(np.maximum(tau, -most), most)


_energy_torque = njit(energy_torque)


@njit
def hip_torque(law: EnergyLaw, energy: float, v: Array) -> float:
    """Return the torque [N m] at an energy [J] and velocities (nv,)."""
    rate = (law.hip * v).sum()
    return _energy_torque(law.energy, law.gain, law.most, law.smooth, energy, rate)


@njit
def standing_foot(V: Array) -> int:
    """Return the slower foot; V (n, 6): velocities of feet."""
    return int((V[:, 3:] ** 2).sum(axis=1).argmin())


@njit
def shape_energy(tree: Tree, work: Scratch, law: EnergyLaw, q: Array, v: Array, tau: Array) -> None:
    """Fill the torque (1,) at a state; work is used up."""
    feet = motion_at(tree, work, law.feet, q, v)[2]
    tau[0] = hip_torque(law, energy_about(tree, work, q, v, feet.p[standing_foot(feet.V)]), v)
