"""Every n-th row of a run: what a row says of the steps since the one before.

State, efforts, energies and works are those at the row's time. Impulses of the steps since the last
row are summed up, and so is what contacts took; of numbers of the solver the largest is kept. A
contact that was closed in one of the steps has the mode, place, normal and velocity of the last of
these, in whose axes its impulses are; its gap is that at the row's time.
"""

import numpy as np

from footfall.arrays import Indices
from footfall.engines.summary import summed, summed_in_axes_of
from footfall.plants.contacts.axes import ContactAxes
from footfall.trajectory.contact_table import CONTACT_VARIABLES, ContactTable
from footfall.trajectory.rows import Rows

_LARGEST = ("residual", "iterations", "stage")


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
        size = int(table.contact.max(initial=0)) + 1
        row = np.searchsorted(ends, table.row)
        keys, group = np.unique(row * size + table.contact, return_inverse=True)
        at_end = np.isin(table.row, ends)
        closed = (table.columns["mode"] > 0) | table.columns["impulse"].any(axis=1)
        leading = np.full(len(keys), -1)
        leading[group[at_end]] = np.flatnonzero(at_end)
        bears = np.flatnonzero(closed)
        leading[group[bears]] = bears  # the last one written leads
        columns = dict(table.columns)
        normals = np.nan_to_num(table.columns["contact_normal"])
        axes_W = self._axes.about_each(normals)
        impulse = np.ascontiguousarray(table.columns["impulse"])
        columns["impulse"] = summed_in_axes_of(impulse, axes_W, group, leading)
        columns["dissipation"] = summed(table.columns["dissipation"], group, len(keys))
        gap = np.full(len(keys), np.nan)
        gap[group[at_end]] = table.columns["gap"][at_end]
        columns["gap"] = gap
        for name in ("contact_velocity", "contact_point", "contact_normal", "mode"):
            columns[name] = table.columns[name][leading]
        known = leading >= 0
        row, contact = np.divmod(keys, size)
        whole = ContactTable(row, contact, {name: columns[name] for name in CONTACT_VARIABLES})
        return whole.only(known)
