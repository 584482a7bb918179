"""Closed form of two equal rods hanging from a pin whose tip strikes rough ground.

Coordinates q = [phi1, phi2]: absolute angles of the rods [rad] from the downward vertical, counter-
clockwise in the x-z plane, x to the right and z up. Uniform rods of mass m and length l. The
tip's velocities are u = [n, t], along z and x.

Source: T. R. Kane, D. A. Levinson: Dynamics, Theory and Applications, McGraw-Hill 1985.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from footfall.arrays import Array
from footfall.checked import Checked, positive
from footfall.textbook.ode import integrate


@dataclass(frozen=True)
class DoublePendulum(Checked):
    """Mass [kg] and length [m] of each rod, gravity [m/s^2]."""

    m: float = positive(1.0)
    l: float = positive(1.0)
    g: float = positive(9.81)

    def mass_matrix(self, q: Array) -> Array:
        """M(q), (2, 2) [kg m^2]."""
        half = 0.5 * np.cos(q[0] - q[1])
        return self.m * self.l**2 * np.array([[4.0 / 3.0, half], [half, 1.0 / 3.0]])

    def h(self, q: Array, v: Array) -> Array:
        """Gravity and Coriolis terms, (2,) [N m]: M v' = h."""
        turning = 0.5 * self.m * self.l**2 * np.sin(q[0] - q[1])
        weight = self.m * self.g * self.l
        return np.array(
            [
                -turning * v[1] ** 2 - 1.5 * weight * np.sin(q[0]),
                turning * v[0] ** 2 - 0.5 * weight * np.sin(q[1]),
            ]
        )

    def tip_jacobian(self, q: Array) -> Array:
        """Rows [n, t] of the tip's velocity, (2, 2) [m]."""
        return self.l * np.array([np.sin(q), np.cos(q)])

    def delassus(self, q: Array) -> Array:
        """W = J M^-1 J^T of the tip, (2, 2) [1/kg]."""
        J = self.tip_jacobian(q)
        return J @ np.linalg.solve(self.mass_matrix(q), J.T)

    def after_impact(self, q: Array, v: Array, r: Array) -> Array:
        """Rates (2,) after an impulse r = [n, t] [N s] at the tip."""
        return v + np.linalg.solve(self.mass_matrix(q), self.tip_jacobian(q).T @ r)

    def flight(self, q: Array, v: Array, span: float) -> Callable[[Array], Array]:
        """Free motion from (q, v) over a span [s], negative into the past.

        Returns a function of times (n,) that gives [q; v], (4, n), good to 1e-11.
        """

        def rate(_: float, state: Array) -> Array:
            turning = np.linalg.solve(self.mass_matrix(state[:2]), self.h(state[:2], state[2:]))
            return np.concatenate((state[2:], turning))

        path: Callable[[Array], Array]
        path = integrate(rate, span, np.concatenate((q, v)), relative=1e-13).sol
        return path
