"""The type of arrays of numbers, which nearly every module speaks of."""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[np.float64]
"""Numbers of double precision; the docstring says shape and unit."""
