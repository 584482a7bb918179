"""Touch-down of swinging feet: what ends a swing where a walk goes by contact instead of by time.

The steps keep their beat: what a foot is early or late by is made up for while all feet stand.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from footfall.arrays import Array
from footfall.checked import Checked, between, not_negative, positive

ALOFT = -1.0
"""Time of the touch-down of a foot that has not come down."""

_SAME = 1e-9  # s
_REACHED = 0.05  # s before the end of a swing, in which a foot takes up the speed of its search


@dataclass
class TouchDown(Checked, at="controller.walk.by_contact."):
    """Swings that end when their feet are felt on the ground, as by switches in the soles."""

    # Load from which on a foot is felt, as a share of the robot's weight, and for how long it has
    # to be felt [s].
    load: float = positive(0.01, "give a share of the weight above 0")
    confirmed: float = not_negative(0.0)
    # Shares of a swing before which no foot counts as down, and after which all do.
    earliest: float = between(0.6, 0.0, 1.0, open_low=True)
    latest: float = between(1.1, 1.0, np.inf, "give a share from 1 on", open_high=True)
    # Speed at which a foot comes down and looks for the ground that it has not met in time [m/s].
    probe: float = not_negative(0.3)
    # Least share of the overlap in which all feet stand: what they are early or late by is made up
    # for, so that steps keep their beat.
    stance: float = between(0.5, 0.0, 1.0, open_low=True)

    def felt_for(self, felt: Array, contact: Array, time: float) -> Array:
        """Return how long feet have been felt (F,) [s], some time after they were so for `felt`."""
        return np.where(contact, felt + time, 0.0)

    def down(self, felt: Array, gone: float, swing: float) -> NDArray[np.bool_]:
        """Return which feet (F,) count as down, a time after a swing of some length began [s]."""
        if gone < self.earliest * swing - _SAME:
            return np.zeros(len(felt), dtype=bool)
        late = gone >= self.latest * swing - _SAME
        return (felt > 0.0) & (felt >= self.confirmed - _SAME) | late

    def overlap(self, length: float, since: float, beat: float) -> float:
        """Length of an overlap [s] that begins at a time, to end with the beat of the walk."""
        return max(beat - since, self.stance * length)

    def below(self, late: float) -> tuple[float, float, float]:
        """Depth below its place at which a foot is led [m], and its two rates.

        late: time since the foot should be down [s], negative before.
        It comes down with the speed of its search, so that it presses where it meets the ground.
        """
        gone = late + _REACHED
        if gone <= 0.0:
            return 0.0, 0.0, 0.0
        if gone < _REACHED:
            rate = self.probe / _REACHED
            return 0.5 * rate * gone**2, rate * gone, rate
        return self.probe * (gone - 0.5 * _REACHED), self.probe, 0.0
