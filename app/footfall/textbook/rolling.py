"""A body of revolution that slides, then rolls, on a rough plane: sphere, cylinder, ring.

Frame: x down the slope, z its outward normal. The body has mass m [kg], radius r [m] and the moment
of inertia I = beta m r^2 about its axis y; it starts without spin at the speed v0 >= 0 [m/s] down a
slope of angle alpha [rad], with Coulomb's friction mu. Spin omega [rad/s] is positive where the
body rolls towards +x; the slip is u = v - r omega [m/s], positive where the lowest point slides
towards +x.

While it slides, friction is mu m g cos(alpha) against u:

    v' = g sin(alpha) - mu g cos(alpha),   omega' = mu g cos(alpha) / (beta r)

and it rolls once u = 0, with v' = g sin(alpha) / (1 + beta), if that needs no more friction than
there is: tan(alpha) <= mu (1 + beta) / beta.

Source: A. Sommerfeld, Mechanics (Lectures on Theoretical Physics I, 1952), on billiards; it is an
exercise of every textbook.
"""

import math
from dataclasses import dataclass

import numpy as np

from footfall.arrays import Array

SPHERE = 2.0 / 5.0
"""beta of a homogeneous sphere."""

SHELL = 2.0 / 3.0
"""beta of a thin spherical shell."""

CYLINDER = 1.0 / 2.0
"""beta of a homogeneous cylinder about its axis."""


@dataclass(frozen=True)
class Rolling:
    """A start on a slope: m [kg], r [m], beta, mu, v0 [m/s], alpha [rad], g [m/s^2].

    Raises ValueError for numbers that the formulas do not cover: they hold for a body that rests or
    slides downwards.
    """

    m: float
    r: float
    beta: float
    mu: float
    v0: float = 0.0
    alpha: float = 0.0
    g: float = 9.81

    def __post_init__(self) -> None:
        """Refuse other starts."""
        if not (min(self.m, self.r, self.beta, self.g) > 0.0 and self.mu >= 0.0):
            raise ValueError(f"m, r, beta and g must be positive and mu not negative, got {self}")
        if not (self.v0 >= 0.0 and 0.0 <= self.alpha < 0.5 * math.pi):
            raise ValueError(f"v0 and alpha must point down the slope, got {self}")

    @property
    def critical_slope(self) -> float:
        """Angle of the slope above which the body cannot roll [rad]."""
        return math.atan(self.mu * (1.0 + self.beta) / self.beta)

    @property
    def _friction(self) -> float:
        """Largest friction over the mass [m/s^2]."""
        return self.mu * self.g * math.cos(self.alpha)

    @property
    def sliding_acceleration(self) -> float:
        """Acceleration v' while it slides [m/s^2]."""
        return self.g * math.sin(self.alpha) - self._friction

    @property
    def rolling_acceleration(self) -> float:
        """Acceleration v' while it rolls [m/s^2]."""
        return self.g * math.sin(self.alpha) / (1.0 + self.beta)

    @property
    def slip_acceleration(self) -> float:
        """Rate u' of the slip while it slides [m/s^2]."""
        return self.sliding_acceleration - self._friction / self.beta

    @property
    def sliding_time(self) -> float:
        """Time from the start until it rolls [s]; infinite where it never does."""
        if self.v0 == 0.0 and self.alpha <= self.critical_slope:
            return 0.0
        return -self.v0 / self.slip_acceleration if self.slip_acceleration < 0.0 else math.inf

    def speed(self, t: Array) -> Array:
        """Speed v of the centre at times t [s], in m/s."""
        sliding, rolling = self._phases(t)
        return self.v0 + self.sliding_acceleration * sliding + self.rolling_acceleration * rolling

    def spin(self, t: Array) -> Array:
        """Angular velocity omega at times t [s], in rad/s."""
        sliding, rolling = self._phases(t)
        rate = self._friction / self.beta * sliding + self.rolling_acceleration * rolling
        return rate / self.r

    def distance(self, t: Array) -> Array:
        """Way of the centre since the start at times t [s], in m."""
        sliding, rolling = self._phases(t)
        distance = self.v0 * sliding + 0.5 * self.sliding_acceleration * sliding**2
        end = self.v0 + self.sliding_acceleration * sliding
        return distance + end * rolling + 0.5 * self.rolling_acceleration * rolling**2

    def loss(self, t: Array) -> Array:
        """Energy that friction has taken until times t [s], in J: its force times the slipped way.

        On flat ground, once it rolls, this is beta / (1 + beta) of the first kinetic energy.
        """
        sliding, _ = self._phases(t)
        slipped = self.v0 * sliding + 0.5 * self.slip_acceleration * sliding**2
        return self.m * self._friction * slipped

    def _phases(self, t: Array) -> tuple[Array, Array]:
        """Split times into time slid and time rolled."""
        t = np.asarray(t, dtype=float)
        sliding = np.minimum(t, self.sliding_time)
        return sliding, t - sliding
