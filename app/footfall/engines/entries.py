"""Entries of contacts out of the records of steps, for many rows in one compiled call.

A foot that is a hull may have a hundred corners, all of which have a gap in every step, and of
which a few touch. Recorded are those that are closed or near, and of a shape that is far away the
one that is nearest, so that the least gap of every shape is known. Nothing is left out of shapes
with no more corners than a box has.
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array, Indices
from footfall.contact import Mode
from footfall.engines.record import (
    COLUMNS,
    GAP,
    IMPULSE,
    MODE,
    NORMAL,
    POINT,
    TAIL,
    VELOCITY,
    WHICH,
    WORK,
)
from footfall.jit import njit
from footfall.plants.contacts import ContactSet
from footfall.plants.contacts.axes import axes_about

_FEW = 8  # corners: of a box
_NEAR = 5e-3  # m
_OPEN = int(Mode.OPEN)


def shapes_with_many_corners(contacts: ContactSet) -> Indices:
    """The number of the shape with many corners that each reported contact belongs to, or -1."""
    shape_of = np.full(len(contacts.names), -1, dtype=np.int64)
    many = [shape for shape in contacts.ground if len(shape.points) > _FEW]
    for number, shape in enumerate(many):
        shape_of[contacts.reported_as[shape.first : shape.first + len(shape.points)]] = number
    return shape_of


class Entries(NamedTuple):
    """Room for m entries, as the columns of a ``ContactTable``."""

    row: Indices
    contact: Indices
    impulse: Array
    contact_velocity: Array
    gap: Array
    contact_point: Array
    contact_normal: Array
    mode: npt.NDArray[np.int8]
    dissipation: Array


def room_for(entries: int) -> Entries:
    """Return room for so many entries."""
    row, contact = (np.empty(entries, dtype=np.int64) for _ in range(2))
    gap, dissipation = (np.empty(entries) for _ in range(2))
    impulse, velocity, point, normal = (np.empty((entries, 3)) for _ in range(4))
    mode = np.empty(entries, dtype=np.int8)
    return Entries(row, contact, impulse, velocity, gap, point, normal, mode, dissipation)


@njit
def take_entries(
    records: Array,
    reported_as: Indices,
    shape_of: Indices,
    dry: int,
    R_WT: Array,
    planar: bool,
    entries: Entries,
    work: Array,
) -> int:
    """Fill the entries of records (rows, size), and the work of all contacts (rows,) [J].

    Returns how many entries there are; of more than there is room for, the rest are left out.
    reported_as: of contacts, as in ``ContactSet``, of which those from ``dry`` on have no gap.
    R_WT, planar: as ``ContactAxes`` has them. The points of a contact are led by the one with the
    largest normal impulse, else the nearest: it stands for the contact, as in ``summary``.
    """
    size = (records.shape[1] - TAIL) // COLUMNS
    name, place = np.empty(size, dtype=np.int64), np.empty(size, dtype=np.int64)
    begin, leader = np.empty(size + 1, dtype=np.int64), np.empty(size, dtype=np.int64)
    gap, impulse, given = np.empty(size), np.empty((size, 3)), np.empty(size)
    bears, kept = np.empty(size, dtype=np.bool_), np.empty(size, dtype=np.bool_)
    nearest = np.empty(shape_of.max() + 1 if shape_of.size > 0 else 0, dtype=np.int64)
    m = 0
    for n in range(records.shape[0]):
        points = records[n, : size * COLUMNS].reshape(size, COLUMNS)
        used = _by_name(points, reported_as, name, place)
        groups = _lead(points, used, dry, name, place, begin, leader, gap)
        _sum_up(points, groups, place, begin, leader, R_WT, planar, impulse, given, bears)
        keep_near(name, gap, bears, 0, groups, shape_of, nearest, kept)
        work[n] = 0.0
        for g in range(groups):
            work[n] += given[g]
        m = _write(
            points,
            groups,
            n,
            m,
            kept,
            name,
            leader,
            gap,
            impulse,
            given,
            R_WT,
            planar,
            entries.row,
            entries.contact,
            entries.impulse,
            entries.contact_velocity,
            entries.gap,
            entries.contact_point,
            entries.contact_normal,
            entries.mode,
            entries.dissipation,
        )
    return m


@njit
def _by_name(points: Array, reported_as: Indices, name: Indices, place: Indices) -> int:
    """Fill the names of the points in use in ascending order, and their places; count them."""
    used = 0
    for p in range(points.shape[0]):
        which = int(points[p, WHICH])
        if which < 0:
            continue
        k, new = used, reported_as[which]
        while k > 0 and name[k - 1] > new:
            name[k], place[k] = name[k - 1], place[k - 1]
            k -= 1
        name[k], place[k] = new, p
        used += 1
    return used


@njit
def _lead(
    points: Array,
    used: int,
    dry: int,
    name: Indices,
    place: Indices,
    begin: Indices,
    leader: Indices,
    gap: Array,
) -> int:
    """Fill where contacts begin among the points, and their leaders and gaps; count them."""
    groups = 0
    for k in range(used):
        p = place[k]
        own = math.nan if points[p, WHICH] >= dry else points[p, GAP]
        if k > 0 and name[k] == name[groups - 1]:
            best, least = leader[groups - 1], gap[groups - 1]
            # of two points that are alike the later one leads
            alike = points[p, IMPULSE] == points[best, IMPULSE]
            nearer = own <= least or math.isnan(least)
            if points[p, IMPULSE] > points[best, IMPULSE] or (alike and nearer):
                leader[groups - 1], gap[groups - 1] = p, own
            continue
        begin[groups], leader[groups], gap[groups], name[groups] = k, p, own, name[k]
        groups += 1
    begin[groups] = used
    return groups


@njit
def _sum_up(
    points: Array,
    groups: int,
    place: Indices,
    begin: Indices,
    leader: Indices,
    R_WT: Array,
    planar: bool,
    impulse: Array,
    given: Array,
    bears: npt.NDArray[np.bool_],
) -> None:
    """Fill impulses of contacts in the axes of their leaders, works, and which of them bear."""
    for g in range(groups):
        lead = leader[g]
        for i in range(3):
            impulse[g, i] = points[lead, IMPULSE + i]
        given[g] = points[lead, WORK]
        if begin[g + 1] > begin[g] + 1:
            impulse[g], given[g] = 0.0, 0.0
            for k in range(begin[g], begin[g + 1]):
                given[g] += points[place[k], WORK]
                _add_impulse(points[place[k]], points[lead], R_WT, planar, impulse[g])
        acts = impulse[g, 0] != 0.0 or impulse[g, 1] != 0.0 or impulse[g, 2] != 0.0
        bears[g] = acts or int(points[lead, MODE]) != _OPEN


@njit
def _add_impulse(point: Array, lead: Array, R_WT: Array, planar: bool, total: Array) -> None:
    """Add the impulse of a point in the axes of the leading one; as it is where one has none."""
    own, other = point[NORMAL : NORMAL + 3], lead[NORMAL : NORMAL + 3]
    same = own[0] == other[0] and own[1] == other[1] and own[2] == other[2]
    if same or not (own.any() and other.any()):
        for i in range(3):
            total[i] += point[IMPULSE + i]
        return
    of, to = axes_about(own, R_WT, planar), axes_about(other, R_WT, planar)
    for i in range(3):
        for j in range(3):
            along = of[j, 0] * to[i, 0] + of[j, 1] * to[i, 1] + of[j, 2] * to[i, 2]
            total[i] += along * point[IMPULSE + j]


@njit
def keep_near(
    contact: Indices,
    gap: Array,
    bears: npt.NDArray[np.bool_],
    first: int,
    end: int,
    shape_of: Indices,
    nearest: Indices,
    kept: npt.NDArray[np.bool_],
) -> None:
    """Mark which entries of a row, from first to end, are no far corners of a shape.

    contact, gap, bears (whether it is closed or has an impulse): of the entries. nearest: memory,
    one for each shape with many corners.
    """
    nearest[:] = -1
    for k in range(first, end):
        shape = shape_of[contact[k]]
        kept[k] = shape < 0 or bears[k] or not gap[k] > _NEAR
        if shape < 0:
            continue
        best = nearest[shape]
        if best < 0 or gap[k] < gap[best] or (math.isnan(gap[best]) and not math.isnan(gap[k])):
            nearest[shape] = k
    for k in nearest:
        if k >= 0:
            kept[k] = True


@njit
def near_entries(
    row: Indices, contact: Indices, gap: Array, bears: npt.NDArray[np.bool_], shape_of: Indices
) -> npt.NDArray[np.bool_]:
    """Say which entries (m,) of a table are no far corners; see ``keep_near``."""
    kept = np.empty(row.size, dtype=np.bool_)
    nearest = np.empty(shape_of.max() + 1, dtype=np.int64)
    first = 0
    for k in range(1, row.size + 1):
        if k == row.size or row[k] != row[first]:
            keep_near(contact, gap, bears, first, k, shape_of, nearest, kept)
            first = k
    return kept


@njit
def _write(
    points: Array,
    groups: int,
    n: int,
    m: int,
    kept: npt.NDArray[np.bool_],
    name: Indices,
    leader: Indices,
    gaps: Array,
    impulses: Array,
    given: Array,
    R_WT: Array,
    planar: bool,
    row: Indices,
    contact: Indices,
    impulse: Array,
    velocity: Array,
    gap: Array,
    point: Array,
    normal: Array,
    mode: npt.NDArray[np.int8],
    dissipation: Array,
) -> int:
    """Fill the entries of a row behind m others, as far as there is room; count them all."""
    for g in range(groups):
        if not kept[g]:
            continue
        if m < row.size:
            p = leader[g]
            row[m], contact[m], gap[m], dissipation[m] = n, name[g], gaps[g], 0.0 - given[g]
            mode[m] = np.int8(points[p, MODE])
            for i in range(3):
                impulse[m, i], velocity[m, i] = impulses[g, i], points[p, VELOCITY + i]
                point[m, i] = points[p, POINT + i]
            x, y, z = points[p, NORMAL], points[p, NORMAL + 1], points[p, NORMAL + 2]
            if planar:
                share = x * R_WT[0, 1] + y * R_WT[1, 1] + z * R_WT[2, 1]
                x, y, z = x - share * R_WT[0, 1], y - share * R_WT[1, 1], z - share * R_WT[2, 1]
            length = math.sqrt(x * x + y * y + z * z)
            if length == 0.0:
                length = math.nan
            normal[m, 0], normal[m, 1], normal[m, 2] = x / length, y / length, z / length
        m += 1
    return m
