"""Footholds: where near a place the ground below a foot is flat enough to stand on."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from footfall.arrays import Array
from footfall.checked import Checked, not_negative
from footfall_controllers.walking.footsteps import rotation, turned
from footfall_controllers.walking.memory import Memory
from footfall_controllers.walking.walking_ground import WalkingGround

_STEP = 0.01  # m: of the search
_ALONG, _ACROSS = 5, 3  # points of the ground that are looked at under a foot


@dataclass
class FootholdSearch(Checked, at="controller.walk.footholds."):
    """Search for ground that is flat enough to stand on, near where a foot would land."""

    # How far a landing may be moved ahead or back [m].
    reach: float = not_negative(0.15)
    # Ground around the sole that has to be as flat [m].
    margin: float = not_negative(0.02)
    # Largest distance of the ground from a plane below the sole [m].
    flat: float = not_negative(0.004)


@dataclass(frozen=True, eq=False)
class Foothold:
    """Place (2,), heading and height of a sole's middle, and normal (3,) of the ground there."""

    place: Array
    heading: float
    height: float
    normal: Array

    @cached_property
    def axes(self) -> Array:
        """Axes (3, 3) of a sole that stands here: z along the normal."""
        return self.tilt @ turned(self.heading)

    @cached_property
    def tilt(self) -> Array:
        """Rotation (3, 3) that takes the vertical to the normal by the shortest way."""
        x, y, z = self.normal
        a = 1.0 / (1.0 + z)
        return np.array(
            [[1.0 - a * x * x, -a * x * y, x], [-a * x * y, 1.0 - a * y * y, y], [-x, -y, z]]
        )


class Footholds:
    """Looks for footholds on a ground; remembers the last ones, of which many are asked for again.

    soles: of each foot its outline (n, 2) about its middle, in the axes of the walk [m].
    """

    def __init__(
        self, ground: WalkingGround, soles: Mapping[str, Array], search: FootholdSearch
    ) -> None:
        """Lay points out below each sole."""
        self.ground, self.soles = ground, soles
        self._search = search
        self._points = {foot: _points(sole, search.margin) for foot, sole in soles.items()}
        self._planes = {
            foot: np.linalg.pinv(np.column_stack([np.ones(len(points)), points]))
            for foot, points in self._points.items()
        }
        self._found = Memory[Foothold]()

    def at(self, foot: str, place: Array, heading: float) -> Foothold:
        """Return the foothold at a place (2,), such as it is."""
        return self._remembered(foot, place, heading, near=False)

    def near(self, foot: str, place: Array, heading: float) -> Foothold:
        """Return the nearest flat one, ahead of a place or behind it; without one the flattest."""
        return self._remembered(foot, place, heading, near=not self.ground.flat)

    def _remembered(self, foot: str, place: Array, heading: float, *, near: bool) -> Foothold:
        of = (foot, near, *place.tolist(), heading)
        return self._found.get(of, lambda: self._look(foot, place, heading, near=near))

    def _look(self, foot: str, place: Array, heading: float, *, near: bool) -> Foothold:
        if self.ground.flat:
            height = float(self.ground.heights(place[None])[0])
            return Foothold(place, heading, height, self.ground.R_WT[:, 2])
        steps = int(self._search.reach / _STEP) if near else 0
        shifts = _STEP * np.array(sorted(range(-steps, steps + 1), key=abs))
        turn, points = rotation(heading), self._points[foot]
        ahead = place + shifts[:, None] * turn[:, 0]
        below = ahead[:, None] + points @ turn.T
        heights = self.ground.heights(below.reshape(-1, 2)).reshape(len(shifts), -1)
        planes = heights @ self._planes[foot].T
        off = np.abs(planes[:, :1] + planes[:, 1:] @ points.T - heights).max(axis=1)
        flat = np.flatnonzero(off <= self._search.flat)
        best = flat[0] if len(flat) else off.argmin()
        height, *slopes = planes[best]
        normal = np.append(-turn @ np.array(slopes), 1.0)
        return Foothold(ahead[best], heading, float(height), normal / np.linalg.norm(normal))


def _points(sole: Array, margin: float) -> Array:
    """Points (k, 2) over a sole and the margin around it."""
    low, high = sole.min(axis=0) - margin, sole.max(axis=0) + margin
    x, y = np.linspace(low[0], high[0], _ALONG), np.linspace(low[1], high[1], _ACROSS)
    return np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
