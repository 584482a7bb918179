"""From the points of the contacts to what is reported: one row a contact."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from footfall.engines.ports import ContactReport
from footfall.plants.contacts import ContactSet

Array = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]


def summed(values: Array, contacts: ContactSet, which: Indices) -> Array:
    """Sum over the points of each contact, (len(names), ...); values (m, ...) of the points which.

    which (m,): indices of points.
    """
    total = np.zeros((len(contacts.names), *values.shape[1:]))
    np.add.at(total, contacts.reported_as[which], values)
    return total


def summary(points: ContactReport, contacts: ContactSet, which: Indices) -> ContactReport:
    """Report each contact by the sum of its impulses and work, and by its leading point.

    That is the one with the largest normal impulse, else the one that is nearest: its place, gap,
    velocity and mode stand for the contact. points: a report of the points ``which`` alone; a
    contact without any of them is open, and nobody knows where.
    """
    if len(which) == len(contacts.names) == len(contacts):
        return points
    nearness = -np.nan_to_num(points.gap, nan=np.inf)
    order = np.lexsort((nearness, points.impulse[:, 0]))
    leading = np.full(len(contacts.names), -1)
    leading[contacts.reported_as[which[order]]] = order  # the last one written leads
    known = leading >= 0
    leading = leading[known]
    count = len(known)
    p_WC, gap = np.full((count, 3), np.nan), np.full(count, np.nan)
    velocity, mode = np.zeros((count, 3)), np.zeros(count, dtype=np.int8)
    p_WC[known], gap[known] = points.p_WC[leading], points.gap[leading]
    velocity[known], mode[known] = points.velocity[leading], points.mode[leading]
    return replace(
        points,
        p_WC=p_WC,
        gap=gap,
        impulse=summed(points.impulse, contacts, which),
        velocity=velocity,
        mode=mode,
        work=summed(points.work, contacts, which),
    )
