"""Closed form of stick-slip: a block on a moving belt, held by a spring.

    stick: (M + m) x'' = -k x;  slip: m x'' = -k x + mu_k m g,  M V' = -mu_k m g,  while x' < V

x: extension of the spring [m], positive along the belt; V: speed of the belt, whose mass M is large
but finite, so that it slows a little. The block sticks until friction would have to exceed mu_s m g
and then slips on a sine about x_k = mu_k m g / k, until it has the belt's speed again. With M
infinite, V = v and the cycle repeats itself; d = (mu_s - mu_k) m g / k, omega^2 = k / m:

    amplitude sqrt(d^2 + v^2 / omega^2), stick time 2 d / v,
    slip time 2 (pi - atan(d omega / v)) / omega

Sources: R. I. Leine, D. H. van Campen, A. de Kraker, L. van den Steen: Stick-slip vibrations
induced by alternate friction models, Nonlinear Dynamics 16 (1998) 41-54, here with a constant mu_k;
J. J. Thomsen, A. Fidlin: Analytical approximations for stick-slip vibration amplitudes,
International Journal of Non-Linear Mechanics 38 (2003) 389-403.
"""

import math
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq

from footfall.arrays import Array
from footfall.checked import POSITIVE, Checked, positive


class BeltPhase(NamedTuple):
    """A phase that begins at a time [s] with x [m] and x' = V [m/s]."""

    time: float
    sticks: bool
    x: float
    V: float


@dataclass(frozen=True)
class Belt(Checked):
    """Mass of the block [kg], stiffness [N/m], coefficients, mass of the belt [kg], gravity.

    Raises ValueError for numbers that give no stick-slip: mu_s > mu_k > 0 is needed.
    """

    m: float = field(metadata=POSITIVE)
    k: float = field(metadata=POSITIVE)
    mu_s: float = field(metadata=POSITIVE)
    mu_k: float = field(metadata=POSITIVE)
    M: float = field(metadata=POSITIVE)
    g: float = positive(9.81)

    def __post_init__(self) -> None:
        """Refuse what does not stick and slip."""
        super().__post_init__()
        if not self.mu_s > self.mu_k:
            raise ValueError(f"stick-slip needs mu_s > mu_k, got {self.mu_s} and {self.mu_k}")

    @property
    def omega(self) -> float:
        """Angular frequency of the slip phase [rad/s]."""
        return math.sqrt(self.k / self.m)

    @property
    def centre(self) -> float:
        """Extension about which the block slips, x_k [m]."""
        return self.mu_k * self.m * self.g / self.k

    @property
    def break_away(self) -> float:
        """Extension at which it breaks away [m]; friction has to hold k x + m x''."""
        return self.mu_s * self.m * self.g / self.k * (1.0 + self.m / self.M)

    def amplitude(self, V: float) -> float:
        """Amplitude of a slip phase that begins at the belt's speed V [m]."""
        return math.hypot(self.break_away - self.centre, V / self.omega)

    def phases(self, V: float, duration: float) -> list[BeltPhase]:
        """All phases that begin within a duration [s], from a break-away at the belt's speed V."""
        phases = [BeltPhase(0.0, False, self.break_away, V)]
        while phases[-1].time < duration:
            last = phases[-1]
            span = self._stick_span(last) if last.sticks else self._slip_span(last)
            x, V = (float(value) for value in self._within(last, np.array(span)))
            phases.append(BeltPhase(last.time + span, not last.sticks, x, V))
        return phases

    def loss(self, slip: BeltPhase) -> float:
        """Energy that friction takes in a slip phase [J]: mu_k m g times the slid distance."""
        span = self._slip_span(slip)
        x, V = self._within(slip, np.array(span))
        slid = 0.5 * (slip.V + float(V)) * span - (float(x) - slip.x)
        return self.mu_k * self.m * self.g * slid

    def extension(self, V: float, time: Array) -> Array:
        """Extension [m] at times [s] since a break-away at the belt's speed V."""
        time = np.asarray(time, dtype=float)
        phases = self.phases(V, float(np.max(time)))
        which = np.searchsorted([phase.time for phase in phases], time, side="right") - 1
        x = np.empty_like(time)
        for index in np.unique(which):
            phase, rows = phases[index], which == index
            x[rows] = self._within(phase, time[rows] - phase.time)[0]
        return x

    def _within(self, phase: BeltPhase, time: Array) -> tuple[Array, Array]:
        """Extension [m] and belt speed [m/s] at times since the phase began."""
        if phase.sticks:
            W = math.sqrt(self.k / (self.M + self.m))
            s, c = np.sin(W * time), np.cos(W * time)
            return phase.x * c + phase.V / W * s, phase.V * c - phase.x * W * s
        turn = self.omega * time
        x = self.centre + (phase.x - self.centre) * np.cos(turn)
        x = x + phase.V / self.omega * np.sin(turn)
        return x, phase.V - self.mu_k * self.m * self.g / self.M * time

    def _stick_span(self, phase: BeltPhase) -> float:
        """Duration of stick [s]: x is a slow sine that has to reach the break-away."""
        W = math.sqrt(self.k / (self.M + self.m))
        swing = math.hypot(phase.x, phase.V / W)
        return (math.asin(self.break_away / swing) - math.asin(phase.x / swing)) / W

    def _slip_span(self, phase: BeltPhase) -> float:
        """Duration of slip [s]: until the block is as fast as the belt, beyond half a turn."""

        def slower(time: float) -> float:
            turn = self.omega * time
            speed = phase.V * math.cos(turn)
            speed -= (phase.x - self.centre) * self.omega * math.sin(turn)
            return speed - phase.V + self.mu_k * self.m * self.g / self.M * time

        span = brentq(slower, math.pi / self.omega, 2.0 * math.pi / self.omega, xtol=1e-15)
        return float(span)
