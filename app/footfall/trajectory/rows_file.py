"""Rows of a run under way, appended to a file beside its trajectory, block by block.

``trajectory.nc`` is written at the start, and names ``trajectory.rows``, the file of the rows that
follow; at the end, a whole one takes its place. Until then, and of a process that was killed, every
block that was written to its end can be read. A block is four integers (a mark, and the counts of
rows, entries of contacts and bytes of text), the rows, the entries, and the new events as JSON.
"""

import errno
import json
import os
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import astuple
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.errors import RunError
from footfall.trajectory.contact_table import CONTACT_VARIABLES, ContactTable
from footfall.trajectory.events import Event
from footfall.trajectory.variables import VARIABLES, Layout

_MARK = 0x46_52_4F_57_53_31  # at the beginning of each block
_HEAD = np.dtype(("<i8", 4))
_COLUMNS = tuple(name for name in VARIABLES if name not in CONTACT_VARIABLES)

Block = tuple[Array, Mapping[str, npt.NDArray[Any]], ContactTable, tuple[Event, ...]]


class RowsFile:
    """File of rows that grows. ``trouble`` says why it does not any more; the run goes on."""

    def __init__(self, path: Path, layout: Layout) -> None:
        """Make the file, empty; raises RunError if that fails."""
        self.trouble = ""
        self._types = _types(layout)
        try:
            self._file = path.open("wb", buffering=0)
        except OSError as error:
            raise RunError(
                f"cannot write {path}: {error.strerror}; choose another folder"
            ) from error
        weakref.finalize(self, self._file.close)  # of a run that begins anew

    def add(
        self,
        time: Array,
        columns: Mapping[str, npt.ArrayLike],
        contacts: ContactTable,
        events: Sequence[Event] = (),
    ) -> None:
        """Append rows, as ``TrajectoryBuilder.extend`` takes them, and the events since the last.

        Of a column that is left out nothing is known.
        """
        if self.trouble:
            return
        rows, entries = (
            np.empty(count, kind)
            for count, kind in zip((len(time), len(contacts)), self._types, strict=True)
        )
        rows["time"] = time
        for name in _COLUMNS:
            rows[name] = columns.get(name, VARIABLES[name].fill)
        entries["row"], entries["contact"] = contacts.row, contacts.contact
        for name in CONTACT_VARIABLES:
            entries[name] = contacts.columns[name]
        text = json.dumps([astuple(event) for event in events]).encode() if events else b""
        head = np.array([_MARK, len(rows), len(entries), len(text)], "<i8")
        block = b"".join((head.tobytes(), rows.tobytes(), entries.tobytes(), text))
        try:
            written = self._file.write(block)
            self.trouble = "" if written == len(block) else os.strerror(errno.ENOSPC)
        except OSError as error:
            self.trouble = error.strerror or str(error)
        if self.trouble:  # what came behind half a block could not be read
            self.close()

    def close(self) -> None:
        """Close the file; nothing is added any more."""
        with suppress(OSError):
            self._file.close()


def read_rows(path: Path, layout: Layout) -> Iterator[Block]:
    """Yield what ``RowsFile.add`` was given, up to the last block that is whole.

    Raises OSError for a file that cannot be read.
    """
    whole, at = path.read_bytes(), 0
    kinds = _types(layout)
    while at + _HEAD.itemsize <= len(whole):
        mark, *counts = np.frombuffer(whole, "<i8", 4, at).tolist()
        sizes = [
            count * kind.itemsize
            for count, kind in zip(counts, (*kinds, np.dtype("u1")), strict=True)
        ]
        at += _HEAD.itemsize
        if mark != _MARK or min(counts) < 0 or at + sum(sizes) > len(whole):
            return
        rows = np.frombuffer(whole, kinds[0], counts[0], at)
        entries = np.frombuffer(whole, kinds[1], counts[1], at + sizes[0])
        at += sum(sizes)
        try:
            told = json.loads(whole[at - sizes[2] : at] or b"[]")
            events = tuple(Event(float(time), str(kind), str(what)) for time, kind, what in told)
        except (ValueError, TypeError):
            return
        within = (entries["row"] >= 0) & (entries["row"] < counts[0])
        if not (
            within & (entries["contact"] >= 0) & (entries["contact"] < layout.size("contact"))
        ).all():
            return
        table = ContactTable(
            entries["row"], entries["contact"], {name: entries[name] for name in CONTACT_VARIABLES}
        )
        yield rows["time"], {name: rows[name] for name in _COLUMNS}, table, events


def _types(layout: Layout) -> tuple[np.dtype[Any], np.dtype[Any]]:
    """Types of a row, and of an entry of a contact."""
    shapes = {
        name: tuple(layout.size(dim) for dim in variable.dims)
        for name, variable in VARIABLES.items()
    }
    rows: list[Any] = [("time", "<f8")]
    rows += [(name, f"<{VARIABLES[name].dtype}", shapes[name]) for name in _COLUMNS]
    entries: list[Any] = [("row", "<i8"), ("contact", "<i8")]
    entries += [(name, f"<{VARIABLES[name].dtype}", shapes[name][1:]) for name in CONTACT_VARIABLES]
    return np.dtype(rows), np.dtype(entries)
