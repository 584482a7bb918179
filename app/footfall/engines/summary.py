"""From the points of the contacts to what is reported: one row a contact."""

from dataclasses import replace
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array, Indices
from footfall.engines.ports import ContactReport
from footfall.jit import njit
from footfall.plants.contacts import ContactSet

_Number = TypeVar("_Number", np.float64, np.int8)


def impulses_of_contacts(
    impulse: Array, gap: Array, axes_W: Array, contacts: ContactSet, which: Indices
) -> Array:
    """Impulse of each contact in the axes of its leading point, (len(names), 3) [N s].

    which (m,): indices of points; impulse (m, 3), gap (m,), axes_W (m, 3, 3): theirs.
    """
    return led(impulse, gap, axes_W, contacts.reported_as[which], len(contacts.names))[1]


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
        leaders, impulse = led(points.impulse, points.gap, axes_W, group, count)
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


def led(
    impulse: Array, gap: Array, axes_W: Array, group: Indices, count: int
) -> tuple[Indices, Array]:
    """Place of the leading point of each of so many groups, and the impulse of all in its axes.

    Places (count,), -1 where there is no point; impulses (count, 3) [N s]. group (m,): of the
    points with these impulses (m, 3), gaps (m,) and axes_W (m, 3, 3).
    """
    impulse, gap = np.ascontiguousarray(impulse), np.ascontiguousarray(gap)
    leading = _leading_points(impulse, gap, group, count)
    return leading, summed_in_axes_of(impulse, axes_W, group, leading)


@njit
def _leading_points(impulse: Array, gap: Array, group: Indices, count: int) -> Indices:
    """Points that lead their groups, (count,); of two that are alike the later one does."""
    leading = np.full(count, -1, dtype=np.int64)
    for k in range(len(group)):
        best = leading[group[k]]
        if best >= 0:
            nearer = gap[k] <= gap[best] or np.isnan(gap[best])  # NaN: nobody knows it
            alike = impulse[k, 0] == impulse[best, 0]
            if not (impulse[k, 0] > impulse[best, 0] or (alike and nearer)):
                continue
        leading[group[k]] = k
    return leading


@njit
def summed_in_axes_of(impulse: Array, axes_W: Array, group: Indices, leading: Indices) -> Array:
    """Impulses of groups (len(leading), 3), each in the axes of its leading point.

    group (m,): of the points with these impulses (m, 3) and axes_W (m, 3, 3). Those of the same
    axes stay as they are, and those of unknown ones: of an engine whose rows are longer than its
    steps, what it touched and left far behind since the last row. So they do without a leader (-1).
    """
    total = np.zeros((len(leading), 3))
    for k in range(len(group)):
        leader, found = leading[group[k]], total[group[k]]
        own, other = axes_W[k], axes_W[leader]
        same = leader == k or (own == other).all()
        if leader < 0 or same or not (own.any() and other.any()):
            found += impulse[k]
            continue
        for i in range(3):
            for j in range(3):
                along = own[0, j] * other[0, i] + own[1, j] * other[1, i] + own[2, j] * other[2, i]
                found[i] += along * impulse[k, j]
    return total


def summed(values: Array, group: Indices, count: int) -> Array:
    """Sum values (m,) of points over each of so many groups, (count,)."""
    total: Array = np.bincount(group, values, count).astype(np.float64, copy=False)
    return total
