"""A ball that falls and bounces with Newton's restitution, in closed form, beyond its last bounce.

Dropped from rest at the height h (gap between ball and ground) it lands at t_0 = sqrt(2 h / g) and
leaves with e times the speed of its approach, so that

    t_k = t_0 (1 + 2 (e + e^2 + ... + e^k)) = t_0 (1 + e - 2 e^(k+1)) / (1 - e)
    h_k = e^(2 k) h              (the height after k bounces)
    t_inf = t_0 (1 + e) / (1 - e)

Infinitely many impacts accumulate at t_inf (Zeno); the ball lies still from then on. The formulas
are sums of geometric series over the flights, each of which lasts e times as long as the one before
it; B. Brogliato, Nonsmooth Mechanics, 3rd ed., Springer 2016, has the ball as its first example of
an accumulation of impacts. Impacts are numbered from 0 here.
"""

from dataclasses import dataclass

import numpy as np

from footfall.arrays import Array


@dataclass(frozen=True)
class BouncingBall:
    """Height h [m] of the drop, coefficient of restitution e in (0, 1), gravity g [m/s^2]."""

    h: float
    e: float
    g: float

    @property
    def first_impact(self) -> float:
        """Time t_0 of the first impact [s]."""
        return float(np.sqrt(2.0 * self.h / self.g))

    @property
    def end(self) -> float:
        """Time t_inf at which the impacts accumulate [s]."""
        return self.first_impact * (1.0 + self.e) / (1.0 - self.e)

    def impact_times(self, count: int) -> Array:
        """Times t_0 to t_(count-1) of the first impacts [s], (count,)."""
        k = np.arange(count)
        times = self.first_impact * (1.0 + self.e - 2.0 * self.e ** (k + 1)) / (1.0 - self.e)
        return np.asarray(times, dtype=np.float64)

    def peaks(self, count: int) -> Array:
        """Heights h_1 to h_count after so many bounces [m], (count,)."""
        return np.asarray(self.h * self.e ** (2 * np.arange(1, count + 1)), dtype=np.float64)

    def height(self, time: Array) -> Array:
        """Gap between ball and ground at times t >= 0 [s], in m."""
        t = np.asarray(time, dtype=np.float64)
        falling = self.h - 0.5 * self.g * t**2
        # t_inf - t_k = 2 t_0 e^(k+1) / (1 - e): the flight at t is the last one with t_k <= t
        left = (self.end - t) * (1.0 - self.e) / (2.0 * self.first_impact)
        flying = (t >= self.first_impact) & (left > 0.0)
        k = np.floor(np.log(np.where(flying, left, self.e)) / np.log(self.e)) - 1.0
        k = np.maximum(k, 0.0)
        start = self.end - 2.0 * self.first_impact * self.e ** (k + 1.0) / (1.0 - self.e)
        since = t - start
        speed = self.e ** (k + 1.0) * self.g * self.first_impact
        bouncing = speed * since - 0.5 * self.g * since**2
        after = np.where(flying, np.maximum(bouncing, 0.0), 0.0)
        return np.where(t < self.first_impact, falling, after)
