"""Fall detection: a link has come too near to the ground.

Frames: T terrain, L the link. A height is that of L's origin along T's z axis, from the
surface of uneven ground.
"""

import math
from collections.abc import Mapping

from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import Frame
from pydrake.systems.framework import Context

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

    Raises ModelError for a link that the plant does not have.
    """

    def __init__(
        self, plant: MultibodyPlant, heights: Mapping[str, float], surface: Surface | None = None
    ) -> None:
        """Look the links up; surface: what makes the ground uneven."""
        self._surface = surface
        self._plant = plant
        self._terrain: Frame = plant.GetFrameByName(FRAME_NAME)
        links = require_frames(plant, list(heights))
        self._links = list(zip(links, heights.values(), strict=True))

    def __len__(self) -> int:
        """Count the links that are watched."""
        return len(self._links)

    def fallen(self, context: Context) -> str:
        """Say which link is too low in a context of the plant; empty while none is."""
        for link, least in self._links:
            p_TL = link.CalcPose(context, self._terrain).translation()
            height = p_TL[2]
            if self._surface is not None:
                height -= self._surface.heights(p_TL[None])[0]
            if height < least:
                return f"{full_name(self._plant, link)} is {height:.3g} m above the ground"
        return ""
