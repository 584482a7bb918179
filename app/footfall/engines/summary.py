"""From the points of the contacts to what is reported: one row a contact."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.engines.ports import ContactReport
from footfall.plants.contacts import ContactSet

Indices = npt.NDArray[np.int64]


def impulses_of_contacts(
    impulse: Array, gap: Array, axes_W: Array, contacts: ContactSet, which: Indices
) -> Array:
    """Impulse of each contact in the axes of its leading point, (len(names), 3) [N s].

    which (m,): indices of points; impulse (m, 3), gap (m,), axes_W (m, 3, 3): theirs.
    """
    leading = _leading(impulse, gap, contacts, which)
    return _summed(_turned(impulse, axes_W, leading, contacts, which), contacts, which)


def summary(
    points: ContactReport, axes_W: Array, contacts: ContactSet, which: Indices
) -> ContactReport:
    """Report each contact by the sum of its impulses and work, and by its leading point.

    That is the one with the largest normal impulse, else the one that is nearest: its place, gap,
    normal, velocity and mode stand for the contact, and the others' impulses are turned into its
    axes. points: a report of the points ``which`` alone, with their axes_W (m, 3, 3), columns n, t,
    s, zero where there are none; a contact without any of them is open, and nobody knows where.
    """
    n_W = axes_W[:, :, 0]
    normals = np.where(np.any(n_W, axis=1, keepdims=True), n_W, np.nan)
    if len(which) == len(contacts.names) == len(contacts):
        return replace(points, normal=normals)
    leading = _leading(points.impulse, points.gap, contacts, which)
    impulse = _turned(points.impulse, axes_W, leading, contacts, which)
    known = leading >= 0
    leading = leading[known]
    count = len(known)
    p_WC, gap, normal = (np.full(shape, np.nan) for shape in ((count, 3), count, (count, 3)))
    velocity, mode = np.zeros((count, 3)), np.zeros(count, dtype=np.int8)
    p_WC[known], normal[known] = points.p_WC[leading], normals[leading]
    gap[known] = points.gap[leading]
    velocity[known], mode[known] = points.velocity[leading], points.mode[leading]
    return replace(
        points,
        p_WC=p_WC,
        normal=normal,
        gap=gap,
        impulse=_summed(impulse, contacts, which),
        velocity=velocity,
        mode=mode,
        work=_summed(points.work, contacts, which),
    )


def _leading(impulse: Array, gap: Array, contacts: ContactSet, which: Indices) -> Indices:
    """Place among ``which`` of the leading point of each contact, -1 where there is none."""
    nearness = -np.nan_to_num(gap, nan=np.inf)
    order = np.lexsort((nearness, impulse[:, 0]))
    leading = np.full(len(contacts.names), -1)
    leading[contacts.reported_as[which[order]]] = order  # the last one written leads
    return leading


def _turned(
    impulse: Array, axes_W: Array, leading: Indices, contacts: ContactSet, which: Indices
) -> Array:
    """Impulses in the axes of the points that lead.

    Those of the same axes stay as they are, and those of unknown ones: of an engine whose rows are
    longer than its steps, what it touched and left far behind since the last row.
    """
    leaders = leading[contacts.reported_as[which]]
    others = np.flatnonzero(impulse.any(axis=1) & (leaders != np.arange(len(which))))
    there: npt.NDArray[np.bool_] = np.any(axes_W, axis=(1, 2))
    differ = (axes_W[others] != axes_W[leaders[others]]).any(axis=(1, 2))
    others = others[differ & there[others] & there[leaders[others]]]
    if len(others) == 0:
        return impulse
    turned = impulse.copy()
    impulse_W = np.einsum("kij,kj->ki", axes_W[others], impulse[others])
    turned[others] = np.einsum("kij,ki->kj", axes_W[leaders[others]], impulse_W)
    return turned


def _summed(values: Array, contacts: ContactSet, which: Indices) -> Array:
    """Sum over the points of each contact, (len(names), ...); values (m, ...) of the points."""
    total = np.zeros((len(contacts.names), *values.shape[1:]))
    np.add.at(total, contacts.reported_as[which], values)
    return total
