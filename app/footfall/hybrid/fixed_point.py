"""Fixed points and periodic orbits of a map by Newton's method, and their multipliers."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.errors import FootfallError
from footfall.hybrid.return_map import NoReturn, ParametricMap

_HALVINGS = 12
_MOST_STEPS = 50
_TOLERANCE = 1e-12  # relative to 1 + |y|


class NotFound(FootfallError):
    """Newton's method did not come to a fixed point: from where, how near, and why."""


@dataclass(frozen=True)
class FixedPoint:
    """A periodic orbit of a map at a parameter p: y_0 -> y_1 -> ... -> y_period = y_0.

    orbit (period, m). D (m, m), D_p (m,): derivatives of the map's power at y_0. multipliers (m,):
    complex eigenvalues of D by falling modulus. residual: largest |y_period - y_0|, over 1 + |y_0|.
    """

    p: float
    period: int
    orbit: Array
    multipliers: npt.NDArray[np.complex128]
    D: Array
    D_p: Array
    residual: float
    iterations: int

    @property
    def stable(self) -> bool:
        """True if all multipliers lie within the unit circle."""
        return bool((np.abs(self.multipliers) < 1.0).all())


class Power(NamedTuple):
    """A map applied several times: orbit (period, m), the last image (m,), D (m, m), D_p (m,)."""

    orbit: Array
    value: Array
    D: Array
    D_p: Array


def power(of: ParametricMap, y: Array, p: float, period: int) -> Power:
    """The map applied period times to y (m,), with derivatives by the chain rule."""
    D, D_p = np.eye(len(y)), np.zeros(len(y))
    orbit = []
    for _ in range(period):
        orbit.append(y)
        step = of.linearised(y, p)
        y, D, D_p = step.value, step.D @ D, step.D @ D_p + step.D_p
    return Power(np.array(orbit), y, D, D_p)


def find_fixed_point(
    of: ParametricMap, guess: npt.ArrayLike, p: float, period: int = 1
) -> FixedPoint:
    """Fixed point of the period-th power of a map, from a guess (m,), by damped Newton steps.

    Steps are halved until the residual falls and the orbit returns. After the tolerance is met,
    Newton goes on while that helps, down to rounding. The orbit may turn out to
    have a shorter period. Raises NotFound.
    """
    y = np.array(guess, dtype=np.float64)
    try:
        here = power(of, y, p, period)
    except NoReturn as fault:
        raise NotFound(f"the guess {y} does not return at p = {p:.9g}: {fault}") from fault
    best = _residual(here)
    for iteration in range(_MOST_STEPS):
        halvings = _HALVINGS if best > _TOLERANCE else 0
        trial = _newton_step(of, here, p, period, halvings)
        if trial is not None:
            here, best = trial, _residual(trial)
        if best <= _TOLERANCE and (trial is None or best <= 1e-3 * _TOLERANCE):
            return _fixed_point(here, p, period, iteration + 1)
        if trial is None:
            break
    else:
        if best <= _TOLERANCE:
            return _fixed_point(here, p, period, _MOST_STEPS)
    raise NotFound(
        f"no fixed point of period {period} near {y} at p = {p:.9g}, where the residual stays at"
        f" {best:.3g}"
    )


def _newton_step(
    of: ParametricMap, here: Power, p: float, period: int, halvings: int
) -> Power | None:
    """Newton's step, halved until the residual falls; None if it does not."""
    start, best = here.orbit[0], _residual(here)
    try:
        step = np.linalg.solve(here.D - np.eye(len(start)), start - here.value)
    except np.linalg.LinAlgError:
        return None
    for halving in range(halvings + 1):
        try:
            trial = power(of, start + 0.5**halving * step, p, period)
        except NoReturn:
            continue
        if _residual(trial) < best:
            return trial
    return None


def _residual(here: Power) -> float:
    """Distance of the orbit from closing."""
    start = here.orbit[0]
    return float(np.abs(here.value - start).max() / (1.0 + np.abs(start).max()))


def sorted_multipliers(D: Array) -> npt.NDArray[np.complex128]:
    """Eigenvalues (m,) of D by falling modulus, of a pair the one above the real axis first."""
    found = np.linalg.eigvals(D).astype(np.complex128)
    return found[np.lexsort((-found.imag, -np.abs(found)))]


def _fixed_point(here: Power, p: float, period: int, iterations: int) -> FixedPoint:
    """Return the fixed point of an orbit that closes."""
    values = sorted_multipliers(here.D)
    return FixedPoint(p, period, here.orbit, values, here.D, here.D_p, _residual(here), iterations)
