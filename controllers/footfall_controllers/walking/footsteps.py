"""Footsteps of a straight or turning walk: where each foot lands in each step."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from footfall.arrays import Array
from footfall_controllers.walking.memory import Memory


@dataclass(frozen=True, eq=False)
class WalkingFoot:
    """A foot: the link that is led, and the corners (n, 3) [m] of its contacts by link."""

    link: str
    contacts: Mapping[str, Array]

    @cached_property
    def corners(self) -> Array:
        """Corners (n, 3) of the link that is led [m]."""
        return self.contacts[self.link]

    @cached_property
    def centre(self) -> Array:
        """Middle of the sole in the link [m]."""
        return 0.5 * (self.corners.min(axis=0) + self.corners.max(axis=0))


@dataclass(frozen=True, eq=False)
class Footsteps:
    """Landings about a path of the body.

    stance: places of the feet (2,) [m] about the body's, in its axes. stride: way of the body a
    step, ahead and aside (2,) [m]. turn: of the body a step [rad]. steps: how many. The first step
    is half a stride, the last one closes the feet.
    """

    stance: Mapping[str, Array]
    stride: Array
    turn: float
    steps: int
    _landings: Memory[tuple[Array, float]] = field(default_factory=Memory, init=False, repr=False)

    def body(self, index: float) -> tuple[Array, float]:
        """Place (2,) and heading of the body after so many steps, from the origin along x."""
        index = float(min(max(index, 0.0), max(self.steps - 1, 0)))
        heading = self.turn * index
        if abs(self.turn) < 1e-9:
            return self.stride * index, heading
        # a polygon of strides whose directions turn is a circle
        sine, versine = np.sin(heading) / self.turn, (1.0 - np.cos(heading)) / self.turn
        x, y = self.stride
        return np.array([sine * x - versine * y, versine * x + sine * y]), heading

    def landing(self, foot: str, step: int) -> tuple[Array, float]:
        """Place (2,) and heading with which a foot lands in a step, from 0."""
        return self._landings.get((foot, step), lambda: self._landing(foot, step))

    def _landing(self, foot: str, step: int) -> tuple[Array, float]:
        place, heading = self.body(min(step + 0.5, self.steps - 1.5) if self.steps > 1 else 0.0)
        return place + rotation(heading) @ self.stance[foot], heading


def rotation(angle: float) -> Array:
    """Rotation (2, 2) by an angle [rad]."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s], [s, c]])


def turned(heading: float) -> Array:
    """Rotation (3, 3) about the vertical."""
    R = np.eye(3)
    R[:2, :2] = rotation(heading)
    return R
