"""Contacts of a step: their gaps, which take part, what moves them, and feet that take turns."""

import math

from footfall.arrays import Array, Indices
from footfall.contact import Mode
from footfall.engines.contact_part import fill_axes
from footfall.engines.record import COLUMNS, MODE, TAIL, Begun, begin_record
from footfall.engines.tables import Feet, Machine, Memory
from footfall.jit import scratch_njit
from footfall.plants.contacts.gaps import measure_simple
from footfall.plants.contacts.pairs import measure_pairs
from footfall.plants.contacts.swing_foot_filter import off_after_step
from footfall.plants.flat.dynamics import Scratch, count_of, shared, unit_velocity

_OPEN = float(Mode.OPEN)


@scratch_njit
def measure(m: Machine, w: Memory, q: Array) -> None:
    """Fill gaps, places and normals at positions whose links are in ``Memory.work``."""
    measure_simple(m.ground, m.joints, w.work.pose, q, w.gap, w.place)
    if m.pairs.rows.shape[0] > 0:
        measure_pairs(m.pairs, w.gaps, w.work.pose, w.gap, w.place, w.normals)


@scratch_njit
def begin(m: Machine, w: Memory, off: Array, last: Array, record: Array) -> int:
    """Begin the record of a step from what was measured, after the last one's.

    off: feet that take no part, (2,) or (0,). Returns how many contacts do; -1 if too many.
    """
    count = begin_record(
        w.gap, w.place, m.surfaces.pair_of, m.surfaces.ground[0], w.normals, m.pairs.rows,
        w.gaps.near[: w.gaps.num_near[0]], last, m.rules.touching, m.rules.still_touching, record,
        w.begun,
    )  # fmt: skip
    if off.size > 0 and count > 0:
        count = _leave_out_feet(m.feet, off, count, w.begun)
    w.counts[0] = count
    return count


@scratch_njit
def contact_row(
    m: Machine, w: Memory, at: Scratch, c: int, d: int, place: Array, row: Array
) -> None:
    """Fill the row (nv,) of the velocity of contact c along an axis: n, t or s, as 0, 1 or 2.

    at: poses and twists of the links. place (n, 3): of the contacts in W.
    """
    s, tree = m.surfaces, m.tree
    for k in range(row.size):
        row[k] = 0.0
    joint = c - s.links.shape[0]
    if joint >= 0:
        if s.column[joint, 0] == d:
            row[s.column[joint, 1]] = s.sign[joint]
        return
    axes = s.ground
    if s.pair_of[c] >= 0:
        fill_axes(w.normals[s.pair_of[c]], s.R_WT, s.planar, w.group.axes)
        axes = w.group.axes
    x, y, z = place[c, 0], place[c, 1], place[c, 2]
    alike = shared(s.links[c, 0], s.links[c, 1], tree.last, tree.depth, tree.path)
    for side in range(2):
        link, sign = s.links[c, side], 1.0 - 2.0 * side
        for step in range(alike, count_of(link, tree.last, tree.depth)):
            k = tree.path[tree.last[link], step]
            u = unit_velocity(at.twist, at.pose, tree.reference[link], k, x, y, z)
            row[k] = sign * (axes[d, 0] * u[0] + axes[d, 1] * u[1] + axes[d, 2] * u[2])


@scratch_njit
def _leave_out_feet(feet: Feet, off: Array, count: int, begun: Begun) -> int:
    """Leave out the points of feet that are off; returns how many contacts take part."""
    active, places, guess, before = begun.active, begun.places, begun.guess, begun.before
    kept = 0
    for i in range(count):
        c = active[i]
        is_off = False
        for k in range(feet.first.size if off[0] > 0.0 else 0):
            is_off = is_off or feet.first[k] == c
        for k in range(feet.second.size if off[1] > 0.0 else 0):
            is_off = is_off or feet.second[k] == c
        if is_off:
            continue
        active[kept], places[kept], before[kept] = c, places[i], before[i]
        for d in range(3):
            guess[kept, d] = guess[i, d]
        kept += 1
    return kept


@scratch_njit
def turn_feet(m: Machine, w: Memory, off: Array, count: int, record: Array) -> None:
    """Let feet take turns at the end of a step; see ``SwingFootFilter``."""
    rows = record[: record.size - TAIL].reshape(-1, COLUMNS)
    feet = m.feet
    first = _foot(w, feet.first, feet.ahead_W, count, rows)
    second = _foot(w, feet.second, feet.ahead_W, count, rows)
    landed = (
        first[2] or (off[0] == 0.0 and first[0] < feet.landed),
        second[2] or (off[1] == 0.0 and second[0] < feet.landed),
    )
    after = off_after_step(
        (off[0] > 0.0, off[1] > 0.0), (first[0], second[0]), (first[1], second[1]), landed
    )
    off[0], off[1] = after


@scratch_njit
def _foot(
    w: Memory, points: Indices, ahead_W: Array, count: int, rows: Array
) -> tuple[float, float, bool]:
    """Gap of a foot's lowest point, how far ahead its middle is, and whether it is closed."""
    gap, place, active, places = w.gap, w.place, w.begun.active, w.begun.places
    lowest, ahead, closed = math.inf, 0.0, False
    for k in range(points.size):
        c = points[k]
        lowest = min(lowest, gap[c])
        for d in range(3):
            ahead += place[c, d] * ahead_W[d] / points.size
        for i in range(count):
            closed = closed or (active[i] == c and rows[places[i], MODE] != _OPEN)
    return lowest, ahead, closed
