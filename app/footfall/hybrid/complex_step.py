"""Derivatives to rounding by a step into the complex numbers: f(x + i h) = f(x) + i h f'(x).

There is no difference of near numbers in Im f(x + i h) / h, so that h can be so small that its
square vanishes. Source: W. Squire, G. Trapp: Using complex variables to estimate derivatives of
real functions, SIAM Review 40 (1998) 110-112.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.hybrid.model import State

STEP = 1e-30


def perturbed(x: Array) -> npt.NDArray[np.complex128]:
    """Copies of a state (n,), as columns (n, n), the j-th with a step in component j."""
    columns = np.empty((len(x), len(x)), dtype=np.complex128)
    columns[:] = x[:, None]
    columns.flat[:: len(x) + 1] += 1j * STEP
    return columns


def jacobian(function: Callable[[State], State], x: Array) -> Array:
    """Derivative (m, n) at x (n,) of a function of states (n, k), in one call.

    function: analytic; (n, k) gives (m, k), one row per component, complex for complex x.
    """
    return np.asarray(np.imag(function(perturbed(x))), dtype=np.float64) / STEP


def jacobian_by_columns(function: Callable[[State], State], x: Array) -> Array:
    """As ``jacobian``, of a function that takes one state (n,) only, in n calls."""
    columns = [np.imag(function(column)) / STEP for column in perturbed(x).T]
    return np.asarray(np.stack(columns, axis=-1), dtype=np.float64)
