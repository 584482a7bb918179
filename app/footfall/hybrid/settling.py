"""Ends of many points under a map: near a known orbit, lost, or undecided."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.hybrid.batch import BatchMap, Mask

Integers = npt.NDArray[np.int64]

SINK = 0  # the label of what does not come back
UNDECIDED = -1


class Settled(NamedTuple):
    """Ends of points: label (k,) SINK, 1, 2, ... or UNDECIDED, and after how many steps (k,)."""

    label: Integers
    steps: Integers


def settle(
    image: BatchMap,
    start: Array,
    orbits: Sequence[npt.ArrayLike],
    *,
    most: int,
    tolerance: float,
) -> Settled:
    """Iterate points (m, k) until each is near a known orbit or does not come back.

    orbits: (period, m) each; the label of the first one is 1. Near: every component of the distance
    to a point of the orbit is below the tolerance. That must be a region that
    the orbit does not let go, or points that only pass by are caught: halve it to see. Points of
    neither kind after ``most`` steps are UNDECIDED.
    """
    points = [np.atleast_2d(np.asarray(each, dtype=np.float64)) for each in orbits]
    label = np.full(start.shape[1], UNDECIDED, dtype=np.int64)
    steps = np.zeros(start.shape[1], dtype=np.int64)
    unsettled, y = np.arange(start.shape[1]), start
    for step in range(most + 1):
        for number, orbit in enumerate(points, 1):
            label[unsettled[_is_near(y, orbit, tolerance)]] = number
        left = label[unsettled] == UNDECIDED
        unsettled, y = unsettled[left], y[:, left]
        if step == most or not unsettled.size:
            break
        y, arrived = image(y)
        steps[unsettled] = step + 1
        label[unsettled[~arrived]] = SINK
        unsettled, y = unsettled[arrived], y[:, arrived]
    return Settled(label, steps)


def _is_near(y: Array, orbit: Array, tolerance: float) -> Mask:
    """Mask of the points (m, k) that are near one of an orbit's (period, m)."""
    hits = np.zeros(y.shape[1], dtype=np.bool_)
    for point in orbit:
        hits |= (np.abs(y - point[:, None]) < tolerance).all(axis=0)
    return hits
