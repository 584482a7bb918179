"""The record of a Moreau step in the context: rows of contacts, then how the step was solved.

A row belongs to the contact whose index stands in its column WHICH; rows come in the order of the
contacts, and unused ones have -1 there. What is surely far apart has no row, so that a robot whose
links could touch in thousands of ways does not carry them along in every step.
"""

from typing import NamedTuple

import numpy as np

from footfall.arrays import Array, Indices
from footfall.contact import Mode
from footfall.jit import scratch_njit
from footfall.plants.contacts import ContactSet
from footfall.plants.contacts.pairs import END, FIRST
from footfall.plants.coordinates import floating_joints

# columns of a row
IMPULSE = 0  # three: n, t, s
VELOCITY = 3  # three: n, t, s
POINT = 6  # three: x, y, z in the world
NORMAL = 9  # three: x, y, z in the world
GAP = 12
MODE = 13
WORK = 14
WHICH = 15
COLUMNS = 16
# behind the rows: what a law of torques remembers, how the step was solved, and its energy
OF_LAW = -8  # 0: nothing yet
RESIDUAL = -7
ITERATIONS = -6
STAGE = -5
CONSTRAINT_GAP = -4
CONSTRAINT_WORK = -3
ENERGY_RESIDUAL = -2
ENERGY_GAIN = -1
TAIL = 8


# rows for points between bodies, at least, and for each body that floats by itself
_AT_PAIRS, _A_BODY = 256, 32
_OPEN = int(Mode.OPEN)
# m/s or rad/s: a contact that is slower at the end of a step has not been thrown off
_PARTING = 1e-8


def rows_for(contacts: ContactSet) -> int:
    """Rows that a record needs: all contacts, but only so many points between bodies."""
    at_pairs = contacts.num_touching - contacts.num_ground
    bodies = {body.index(): body for pair in contacts.pairs for body in (pair.body_a, pair.body_b)}
    floating = 0
    if bodies:
        plant = next(iter(bodies.values())).GetParentPlant()
        free = {joint.child_body().index() for joint in floating_joints(plant).values()}
        floating = len(free & bodies.keys())
    return len(contacts) - at_pairs + min(at_pairs, max(_AT_PAIRS, _A_BODY * floating))


def empty_record(rows: int) -> Array:
    """A record of nothing, with so many rows."""
    record = np.zeros(rows * COLUMNS + TAIL)
    rows_of(record)[:, WHICH] = -1.0
    return record


def rows_of(record: Array) -> Array:
    """The rows of a record, (n, COLUMNS), as a view."""
    return record[: record.size - TAIL].reshape(-1, COLUMNS)


def known_rows(record: Array) -> tuple[Array, Indices]:
    """A copy of the rows in use, (m, COLUMNS), and the contacts that they belong to, (m,)."""
    rows = rows_of(record)
    rows = rows[rows[:, WHICH] >= 0.0]
    return rows, rows[:, WHICH].astype(np.int64)


@scratch_njit
def is_pressed(row: Array) -> bool:
    """Return whether the contact of a row bore a load and does not part."""
    return row[MODE] != _OPEN and abs(row[VELOCITY]) <= _PARTING


class Begun(NamedTuple):
    """Memory for the contacts that take part in a step, up to all n.

    active (n,): their indices; places (n,): their rows in the record; guess (n, 3): impulses of the
    last step; before (n,): modes in the last step of those that stay closed; the others come, and
    are open. more (pairs,): contacts that a pair has more than in the last step.
    """

    active: Indices
    places: Indices
    guess: Array
    before: Indices
    more: Indices


def begun_for(contacts: ContactSet) -> Begun:
    """Return memory for the contacts of a machine."""
    count = len(contacts)
    places = [np.zeros(count, dtype=np.int64) for _ in range(3)]
    pairs = np.zeros(len(contacts.pairs), dtype=np.int64)
    return Begun(places[0], places[1], np.zeros((count, 3)), places[2], pairs)


