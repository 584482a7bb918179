"""Every n-th row of a run: what a row says of the steps since the one before.

State, efforts, energies and works are those at the row's time. Impulses of the steps since the last
row are summed up, and so is what contacts took; of numbers of the solver the largest is kept. A
contact that was closed in one of the steps has the mode, place, normal and velocity of the last of
these, in whose axes its impulses are; its gap is that at the row's time.
"""

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array, Indices
from footfall.engines.entries import add_turned
from footfall.jit import njit
from footfall.plants.contacts.axes import ContactAxes
from footfall.trajectory.contact_table import ContactTable
from footfall.trajectory.rows import Rows

_LARGEST = ("residual", "iterations", "stage")
_SUMMED = ("impulse", "dissipation", "gap")
_UNSEEN = -2


class Thinning:
    """Puts steps together to rows; the first step's row, which is the start, stands alone.

    axes: those that belong to the normals of contacts.
    """

    def __init__(self, every: int, axes: ContactAxes) -> None:
        """Take how many steps a row has."""
        self._every, self._axes = every, axes
        self._begun = False
        self._rest: Rows | None = None

    def add(self, steps: Rows) -> Rows:
        """Take rows of single steps, and return those that are complete."""
        if self._every == 1:
            return steps
        first = 0 if self._begun or len(steps.time) == 0 else 1
        self._begun = self._begun or first == 1
        if self._rest is not None:
            steps = self._rest.then(steps)
        whole = (len(steps.time) - first) // self._every
        last = first + whole * self._every
        self._rest = steps.part(last, len(steps.time))
        ends = np.arange(whole) * self._every + first + self._every - 1
        return self._together(steps.part(0, last), np.concatenate((np.arange(first), ends)))

    def rest(self) -> Rows | None:
        """Return the last row, where the steps behind the last one are fewer; None without any."""
        rest, self._rest = self._rest, None
        if rest is None or len(rest.time) == 0:
            return None
        return self._together(rest, np.array([len(rest.time) - 1]))

    def _together(self, steps: Rows, ends: Indices) -> Rows:
        """Put steps together to rows that end at some of them."""
        columns = {name: values[ends] for name, values in steps.columns.items()}
        begins = np.concatenate(([0], ends[:-1] + 1))
        for name in _LARGEST if len(ends) > 0 else ():
            columns[name] = np.fmax.reduceat(steps.columns[name], begins)
        return Rows(steps.time[ends], columns, self._contacts(steps.contacts, ends))

    def _contacts(self, table: ContactTable, ends: Indices) -> ContactTable:
        """Entries of contacts in rows that end at some steps."""
        columns = dict(table.columns)
        size, count = int(table.contact.max(initial=-1)) + 1, len(table)
        row, contact, leading = (np.empty(count, dtype=np.int64) for _ in range(3))
        normal = np.nan_to_num(columns["contact_normal"])
        impulse, dissipation, gap = (np.ascontiguousarray(columns[name]) for name in _SUMMED)
        sums = np.zeros_like(impulse), np.zeros_like(dissipation), np.empty_like(gap)
        count = _put_together(
            ends,
            size,
            table.row,
            table.contact,
            columns["mode"],
            normal,
            impulse,
            dissipation,
            gap,
            self._axes.R_WT,
            self._axes.planar,
            row,
            contact,
            leading,
            *sums,
        )
        columns = {name: values[leading[:count]] for name, values in columns.items()}
        columns |= {name: values[:count] for name, values in zip(_SUMMED, sums, strict=True)}
        return ContactTable(row[:count], contact[:count], columns)


@njit
def _put_together(
    ends: Indices,
    size: int,
    row: Indices,
    contact: Indices,
    mode: npt.NDArray[np.int8],
    normal: Array,
    impulse: Array,
    dissipation: Array,
    gap: Array,
    R_WT: Array,
    planar: bool,
    new_row: Indices,
    new_contact: Indices,
    leading: Indices,
    impulses: Array,
    dissipations: Array,
    gaps: Array,
) -> int:
    """Fill the entries of rows that end at some steps, and count them.

    size: beyond all contacts. normal: zero where it is not known. leading: the entry that a new one
    is told by. Behind it, zero at first: sums of impulses in its axes, and of what contacts took;
    gaps at the ends.
    """
    leader, bore = np.full(size, _UNSEEN), np.zeros(size, dtype=np.bool_)
    seen, place = np.empty(size, dtype=np.int64), np.empty(size, dtype=np.int64)
    first = m = 0
    for i in range(ends.size):
        end, met = _lead(ends[i], first, row, contact, mode, impulse, leader, bore, seen)
        for c in seen[:met]:
            if leader[c] >= 0:
                place[c] = m
                new_row[m], new_contact[m], leading[m] = i, c, leader[c]
                gaps[m] = np.nan
                m += 1
        for k in range(first, end):
            c, at = contact[k], place[contact[k]]
            if leader[c] < 0:
                continue
            dissipations[at] += dissipation[k]
            if row[k] == ends[i]:
                gaps[at] = gap[k]
            if _acts(impulse, k):
                add_turned(impulse[k], normal[k], normal[leader[c]], R_WT, planar, impulses[at])
        for c in seen[:met]:
            leader[c] = _UNSEEN
        first = end
    return m


@njit
def _lead(
    last: int,
    first: int,
    row: Indices,
    contact: Indices,
    mode: npt.NDArray[np.int8],
    impulse: Array,
    leader: Indices,
    bore: npt.NDArray[np.bool_],
    seen: Indices,
) -> tuple[int, int]:
    """Fill the leaders of contacts among the entries from first on to a last row, -1 for none.

    Returns the end of these entries, and how many contacts were seen, in ascending order.
    """
    k, met = first, 0
    while k < row.size and row[k] <= last:
        c, acts = contact[k], mode[k] > 0 or _acts(impulse, k)
        if leader[c] == _UNSEEN:
            leader[c], bore[c] = -1, False
            at = met
            while at > 0 and seen[at - 1] > c:
                seen[at] = seen[at - 1]
                at -= 1
            seen[at] = c
            met += 1
        if acts or (row[k] == last and not bore[c]):
            leader[c], bore[c] = k, bore[c] or acts
        k += 1
    return k, met


@njit
def _acts(impulse: Array, k: int) -> bool:
    """Say whether an impulse is not zero, or no number."""
    return impulse[k, 0] != 0.0 or impulse[k, 1] != 0.0 or impulse[k, 2] != 0.0
