"""Cycle of the steps of a walk: phases follow each other, feet leave the ground and land."""

from collections.abc import Sequence

import numpy as np

from footfall.arrays import Array
from footfall_controllers.walking.gait_schedule import Phase
from footfall_controllers.walking.memory import Memory
from footfall_controllers.walking.rolling_feet import RollingFeet
from footfall_controllers.walking.touch_down import ALOFT
from footfall_controllers.walking.walk_geometry import RETURN, WalkGeometry, middle
from footfall_controllers.walking.walk_state import WalkState
from footfall_controllers.whole_body.terms import RobotTerms

_SAME = 1e-9  # s


class StepCycle:
    """Takes a walk on, by time or by the touch-down of its feet."""

    def __init__(self, terms: RobotTerms, geometry: WalkGeometry, rolling: RollingFeet) -> None:
        """Take terms that have the state of the robot whenever a walk is taken on."""
        self._terms, self._geometry, self._rolling = terms, geometry, rolling
        self._lowest = Memory[float]()

    def feel(self, walk: WalkState, contact: Array, now: float) -> None:
        """Let swinging feet land that are felt; contact: which feet are, (F,)."""
        geometry = self._geometry
        touch_down = geometry.p.gait.by_contact
        if touch_down is None:
            return
        walk.felt = touch_down.felt_for(walk.felt, contact, geometry.p.period)
        if walk.phase == Phase.SWING:
            down = touch_down.down(walk.felt, now - walk.since, walk.length)
            self._land(walk, [k for k in geometry.swinging(walk) if down[k]], now)

    def follow(self, walk: WalkState, now: float) -> None:
        """Go on to the next phase when its time has come, or its feet are down."""
        geometry, phase = self._geometry, Phase(walk.phase)
        if not self._over(walk, now):
            return
        if phase is Phase.SWING:
            walk.left = geometry.pressed(walk.places[geometry.bearing(walk)], 1)
            walk.level = self.lowest(walk)
            self._land(walk, geometry.swinging(walk), now)
        else:
            walk.left = middle(walk.places)
        following, walk.step = geometry.p.gait.after(phase, walk.step)
        walk.phase, walk.since, walk.time = int(following), now, now
        walk.length = self._length(walk)
        if following is Phase.SWING:
            self._lift_off(walk)

    def lowest(self, walk: WalkState) -> float:
        """Level of the ground at the end of a swing: of the lower foot, so that its leg reaches."""
        of = (*self._geometry.course(walk), walk.places.tobytes(), walk.down.tobytes())
        return self._lowest.get(of, lambda: self._lowest_of(walk))

    def _lowest_of(self, walk: WalkState) -> float:
        geometry = self._geometry
        standing = walk.places[geometry.bearing(walk), 2].mean()
        landing = [
            geometry.height(walk, k, geometry.landing(walk, k, walk.step))
            if walk.down[k] == ALOFT
            else walk.places[k, 2]
            for k in geometry.group(walk.step)
        ]
        return float(min(standing, np.mean(landing)))

    def _over(self, walk: WalkState, now: float) -> bool:
        if walk.phase == Phase.SWING and self._geometry.p.gait.by_contact is not None:
            return not self._geometry.swinging(walk)
        return now - walk.since >= walk.length - _SAME

    def _length(self, walk: WalkState) -> float:
        """Length of a phase that begins [s]."""
        schedule, touch_down = self._geometry.p.gait, self._geometry.p.gait.by_contact
        length = schedule.length(Phase(walk.phase), walk.step)
        if walk.phase != Phase.OVERLAP or touch_down is None:
            return length
        beat = walk.begun + schedule.swing + length
        return touch_down.overlap(length, walk.since, beat)

    def _land(self, walk: WalkState, feet: Sequence[int], now: float) -> None:
        """Take feet down where they are."""
        for k in feet:
            walk.places[k] = self._geometry.measured(walk, k, self._offset(walk, k, now))
            walk.down[k] = now

    def _lift_off(self, walk: WalkState) -> None:
        """Begin a swing where the feet are."""
        geometry = self._geometry
        walk.begun = walk.since
        walk.down[:] = ALOFT
        if walk.step:
            walk.shift = RETURN * walk.shift
        offsets = [self._offset(walk, k, walk.since) for k in range(len(geometry.names))]
        for k, offset in enumerate(offsets):
            walk.places[k] = geometry.measured(walk, k, offset)
        for k in geometry.swinging(walk):
            foot = geometry.p.feet[geometry.names[k]]
            p = self._terms.link(foot.link).at(foot.centre)[0] - offsets[k]
            walk.swings[k] = np.concatenate([p, np.zeros(6)])
            walk.places[k, 2] = p[2]

    def _offset(self, walk: WalkState, k: int, now: float) -> Array:
        """Offset of the middle of a sole by the roll of the foot (3,) [m]."""
        axes = self._rolling.axes(walk, k, now)[0]
        return self._rolling.offset(walk, k, axes, now)[0]
