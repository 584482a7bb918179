"""Types of arrays, which nearly every module speaks of, and stretches of flags."""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[np.float64]
"""Numbers of double precision; the docstring says shape and unit."""

Indices: TypeAlias = npt.NDArray[np.int64]
"""Whole numbers, mostly places in other arrays."""

Flags: TypeAlias = npt.NDArray[np.bool_]
"""Yes or no, an entry each."""


def stretches(on: Flags) -> Indices:
    """Return the stretches of flags (n,) that are set, (k, 2): first entry, and the one after."""
    edges = np.diff(np.concatenate(([False], on, [False])).astype(np.int8))
    return np.flatnonzero(edges).reshape(-1, 2)
