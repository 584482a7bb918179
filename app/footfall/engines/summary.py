"""From the points of the contacts to what is reported: one row a contact."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from footfall.engines.ports import ContactReport
from footfall.plants.contacts import ContactSet

Array = npt.NDArray[np.float64]


def summed(values: Array, contacts: ContactSet) -> Array:
    """Sum (n, ...) over the points of each contact, (len(names), ...)."""
    total = np.zeros((len(contacts.names), *values.shape[1:]))
    np.add.at(total, contacts.reported_as, values)
    return total


def summary(points: ContactReport, contacts: ContactSet) -> ContactReport:
    """Report each contact by the sum of its impulses and work, and by its leading point.

    That is the one with the largest normal impulse, else the one that is nearest: its place, gap,
    velocity and mode stand for the contact.
    """
    if not contacts.pairs:
        return points
    nearness = -np.nan_to_num(points.gap, nan=np.inf)
    leading = np.empty(len(contacts.names), dtype=np.int64)
    order = np.lexsort((nearness, points.impulse[:, 0]))
    leading[contacts.reported_as[order]] = order  # the last one written leads
    return replace(
        points,
        p_WC=points.p_WC[leading],
        gap=points.gap[leading],
        impulse=summed(points.impulse, contacts),
        velocity=points.velocity[leading],
        mode=points.mode[leading],
        work=summed(points.work, contacts),
    )
