"""Mode of a contact in a step: open, stick or slip."""

import math
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.jit import njit, scratch_njit


class Mode(IntEnum):
    """Mode of a contact."""

    OPEN = 0
    STICK = 1
    SLIP = 2


_OPEN, _STICK, _SLIP = int(Mode.OPEN), int(Mode.STICK), int(Mode.SLIP)


@njit
def classify(
    impulse: Array, velocity: Array, mu: Array, tolerance: float = 1e-8, speed: float = 1.0
) -> npt.NDArray[np.int8]:
    """Mode of n contacts from impulses [N s] and end velocities [m/s], both (n, 3) in [n, t, s].

    Open: the normal impulse is at most ``tolerance`` times the largest one (or zero). Stick: the
    impulse lies inside its cone by more than ``tolerance`` of mu r_n, or on its boundary with a
    tangential velocity of at most ``tolerance * speed``. Slip: the rest. ``mu`` (n,); ``speed``
    [m/s] is what counts as fast for the machine. The default tolerance is a hundred times the
    error that an accepted solution may have.
    """
    n = mu.shape[0]
    modes = np.zeros(n, dtype=np.int8)
    largest = 0.0
    for i in range(n):
        largest = max(largest, impulse[i, 0])
    for i in range(n):
        friction = math.hypot(impulse[i, 1], impulse[i, 2])
        slip = math.hypot(velocity[i, 1], velocity[i, 2])
        modes[i] = mode_of(impulse[i, 0], friction, slip, mu[i], largest, tolerance, speed)
    return modes


@scratch_njit
def mode_of(
    normal: float,
    friction: float,
    slip: float,
    mu: float,
    largest: float,
    tolerance: float,
    speed: float,
) -> int:
    """Mode of one contact; see ``classify``. largest: of the normal impulses."""
    if not normal > tolerance * largest:
        return _OPEN
    inside = friction < (1.0 - tolerance) * mu * normal
    return _STICK if inside or slip <= tolerance * speed else _SLIP
