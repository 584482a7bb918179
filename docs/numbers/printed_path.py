"""Path of the swinging heel as the thesis prints it, (4.1), (4.2), (4.4) and (4.5).

u is the way of the trunk [m]. (4.4) and (4.5) are derivatives of the heel's place by u, without
units; (4.1) and (4.2) are that place in millimetres. Power by power (4.1) and (4.2) are the
integrals of (4.4) and (4.5) but for the linear terms, which are 1000 times too small: there u is in
millimetres. "1.49367e110" of (4.1) is 1.49367e11.

Along x the integral does what the text says: 0.4 m over 0.0885 m of the trunk, at rest at its end.
Up it does not: with the linear term of (4.5) the heel rises to 0.42 m and does not come down; with
that of (4.2) it never rises above its start of 35.45 mm by more than 0.1 mm. 6 cm are in neither.
"""

from typing import NamedTuple

import numpy as np

from footfall.arrays import Array
from footfall_controllers.swing_path import SLOPE_AHEAD

PROGRESS = 0.0885
"""Way of the trunk over which the heel goes a stride [m]."""
TRAVEL, LIFT, START = 0.4, 0.06, 0.03545
"""Way of the heel and its height as the text has them, and its height at the start [m]."""

PLACE_X = (
    0.0,
    4.83,
    -0.00165e6,
    0.00039e9,
    -2.67406e7,
    8.91429e8,
    -1.60087e10,
    1.49367e11,
    -5.69535e11,
)
"""Coefficients of (4.1), the constant first, in mm over powers of m."""
PLACE_Z = (
    35.45,
    4.43,
    -390.0,
    4.15695e4,
    -3.59123e6,
    1.51404e8,
    -3.21689e9,
    3.37575e10,
    -1.39834e11,
)
"""Coefficients of (4.2)."""
SLOPE_X = SLOPE_AHEAD
"""Coefficients of (4.4), over powers of m."""
SLOPE_Z = (4.4318, -0.77474, 124.71, -1.4365e4, 7.5702e5, -1.9301e7, 2.363e8, -1.1187e9)
"""Coefficients of (4.5)."""


class Coefficient(NamedTuple):
    """A coefficient of a power of u: as (4.1) or (4.2) prints it, and the integral's [mm / m^k]."""

    power: int
    printed: float
    integral: float


def beside(axis: str) -> tuple[Coefficient, ...]:
    """Return the coefficients of (4.1), axis x, or (4.2), axis z, beside those of the integral."""
    place, slope = (PLACE_X, SLOPE_X) if axis == "x" else (PLACE_Z, SLOPE_Z)
    return tuple(
        Coefficient(k, place[k], 1e3 * slope[k - 1] / k if k else place[0])
        for k in range(len(place))
    )


def printed(axis: str, u: Array) -> Array:
    """Return the heel's place by (4.1) or (4.2) as they stand [m], u in m."""
    return 1e-3 * _value(tuple(c.printed for c in beside(axis)), u)


def integrated(axis: str, u: Array) -> Array:
    """Return the heel's place by the integral of (4.4) or (4.5) [m], u in m."""
    return 1e-3 * _value(tuple(c.integral for c in beside(axis)), u)


def slope(axis: str, u: Array) -> Array:
    """Return the derivative of the heel's place by u, (4.4) or (4.5), u in m."""
    return _value(SLOPE_X if axis == "x" else SLOPE_Z, u)


def _value(coefficients: tuple[float, ...], u: Array) -> Array:
    found: Array = np.polynomial.Polynomial(coefficients)(np.asarray(u))
    return found
