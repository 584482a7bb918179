"""Closed form of a four-bar linkage of uniform bars that swings and turns under gravity.

The crank a turns about the origin, the rocker c about (d, 0), both in the x-z plane with z up; the
coupler b joins their ends. Angles phi (crank), beta (coupler, from the crank's end) and psi
(rocker) from the x axis, counter-clockwise:

    a e^(i phi) + b e^(i beta) = d + c e^(i psi)

psi follows from phi by Freudenstein's equation K1 cos psi - K2 cos phi + K3 = cos(phi - psi) with
K1 = d/a, K2 = d/c, K3 = (a^2 - b^2 + c^2 + d^2) / (2 a c). With the reduced moment J(phi) the
energy E = J phi'^2 / 2 + V(phi) is kept, which leaves phi' = sqrt(2 (E - V) / J) to integrate.

Source: F. Freudenstein: Approximate synthesis of four-bar linkages, Transactions of the ASME 77
(1955) 853-861. R. S. Hartenberg, J. Denavit: Kinematic Synthesis of Linkages, McGraw-Hill
1964.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from footfall.arrays import Array
from footfall.textbook.ode import integrate


class Angles(NamedTuple):
    """phi, beta, psi [rad], or their rates."""

    phi: Array
    beta: Array
    psi: Array


@dataclass(frozen=True)
class FourBar:
    """Lengths [m] and masses [kg] of crank, coupler and rocker, the base d [m], gravity [m/s^2].

    Raises ValueError unless the crank can turn all the way: it must be shortest, and with the
    longest not longer than the other two together (Grashof).
    """

    a: float
    b: float
    c: float
    d: float
    m_a: float
    m_b: float
    m_c: float
    g: float = 9.81

    def __post_init__(self) -> None:
        """Refuse linkages whose crank does not go round."""
        lengths = sorted((self.a, self.b, self.c, self.d))
        if not (lengths[0] > 0.0 and math.isfinite(lengths[-1])):
            raise ValueError(f"lengths must be positive, got {lengths}")
        if self.a > lengths[0] or lengths[0] + lengths[3] >= lengths[1] + lengths[2]:
            raise ValueError(f"the crank must be shortest and go round, got {self}")
        if not min(self.m_a, self.m_b, self.m_c, self.g) > 0.0:
            raise ValueError(f"masses and gravity must be positive, got {self}")

    def angles(self, phi: Array) -> Angles:
        """All angles, for the branch whose coupler lies above the line of the two ends."""
        phi = np.asarray(phi, dtype=float)
        K1, K2 = self.d / self.a, self.d / self.c
        K3 = (self.a**2 - self.b**2 + self.c**2 + self.d**2) / (2.0 * self.a * self.c)
        # with t = tan(psi/2): A t^2 + B t + C = 0
        A = np.cos(phi) * (1.0 - K2) + K3 - K1
        B = -2.0 * np.sin(phi)
        C = K1 + K3 - (1.0 + K2) * np.cos(phi)
        psi = 2.0 * np.arctan2(-B - np.sqrt(B**2 - 4.0 * A * C), 2.0 * A)
        x = self.d + self.c * np.cos(psi) - self.a * np.cos(phi)
        z = self.c * np.sin(psi) - self.a * np.sin(phi)
        return Angles(phi, np.arctan2(z, x), np.mod(psi, 2.0 * math.pi))

    def ratios(self, angles: Angles) -> Angles:
        """Rates of all angles over that of the crank."""
        phi, beta, psi = angles
        shared = np.sin(beta - psi)
        return Angles(
            np.ones_like(phi),
            self.a * np.sin(psi - phi) / (self.b * shared),
            self.a * np.sin(beta - phi) / (self.c * shared),
        )

    def inertia(self, phi: Array) -> Array:
        """Reduced moment J(phi) [kg m^2]: kinetic energy over phi'^2 / 2."""
        angles = self.angles(phi)
        _, beta_rate, psi_rate = self.ratios(angles)
        # the coupler's centre: the crank's end, and half a coupler from there
        across = self.a * self.b * np.cos(angles.phi - angles.beta) * beta_rate
        coupler = self.a**2 + across + self.b**2 / 3.0 * beta_rate**2
        rocker = self.c**2 / 3.0 * psi_rate**2
        return self.m_a * self.a**2 / 3.0 + self.m_b * coupler + self.m_c * rocker

    def potential(self, phi: Array) -> Array:
        """Potential energy [J] from the height of the two fixed pivots."""
        phi, beta, psi = self.angles(phi)
        crank, rocker = self.a * np.sin(phi), self.c * np.sin(psi)
        coupler = crank + 0.5 * self.b * np.sin(beta)
        half = 0.5 * (self.m_a * crank + self.m_c * rocker)
        return self.g * (half + self.m_b * coupler)

    def crank_rate(self, phi: Array, energy: float) -> Array:
        """Rate phi' [rad/s] at an energy [J]; NaN where the crank does not get."""
        return np.sqrt(2.0 * (energy - self.potential(phi)) / self.inertia(phi))

    def energy(self, phi: float, rate: float) -> float:
        """Energy [J] of the linkage at phi with phi' = rate."""
        angle = np.array(phi)
        return float(0.5 * self.inertia(angle) * rate**2 + self.potential(angle))

    def turn(self, phi: float, rate: float, time: Array) -> Array:
        """Crank angles [rad] at times [s], ascending from 0, after a start at phi with rate > 0.

        Raises ValueError where the energy does not carry the crank all the way round.
        """
        energy = self.energy(phi, rate)
        around = np.linspace(0.0, 2.0 * math.pi, 721)
        if not (energy > self.potential(around)).all():
            raise ValueError("the crank turns back: give it a higher rate")
        span = float(np.max(time))
        solved = integrate(lambda _, angle: self.crank_rate(angle, energy), span, [phi])
        path: Array = solved.sol(time)[0]
        return path
