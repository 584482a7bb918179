"""Start and end of a step, as the engine hands them to a scheme and gets them back."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.engines.ports import DIVERGED
from footfall.jit import njit

Solve = Callable[[Array, Array, Array, Array], Array]
"""From M, the force, v_A and G to v_E, under the contacts of a step."""


class Start(NamedTuple):
    """Start of a step: q_A, q_M as foreseen, v_A; torques of the actuators, before their limits.

    applied: gives the generalized force of pushes at the state that the dynamics hold. active:
    indices of the contacts that take part.
    """

    q_a: Array
    q_m: Array
    v_a: Array
    torques: Array
    applied: Callable[[], Array]
    active: npt.NDArray[np.int64]


class Ends(NamedTuple):
    """End of a step: q_E before loops are closed to rounding, v_E, and M at q_M.

    found: whether an iteration ended there.
    """

    q: Array
    v: Array
    mass: Array
    found: bool = True


@njit
def is_near(v: Array) -> bool:
    """Return whether velocities (nv,) are numbers, and none huge."""
    for value in v:  # noqa: SIM110 (a kernel knows no generators)
        if not abs(value) < DIVERGED:  # nor where it is NaN
            return False
    return True
