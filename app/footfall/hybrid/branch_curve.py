"""The curve of the periodic orbits of a map in the space of their points and the parameter.

A guess is brought onto the curve along a given plane (Newton's method of the bordered system),
which also works where the curve turns back in p. Source: H. B. Keller: Numerical solution of
bifurcation and nonlinear eigenvalue problems, in Applications of Bifurcation Theory, 1977.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from footfall.arrays import Array
from footfall.hybrid.fixed_point import FixedPoint, sorted_multipliers
from footfall.hybrid.return_map import NoReturn, ParametricMap
from footfall.hybrid.shooting import (
    Multipliers,
    ShootingResult,
    as_fixed_point,
    is_settled,
    shoot,
)

_ITERATIONS = 12


class NotContinued(Exception):
    """No point of the curve was found, and why; callers tell it in their own errors."""


@dataclass(frozen=True)
class CurvePoint:
    """A point of the curve: coordinates w and unit tangent, (n m + 1,) each, and the map there."""

    w: Array
    tangent: Array
    shot: ShootingResult
    iterations: int

    @cached_property
    def around(self) -> tuple[Array, Array]:
        """Derivatives D (m, m) and D_p (m,) around the orbit."""
        return self.shot.around

    @property
    def D(self) -> Array:
        """Derivative (m, m) around the orbit."""
        return self.around[0]

    @cached_property
    def multipliers(self) -> Multipliers:
        """Eigenvalues of D (m,), by falling modulus."""
        return sorted_multipliers(self.D)


class BranchCurve:
    """Orbits of a period n; scale (m + 1,) of y and p, all positive.

    Coordinates w = (y_0 / (scale sqrt(n)), ..., p / scale): lengths are of the mean of the points.
    """

    def __init__(self, map_: ParametricMap, period: int, scale: Array) -> None:
        self._map, self._period = map_, period
        self._y_scale = np.tile(scale[:-1], period)
        self._scale = np.append(self._y_scale * np.sqrt(period), scale[-1])

    def coordinates(self, orbit: Array, p: float) -> Array:
        """Coordinates of an orbit (n, m), (n m + 1,)."""
        return np.append(orbit.ravel(), p) / self._scale

    def p(self, w: Array) -> float:
        """The parameter at coordinates w."""
        return float(w[-1] * self._scale[-1])

    def point(self, guess: Array, row: Array) -> CurvePoint:
        """The point of the curve with row . w = row . guess near guess; raises NotContinued.

        guess, row: (n m + 1,). The tangent is on the side of row.
        """
        w, goal = guess, row @ guess
        before, step, count = np.inf, np.inf, 0
        across = np.append(np.zeros(w.size - 1), 1.0)
        while True:
            shot = self._shoot(w)
            residual = np.append(shot.gap.ravel() / self._y_scale, row @ w - goal)
            J = shot.jacobian() * self._scale / self._y_scale[:, None]
            try:
                both = np.linalg.solve(np.vstack([J, row]), np.column_stack([-residual, across]))
            except np.linalg.LinAlgError:
                raise NotContinued("the bordered system is singular") from None
            if is_settled(step, before):
                return CurvePoint(w, both[:, 1] / np.linalg.norm(both[:, 1]), shot, count)
            if count == _ITERATIONS:
                raise NotContinued(
                    f"Newton's method still steps by {step:.1e} after {count} iterations"
                )
            before, step = step, float(np.abs(both[:, 0]).max())
            w, count = w + both[:, 0], count + 1

    def fixed_point(self, at: CurvePoint) -> FixedPoint:
        """A point of the curve in units of y and p."""
        return as_fixed_point(at.shot, self.p(at.w), at.iterations)

    def bordered(self, at: CurvePoint) -> float:
        """Determinant of the bordered system at the first point of the orbit, (m + 1) square.

        It changes its sign where another branch crosses.
        """
        D, D_p = at.around
        m = len(D)
        y_scale = self._y_scale[:m]
        J = np.column_stack([D - np.eye(m), D_p])
        J = J * np.append(y_scale, self._scale[-1]) / y_scale[:, None]
        tangent = np.append(at.tangent[:m] * np.sqrt(self._period), at.tangent[-1])
        return float(np.linalg.det(np.vstack([J, tangent / np.linalg.norm(tangent)])))

    def _shoot(self, w: Array) -> ShootingResult:
        orbit = (w[:-1] * self._scale[:-1]).reshape(self._period, -1)
        try:
            shot = shoot(self._map, orbit, self.p(w))
        except NoReturn as why:
            raise NotContinued(str(why)) from why
        if not (np.isfinite(shot.D).all() and np.isfinite(shot.value).all()):
            raise NotContinued("the map is not finite")
        return shot
