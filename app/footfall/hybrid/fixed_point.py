"""Fixed points and periodic orbits of a map by Newton's method, and their multipliers.

A long orbit is found as all of its points at once, y_0 -> y_1 -> ... -> y_n = y_0, each map alone:
that takes no more time than a short one, and what one map makes of an error is not what n in a row
make of it. Source: multiple shooting, J. Stoer and R. Bulirsch: Introduction to Numerical Analysis,
section 7.3.5.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.errors import FootfallError

_HALVINGS = 12
_MOST_STEPS = 50
_TOLERANCE = 1e-12  # relative to 1 + |y|
_CLOSE = 1e-9  # of the scale: Newton's method leaves the square of its last step, which is rounding
_ROUGH = 1e-6  # steps below this that do not get shorter are rounding of a small scale


class NoReturn(FootfallError):
    """A motion that does not come to the guard that was waited for."""


class Linearised(NamedTuple):
    """Values (m, k) of a map at k points, derivatives D (m, m, k) and, by the parameter, D_p."""

    value: Array
    D: Array
    D_p: Array


class ReturnMap(Protocol):
    """A map of points with a parameter p, of many points in about the time of one."""

    def linearised(self, y: Array, p: float) -> Linearised:
        """Images of points y (m, k) with exact derivatives; raises NoReturn if one has none."""
        ...


class NotFound(FootfallError):
    """Newton's method did not come to a fixed point: from where, how near, and why."""


@dataclass(frozen=True)
class FixedPoint:
    """A periodic orbit of a map at a parameter p: y_0 -> y_1 -> ... -> y_period = y_0.

    orbit (period, m). D (m, m): derivative of the map's power at y_0.
    """

    p: float
    orbit: Array
    D: Array

    @property
    def period(self) -> int:
        """Number of points of the orbit."""
        return len(self.orbit)

    @cached_property
    def multipliers(self) -> npt.NDArray[np.complex128]:
        """Eigenvalues (m,) of D by falling modulus, of a pair the one above the real axis first."""
        values = np.linalg.eigvals(self.D).astype(np.complex128)
        return values[np.lexsort((-values.imag, -np.abs(values)))]

    @property
    def stable(self) -> bool:
        """True if all multipliers lie within the unit circle."""
        return bool((np.abs(self.multipliers) < 1.0).all())


def find_fixed_point(of: ReturnMap, guess: npt.ArrayLike, p: float) -> FixedPoint:
    """Fixed point of a map, from a guess (m,), by damped Newton steps.

    Steps are halved until the residual falls and the point returns. After the tolerance is met,
    Newton goes on while that helps, down to rounding. Raises NotFound.
    """
    y = np.array(guess, dtype=np.float64)
    try:
        image = shoot(of, y[None], p)
    except NoReturn as fault:
        raise NotFound(f"the guess {y} does not return at p = {p:.9g}: {fault}") from fault
    best = _residual(image)
    for _ in range(_MOST_STEPS):
        halvings = _HALVINGS if best > _TOLERANCE else 0
        trial = _newton_step(of, image, p, halvings)
        if trial is not None:
            image = trial
            best = _residual(image)
        if best <= _TOLERANCE and (trial is None or best <= 1e-3 * _TOLERANCE):
            return image.fixed_point(p)
        if trial is None:
            break
    if best <= _TOLERANCE:
        return image.fixed_point(p)
    raise NotFound(
        f"no fixed point near {np.asarray(guess)} at p = {p:.9g}, where the residual stays at"
        f" {best:.3g}"
    )


def _newton_step(
    of: ReturnMap, image: "ShootingResult", p: float, halvings: int
) -> "ShootingResult | None":
    """Newton's step, halved until the residual falls; None if it does not."""
    best, y = _residual(image), image.orbit[0]
    try:
        step = np.linalg.solve(image.D[0] - np.eye(len(y)), -image.gap[0])
    except np.linalg.LinAlgError:
        return None
    for halving in range(halvings + 1):
        try:
            trial = shoot(of, (y + 0.5**halving * step)[None], p)
        except NoReturn:
            continue
        if _residual(trial) < best:
            return trial
    return None


def _residual(image: "ShootingResult") -> float:
    """Distance of a point from its image."""
    return float(np.abs(image.gap).max() / (1.0 + np.abs(image.orbit).max()))


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

    def jacobian(self) -> Array:
        """Derivative of the gaps (n m,) by all points and p, (n m, n m + 1)."""
        n, m = self.orbit.shape
        J = np.zeros((n, m, n, m))
        each = np.arange(n)
        J[each, :, each] = self.D
        J[each, :, (each + 1) % n] -= np.eye(m)
        return np.column_stack([J.reshape(n * m, n * m), self.D_p.ravel()])

    def fixed_point(self, p: float) -> FixedPoint:
        """The periodic orbit of a shot whose gaps are rounding."""
        D = np.eye(self.orbit.shape[1])
        for each in self.D:
            D = each @ D
        return FixedPoint(p, self.orbit, D)


def shoot(map_: ReturnMap, orbit: Array, p: float) -> ShootingResult:
    """The map with its derivatives at each point (n, m); raises NoReturn."""
    many = map_.linearised(orbit.T, p)
    return ShootingResult(orbit, many.value.T, np.moveaxis(many.D, 2, 0), many.D_p.T)


def is_settled(step: float, before: float) -> bool:
    """Return whether Newton's method has come to its end by its last two steps, over the scale."""
    return step <= _CLOSE or (step <= _ROUGH and step > 0.1 * before)
