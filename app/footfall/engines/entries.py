"""Entries of contacts out of the records of steps, for many rows in one compiled call.

A foot that is a hull may have a hundred corners, all of which have a gap in every step, and of
which a few touch. Recorded are those that are closed or near, and of a shape that is far away the
one that is nearest, so that the least gap of every shape is known. Nothing is left out of shapes
with no more corners than a box has.
"""

import math
from typing import Any, NamedTuple

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
from footfall.trajectory.contact_table import ContactTable

_FEW = 8  # corners: of a box
_NEAR = 5e-3  # m
_OPEN = int(Mode.OPEN)
_IMPULSE, _NORMAL = slice(IMPULSE, IMPULSE + 3), slice(NORMAL, NORMAL + 3)


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

    def table(self, count: int) -> ContactTable:
        """The first so many of them."""
        columns: dict[str, Any] = dict(zip(self._fields[2:], self[2:], strict=True))
        return ContactTable(self.row, self.contact, columns).only(slice(0, count))


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
    reported_as: of contacts, as in ``ContactSet``, of which those from ``dry`` on have no gap;
    shape_of: by ``shapes_with_many_corners``. R_WT, planar: as ``ContactAxes`` has them. The points
    of a contact are led by the one with the largest normal impulse, else the nearest: it stands for
    the contact, as in ``summary``.
    """
    size = (records.shape[1] - TAIL) // COLUMNS
    name, place = np.empty(size, dtype=np.int64), np.empty(size, dtype=np.int64)
    begin, leader = np.empty(size + 1, dtype=np.int64), np.empty(size, dtype=np.int64)
    gap, impulse, given = np.empty(size), np.empty((size, 3)), np.empty(size)
    m = 0
    for n in range(records.shape[0]):
        points = records[n, : size * COLUMNS].reshape(size, COLUMNS)
        used = _by_name(points, reported_as, shape_of, name, place)
        groups = _lead(points, used, dry, name, place, begin, leader, gap)
        work[n] = _sum_up(points, groups, place, begin, leader, R_WT, planar, impulse, given)
        m = _write(
            points,
            groups,
            n,
            m,
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
def _by_name(
    points: Array, reported_as: Indices, shape_of: Indices, name: Indices, place: Indices
) -> int:
    """Fill names and places of points that are no far corners, by ascending names; count them."""
    used, last, nearest = 0, -1, -1  # of the shape that the last points belong to
    for p in range(points.shape[0] + 1):
        new, shape = -1, -1
        if p < points.shape[0] and points[p, WHICH] >= 0.0:
            new = reported_as[int(points[p, WHICH])]
            shape = shape_of[new]
        if shape != last:
            if last >= 0 and _is_far(points, nearest):
                at = reported_as[int(points[nearest, WHICH])]
                used = _insert(at, nearest, used, name, place)
            last, nearest = shape, -1
        if new < 0:  # those in use come first
            break
        if shape >= 0:
            if _nearer(points[p, GAP], points[nearest, GAP], nearest):
                nearest = p
            if _is_far(points, p):
                continue
        used = _insert(new, p, used, name, place)
    return used


@njit
def _insert(new: int, p: int, used: int, name: Indices, place: Indices) -> int:
    """Put a point among so many others, by its name; count them."""
    k = used
    while k > 0 and name[k - 1] > new:
        name[k], place[k] = name[k - 1], place[k - 1]
        k -= 1
    name[k], place[k] = new, p
    return used + 1


@njit
def _nearer(gap: float, other: float, known: int) -> bool:
    """Say whether a gap is less than another one, which is known unless it is of place -1."""
    return known < 0 or gap < other or (math.isnan(other) and not math.isnan(gap))


@njit
def _is_far(points: Array, p: int) -> bool:
    """Say whether a point is open, far off and without an impulse."""
    idle = int(points[p, MODE]) == _OPEN and not _acts(points, p) and points[p, WORK] == 0.0
    return idle and points[p, GAP] > _NEAR


@njit
def _acts(points: Array, p: int) -> bool:
    """Say whether a point has an impulse."""
    n, t, s = points[p, IMPULSE], points[p, IMPULSE + 1], points[p, IMPULSE + 2]
    return n != 0.0 or t != 0.0 or s != 0.0


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
) -> float:
    """Fill impulses of contacts in the axes of their leaders, and works; return the whole work."""
    whole = 0.0
    for g in range(groups):
        lead = leader[g]
        for i in range(3):
            impulse[g, i] = points[lead, IMPULSE + i]
        work = points[lead, WORK]
        if begin[g + 1] > begin[g] + 1:
            impulse[g, 0] = impulse[g, 1] = impulse[g, 2] = work = 0.0
            for k in range(begin[g], begin[g + 1]):
                p = place[k]
                work += points[p, WORK]
                if _acts(points, p):
                    own, other = points[p, _NORMAL], points[lead, _NORMAL]
                    add_turned(points[p, _IMPULSE], own, other, R_WT, planar, impulse[g])
        given[g] = work
        whole += work
    return whole


@njit
def add_turned(
    impulse: Array, normal: Array, other: Array, R_WT: Array, planar: bool, total: Array
) -> None:
    """Add an impulse about a normal to a total in the axes about another one.

    It is added as it is where these are the same, or one of them is zero: not known.
    """
    same = normal[0] == other[0] and normal[1] == other[1] and normal[2] == other[2]
    own = normal[0] != 0.0 or normal[1] != 0.0 or normal[2] != 0.0
    if same or not own or (other[0] == 0.0 and other[1] == 0.0 and other[2] == 0.0):
        for i in range(3):
            total[i] += impulse[i]
        return
    of, to = axes_about(normal, R_WT, planar), axes_about(other, R_WT, planar)
    for i in range(3):
        for j in range(3):
            along = of[j, 0] * to[i, 0] + of[j, 1] * to[i, 1] + of[j, 2] * to[i, 2]
            total[i] += along * impulse[j]


@njit
def near_entries(
    row: Indices, contact: Indices, gap: Array, bears: npt.NDArray[np.bool_], shape_of: Indices
) -> npt.NDArray[np.bool_]:
    """Say which entries (m,) of a table are no far corners.

    bears (m,): whether they are closed or have an impulse. shape_of: by
    ``shapes_with_many_corners``.
    """
    kept = np.empty(row.size, dtype=np.bool_)
    nearest = np.full(shape_of.max() + 1, -1)
    for k in range(row.size):
        shape = shape_of[contact[k]]
        kept[k] = shape < 0 or bears[k] or not gap[k] > _NEAR
        if shape >= 0 and _nearer(gap[k], gap[nearest[shape]], nearest[shape]):
            nearest[shape] = k
        if k + 1 == row.size or row[k + 1] != row[k]:
            for one in nearest:
                kept[one] |= one >= 0
            nearest[:] = -1
    return kept


@njit
def _write(
    points: Array,
    groups: int,
    n: int,
    m: int,
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
