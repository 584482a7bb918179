"""A block on an inclined plane with Coulomb friction, in closed form.

Frame: x down the slope, y across it; the angle of the slope is alpha, its friction mu. The block
slides without turning or tipping, because equal friction under all its feet has no moment about
the normal through the centroid of their loads. With s = sin alpha, c = cos alpha it obeys

    v' = g s e_x - mu g c v / |v|

and rests where mu_s >= tan alpha, mu_s being the friction that holds a block at rest (mu unless
said otherwise).
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from footfall.arrays import Array


@dataclass(frozen=True)
class Straight:
    """Motion along the line of fall: alpha [rad], mu, g [m/s^2], start velocity v0 > 0 [m/s]."""

    alpha: float
    mu: float
    g: float
    v0: float

    @property
    def acceleration(self) -> float:
        """Of a block that slides down, along x [m/s^2]; negative where friction wins."""
        return float(self.g * (np.sin(self.alpha) - self.mu * np.cos(self.alpha)))

    @property
    def deceleration_upwards(self) -> float:
        """Of a block that slides up [m/s^2]."""
        return float(self.g * (np.sin(self.alpha) + self.mu * np.cos(self.alpha)))

    @property
    def stop_time(self) -> float:
        """Return when a block that started downwards stops [s]; needs mu > tan alpha."""
        return self.v0 / -self.acceleration

    @property
    def stop_distance(self) -> float:
        """Distance travelled downhill [m]."""
        return 0.5 * self.v0 * self.stop_time

    @property
    def turn_time(self) -> float:
        """Return when a block that started upwards stops for the first time [s]."""
        return self.v0 / self.deceleration_upwards

    @property
    def turn_distance(self) -> float:
        """Distance travelled uphill [m]."""
        return 0.5 * self.v0 * self.turn_time

    @property
    def return_speed(self) -> float:
        """Speed of a block that started upwards when it is back [m/s]; needs mu < tan alpha."""
        return self.v0 * float(np.sqrt(self.acceleration / self.deceleration_upwards))

    @property
    def return_time(self) -> float:
        """Return when it is back [s]."""
        return self.turn_time + self.return_speed / self.acceleration

    def slid_down(self, time: Array) -> Array:
        """Place x of a block that started downwards [m], at times [s]; it stays where it stops."""
        t = np.asarray(time, dtype=np.float64)
        if self.acceleration < 0.0:
            t = np.minimum(t, self.stop_time)
        return self.v0 * t + 0.5 * self.acceleration * t**2

    def slid_up(self, time: Array, *, holds: bool = False) -> Array:
        """Place x of a block that started upwards [m], at times [s].

        Where it turns it stays if it ``holds`` (mu_s >= tan alpha), else it slides back.
        """
        t = np.asarray(time, dtype=np.float64)
        up = np.minimum(t, self.turn_time)
        down = np.zeros_like(t) if holds else t - up
        climbed = -self.v0 * up + 0.5 * self.deceleration_upwards * up**2
        return climbed + 0.5 * self.acceleration * down**2


@dataclass(frozen=True)
class Across:
    """A block thrown across the slope, v = v0 e_y: it curves down and stops if mu > tan alpha.

    With phi the angle of v from the line of fall, u = tan(phi/2) and kappa = mu / tan alpha

        |v| = v0/2 u^(kappa-1) (1 + u^2),    t = v0/(2 g s) (P(1) - P(u)),
        P = u^(kappa-1)/(kappa-1) + u^(kappa+1)/(kappa+1),

    from u = 1 to u = 0: it stops while it moves straight down. Source: C. and A. Aghamohammadi,
    Slipping and rolling on an inclined plane, European Journal of Physics 32 (2011) 1049-1057,
    section II; for kappa = 1 the first is |v| = v0 / (1 + cos phi), problem 1.106 of I. E. Irodov,
    Problems in General Physics.
    """

    alpha: float
    mu: float
    g: float
    v0: float

    @property
    def kappa(self) -> float:
        """Friction in terms of that which just holds a block at rest."""
        return self.mu / float(np.tan(self.alpha))

    @property
    def stop_time(self) -> float:
        """Return when it stops [s]."""
        k = self.kappa
        return self.v0 * k / (self._gs * (k**2 - 1.0))

    @property
    def stop_place(self) -> tuple[float, float]:
        """Point of rest, x and y [m]."""
        k, scale = self.kappa, self.v0**2 / self._gs
        return scale / (4.0 * (k**2 - 1.0)), scale * 2.0 * k / (4.0 * k**2 - 1.0)

    def speed(self, phi: float) -> float:
        """Speed [m/s] when the velocity is at phi [rad] from the line of fall."""
        u = float(np.tan(0.5 * phi))
        return 0.5 * self.v0 * u ** (self.kappa - 1.0) * (1.0 + u**2)

    def slow_time(self, speed: float) -> float:
        """Return when it gets slower than a speed [m/s]; the speed only falls, where kappa >= 1."""

        def faster(time: float) -> float:
            return float(np.linalg.norm(self.velocity(np.array([time])))) - speed

        return float(brentq(faster, 0.0, self.stop_time, xtol=1e-15))

    def velocity(self, time: Array) -> Array:
        """Velocity (n, 2) in x and y [m/s] at times (n,) [s], zero once it has stopped."""
        u = self._u(np.asarray(time, dtype=np.float64))[:, None]
        half = 0.5 * self.v0 * u ** (self.kappa - 1.0)
        return half * np.concatenate((1.0 - u**2, 2.0 * u), axis=1)

    @property
    def _gs(self) -> float:
        return self.g * float(np.sin(self.alpha))

    def _u(self, time: Array) -> Array:
        """Invert t(u) by bisection; 0 once it has stopped."""
        k = self.kappa
        wanted = 2.0 * k / (k**2 - 1.0) - 2.0 * self._gs / self.v0 * time
        low, high = np.zeros_like(time), np.ones_like(time)
        for _ in range(60):  # halvings of [0, 1] down to rounding
            u = 0.5 * (low + high)
            above = u ** (k - 1.0) / (k - 1.0) + u ** (k + 1.0) / (k + 1.0) > wanted
            low, high = np.where(above, low, u), np.where(above, u, high)
        return np.where(wanted > 0.0, low, 0.0)
