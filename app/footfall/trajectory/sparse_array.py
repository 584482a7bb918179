"""Variables of contacts that look dense and are not: values are put together on demand.

A dataset has ``impulse`` and its like over time and contact, as if every contact had a value in
every row. What is kept is a `ContactTable`; ``data["impulse"].sel(contact=name)`` makes the values
of that contact alone, and ``.to_numpy()`` those of all, anew each time. Source of the form:
xarray's guide to backends, which read arrays out of files in the same way.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr
from xarray.backends import BackendArray
from xarray.core import indexing

from footfall.arrays import Indices
from footfall.trajectory.contact_table import CONTACT_VARIABLES, ContactTable, joined, table_of
from footfall.trajectory.variables import VARIABLES

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
        found = self.table.part(self.name, np.atleast_1d(rows), np.atleast_1d(contacts))
        if contacts.ndim == 0:
            found = found[:, 0]
        if rows.ndim == 0:
            found = found[0]
        return found[(..., *key[2:])]


def contact_variables(table: ContactTable, rows: int, contacts: int) -> dict[str, Any]:
    """Return the variables of a table, for a dataset; who writes into one makes it dense."""
    found: dict[str, Any] = {}
    for name in CONTACT_VARIABLES:
        lazy: Any = indexing.LazilyIndexedArray(ContactArray(table, name, rows, contacts))
        found[name] = indexing.CopyOnWriteArray(lazy)
    return found


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
    found = np.zeros(data.sizes["contact"], dtype=np.bool_)
    found[table.contact[table.columns["impulse"].any(axis=1)]] = True
    return found


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
