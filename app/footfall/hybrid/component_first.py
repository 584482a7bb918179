"""States with their components first: (n,) for one state, (n, k) for many, real or complex."""

import cmath
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

State = npt.NDArray[Any]  # component first, real or complex
Number = Any  # of one state a number, of many an array (k,); real or complex


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
