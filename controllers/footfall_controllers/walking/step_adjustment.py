"""Step adjustment: landings are shifted by what the zero-moment point cannot take out of an error.

Shifts are kept within the reach of the legs, about where the foot would land beside those that
stand.
"""

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
    moved: Array = at + turn @ off - goal.place
    return moved


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
