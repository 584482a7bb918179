"""PASIBOT as what it is, a machine of one degree of freedom: T8 = I th'' + I' th'^2 / 2 + V'.

th is the angle of the supporting leg's crank in the hip, I(th) the moment of inertia that the
motor feels, V(th) the potential energy. Both come back after half a turn, a step.
"""

from typing import NamedTuple

import numpy as np

from footfall.arrays import Array
from footfall.machines.pasibot.closed_form.bodies import LINKS, bodies
from footfall.machines.pasibot.closed_form.jets import Jet
from footfall.machines.pasibot.closed_form.motion import pose
from footfall.machines.pasibot.closed_form.parameters import PasibotParameters


class Reduced(NamedTuple):
    """The machine as functions of th8, each of its shape.

    inertia I [kg m^2] and its slope; potential V [J], 0 on the floor; gravity V' [N m] and its
    slope; sway, the machine's momentum along the floor per unit of th' [kg m], and its slope.
    """

    inertia: Array
    inertia_slope: Array
    potential: Array
    gravity: Array
    gravity_slope: Array
    sway: Array
    sway_slope: Array

    def torque(self, rate: float | Array, acceleration: float | Array) -> Array:
        """T8 [N m] of a motion th' [rad/s], th'' [rad/s^2]."""
        bias = 0.5 * self.inertia_slope * np.square(rate) + self.gravity
        return np.asarray(self.inertia * acceleration + bias)

    def acceleration(self, rate: float | Array, torque: float | Array) -> Array:
        """Acceleration th'' [rad/s^2] under a torque T8 [N m]."""
        bias = 0.5 * self.inertia_slope * np.square(rate) + self.gravity
        return np.asarray((torque - bias) / self.inertia)

    def energy(self, rate: float | Array) -> Array:
        """Kinetic and potential energy [J]."""
        return np.asarray(0.5 * self.inertia * np.square(rate) + self.potential)


def reduced(parameters: PasibotParameters, th8: float | Array) -> Reduced:
    """The machine at angles th8 [rad] of any shape."""
    at, of = pose(parameters, th8), bodies(parameters)
    mass = np.array([of[name].mass for name in LINKS])
    spin = np.array([of[name].inertia for name in LINKS])
    moving, turning = at.centres, at.angles
    weight = parameters.g * mass

    def total(weights: Array, rows: Array) -> Array:
        return np.asarray(np.tensordot(weights, rows, axes=1))

    bent = np.real(moving.second * np.conj(moving.first))
    return Reduced(
        total(mass, np.abs(moving.first) ** 2) + total(spin, turning.first**2),
        2.0 * (total(mass, bent) + total(spin, turning.first * turning.second)),
        *(total(weight, np.imag(row)) for row in (moving.value, moving.first, moving.second)),
        *(total(mass, np.real(row)) for row in (moving.first, moving.second)),
    )


def mass_centre(parameters: PasibotParameters, th8: float | Array) -> Jet:
    """Mass centre of the machine in the ground frame, complex [m]."""
    at, of = pose(parameters, th8).centres, bodies(parameters)
    share = np.array([of[name].mass for name in LINKS])
    share /= share.sum()
    rows = (np.tensordot(share, row, axes=1) for row in (at.value, at.first, at.second))
    return Jet(*rows)
