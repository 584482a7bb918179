"""The record of a Moreau step in the context: rows of contacts, then how the step was solved.

A row belongs to the contact whose index stands in its column WHICH; rows come in the order of the
contacts, and unused ones have -1 there. What is surely far apart has no row, so that a robot whose
links could touch in thousands of ways does not carry them along in every step.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array, Indices
from footfall.contact import Mode
from footfall.jit import njit
from footfall.plants.contacts import ContactSet
from footfall.plants.contacts.measure import Normals
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
# behind the rows: how the step was solved, and its energy
RESIDUAL = -7
ITERATIONS = -6
STAGE = -5
CONSTRAINT_GAP = -4
CONSTRAINT_WORK = -3
ENERGY_RESIDUAL = -2
ENERGY_GAIN = -1
TAIL = 7


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


@njit
def is_pressed(row: Array) -> bool:
    """Return whether the contact of a row bore a load and does not part."""
    return row[MODE] != _OPEN and abs(row[VELOCITY]) <= _PARTING


class BegunRecord(NamedTuple):
    """A step's new record; the k contacts that take part, their rows and last impulses (k, 3).

    before (k,): modes in the last step of those that stay closed; the others come, and are open.
    """

    record: Array
    active: Indices
    places: Indices
    guess: Array
    before: Indices

    def only(self, some: npt.NDArray[np.bool_]) -> "BegunRecord":
        """The same step with some of the contacts (k,) alone."""
        active, places, guess = self.active[some], self.places[some], self.guess[some]
        return BegunRecord(self.record, active, places, guess, self.before[some])


@njit
def begin_record(
    gap: Array,
    p_WC: Array,
    normals: Normals,
    last: Array,
    touching: float,
    still_touching: float,
) -> BegunRecord:
    """Begin the record of a step from the gaps (n,), places (n, 3) and normals of all contacts.

    last: record of the last step. A contact takes part in the step if its gap is at
    most ``touching``, or, where it was pressed in the last step, at most ``still_touching``.
    Where there are more contacts than rows, those that take no part are left out; if even that does
    not do, the record is empty.
    """
    room = (last.size - TAIL) // COLUMNS
    before = last[: room * COLUMNS].reshape(room, COLUMNS)
    met = _rows_in(before, gap.size)
    closed = _closed(gap, before, met, touching, still_touching)
    kept = gap < np.inf
    if kept.sum() > room:
        kept = closed
    count = closed.sum()
    active, places = np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64)
    guess = np.zeros((count, 3))
    if kept.sum() > room:
        return BegunRecord(np.zeros(0), active, places, guess, active)
    record = np.zeros(room * COLUMNS + TAIL)
    rows = record[: room * COLUMNS].reshape(room, COLUMNS)
    rows[:, WHICH] = -1.0
    k = 0
    for row, c in enumerate(np.flatnonzero(kept)):
        rows[row, WHICH], rows[row, GAP] = c, gap[c]
        rows[row, POINT : POINT + 3] = p_WC[c]
        if c < normals.pair_of.shape[0]:
            pair = normals.pair_of[c]
            rows[row, NORMAL : NORMAL + 3] = normals.ground if pair < 0 else normals.of_pairs[pair]
        if closed[c]:
            active[k], places[k] = c, row
            if met[c] >= 0:
                guess[k] = before[met[c], IMPULSE : IMPULSE + 3]
            k += 1
    return BegunRecord(
        record, active, places, guess, _modes_of_closed(active, before, met, normals)
    )


@njit
def _modes_of_closed(active: Indices, last: Array, met: Indices, normals: Normals) -> Indices:
    """Modes in the last step of the active contacts (k,) that stay closed; the others are open.

    Which corner of a pair is which may change where their count does: then all of them count as
    open.
    """
    modes = np.full(active.size, _OPEN)
    more = np.zeros(normals.of_pairs.shape[0], dtype=np.int64)  # closed now than in the last step
    touching = normals.pair_of.size
    for k, c in enumerate(active):
        if c < touching and normals.pair_of[c] >= 0:
            more[normals.pair_of[c]] += 1
        if met[c] >= 0 and is_pressed(last[met[c]]):
            modes[k] = int(last[met[c], MODE])
    for r in range(last.shape[0] if more.size > 0 else 0):
        c = int(last[r, WHICH])
        if 0 <= c < touching and normals.pair_of[c] >= 0 and last[r, MODE] != _OPEN:
            more[normals.pair_of[c]] -= 1
    for k, c in enumerate(active):
        if c < touching and normals.pair_of[c] >= 0 and more[normals.pair_of[c]] != 0:
            modes[k] = _OPEN
    return modes


@njit
def _rows_in(rows: Array, count: int) -> Indices:
    """The row of each of so many contacts, (count,), -1 for those without one."""
    found = np.full(count, -1)
    for r in range(rows.shape[0]):
        if rows[r, WHICH] >= 0.0:
            found[int(rows[r, WHICH])] = r
    return found


@njit
def _closed(
    gap: Array, last: Array, met: Indices, touching: float, still_touching: float
) -> npt.NDArray[np.bool_]:
    """Return the contacts that take part; met: their rows in the last record."""
    closed = gap <= touching
    for c in np.flatnonzero(met >= 0):
        if touching < gap[c] <= still_touching and gap[c] < np.inf:
            closed[c] = is_pressed(last[met[c]])
    return closed
