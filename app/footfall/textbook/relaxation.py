"""Closed form of motion under a constant force and linear drag: J w' = F - D w.

With the first acceleration a = (F - D w_0) / J, the time constant tau = J / D and x = t / tau:

    w = w_0 + a t phi_1(x),   angle = angle_0 + w_0 t + a t^2 phi_2(x),   w' = a exp(-x)
    phi_1 = (1 - exp(-x)) / x,   phi_2 = (1 - phi_1) / x

Written so, it holds without drag as well, where phi_1 = 1 and phi_2 = 1/2, and loses no digits
near it: phi_2 and what the integral of w^2 needs are series where x is small.
"""

import math
from dataclasses import dataclass

import numpy as np

from footfall.arrays import Array

_SMALL = 1.0  # from here on the formulas lose less than a digit
_TERMS = 24  # of a series at x = 1: the next is 2^26 / 26! of the first
_TWO = np.array([(-1.0) ** k / math.factorial(k + 2) for k in range(_TERMS)])
_SQUARE = np.array(
    [(-1.0) ** k * (2.0**k - 2.0) / (math.factorial(k) * (k + 1)) for k in range(2, _TERMS + 2)]
)


@dataclass(frozen=True)
class Relaxation:
    """Inertia J > 0, force F, drag D >= 0, and where it starts: angle and speed.

    In kg m^2, N m, N m s/rad, rad and rad/s, or in the units of a body that slides.
    """

    J: float
    F: float
    D: float
    angle: float = 0.0
    speed: float = 0.0

    @property
    def start(self) -> float:
        """Acceleration at the start [rad/s^2]."""
        return (self.F - self.D * self.speed) / self.J

    def angle_at(self, time: Array) -> Array:
        """Angles [rad] at times of any shape."""
        x = self.D / self.J * time
        angle: Array = self.angle + self.speed * time + self.start * time**2 * _phi_2(x)
        return angle

    def speed_at(self, time: Array) -> Array:
        """Speeds [rad/s] at times of any shape."""
        speed: Array = self.speed + self.start * time * _phi_1(self.D / self.J * time)
        return speed

    def acceleration_at(self, time: Array) -> Array:
        """Accelerations [rad/s^2] at times of any shape."""
        acceleration: Array = self.start * np.exp(-self.D / self.J * time)
        return acceleration

    def squared_speed(self, time: Array) -> Array:
        """Integral of the squared speed over the time since the start [rad^2/s]."""
        x = self.D / self.J * time
        mixed = 2.0 * self.speed * self.start * time**2 * _phi_2(x)
        total: Array = self.speed**2 * time + mixed + self.start**2 * time**3 * _square(x)
        return total

    def time_of(self, speed: float) -> float:
        """Return when it has a speed [rad/s]; infinite where it never has."""
        away = speed - self.speed
        if away == 0.0:
            return 0.0
        if self.start == 0.0 or away / self.start < 0.0:
            return math.inf
        straight = away / self.start
        if self.D == 0.0:
            return straight
        share = straight * self.D / self.J  # of what there is up to the steady speed
        return -math.log1p(-share) * self.J / self.D if share < 1.0 else math.inf


def _phi_1(x: Array) -> Array:
    """(1 - exp(-x)) / x, 1 at x = 0."""
    x = np.asarray(x, dtype=np.float64)
    safe = np.where(x == 0.0, 1.0, x)
    return np.where(x == 0.0, 1.0, -np.expm1(-safe) / safe)


def _phi_2(x: Array) -> Array:
    """(exp(-x) - 1 + x) / x^2, 1/2 at x = 0."""
    x = np.asarray(x, dtype=np.float64)
    large = np.maximum(x, _SMALL)
    series = np.polynomial.polynomial.polyval(np.minimum(x, _SMALL), _TWO)
    return np.where(x < _SMALL, series, (1.0 - _phi_1(large)) / large)


def _square(x: Array) -> Array:
    """Integral of (1 - exp(-s))^2 from 0 to x, over x^3; 1/3 at x = 0."""
    x = np.asarray(x, dtype=np.float64)
    large = np.maximum(x, _SMALL)
    integral = large + 2.0 * np.expm1(-large) - 0.5 * np.expm1(-2.0 * large)
    series = np.polynomial.polynomial.polyval(np.minimum(x, _SMALL), _SQUARE)
    return np.where(x < _SMALL, series, integral / large**3)
