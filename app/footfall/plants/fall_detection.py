"""Fall detection: a link has come too near to the ground.

Frames: T terrain, L the link. A height is that of L's origin along T's z axis, from the
surface of uneven ground.
"""

import math
from collections.abc import Mapping

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import Frame
from pydrake.systems.framework import Context

from footfall.arrays import Array
from footfall.errors import ScenarioError
from footfall.plants.coordinates import full_name
from footfall.plants.names import require_frames
from footfall.plants.terrain import FRAME_NAME, Surface


def check_heights(heights: Mapping[str, float], expected: float | None = None) -> None:
    """Raise ScenarioError for a height that is no number, or a fall that cannot be told.

    expected: time by which the machine is meant to have fallen [s].
    """
    for link, height in heights.items():
        if not math.isfinite(height):
            raise ScenarioError(f"fallen_below.{link} is {height}: give a finite height in metres.")
    if expected is None:
        return
    if not (math.isfinite(expected) and expected > 0.0):
        raise ScenarioError(f"expected_fall is {expected}: give a positive number of seconds.")
    if not heights:
        raise ScenarioError(
            "expected_fall: say below which height a link has fallen, fallen_below."
        )


class FallDetector:
    """Links of a plant and the heights [m] below which the machine has fallen.

    frames: the links. Raises ModelError for a link that the plant does not have.
    """

    def __init__(
        self, plant: MultibodyPlant, heights: Mapping[str, float], surface: Surface | None = None
    ) -> None:
        """Look the links up; surface: what makes the ground uneven."""
        self.frames: list[Frame] = require_frames(plant, list(heights))
        self._names = [full_name(plant, frame) for frame in self.frames]
        self._least, self._surface = np.array([*heights.values()]), surface
        terrain = plant.GetFrameByName(FRAME_NAME).CalcPoseInWorld(plant.CreateDefaultContext())
        self._R_WT: Array = terrain.rotation().matrix()
        self._p_WT: Array = terrain.translation()

    def fallen(self, context: Context) -> str:
        """Say which link is too low in a context of the plant; empty while none is."""
        places = [frame.CalcPoseInWorld(context).translation() for frame in self.frames]
        return self.first_fallen(np.reshape(places, (1, -1, 3)))[1]

    def first_fallen(self, p_WF: Array) -> tuple[int, str]:
        """Say which link is first too low, and in which row of places (n, frames, 3) [m] in W.

        n, and nothing, where none is.
        """
        p_TF = (p_WF - self._p_WT) @ self._R_WT
        heights = p_TF[:, :, 2]
        if self._surface is not None:
            heights = heights - self._surface.heights(p_TF.reshape(-1, 3)).reshape(heights.shape)
        low = np.argwhere(heights < self._least)
        if len(low) == 0:
            return len(p_WF), ""
        row, link = low[0]
        height = heights[row, link]
        return int(row), f"{self._names[link]} is {height:.3g} m above the ground"
