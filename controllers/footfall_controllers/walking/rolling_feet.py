"""Feet of a walk that roll from heel to toe: how they are turned, and which of their edges bear."""

from collections.abc import Mapping

import numpy as np

from footfall.arrays import Array
from footfall_controllers.walking.foot_roll import (
    FootRoll,
    edges,
    halves,
    pitch_of,
    pivot,
    turned_by,
)
from footfall_controllers.walking.gait_schedule import Phase
from footfall_controllers.walking.swing_foot import EARLY, Motion, turn_between
from footfall_controllers.walking.walk_geometry import WalkGeometry
from footfall_controllers.walking.walk_state import WalkState
from footfall_controllers.whole_body.terms import cross

_STEP = 1e-4  # s: of differences


class RollingFeet:
    """Adds the roll of feet to a walk with flat ones; without a roll it adds nothing."""

    def __init__(self, geometry: WalkGeometry, roll: FootRoll | None) -> None:
        """Take the places of the walk."""
        self._geometry, self._roll = geometry, roll

    def pitch(self, walk: WalkState, k: int, now: float) -> float:
        """Pitch of a foot [rad]."""
        return self._pitch(walk, k, now)[0]

    def _pitch(self, walk: WalkState, k: int, now: float) -> tuple[float, float]:
        roll, geometry = self._roll, self._geometry
        if roll is None:
            return 0.0, 0.0
        schedule, phase = geometry.p.gait, Phase(walk.phase)
        name, gone = geometry.names[k], now - walk.since
        return pitch_of(roll, schedule, phase, walk.step, name, gone, walk.length)

    def axes(self, walk: WalkState, k: int, now: float) -> Motion:
        """Axes of a sole, if it did not roll; in the air they turn over to those where it lands."""
        geometry = self._geometry
        below = geometry.below(walk, k).axes
        if k not in geometry.swinging(walk):
            return below, np.zeros(3), np.zeros(3)
        end = geometry.landing(walk, k, walk.step).axes
        length = EARLY * geometry.p.gait.swing
        return turn_between(below, end, length, now - walk.since)

    def turn(self, walk: WalkState, k: int, flat: Motion, now: float) -> Motion:
        """Orientation (3, 3) of a foot's link, its angular velocity and the rate of that (3,).

        flat: the same of the axes of its sole, if it did not roll.
        """
        axes, turning, late = flat
        level = self._geometry.start(walk).level[k]
        if self._roll is None:
            return axes @ level, turning, late
        angles = [self._pitch(walk, k, now + ahead)[0] for ahead in (-_STEP, 0.0, _STEP)]
        rate, acceleration = _differences(np.array(angles))
        across = axes[:, 1]
        R: Array = axes @ turned_by(angles[1]) @ level
        more = acceleration * across + rate * cross(turning, across)
        return R, turning + rate * across, late + more

    def offset(self, walk: WalkState, k: int, axes: Array, now: float) -> Motion:
        """Offset of the middle of a sole from where it were if the foot were flat [m].

        axes (3, 3): of the sole, if it did not roll; their turn is slow beside that of the roll.
        """
        if self._roll is None:
            return np.zeros(3), np.zeros(3), np.zeros(3)
        geometry = self._geometry
        foot = geometry.p.feet[geometry.names[k]]
        offsets = []
        for late in (-_STEP, 0.0, _STEP):
            angle, share = self._pitch(walk, k, now + late)
            arm = geometry.start(walk).level[k] @ (foot.centre - pivot(foot.corners, share))
            offsets.append(axes @ (turned_by(angle) @ arm - arm))
        rate, acceleration = _differences(np.array(offsets))
        return offsets[1], rate, acceleration

    def rolls(self, walk: WalkState, k: int) -> bool:
        """Return whether a foot that stands is being turned, or has just been."""
        if self._roll is None or walk.phase != Phase.OVERLAP:
            return False
        schedule = self._geometry.p.gait
        following, after = schedule.after(Phase.OVERLAP, walk.step)
        lifting = schedule.group(after) if following is Phase.SWING else ()
        return self._geometry.names[k] in {*schedule.group(walk.step), *lifting}

    def led(self, k: int, contacts: Mapping[str, float]) -> float:
        """Share by which the orientation of a foot is led: what its contacts leave free."""
        foot = self._geometry.p.feet[self._geometry.names[k]]
        return 1.0 - min(contacts[name] for name in halves(foot.link))

    def corners(self, walk: WalkState, now: float) -> dict[int, Array]:
        """Corners of soles that bear on one of their edges alone, by foot."""
        bearing = {}
        for k, name in enumerate(self._geometry.names):
            angle = self.pitch(walk, k, now)
            if angle and walk.phase == Phase.OVERLAP:
                bearing[k] = edges(self._geometry.p.feet[name].corners)[int(angle > 0.0)]
        return bearing

    def shares(self, walk: WalkState, now: float, contacts: dict[str, float]) -> dict[str, float]:
        """Return activations of contacts with those of halves of soles, by name.

        contacts: by link, as if feet were flat.
        """
        roll, geometry = self._roll, self._geometry
        if roll is None:
            return contacts
        activations, gone = dict(contacts), now - walk.since
        schedule, ramp = geometry.p.gait, geometry.p.gait.ramp
        for k, name in enumerate(geometry.names):
            foot = geometry.p.feet[name]
            heel, ball = halves(foot.link)
            flat = activations.pop(foot.link)
            activations[heel] = activations[ball] = flat
            if walk.phase != Phase.OVERLAP or not self.rolls(walk, k):
                continue
            if name in schedule.group(walk.step):
                late = roll.settle if walk.step < schedule.steps - 1 else 0.0
                activations[ball] = min(flat, max((gone - late) / ramp, 0.0))
                others = [link for link in foot.contacts if link != foot.link]
                activations |= dict.fromkeys(others, activations[ball])
            else:
                risen = gone - walk.length + roll.rise
                activations[heel] = min(flat, max(1.0 - risen / ramp, 0.0))
        return activations


def _differences(values: Array) -> tuple[Array, Array]:
    """First and second derivative in the middle of three values (3, ...)."""
    before, here, after = values
    return (after - before) / (2.0 * _STEP), (after - 2.0 * here + before) / _STEP**2
