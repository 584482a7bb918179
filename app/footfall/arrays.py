"""The types of arrays, which nearly every module speaks of."""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[np.float64]
"""Numbers of double precision; the docstring says shape and unit."""

Indices: TypeAlias = npt.NDArray[np.int64]
"""Whole numbers, mostly places in other arrays."""

Flags: TypeAlias = npt.NDArray[np.bool_]
"""Yes or no, an entry each."""
