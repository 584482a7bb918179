"""Course of the zero-moment point of a walk, from foot to foot, and the error of the capture point.

In a swing it rests in the middle of the feet that stand, while all stand it goes over to the
next ones in straight lines.
"""

import numpy as np

from footfall.arrays import Array
from footfall_controllers.walking.gait_schedule import Phase
from footfall_controllers.walking.preview_plan import PreviewPlan, Segment
from footfall_controllers.walking.walk_geometry import WalkGeometry, middle
from footfall_controllers.walking.walk_state import WalkState

_AHEAD = 4  # steps that the plan looks ahead; e^-(w T) of each counts


def segments(geometry: WalkGeometry, walk: WalkState) -> list[Segment]:
    """Course of the zero-moment point from the beginning of the phase, some steps ahead."""
    schedule, phase, step = geometry.p.gait, Phase(walk.phase), walk.step
    places = walk.places.copy()
    at, found = walk.left, []
    for index in range(2 * _AHEAD):
        length = schedule.length(phase, step) if index else walk.length
        if not np.isfinite(length):
            break
        following, after = schedule.after(phase, step)
        if phase is Phase.SWING:
            swings = geometry.group(step)
            standing = np.delete(places, swings, axis=0)
            at, goal = (geometry.pressed(standing, share) for share in (0, 1))
            for k in swings:
                hold = geometry.landing(walk, k, step)
                places[k, :2], places[k, 3] = hold.place, hold.heading
        elif following is Phase.SWING:
            goal = geometry.pressed(np.delete(places, geometry.group(after), axis=0), 0)
        else:
            goal = middle(places) if phase is not Phase.BEGIN else at
        if length > 0.0:
            found.append(Segment(length, at, goal))
        at, phase, step = goal, following, after
    return [*found, Segment(1.0, at, at)]


class CapturePlan:
    """Plan of the capture point over the steps to come, solved again where the walk has changed."""

    def __init__(self, geometry: WalkGeometry) -> None:
        """Take the geometry of the walk."""
        self._geometry = geometry
        self._of: list[object] = []
        self._plan: PreviewPlan | None = None

    def error(self, walk: WalkState, capture_point: Array, now: float) -> tuple[Array, Array]:
        """Return the error of the capture point (2,) and the zero-moment point (2,) of the plan."""
        gone = now - walk.since
        if walk.phase == Phase.SWING:  # which lasts until its feet are down
            gone = min(gone, walk.length)
        x, z = self._planned(walk).at(gone)
        return capture_point - x, z

    def _planned(self, walk: WalkState) -> PreviewPlan:
        known: list[object] = [walk.phase, walk.step, walk.length, walk.heading, walk.height]
        known += [
            part.tobytes() for part in (walk.origin, walk.shift, walk.left, walk.places, walk.q)
        ]
        if self._plan is None or known != self._of:
            w = self._geometry.start(walk).frequency
            self._of, self._plan = known, PreviewPlan(segments(self._geometry, walk), w)
        return self._plan
