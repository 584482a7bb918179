"""Closed form of the rimless wheel: spokes without a rim, rolling down a slope.

theta: angle of the standing spoke from the vertical [rad], forward positive; alpha = pi / n is half
the angle between two of the n spokes, gamma the slope. Between two impacts the wheel is an inverted
pendulum about the foot, from gamma - alpha to gamma + alpha; at an impact (plastic, the new foot
sticks, the old one lifts) its momentum about the new foot is kept:

    omega+ = eta omega-,  eta = (m l^2 cos 2 alpha + J) / (m l^2 + J)
    omega-^2 = omega+^2 + 4 m g l sin(gamma) sin(alpha) / (m l^2 + J)

Sources: T. McGeer: Passive dynamic walking, International Journal of Robotics Research 9 (1990)
62-82. M. J. Coleman: A stability study of a three-dimensional passive-dynamic model of
human gait, PhD thesis, Cornell University 1998.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.integrate import OdeSolution, quad

from footfall.arrays import Array
from footfall.textbook.ode import integrate


class Stances(NamedTuple):
    """Times [s] and rates [rad/s] at which the spoke stands along the slope's normal, (n,) each."""

    time: Array
    rate: Array


@dataclass(frozen=True)
class RimlessWheel:
    """Mass [kg], moment about the hub [kg m^2], spoke [m], count, slope [rad], gravity [m/s^2]."""

    m: float
    J: float
    l: float
    n: int
    gamma: float
    g: float = 9.81

    def __post_init__(self) -> None:
        """Refuse wheels that cannot roll."""
        if not all(math.isfinite(x) and x > 0.0 for x in (self.m, self.l, self.gamma, self.g)):
            raise ValueError(f"m, l, gamma and g must be positive, got {self}")
        if not (self.J >= 0.0 and self.n >= 3 and self.gamma < 0.5 * math.pi):
            raise ValueError(f"J >= 0, n >= 3 and gamma < pi/2 are needed, got {self}")

    @property
    def alpha(self) -> float:
        """Half the angle between two spokes [rad]."""
        return math.pi / self.n

    @property
    def inertia(self) -> float:
        """Moment about the foot [kg m^2]."""
        return self.m * self.l**2 + self.J

    @property
    def eta(self) -> float:
        """omega+ / omega- of an impact; its square is the multiplier of the return map."""
        return (self.m * self.l**2 * math.cos(2.0 * self.alpha) + self.J) / self.inertia

    @property
    def gain(self) -> float:
        """omega-^2 - omega+^2 of a step [rad^2/s^2]."""
        lever = self.l * math.sin(self.gamma) * math.sin(self.alpha)
        return 4.0 * self.m * self.g * lever / self.inertia

    @property
    def fixed_point(self) -> float:
        """omega- before every impact of the steady roll [rad/s].

        Raises ValueError where the wheel comes to rest: the spoke must get over the vertical.
        """
        squared = self.gain / (1.0 - self.eta**2)
        after, hill = self.eta**2 * squared, 0.0
        if self.gamma < self.alpha:
            hill = 2.0 * self.m * self.g * self.l / self.inertia
            hill *= 1.0 - math.cos(self.alpha - self.gamma)
        if self.eta <= 0.0 or after <= hill:
            raise ValueError(
                "the wheel does not roll on: a steeper slope or more spokes are needed"
            )
        return math.sqrt(squared)

    @property
    def stance_fixed_point(self) -> float:
        """Squared rate of the steady roll where a spoke stands along the slope's normal."""
        after = self.eta * self.fixed_point
        return float(self.speed(np.array(self.gamma), after)) ** 2

    def before_impact(self, omega: float) -> float:
        """omega- at the end of a step that begins with omega [rad/s]."""
        return math.sqrt(omega**2 + self.gain)

    def speed(self, theta: Array, omega: float) -> Array:
        """Rate theta' at angles theta in a step that begins with omega [rad/s]."""
        return self._speed(theta, self.gamma - self.alpha, omega)

    def landing(self, theta: float, omega: float) -> tuple[float, float]:
        """Time [s] from the state theta, theta' = omega to the next impact, and omega- there.

        Raises ValueError for a wheel that does not roll on from there, but falls back.
        """
        last = self.gamma + self.alpha
        top = min(max(0.0, theta), last)
        if omega <= 0.0 or not self._speed(np.array(top), theta, omega) > 0.0:
            raise ValueError(f"the wheel falls back from {theta} rad with {omega} rad/s")
        return self._time(theta, last, omega), float(self._speed(np.array(last), theta, omega))

    def step_time(self, omega: float) -> float:
        """Duration of a step that begins with omega [s]."""
        return self._time(self.gamma - self.alpha, self.gamma + self.alpha, omega)

    def impact_impulse(self, omega: float) -> Array:
        """Impulse of the ground at an impact with omega- = omega, [along, off] the slope [N s].

        ``along`` is positive downhill, where it rolls to: the new foot brakes. Its ratio to ``off``
        is the coefficient of friction that the new foot needs to stick.
        """
        momentum, sin, cos = self.m * self.l * omega, math.sin(self.alpha), math.cos(self.alpha)
        return momentum * np.array([(self.eta - 1.0) * cos, (self.eta + 1.0) * sin])

    def ground_force(self, theta: Array, omega: Array) -> Array:
        """Force of the ground on the standing foot, [along, off] the slope, (2, ...) [N].

        Of states theta, theta' = omega; the foot stands where it pushes off.
        """
        along, across = self.hub_forces(theta, omega)
        sin, cos = np.sin(theta - self.gamma), np.cos(theta - self.gamma)
        return np.array([along * sin + across * cos, along * cos - across * sin])

    def hub_forces(self, theta: Array, omega: Array) -> Array:
        """Force [along, across] the standing spoke while it turns, (2, ...) [N].

        ``along`` pushes the hub away from the foot; ``across`` is positive towards theta.
        """
        turning = self.m * self.g * self.l * np.sin(theta) / self.inertia
        along = self.m * (self.g * np.cos(theta) - self.l * omega**2)
        return np.array([along, self.m * (self.l * turning - self.g * np.sin(theta))])

    def stances(self, omega: float, count: int) -> Stances:
        """Return times and rates of the first stances, from omega just after an impact."""
        first = self.gamma - self.alpha
        begin, time, rate = 0.0, [], []
        for _ in range(count):
            to_stance = self._time(first, self.gamma, omega)
            time.append(begin + to_stance)
            rate.append(float(self.speed(np.array(self.gamma), omega)))
            begin += self.step_time(omega)
            omega = self.eta * self.before_impact(omega)
        return Stances(np.array(time), np.array(rate))

    def motion(self, omega: float, time: Array) -> tuple[Array, Array]:
        """Turn since the start [rad] and rate [rad/s] at times [s] from omega."""
        time = np.asarray(time, dtype=float)
        turn, rate = np.empty_like(time), np.empty_like(time)
        first, begin, turned = self.gamma - self.alpha, 0.0, 0.0
        while begin <= time.max():
            end = begin + self.step_time(omega)
            rows = (time >= begin) & (time < end)
            if rows.any():
                theta, rate[rows] = self.pendulum(first, omega, end - begin)(time[rows] - begin)
                turn[rows] = turned + theta - first
            begin, turned = end, turned + 2.0 * self.alpha
            omega = self.eta * self.before_impact(omega)
        return turn, rate

    def pendulum(self, theta: float, omega: float, span: float) -> OdeSolution:
        """[theta, theta'] about the standing foot over a span [s], a function of time."""

        def rate(_: float, state: Array) -> list[float]:
            weight = self.m * self.g * self.l / self.inertia
            return [float(state[1]), weight * math.sin(state[0])]

        return integrate(rate, span, [theta, omega]).sol

    def _time(self, first: float, last: float, omega: float) -> float:
        """Time from theta = first, passed at a rate omega, to last [s]."""
        value, _ = quad(
            lambda theta: 1.0 / self._speed(theta, first, omega),
            first,
            last,
            epsabs=1e-13,
            epsrel=1e-13,
        )
        return float(value)

    def _speed(self, theta: Array, first: float, omega: float) -> Array:
        """Rate at angles theta of a spoke that passes first at a rate omega; NaN out of reach."""
        fall = math.cos(first) - np.cos(theta)
        with np.errstate(invalid="ignore"):
            return np.sqrt(omega**2 + 2.0 * self.m * self.g * self.l * fall / self.inertia)
