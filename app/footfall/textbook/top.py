"""A symmetric top whose pointed tip stays where it is: steady precession.

The top has mass m [kg], moments of inertia A across its axis and C about it through its centre of
mass G [kg m^2], which is l [m] above the tip on the axis e3. e3 is tilted by theta [rad] from the
vertical z. With omega = Omega z + s e3 and omega3 = s + Omega cos(theta) constant,

    C omega3 Omega - (A + m l^2) Omega^2 cos(theta) = m g l,

a quadratic equation in the precession Omega, of which ``precession`` is the slow root. The ground
pushes the tip up with N = m g.

Source: H. Goldstein, Classical Mechanics, 2nd ed. 1980, section 5-7 (heavy symmetrical top with one
point fixed).
"""

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Top:
    """Masses and lengths as above in SI, tilt theta [rad], omega3 [rad/s].

    Raises ValueError where the spin is too slow for a steady precession.
    """

    m: float
    A: float
    C: float
    l: float
    theta: float
    omega3: float
    g: float = 9.81

    def __post_init__(self) -> None:
        """Refuse what has no steady motion."""
        if not (0.0 < self.theta < 0.5 * math.pi and self._discriminant >= 0.0):
            raise ValueError(f"the top spins too slowly for a steady precession: {self}")

    @property
    def _discriminant(self) -> float:
        return (self.C * self.omega3) ** 2 - 4.0 * self._about_tip * self.m * self.g * self.l

    @property
    def _about_tip(self) -> float:
        return (self.A + self.m * self.l**2) * math.cos(self.theta)

    @property
    def precession(self) -> float:
        """The slow root Omega [rad/s]."""
        moment = self.m * self.g * self.l
        return 2.0 * moment / (self.C * self.omega3 + math.sqrt(self._discriminant))

    @property
    def spin(self) -> float:
        """Spin s about the axis over the precession [rad/s]."""
        return self.omega3 - self.precession * math.cos(self.theta)

    @property
    def normal_force(self) -> float:
        """N [N]."""
        return self.m * self.g
