"""The four phases of a gait cycle, and whose joints they move.

Angles theta2 to theta13 of a leg, and everything that goes with them, stand in arrays of twelve at
index i - 2; even numbers are the left leg's. Sides are 0, left, and 1, right.
"""

from enum import IntEnum

import numpy as np
import numpy.typing as npt

NUM_ANGLES = 12
HIP_ROLL, HIP_PITCH, KNEE, ANKLE_PITCH, ANKLE_ROLL, TOE = range(6)
"""Joints of a leg from the hip down; that of side s has the index 2 joint + s."""

NAMES = ("hip_roll", "hip_pitch", "knee", "ankle_pitch", "ankle_roll", "toe")
SIDES = ("left", "right")
JOINTS = tuple(f"{side}_{name}" for name in NAMES for side in SIDES)
"""Names of theta2 to theta13 in the model."""


class GaitPhase(IntEnum):
    """Phase of a gait cycle by the foot that is flat on the ground; numbered as in figure 4.2.

    In double support the other foot turns about its toe, which is fixed to the ground.
    """

    LEFT_DOUBLE = 0
    LEFT_SINGLE = 1
    RIGHT_DOUBLE = 2
    RIGHT_SINGLE = 3

    @property
    def side(self) -> int:
        """Side of the flat foot."""
        return self.value // 2

    @property
    def is_double(self) -> bool:
        """Return True where both feet are on the ground."""
        return self.value % 2 == 0

    @property
    def following(self) -> "GaitPhase":
        """Phase that follows: left double, left single, right double, right single support."""
        return GaitPhase((self.value + 1) % 4)

    @property
    def words(self) -> str:
        """Name as the thesis gives it, shortened."""
        support = "double" if self.is_double else "single"
        return f"{SIDES[self.side]} foot flat, {support} support"


PHASE_NAMES = tuple(phase.name.lower() for phase in GaitPhase)
"""Names of the phases in scenarios and files, by their number."""


def moving_joints(phase: GaitPhase) -> npt.NDArray[np.int64]:
    """Indices of the joints that move, in the order of tables 3.1 to 3.4.

    In single support from the standing foot to the swinging one; in double support from the toe
    that is fixed to the foot that is flat.
    """
    legs = np.arange(ANKLE_ROLL, -1, -1)  # from the ground to the pelvis
    stands, other = 2 * legs + phase.side, 2 * legs + 1 - phase.side
    if not phase.is_double:
        return np.concatenate((stands, other[::-1]))
    return np.concatenate(([2 * TOE + 1 - phase.side], other, stands[::-1]))


MOVING = np.array([np.resize(moving_joints(phase), 11) for phase in GaitPhase])
"""These of all phases, (4, 11); in single support the first ten count."""
