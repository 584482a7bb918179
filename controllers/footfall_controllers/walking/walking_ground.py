"""The ground that a walking robot knows: its height below points of the world."""

from dataclasses import dataclass, field

import numpy as np

from footfall.arrays import Array
from footfall.plants.terrain import Surface

_ROUNDS = 4  # of following a vertical line down to a surface on a slope


@dataclass(frozen=True, eq=False)
class WalkingGround:
    """Plane through the origin of the world, and pieces that stand on it.

    R_WT: axes of the plane, whose z is its normal (3, 3). surface: of pieces in T, None: none.
    """

    R_WT: Array = field(default_factory=lambda: np.eye(3))
    surface: Surface | None = None

    @property
    def flat(self) -> bool:
        """True of a plane, on which one foothold is as good as another."""
        return self.surface is None or not self.surface.pieces

    def heights(self, points: Array) -> Array:
        """Height (n,) in the world of the ground below points (n, 2) [m]."""
        R = self.R_WT
        z: Array = -(points @ R[:2, 2]) / R[2, 2]
        if self.flat or self.surface is None:
            return z
        plane = z
        for _ in range(_ROUNDS if R[2, 2] < 1.0 else 1):
            above = self.surface.heights(np.column_stack([points, z]) @ R)
            z = plane + above / R[2, 2]
        return z
