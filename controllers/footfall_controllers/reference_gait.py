"""Play a sampled gait of the actuated joints, held between samples."""

from dataclasses import dataclass, field

import numpy as np
from pydrake.systems.framework import BasicVector, Context, LeafSystem

from footfall.arrays import Array
from footfall.checked import POSITIVE, Checked, not_negative

# a sample belongs to the step that starts with it, whatever the rounding of k * dt
_TIME_ROUNDING = 1e-6


@dataclass(frozen=True)
class SampledGait(Checked):
    """One period of a gait: position, velocity and acceleration, each (N, n), and how it is played.

    Sample k is held from k * sample_period [s] on. repetitions: the periods that are played before
    the last sample is held for good; 0 plays for ever. Raises ValueError for tables of different
    shapes and numbers of the wrong sign.
    """

    position: Array
    velocity: Array
    acceleration: Array
    sample_period: float = field(metadata=POSITIVE)
    repetitions: int = not_negative(0)

    def __post_init__(self) -> None:
        """Refuse tables that do not fit together."""
        super().__post_init__()
        if not self.position.shape == self.velocity.shape == self.acceleration.shape:
            raise ValueError(
                "position, velocity and acceleration of a gait must have the same shape (N, n)"
            )

    def index_at(self, time: float) -> int:
        """Return the sample in force at a time [s]."""
        count = len(self.position)
        step = int(np.floor(time / self.sample_period + _TIME_ROUNDING))
        if self.repetitions and step >= self.repetitions * count:
            return count - 1
        return step % count


class ReferenceGait(LeafSystem):
    """Output ``reference`` = [q_d, v_d, a_d] of the n actuated joints, size 3 n."""

    def __init__(self, gait: SampledGait) -> None:
        """Take the table to play."""
        super().__init__()
        self._gait = gait
        self._rows = np.hstack((gait.position, gait.velocity, gait.acceleration))
        self.DeclareVectorOutputPort("reference", self._rows.shape[1], self._calc_reference)

    def copy(self) -> "ReferenceGait":
        """Another source of the same reference: a system belongs to one diagram only."""
        return ReferenceGait(self._gait)

    def sample(self, time: float) -> Array:
        """Reference at a time [s], rows q_d, v_d, a_d, shape (3, n)."""
        return self._rows[self._gait.index_at(time)].reshape(3, -1)

    def _calc_reference(self, context: Context, output: BasicVector) -> None:
        output.SetFromVector(self._rows[self._gait.index_at(context.get_time())])
