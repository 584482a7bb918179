"""Cameras with a name, from which a scene is seen.

Frames: W world (z up).
"""

# (No `from __future__ import annotations` here: Drake's YAML reader needs the types themselves.)

import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from footfall.checked import Checked, between, finite
from footfall.errors import ScenarioError
from footfall.wording import did_you_mean

FIELD_OF_VIEW = 30.0  # degrees
# degrees: beyond, a picture shows nothing that a person would know
_METRES = "give three finite numbers of metres"
_NARROWEST, _WIDEST = 1.0, 170.0


@dataclass
class Camera(Checked, at="cameras: "):
    """A camera that stands still, upright: z of W points up in its picture.

    One that looks straight down or up has y of W up in its picture, x to the right.
    """

    # p_WC: where it stands [m].
    position: list[float] = finite([0.0, -5.0, 1.5], _METRES, size=3)
    # A point in the middle of its picture [m].
    target: list[float] = finite([0.0, 0.0, 0.5], _METRES, size=3)
    # Angle between the upper and the lower edge of the picture [deg].
    field_of_view: float = between(FIELD_OF_VIEW, _NARROWEST, _WIDEST)

    def __post_init__(self) -> None:
        """Refuse a camera that looks nowhere."""
        super().__post_init__()
        if math.dist(self.position, self.target) == 0.0:
            raise ScenarioError(
                f"cameras: position and target are both {self.position}: a camera looks from the "
                "one to the other, so move one of them."
            )


def check_camera(camera: str, cameras: Collection[str]) -> None:
    """Raise ScenarioError unless a camera is one of those that a scenario has."""
    if camera not in cameras:
        none = "the scenario has no cameras: name none, to see all, or write one under cameras"
        mended = did_you_mean(camera, cameras) if cameras else none
        raise ScenarioError(f"there is no camera '{camera}'; {mended}")


def with_default(mapping: dict[str, Any]) -> dict[str, Any]:
    """A scenario as YAML has it, with the first of its cameras chosen where it chooses none.

    The choice is kept by name, because Drake's writer sorts what has names.
    """
    cameras = mapping.get("cameras")
    if "camera" in mapping or not isinstance(cameras, dict) or not cameras:
        return mapping
    return mapping | {"camera": str(next(iter(cameras)))}
