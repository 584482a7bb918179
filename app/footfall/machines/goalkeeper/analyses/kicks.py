"""Kicks of the ball: from where, at which speed, towards which place on the goal line."""

from dataclasses import dataclass

import numpy as np

from footfall.arrays import Array


@dataclass(frozen=True, eq=False)
class Kicks:
    """n kicks of a ball that lies on the grass and gets no spin; frame of the field.

    origin (n, 2) [m]; speed (n,) [m/s]; target (n,): x of the place on the goal line y = 0 that the
    ball is sent to [m].
    """

    origin: Array
    speed: Array
    target: Array

    def __len__(self) -> int:
        """Count the kicks."""
        return len(self.speed)

    @property
    def direction(self) -> Array:
        """Unit vectors (n, 2) from the origins to the targets."""
        offset = np.column_stack((self.target, np.zeros(len(self)))) - self.origin
        length: Array = np.hypot(offset[:, 0], offset[:, 1])
        return offset / length[:, None]
