"""States with their components first, (n,) for one and (n, k) for many, and complex steps.

Derivatives are taken to rounding by a step into the complex numbers: f(x + i h) = f(x) + i h f'(x).
There is no difference of near numbers in Im f(x + i h) / h, so that h can be so small that its
square vanishes. Source: W. Squire, G. Trapp: Using complex variables to estimate derivatives of
real functions, SIAM Review 40 (1998) 110-112.
"""

import cmath
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array

State = npt.NDArray[Any]  # component first, real or complex
Number = Any  # of one state a number, of many an array (k,); real or complex

STEP = 1e-30


def parts(x: State) -> tuple[list[Number], Callable[[Number], Number], Callable[[Number], Number]]:
    """Rows of x, and the sine and cosine for them: on numbers numpy is ten times slower."""
    x = np.asarray(x)
    if x.ndim > 1:
        return list(x), np.sin, np.cos
    rows = x.tolist()
    if isinstance(rows[0], complex):
        return rows, cmath.sin, cmath.cos
    return rows, math.sin, math.cos


def stacked(*rows: Number) -> State:
    """Rows as one array, component first; a row that does not depend on the state is repeated."""
    if any(isinstance(row, np.ndarray) for row in rows):
        return np.array(np.broadcast_arrays(*rows))
    return np.array(rows)


def perturbed(x: Array) -> npt.NDArray[np.complex128]:
    """Copies of a state (n,), as columns (n, n), the j-th with a step in component j."""
    columns = np.empty((len(x), len(x)), dtype=np.complex128)
    columns[:] = x[:, None]
    columns.flat[:: len(x) + 1] += 1j * STEP
    return columns
