"""Closed form of a slender rod with its lower end on rough ground: sliding, and Painleve's region.

theta: angle of the rod over the ground [rad], counter-clockwise in the x-z plane, x to the right, z
up; its centre is l (cos theta, sin theta) from the lower end. Velocities of that end u = [n, t].
Uniform rod of mass m and length 2 l, J = m l^2 / 3:

    W_nn = (1 + 3 cos^2) / m,  W_nt = -3 sin cos / m,  W_tt = (1 + 3 sin^2) / m

An end that slides towards -x has u_n' = (W_nn + mu W_nt) N + b_n with b_n = l sin theta'^2 - g.
The factor is negative where mu > (4 + tan^2) / (3 tan), at tan = 2 first: mu > 4/3. If b_n < 0 then
no force N lets it slide on, and none lets it go: the end is stopped by an impact without collision.

Sources: P. Painleve: Sur les lois du frottement de glissement, Comptes Rendus 121 (1895) 112-115.
F. Genot, B. Brogliato: New results on Painleve paradoxes, European Journal of Mechanics A/Solids 18
(1999) 653-677. R. I. Leine, B. Brogliato, H. Nijmeijer: Periodic motion and bifurcations induced by
the Painleve paradox, European Journal of Mechanics A/Solids 21 (2002) 869-896.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.integrate import OdeSolution

from footfall.arrays import Array
from footfall.checked import Checked, positive
from footfall.textbook.ode import integrate
from footfall.textbook.planar_impact import stopping


class Landing(NamedTuple):
    """A sliding fall until the rod lies flat.

    ``time`` [s] of the second end's impact; ``path`` gives [x, theta, x', theta'] of the centre up
    to then.
    """

    time: float
    path: OdeSolution


@dataclass(frozen=True)
class Rod(Checked):
    """Mass [kg], half length [m], gravity [m/s^2]."""

    m: float = positive(1.0)
    l: float = positive(0.5)
    g: float = positive(9.81)

    def delassus(self, theta: float) -> Array:
        """W of the lower end, (2, 2) [1/kg]."""
        s, c = math.sin(theta), math.cos(theta)
        W_nt = -3.0 * s * c
        return np.array([[1.0 + 3.0 * c * c, W_nt], [W_nt, 1.0 + 3.0 * s * s]]) / self.m

    def free_acceleration(self, theta: float, omega: float) -> Array:
        """Acceleration [n, t] of the lower end without contact force, (2,) [m/s^2]."""
        turning = self.l * omega**2
        return np.array([turning * math.sin(theta) - self.g, turning * math.cos(theta)])

    def sliding_force(self, theta: float, omega: float, mu: float) -> float:
        """Normal force on the lower end while it slides towards -x [N]; negative: it cannot."""
        W = self.delassus(theta)
        return -float(self.free_acceleration(theta, omega)[0]) / float(W[0, 0] + mu * W[0, 1])

    def slide(self, theta: float, speed: float, mu: float) -> Landing:
        """Slide towards -x at a speed [m/s], without turning, until the rod lies flat.

        The centre starts at x = 0. Raises ValueError where the end stops sliding or lifts before.
        """

        def rate(_: float, state: Array) -> list[float]:
            _, angle, x_rate, omega = state.tolist()
            force = self.sliding_force(angle, omega, mu)
            lever = mu * math.sin(angle) - math.cos(angle)
            return [x_rate, omega, mu * force / self.m, 3.0 * lever * force / (self.m * self.l)]

        def flat(_: float, state: Array) -> float:
            return float(state[1])

        flat.terminal = True  # type: ignore[attr-defined] # how scipy is told
        solved = integrate(rate, 10.0, [0.0, theta, -speed, 0.0], event=flat)
        if solved.status != 1:
            raise ValueError("the rod does not fall flat")
        for state in solved.y.T:
            slip = state[2] + self.l * math.sin(state[1]) * state[3]
            if self.sliding_force(state[1], state[3], mu) < 0.0 or slip > 0.0:
                raise ValueError("the lower end lifts or stops before the rod lies flat")
        return Landing(float(solved.t[-1]), solved.sol)

    def fall_flat(self, x_rate: float, omega: float, mu: float) -> float:
        """Speed x' [m/s] after both ends of a flat rod are stopped by plastic impacts.

        The lower end has no normal velocity, the other strikes with 2 l omega, omega < 0. The two
        impulses stop the fall of the centre, m l |omega|, and rub against the sliding.
        """
        loss = mu * self.l * abs(omega)
        return math.copysign(max(abs(x_rate) - loss, 0.0), x_rate)

    def jam(self, theta: float, speed: float) -> Array:
        """Velocity [x', z', theta'] of the centre after the impact without collision, (3,).

        The rod moves towards -x at a speed [m/s], without turning; the impulse W^-1 [0, speed]
        stops its lower end.
        """
        s, c = math.sin(theta), math.cos(theta)
        r = stopping(self.delassus(theta), np.array([0.0, -speed]))
        push = np.array([r[1], r[0]]) / self.m
        turn = 3.0 * (s * r[1] - c * r[0]) / (self.m * self.l)
        return np.array([push[0] - speed, push[1], turn])

    def hinged(self, theta: float, omega: float, span: float) -> OdeSolution:
        """Swing [theta, theta'] about the lower end that sticks, over a span [s]."""

        def rate(_: float, state: Array) -> list[float]:
            return [float(state[1]), -0.75 * self.g / self.l * math.cos(state[0])]

        return integrate(rate, span, [theta, omega]).sol
