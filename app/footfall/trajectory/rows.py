"""Rows of a trajectory that follow each other, as engines and files give them: a block."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

from footfall.arrays import Array
from footfall.trajectory.contact_table import (
    CONTACT_VARIABLES,
    ContactTable,
    contact_variables,
    joined,
)
from footfall.trajectory.variables import VARIABLES, Layout

COLUMNS = tuple(name for name in VARIABLES if name not in CONTACT_VARIABLES)
"""Variables that have a value in every row; the others have entries of contacts."""


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows of a trajectory: times (n,) [s], columns (n, ...) by name, and entries of contacts.

    Rows of entries are counted from the first of these.
    """

    time: Array
    columns: Mapping[str, npt.NDArray[Any]]
    contacts: ContactTable

    def part(self, begin: int, end: int) -> "Rows":
        """Some of them that follow each other."""
        span = slice(*np.searchsorted(self.contacts.row, (begin, end)))
        columns = {name: values[begin:end] for name, values in self.columns.items()}
        return Rows(self.time[begin:end], columns, self.contacts.only(span).behind(-begin))

    def only(self, names: Sequence[str]) -> "Rows":
        """The same rows with some of their columns alone, and of those of entries."""
        columns, entries = (
            {name: values for name, values in all_of.items() if name in names}
            for all_of in (self.columns, self.contacts.columns)
        )
        return Rows(
            self.time, columns, ContactTable(self.contacts.row, self.contacts.contact, entries)
        )

    def then(self, more: "Rows") -> "Rows":
        """These rows and those that follow."""
        return joined_rows([self, more])

    def dataset(self, layout: Layout, attributes: Mapping[str, str] | None = None) -> xr.Dataset:
        """Label rows that have all of ``COLUMNS``."""
        contacts = contact_variables(self.contacts, len(self.time), layout.size("contact"))
        return dataset(layout, self.time, {**self.columns, **contacts}, attributes)


def joined_rows(blocks: Iterable[Rows]) -> Rows:
    """Return the rows of one block or more that follow each other, and have the same columns."""
    blocks = list(blocks)
    first = np.cumsum([0, *(len(block.time) for block in blocks)]).tolist()
    return Rows(
        np.concatenate([block.time for block in blocks]),
        {
            name: np.concatenate([block.columns[name] for block in blocks])
            for name in blocks[0].columns
        },
        joined([block.contacts.behind(row) for block, row in zip(blocks, first[:-1], strict=True)]),
    )


def empty_column(layout: Layout, name: str, rows: int) -> npt.NDArray[Any]:
    """Return a column of a variable in which nothing is known yet."""
    variable = VARIABLES[name]
    shape = (rows, *(layout.size(dim) for dim in variable.dims))
    return np.full(shape, variable.fill, dtype=variable.dtype)


def dataset(
    layout: Layout,
    time: Array,
    columns: Mapping[str, Any],
    attributes: Mapping[str, str] | None,
) -> xr.Dataset:
    """Label all columns, arrays or what stands for them, with dimensions, names and units.

    columns: one for each of VARIABLES.
    """
    variables = {
        name: (("time", *variable.dims), columns[name], variable.attrs)
        for name, variable in VARIABLES.items()
    }
    times = ("time", time, {"units": "s", "long_name": "time"})
    return xr.Dataset(variables, {"time": times, **layout.coordinates()}, dict(attributes or {}))