@scratch_njit
def begin_record(
    gap: Array,
    p_WC: Array,
    pair_of: Indices,
    ground: Array,
    of_pairs: Array,
    pairs: Indices,
    near: Indices,
    last: Array,
    touching: float,
    still_touching: float,
    record: Array,
    begun: Begun,
) -> int:
    """Begin the record of a step from the gaps (n,), places (n, 3) and normals of all contacts.

    pair_of (m,): the pair of each contact of surfaces, -1 for the ground. pairs: rows of a
    ``PairTable``; near: those of them that are near, in order. last: record of the last step. A
    contact takes part in the step if its gap is at most ``touching``, or, where it was
    pressed in the last step, at most ``still_touching``. Where there are more contacts than rows,
    those that take no part are left out. Returns how many take part; -1 if even they are too many.
    """
    active, places, guess, before = begun.active, begun.places, begun.guess, begun.before
    room = (last.size - TAIL) // COLUMNS
    old = last[: room * COLUMNS].reshape(room, COLUMNS)
    rows = record[: room * COLUMNS].reshape(room, COLUMNS)
    all_fit = True
    if gap.size > room:
        kept = 0
        for part in range(near.size + 2):
            first, end = _part(part, gap, pair_of, pairs, near)
            for c in range(first, end):
                kept += gap[c] < np.inf
        all_fit = kept <= room
    met = row = count = 0
    for part in range(near.size + 2):
        first, end = _part(part, gap, pair_of, pairs, near)
        for c in range(first, end):
            if gap[c] == np.inf:
                continue
            while met < room and 0.0 <= old[met, WHICH] < c:
                met += 1
            has_met = met < room and old[met, WHICH] == c
            closed = gap[c] <= touching
            if not closed and gap[c] <= still_touching:
                closed = has_met and is_pressed(old[met])
            if not (closed or all_fit):
                continue
            if row == room:
                return -1
            one = rows[row]
            for column in range(COLUMNS):
                one[column] = 0.0
            one[WHICH], one[GAP] = c, gap[c]
            for d in range(3):
                one[POINT + d] = p_WC[c, d]
                if c < pair_of.shape[0]:
                    one[NORMAL + d] = of_pairs[pair_of[c], d] if pair_of[c] >= 0 else ground[d]
            if closed:
                active[count], places[count], before[count] = c, row, _OPEN
                for d in range(3):
                    guess[count, d] = old[met, IMPULSE + d] if has_met else 0.0
                if has_met and is_pressed(old[met]):
                    before[count] = int(old[met, MODE])
                count += 1
            row += 1
    for k in range(row, room):
        if rows[k, WHICH] < 0.0:  # none behind it is in use either
            break
        rows[k, WHICH] = -1.0
    for k in range(TAIL):
        record[record.size - TAIL + k] = 0.0
    record[record.size + OF_LAW] = last[last.size + OF_LAW]
    if begun.more.size > 0:
        _open_where_corners_change(old, pair_of, count, active, before, begun.more)
    return count


@scratch_njit
def _part(
    part: int, gap: Array, pair_of: Indices, pairs: Indices, near: Indices
) -> tuple[int, int]:
    """First contact of the ground, of a pair that is near or of the joints, and the end."""
    if part == 0:
        return 0, pairs[0, FIRST] if pairs.shape[0] > 0 else pair_of.shape[0]
    if part > near.size:
        return pair_of.shape[0], gap.size
    return pairs[near[part - 1], FIRST], pairs[near[part - 1], END]


@scratch_njit
def _open_where_corners_change(
    last: Array, pair_of: Indices, count: int, active: Indices, before: Indices, more: Indices
) -> None:
    """Let the contacts of pairs count as open before where more or fewer of a pair are closed now.

    Which corner of a pair is which may have changed then.
    """
    for pair in range(more.size):
        more[pair] = 0
    for k in range(count):
        if active[k] < pair_of.size and pair_of[active[k]] >= 0:
            more[pair_of[active[k]]] += 1
    for r in range(last.shape[0]):
        c = int(last[r, WHICH])
        if c < 0:
            break
        if c < pair_of.size and pair_of[c] >= 0 and last[r, MODE] != _OPEN:
            more[pair_of[c]] -= 1
    for k in range(count):
        if active[k] < pair_of.size and pair_of[active[k]] >= 0 and more[pair_of[active[k]]] != 0:
            before[k] = _OPEN
