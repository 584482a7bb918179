"""Contacts of a run as they occur: an entry for each row of time and each contact known there.

A contact without an entry in a row is open, bears nothing, and nobody knows where it would touch:
it is far apart. Of a thousand pairs of links that might touch, few ever have an entry.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.arrays import Indices
from footfall.trajectory.variables import VARIABLES

CONTACT_VARIABLES = tuple(
    name for name, variable in VARIABLES.items() if variable.dims[:1] == ("contact",)
)
"""Variables of a trajectory that have values for contacts."""

FAR = {
    "impulse": 0.0,
    "contact_velocity": 0.0,
    "gap": np.nan,
    "contact_point": np.nan,
    "contact_normal": np.nan,
    "mode": 0,
    "dissipation": 0.0,
}
"""Values of the variables for a contact without an entry."""


@dataclass(frozen=True, eq=False)
class ContactTable:
    """Entries of contacts in the order of their rows, and within a row of the contacts.

    row, contact (m,): indices along time and contact. columns: for each of ``CONTACT_VARIABLES``
    (m,) or (m, 3), units as in ``VARIABLES``.
    """

    row: Indices
    contact: Indices
    columns: Mapping[str, npt.NDArray[Any]]

    def __len__(self) -> int:
        """Count of entries."""
        return len(self.row)

    def dense(self, name: str, rows: int, contacts: int) -> npt.NDArray[Any]:
        """Values of a variable for all rows and contacts, (rows, contacts, ...)."""
        values = self.columns[name]
        found = np.full((rows, contacts, *values.shape[1:]), FAR[name], values.dtype)
        found[self.row, self.contact] = values
        return found

    def part(self, name: str, rows: Indices, contacts: Indices) -> npt.NDArray[Any]:
        """Values of a variable at some rows and some contacts, (rows, contacts, ...)."""
        rows, row_of = np.unique(rows, return_inverse=True)
        contacts, contact_of = np.unique(contacts, return_inverse=True)
        values = self.columns[name]
        found = np.full((len(rows), len(contacts), *values.shape[1:]), FAR[name], values.dtype)
        if found.size > 0:
            first, last = np.searchsorted(self.row, (rows[0], rows[-1] + 1))
            entry = first + _asked(self.contact[first:last], contacts)
            line = self.row[entry] - rows[0]
            if len(rows) <= rows[-1] - rows[0]:  # with rows between them that are not asked for
                line = np.searchsorted(rows, self.row[entry])
                there = rows[line] == self.row[entry]
                entry, line = entry[there], line[there]
            found[line, np.searchsorted(contacts, self.contact[entry])] = values[entry]
        if len(rows) != len(row_of) or np.any(np.diff(row_of) != 1):
            found = found[row_of]
        if len(contacts) != len(contact_of) or np.any(np.diff(contact_of) != 1):
            found = found[:, contact_of]
        return found

    def only(self, kept: npt.NDArray[np.bool_]) -> "ContactTable":
        """The entries that are kept, (m,)."""
        columns = {name: values[kept] for name, values in self.columns.items()}
        return ContactTable(self.row[kept], self.contact[kept], columns)

    def behind(self, rows: int) -> "ContactTable":
        """The same entries so many rows later."""
        return ContactTable(self.row + rows, self.contact, self.columns)


def _asked(contact: Indices, contacts: Indices) -> Indices:
    """Places of entries (m,) whose contact is one of some, which are mostly a single one."""
    one = len(contacts) == 1
    return np.flatnonzero(contact == contacts[0] if one else np.isin(contact, contacts))


def joined(tables: Sequence[ContactTable]) -> ContactTable:
    """Return the entries of tables whose rows follow each other."""
    return ContactTable(
        np.concatenate([table.row for table in tables]),
        np.concatenate([table.contact for table in tables]),
        {
            name: np.concatenate([table.columns[name] for table in tables])
            for name in CONTACT_VARIABLES
        },
    )


def table_of(columns: Mapping[str, npt.NDArray[Any]]) -> ContactTable:
    """Return the entries of dense columns (rows, contacts, ...); what is far has none."""
    rows, contacts = columns["gap"].shape
    known_anywhere = np.zeros((rows, contacts), dtype=np.bool_)
    for name, far in FAR.items():
        values = columns[name]
        known = ~np.isnan(values) if np.isnan(far) else values != far
        known_anywhere |= known if known.ndim == 2 else known.any(axis=2)
    row, contact = np.nonzero(known_anywhere)
    return ContactTable(
        row, contact, {name: columns[name][row, contact] for name in CONTACT_VARIABLES}
    )
