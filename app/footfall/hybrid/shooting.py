"""Periodic orbits as all of their points at once: y_0 -> y_1 -> ... -> y_n = y_0, each map alone.

A map that can do many points at once (ManyPoints) then needs no more time for a long orbit than for
a short one, and what one map makes of an error is not what n in a row make of it. Source: multiple
shooting, J. Stoer and R. Bulirsch: Introduction to Numerical Analysis, section 7.3.5.
"""

from dataclasses import dataclass
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.hybrid.fixed_point import FixedPoint, sorted_multipliers
from footfall.hybrid.return_map import ParametricMap

_CLOSE = 1e-9  # of the scale: Newton's method leaves the square of its last step, which is rounding
_ROUGH = 1e-6  # steps below this that do not get shorter are rounding of a small scale

Multipliers = npt.NDArray[np.complex128]


class LinearisedMany(NamedTuple):
    """Values (m, k) of a map at k points, its derivatives D (m, m, k) and D_p (m, k)."""

    value: Array
    D: Array
    D_p: Array


@runtime_checkable
class ManyPoints(Protocol):
    """A map that does many points y (m, k) in about the time of one; raises NoReturn for any."""

    def linearised_many(self, y: Array, p: float) -> LinearisedMany:
        """Images with exact derivatives."""
        ...


@dataclass(frozen=True)
class ShootingResult:
    """The map at each of n points: value (n, m), D (n, m, m), D_p (n, m) where orbit (n, m) is."""

    orbit: Array
    value: Array
    D: Array
    D_p: Array

    @property
    def gap(self) -> Array:
        """By how much each point's image misses the next point (n, m)."""
        return np.asarray(self.value - np.roll(self.orbit, -1, axis=0))

    @property
    def around(self) -> tuple[Array, Array]:
        """Derivatives D (m, m) and D_p (m,) of the n-th power at the first point."""
        D, D_p = np.eye(self.orbit.shape[1]), np.zeros(self.orbit.shape[1])
        for each, each_p in zip(self.D, self.D_p, strict=True):
            D, D_p = each @ D, each @ D_p + each_p
        return D, D_p

    def jacobian(self) -> Array:
        """Derivative of the gaps (n m,) by all points and p, (n m, n m + 1)."""
        n, m = self.orbit.shape
        J = np.zeros((n, m, n, m))
        each = np.arange(n)
        J[each, :, each] = self.D
        J[each, :, (each + 1) % n] -= np.eye(m)
        return np.column_stack([J.reshape(n * m, n * m), self.D_p.ravel()])


def shoot(map_: ParametricMap, orbit: Array, p: float) -> ShootingResult:
    """The map with its derivatives at each point (n, m); raises NoReturn."""
    if isinstance(map_, ManyPoints):
        many = map_.linearised_many(orbit.T, p)
        return ShootingResult(orbit, many.value.T, np.moveaxis(many.D, 2, 0), many.D_p.T)
    one = [map_.linearised(y, p) for y in orbit]
    return ShootingResult(
        orbit,
        np.array([each.value for each in one]),
        np.array([each.D for each in one]),
        np.array([each.D_p for each in one]),
    )


def as_fixed_point(shot: ShootingResult, p: float, iterations: int) -> FixedPoint:
    """The periodic orbit of a shot whose gaps are rounding; its residual is the largest of them."""
    D, D_p = shot.around
    return FixedPoint(
        p=p,
        period=len(shot.orbit),
        orbit=shot.orbit,
        multipliers=sorted_multipliers(D),
        D=D,
        D_p=D_p,
        residual=float(np.abs(shot.gap).max() / (1.0 + np.abs(shot.orbit[0]).max())),
        iterations=iterations,
    )


def is_settled(step: float, before: float) -> bool:
    """Return whether Newton's method has come to its end by its last two steps, over the scale."""
    return step <= _CLOSE or (step <= _ROUGH and step > 0.1 * before)
