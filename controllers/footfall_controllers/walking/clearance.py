"""Clearance of swinging feet: how high a swing has to go over the ground between its ends."""

import numpy as np

from footfall.arrays import Array
from footfall_controllers.walking.footholds import Foothold
from footfall_controllers.walking.footsteps import rotation
from footfall_controllers.walking.swing_foot import HIGHEST, least_jerk
from footfall_controllers.walking.walking_ground import WalkingGround

_SAMPLES = np.linspace(0.1, 0.9, 33)  # of a swing; beyond, the foot is nearly where it stands
_GAP = 0.02  # m, over what is higher than the foot stood or will stand
_MOST = 0.4  # m


def clearing_height(
    ground: WalkingGround, sole: Array, ends: tuple[Foothold, Foothold], height: float, early: float
) -> float:
    """Return the lift of a swing over its higher end, by which the sole clears the ground [m].

    sole: its outline (n, 2) about its middle, in the axes of the walk. height: the least lift [m].
    early: share of the swing after which it is above its end.
    """
    if ground.flat:
        return height
    start, end = ends
    across = least_jerk(np.minimum(_SAMPLES / early, 1.0))
    places = start.place + across[:, None] * (end.place - start.place)
    off = sole @ rotation(end.heading).T
    below = places[:, None] + off
    tops = ground.heights(below.reshape(-1, 2)).reshape(len(_SAMPLES), -1)
    # the sole is inclined as the ground at both ends is, and in between in between
    first, last = (hold.normal[:2] / hold.normal[2] for hold in ends)
    slopes = first + across[:, None] * (last - first)
    tops = (tops + slopes @ off.T).max(axis=1)
    tops = np.max([tops, *_neighbours(tops)], axis=0)  # for what lies between two moments
    # a lift goes a share of the way from its end to its top: so high has that to be
    rising = _SAMPLES < HIGHEST
    share = np.where(rising, _SAMPLES / HIGHEST, (1.0 - _SAMPLES) / (1.0 - HIGHEST))
    foot = np.where(rising, start.height, end.height)
    above = tops - foot
    needed = above + np.clip(above, 0.0, _GAP)
    top = (foot + needed / least_jerk(share)).max()
    return float(np.clip(top - max(start.height, end.height), height, _MOST))


def _neighbours(values: Array) -> tuple[Array, Array]:
    """Values (n,) before and after each, the ends being their own."""
    return np.append(values[:1], values[:-1]), np.append(values[1:], values[-1:])
