"""Plan of the capture point of a walk over the steps to come, and the steps that keep it.

The zero-moment point goes on straight lines: in a swing it rests in the middle of the feet that
stand, while all stand it goes over to the next ones. Of a linear inverted pendulum, c'' = w^2 (c -
z), the capture point x = c + c'/w follows x' = w (x - z): unstable forwards, so it is solved
backwards from the end of the horizon, exactly, segment by segment. J. Englsberger, C. Ott, A.
Albu-Schaeffer, Three-dimensional bipedal walking control based on divergent component of motion,
IEEE Transactions on Robotics 31 (2015).

Landings are shifted by what the zero-moment point cannot take out of an error of the capture point,
within the reach of the legs, about where the foot would land beside those that stand.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from footfall.arrays import Array
from footfall_controllers.walking.divergent_component import step_shift
from footfall_controllers.walking.footsteps import rotation
from footfall_controllers.walking.gait_schedule import Phase
from footfall_controllers.walking.walk import Reach
from footfall_controllers.walking.walk_geometry import RETURN, WalkGeometry, middle
from footfall_controllers.walking.walk_state import WalkState

_SETTLED = 0.08  # s before a landing, its place is not changed any more
_LEAST = 1e-3  # m: smaller shifts of a step are left to the zero-moment point
_ROOM = 0.7  # of the half sole, which the feedback is trusted with for the rest of a step


def more_shift(geometry: WalkGeometry, walk: WalkState, error: Array, now: float) -> Array:
    """Return what an error of the capture point (2,) adds to the shift of the landings (2,)."""
    p, nothing = geometry.p, np.zeros(2)
    left = walk.since + p.gait.swing - now
    reach = p.gait.reach
    lengths = (reach.ahead, reach.outwards, reach.inwards)
    if walk.phase != Phase.SWING or left < _SETTLED or not any(lengths):
        return nothing
    standing, k = geometry.standing(walk), geometry.swinging(walk)[0]
    w = geometry.start(walk).frequency
    # of a shift that the landings after it go back on, the capture point follows a part
    decay = np.exp(-w * p.gait.period)
    share = (1.0 - decay) / (1.0 - RETURN * decay)
    delta = (
        step_shift(error, _room(geometry.polygon(walk, standing), p.gait.margin), left, w) / share
    )
    if np.abs(delta).max() < _LEAST:
        return nothing
    goal = geometry.landing(walk, k, walk.step)
    beside = np.mean([geometry.planned_place(walk, j, walk.step) for j in standing], axis=0)
    nominal = geometry.landing(walk, k, walk.step, shifted=False).place - beside
    at, turn = middle(walk.places[standing]) + nominal, rotation(goal.heading)
    low, high = _sideways(reach, float((turn.T @ nominal)[1]), len(geometry.swinging(walk)))
    off = np.clip(turn.T @ (goal.place + delta - at), [-reach.ahead, low], [reach.ahead, high])
    return at + turn @ off - goal.place


def _room(polygon: Array, margin: float) -> Array:
    """Largest shift (2,) of the zero-moment point for the rest of a step."""
    if len(polygon) < 3:
        return np.zeros(2)
    size: Array = polygon.max(axis=0) - polygon.min(axis=0)
    return _ROOM * 0.5 * (1.0 - margin) * size


def _sideways(reach: Reach, aside: float, count: int) -> tuple[float, float]:
    """Least and largest shift to the left; aside: of the foot from those that stand."""
    outwards, inwards = reach.outwards, reach.inwards
    if count > 1:
        return -outwards, outwards
    return (-outwards, inwards) if aside < 0.0 else (-inwards, outwards)


@dataclass(frozen=True, eq=False)
class Segment:
    """Zero-moment point that goes from start to end (2,) [m] in a length of time [s]."""

    length: float
    start: Array
    end: Array


class PreviewPlan:
    """Capture point over a horizon of segments; beyond its end, it and the zero-moment point rest.

    ends: capture point (2,) at the end of each segment.
    """

    def __init__(self, segments: Sequence[Segment], w: float) -> None:
        """Solve it backwards; w: natural frequency of the pendulum, sqrt(g / height) [1/s]."""
        self._segments, self._w = segments, w
        x = segments[-1].end
        ends = []
        for segment in reversed(segments):
            ends.append(x)
            x = before(segment, x, segment.length, w)
        self.ends = ends[::-1]

    def at(self, time: float) -> tuple[Array, Array]:
        """Return capture point and zero-moment point (2,) at a time from the start [s]."""
        for segment, end in zip(self._segments, self.ends, strict=True):
            if time <= segment.length:
                share = time / segment.length
                zmp: Array = segment.start + share * (segment.end - segment.start)
                return before(segment, end, segment.length - time, self._w), zmp
            time -= segment.length
        return self._segments[-1].end, self._segments[-1].end


def before(segment: Segment, end: Array, left: float, w: float) -> Array:
    """Capture point a time before the end of a segment [s], given that at its end."""
    rate = (segment.end - segment.start) / segment.length
    there = segment.end - rate * left
    offset = rate / w
    return there + offset + np.exp(-w * left) * (end - segment.end - offset)


_AHEAD = 4  # steps that the plan looks ahead; e^-(w T) of each counts


def segments(geometry: WalkGeometry, walk: WalkState) -> list[Segment]:
    """Course of the zero-moment point from the beginning of the phase, some steps ahead."""
    schedule, phase, step = geometry.p.gait, Phase(walk.phase), walk.step
    places = walk.places.copy()
    at, course = walk.left, []
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
            course.append(Segment(length, at, goal))
        at, phase, step = goal, following, after
    return [*course, Segment(1.0, at, at)]


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
