"""Contacts of a run as they occur: an entry for each row of time and each contact known there.

A contact without an entry in a row is open, bears nothing, and nobody knows where it would touch:
it is far apart. Of a thousand pairs of links that might touch, few ever have an entry.

In a dataset variables of contacts look dense and are not: values are put together on demand. It has
``impulse`` and its like over time and contact, as if every contact had a value in every row. What
is kept is a `ContactTable`; ``data["impulse"].sel(contact=name)`` makes the values of that contact
alone, and ``.to_numpy()`` those of all, anew each time. Source of the form: xarray's guide to
backends, which read arrays out of files in the same way.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr
from xarray.backends import BackendArray
from xarray.core import indexing

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

    row, contact (m,): indices along time and contact. columns: for each of ``CONTACT_VARIABLES``,
    or some of them, (m,) or (m, 3), units as in ``VARIABLES``.
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
        filled = np.full((rows, contacts, *values.shape[1:]), FAR[name], values.dtype)
        filled[self.row, self.contact] = values
        return filled

    def part(self, name: str, rows: Indices, contacts: Indices) -> npt.NDArray[Any]:
        """Values of a variable at some rows and some contacts, (rows, contacts, ...)."""
        rows, row_of = np.unique(rows, return_inverse=True)
        contacts, contact_of = np.unique(contacts, return_inverse=True)
        values = self.columns[name]
        filled = np.full((len(rows), len(contacts), *values.shape[1:]), FAR[name], values.dtype)
        if filled.size > 0:
            first, last = np.searchsorted(self.row, (rows[0], rows[-1] + 1))
            entry = first + _asked(self.contact[first:last], contacts)
            line = self.row[entry] - rows[0]
            if len(rows) <= rows[-1] - rows[0]:  # with rows between them that are not asked for
                line = np.searchsorted(rows, self.row[entry])
                there = rows[line] == self.row[entry]
                entry, line = entry[there], line[there]
            filled[line, np.searchsorted(contacts, self.contact[entry])] = values[entry]
        if len(rows) != len(row_of) or np.any(np.diff(row_of) != 1):
            filled = filled[row_of]
        if len(contacts) != len(contact_of) or np.any(np.diff(contact_of) != 1):
            filled = filled[:, contact_of]
        return filled

    def only(self, kept: npt.NDArray[np.bool_] | slice) -> "ContactTable":
        """The entries that are kept, (m,)."""
        columns = {name: values[kept] for name, values in self.columns.items()}
        return ContactTable(self.row[kept], self.contact[kept], columns)

    def behind(self, rows: int) -> "ContactTable":
        """The same entries so many rows later."""
        return ContactTable(self.row + rows, self.contact, self.columns) if rows else self


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
            for name in tables[0].columns
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


_NUMBERS = 1_000_000  # of a dense variable that are looked at together


class ContactArray(BackendArray):
    """A variable of a table for so many rows and contacts, as an array that xarray indexes."""

    def __init__(self, table: ContactTable, name: str, rows: int, contacts: int) -> None:
        """Take a table, one of ``CONTACT_VARIABLES``, and the sizes of time and contact."""
        self.table, self.name = table, name
        values = table.columns[name]
        self.shape = (rows, contacts, *values.shape[1:])
        self.dtype = values.dtype

    def __getitem__(self, key: indexing.ExplicitIndexer) -> npt.NDArray[Any]:
        """Return the values at an indexer of xarray's."""
        values: npt.NDArray[Any] = indexing.explicit_indexing_adapter(
            key, self.shape, indexing.IndexingSupport.OUTER, self._values
        )
        return values

    def _values(self, key: tuple[Any, ...]) -> npt.NDArray[Any]:
        """Values at a row or rows, a contact or contacts, and what else; each index by itself."""
        rows, contacts = (
            np.arange(size)[index] for size, index in zip(self.shape, key[:2], strict=False)
        )
        filled = self.table.part(self.name, np.atleast_1d(rows), np.atleast_1d(contacts))
        if contacts.ndim == 0:
            filled = filled[:, 0]
        if rows.ndim == 0:
            filled = filled[0]
        return filled[(..., *key[2:])]


def contact_variables(table: ContactTable, rows: int, contacts: int) -> dict[str, Any]:
    """Return the variables of a table, for a dataset; who writes into one makes it dense."""
    variables: dict[str, Any] = {}
    for name in CONTACT_VARIABLES:
        lazy: Any = indexing.LazilyIndexedArray(ContactArray(table, name, rows, contacts))
        variables[name] = indexing.CopyOnWriteArray(lazy)
    return variables


def contact_table(data: xr.Dataset) -> ContactTable:
    """Return the entries of the contacts of a trajectory's data, in whatever form it keeps them."""
    tables = [_kept_table(data[name].variable) for name in CONTACT_VARIABLES]
    if tables[0] is not None and all(table is tables[0] for table in tables):
        return tables[0]
    rows, contacts = data.sizes["time"], data.sizes["contact"]
    few = max(1, _NUMBERS // max(contacts, 1))
    blocks = []
    for first in range(0, max(rows, 1), few):
        block = data.isel(time=slice(first, first + few))
        columns = {
            name: block[name].transpose("time", *VARIABLES[name].dims).to_numpy()
            for name in CONTACT_VARIABLES
        }
        blocks.append(table_of(columns).behind(first))
    return blocks[0] if len(blocks) == 1 else joined(blocks)


def occurring(data: xr.Dataset) -> Indices:
    """Return the indices of contacts that have entries in a trajectory; all others stay far."""
    there = np.zeros(data.sizes["contact"], dtype=np.bool_)
    there[contact_table(data).contact] = True
    return np.flatnonzero(there)


def bore_ever(data: xr.Dataset) -> npt.NDArray[np.bool_]:
    """Return which contacts of a trajectory had an impulse, or one that is no number, (n,)."""
    table = contact_table(data)
    bore = np.zeros(data.sizes["contact"], dtype=np.bool_)
    bore[table.contact[table.columns["impulse"].any(axis=1)]] = True
    return bore


def _kept_table(variable: xr.Variable) -> ContactTable | None:
    """Return the table that a variable stands for as a whole, None where it does for none."""
    array: Any = variable._data  # noqa: SLF001 (nothing public says whether values are lazy)
    while isinstance(array, indexing.CopyOnWriteArray | indexing.LazilyIndexedArray):
        key = getattr(array, "key", None)
        if key is not None and not all(
            isinstance(index, slice) and index.indices(size) == (0, size, 1)
            for index, size in zip(key.tuple, array.array.shape, strict=True)
        ):
            return None
        array = array.array
    return array.table if isinstance(array, ContactArray) else None
