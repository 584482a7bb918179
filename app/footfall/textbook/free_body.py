"""A rigid body that tumbles without torque: Euler's equations in elliptic functions.

The moments of inertia I1 < I2 < I3 [kg m^2] belong to the axes 1, 2, 3 of the body, and it starts
with the rates a about axis 1, none about axis 2, and b about axis 3 [rad/s]. With 2 E = I1 a^2 + I3
b^2 and M^2 = (I1 a)^2 + (I3 b)^2,

    omega1 = a cn(tau),  omega2 = a sqrt[I1 (I3 - I1) / (I2 (I3 - I2))] sn(tau),  omega3 = b dn(tau)
    tau = t b sqrt[(I3 - I2) (I3 - I1) / (I1 I2)],
    k^2 = (I2 - I1) I1 a^2 / [(I3 - I2) I3 b^2] < 1.

Near k = 1 the body turns about its middle axis for a while, then over, and so on.

Source: L. D. Landau, E. M. Lifshitz, Mechanics, 3rd ed. 1976, section 37.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import ellipj

from footfall.arrays import Array
from footfall.textbook.ode import integrate


@dataclass(frozen=True)
class FreeBody:
    """Moments of inertia and rates at the start as above, in SI.

    Raises ValueError for moments that are not in order, and for k >= 1, which is the other case of
    the source.
    """

    I1: float
    I2: float
    I3: float
    a: float
    b: float

    def __post_init__(self) -> None:
        """Refuse what the formulas are not for."""
        if not 0.0 < self.I1 < self.I2 < self.I3 < math.inf:
            raise ValueError(f"moments of inertia must grow, got {self}")
        if not (self.a > 0.0 and self.b > 0.0 and self.k_squared < 1.0):
            raise ValueError(f"rates must be positive, and k below 1, got {self}")

    @property
    def k_squared(self) -> float:
        """Square of the modulus."""
        across = (self.I3 - self.I2) * self.I3 * self.b**2
        return (self.I2 - self.I1) * self.I1 * self.a**2 / across

    def rates(self, time: Array) -> Array:
        """Angular velocity in the body's axes at times [s], (..., 3) [rad/s]."""
        I1, I2, I3 = self.I1, self.I2, self.I3
        pace = self.b * math.sqrt((I3 - I2) * (I3 - I1) / (I1 * I2))
        sn, cn, dn, _ = ellipj(pace * np.asarray(time), self.k_squared)
        second = self.a * math.sqrt(I1 * (I3 - I1) / (I2 * (I3 - I2)))
        return np.stack((self.a * cn, second * sn, self.b * dn), axis=-1)

    def attitude(self, time: float) -> Array:
        """Quaternion [w, x, y, z] of the body at a time [s], from the unit one at the start."""

        def rate(t: float, e: Array) -> Array:
            w, v = e[0], e[1:]
            omega = self.rates(np.array(t))
            return 0.5 * np.array([-v @ omega, *(w * omega + np.cross(v, omega))])

        solved = integrate(rate, time, [1.0, 0.0, 0.0, 0.0])
        quaternion: Array = solved.y[:, -1] / np.linalg.norm(solved.y[:, -1])
        return quaternion
