"""Housner's rocking block: a homogeneous block of width 2b and height 2h on rough flat ground.

The block of mass m [kg] turns about one corner, and at theta = 0 goes over to the other one. With
R = sqrt(b^2 + h^2), alpha = atan(b / h), p = sqrt(3 g / (4 R)), tilt theta [rad] and no slip,

    theta'' = -p^2 sin(alpha - theta)    for theta > 0, and mirrored for theta < 0,

which is a pendulum upside down: psi = pi - alpha + theta obeys psi'' = -p^2 sin(psi), so that from
rest sin(psi / 2) = k cd(p t | k^2), with k = cos((alpha - theta0) / 2).

The impact at theta = 0 is plastic (e_n = 0) and closes both corners at once. Of the modes that the
law allows, the two that occur follow from the sign of the impulse that would bring the old corner
to rest as well, L_old = m omega (b^2 - 2 h^2) / (3 b):

- slender, b^2 <= 2 h^2: it cannot be negative, the old corner lifts off without an impulse, and the
  angular momentum about the new one is kept: omega+ / omega- = 1 - 3/2 sin^2(alpha), whose square
  is Housner's r
- wide, b^2 > 2 h^2: both corners stay and the block lies flat, omega+ = 0.

Omega is the rate |theta'| before the impact [rad/s]; impulses in N s.

Source: G. W. Housner, The behavior of inverted pendulum structures during earthquakes, Bulletin of
the Seismological Society of America 53 (1963) 403-417, for slender blocks.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import ellipj, ellipk, ellipkinc

from footfall.arrays import Array


@dataclass(frozen=True)
class RockingImpact:
    """An impact at theta = 0: the rate after it, and its impulses.

    omega: rate after it [rad/s]. old, new: normal impulses of the corner that carried the block and
    of the one that lands, friction: tangential impulse of both together, against the way the block
    rocks. loss: energy [J].
    """

    omega: float
    old: float
    new: float
    friction: float
    loss: float


@dataclass(frozen=True)
class RockingBlock:
    """Half the width b and half the height h [m], mass m [kg], gravity g [m/s^2]."""

    b: float
    h: float
    m: float
    g: float = 9.81

    @property
    def R(self) -> float:
        """Distance from a corner to the centre [m]."""
        return math.hypot(self.b, self.h)

    @property
    def alpha(self) -> float:
        """Tilt at which the block stands on its corner [rad]."""
        return math.atan2(self.b, self.h)

    @property
    def p(self) -> float:
        """Frequency parameter [1/s]."""
        return math.sqrt(3.0 * self.g / (4.0 * self.R))

    @property
    def inertia(self) -> float:
        """Moment of inertia about a corner, 4/3 m R^2 [kg m^2]."""
        return 4.0 / 3.0 * self.m * self.R**2

    @property
    def ratio(self) -> float:
        """omega+ / omega- of an impact."""
        slender = self.b**2 <= 2.0 * self.h**2
        return 1.0 - 1.5 * math.sin(self.alpha) ** 2 if slender else 0.0

    def fall_time(self, theta0: float) -> float:
        """Quarter period: from rest at theta0 to theta = 0 [s]."""
        k = math.cos(0.5 * (self.alpha - theta0))
        upright = math.asin(math.cos(0.5 * self.alpha) / k)
        return float(ellipk(k * k) - ellipkinc(upright, k * k)) / self.p

    def arrival(self, theta0: float) -> float:
        """Rate omega at theta = 0 after release at theta0, from the energy [rad/s]."""
        height = math.cos(self.alpha - theta0) - math.cos(self.alpha)
        return self.p * math.sqrt(2.0 * height)

    def impact(self, omega: float) -> RockingImpact:
        """Impact that follows an arrival with omega."""
        b, h, m, r = self.b, self.h, self.m, self.ratio
        loss = 0.5 * self.inertia * omega**2 * (1.0 - r**2)
        friction = m * h * omega * (1.0 - r)
        old = 0.0 if r > 0.0 else m * omega * (b * b - 2.0 * h * h) / (3.0 * b)
        # vertical momentum: the centre falls with b omega and then rises with b r omega
        return RockingImpact(r * omega, old, m * b * omega * (1.0 + r) - old, friction, loss)

    def next_peak(self, theta: float) -> float:
        """Tilt on the other side after release at theta and one impact [rad]."""
        height = math.cos(self.alpha - theta) - math.cos(self.alpha)
        return self.alpha - math.acos(math.cos(self.alpha) + self.ratio**2 * height)

    def impact_times(self, theta0: float, count: int) -> Array:
        """Times of the first impacts after release at theta0, (count,) [s]; infinite after rest."""
        times, peak = [self.fall_time(theta0)], theta0
        while len(times) < count:
            peak = self.next_peak(peak)
            wait = 2.0 * self.fall_time(peak) if peak > 0.0 else math.inf
            times.append(times[-1] + wait)
        return np.array(times[:count])

    def tilt(self, t: Array, theta0: float) -> Array:
        """Tilt theta at times t [s] after release at theta0 > 0 [rad], its sign changing."""
        t = np.asarray(t, dtype=float)
        theta = np.zeros_like(t)
        side, peak, crest, done = 1.0, theta0, 0.0, 0.0
        while done <= float(t.max(initial=0.0)) and peak > 0.0:
            quarter = self.fall_time(peak)
            here = np.abs(t - crest) <= quarter
            theta[here] = side * self._swing(t[here] - crest, peak)
            side, done = -side, crest + quarter
            peak = self.next_peak(peak)
            crest = done + (self.fall_time(peak) if peak > 0.0 else 0.0)
        return theta

    def _swing(self, t: Array, peak: float) -> Array:
        """Tilt at times t [s] before or after the peak."""
        k = math.cos(0.5 * (self.alpha - peak))
        _, cn, dn, _ = ellipj(self.p * t, k * k)
        return 2.0 * np.arcsin(k * cn / dn) - math.pi + self.alpha
