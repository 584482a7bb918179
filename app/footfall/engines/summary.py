"""From the points of the contacts to what is reported: one row a contact."""

from dataclasses import replace
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.engines.ports import ContactReport
from footfall.jit import njit
from footfall.plants.contacts import ContactSet

Indices = npt.NDArray[np.int64]
_Number = TypeVar("_Number", np.float64, np.int8)


def impulses_of_contacts(
    impulse: Array, gap: Array, axes_W: Array, contacts: ContactSet, which: Indices
) -> Array:
    """Impulse of each contact in the axes of its leading point, (len(names), 3) [N s].

    which (m,): indices of points; impulse (m, 3), gap (m,), axes_W (m, 3, 3): theirs.
    """
    group, count = contacts.reported_as[which], len(contacts.names)
    leading = leading_points(impulse, gap, group, count)
    return summed(turned(impulse, axes_W, leading[group]), group, count)


def summary(
    points: ContactReport, axes_W: Array, contacts: ContactSet, which: Indices
) -> ContactReport:
    """Report each contact by the sum of its impulses and work, and by its leading point.

    That is the one with the largest normal impulse, else the one that is nearest: its place, gap,
    normal, velocity and mode stand for the contact, and the others' impulses are turned into its
    axes. points: a report of the points ``which`` alone, with their axes_W (m, 3, 3), columns n, t,
    s, zero where there are none; a contact without any of them is open, and nobody knows where.
    """
    normals = known_normals(axes_W)
    count = len(contacts.names)
    if len(which) == count == len(contacts):
        return replace(points, normal=normals)
    leading: Indices | slice = slice(None)
    if count == len(contacts):  # each has but one point, and leads itself
        known = which
        impulse, work = (_spread(one, which, count) for one in (points.impulse, points.work))
    else:
        group = contacts.reported_as[which]
        leaders = leading_points(points.impulse, points.gap, group, count)
        impulse = summed(turned(points.impulse, axes_W, leaders[group]), group, count)
        work = summed(points.work, group, count)
        known = np.flatnonzero(leaders >= 0)
        leading = leaders[known]
    return replace(
        points,
        p_WC=_spread(points.p_WC[leading], known, count, np.nan),
        normal=_spread(normals[leading], known, count, np.nan),
        gap=_spread(points.gap[leading], known, count, np.nan),
        impulse=impulse,
        velocity=_spread(points.velocity[leading], known, count),
        mode=_spread(points.mode[leading], known, count),
        work=work,
    )


def _spread(
    values: npt.NDArray[_Number], known: Indices, count: int, unknown: float = 0.0
) -> npt.NDArray[_Number]:
    """Values (k, ...) of those known (k,) of so many contacts, (count, ...)."""
    full = np.full((count, *values.shape[1:]), unknown, dtype=values.dtype)
    full[known] = values
    return full


@njit
def known_normals(axes_W: Array) -> Array:
    """Normals (m, 3) of axes (m, 3, 3), NaN where these are zero."""
    normals = np.full((len(axes_W), 3), np.nan)
    for k in range(len(axes_W)):
        if axes_W[k, :, 0].any():
            normals[k] = axes_W[k, :, 0]
    return normals


def leading_points(impulse: Array, gap: Array, group: Indices, count: int) -> Indices:
    """Place of the leading point of each of so many groups, (count,), -1 where there is none.

    group (m,): of the points with these impulses (m, 3) and gaps (m,).
    """
    nearness = -np.nan_to_num(gap, nan=np.inf)
    order = np.lexsort((nearness, impulse[:, 0]))
    leading = np.full(count, -1)
    leading[group[order]] = order  # the last one written leads
    return leading


def turned(impulse: Array, axes_W: Array, leaders: Indices) -> Array:
    """Impulses (m, 3) in the axes of the points that lead them, whose places are leaders (m,).

    Those of the same axes stay as they are, and those of unknown ones: of an engine whose rows are
    longer than its steps, what it touched and left far behind since the last row.
    """
    others = np.flatnonzero(impulse.any(axis=1) & (leaders != np.arange(len(leaders))))
    there: npt.NDArray[np.bool_] = np.any(axes_W, axis=(1, 2))
    differ = (axes_W[others] != axes_W[leaders[others]]).any(axis=(1, 2))
    others = others[differ & there[others] & there[leaders[others]]]
    if len(others) == 0:
        return impulse
    in_axes = impulse.copy()
    impulse_W = np.einsum("kij,kj->ki", axes_W[others], impulse[others])
    in_axes[others] = np.einsum("kij,ki->kj", axes_W[leaders[others]], impulse_W)
    return in_axes


def summed(values: Array, group: Indices, count: int) -> Array:
    """Sum values (m, ...) of points over each of so many groups, (count, ...)."""
    total = np.zeros((count, *values.shape[1:]))
    np.add.at(total, group, values)
    return total
