"""Trajectories as NetCDF4 files, which Python, MATLAB and Julia open.

Contacts are stored as they occur, by CF's convention for indexed ragged arrays: ``impulse`` and its
like have one value an entry, whose indices along time and contact are ``entry_row`` and
``entry_contact``, counted from 0. A contact without an entry in a row is open and far apart. The
events lie on a dimension of their own; status and message are attributes of the file.

Rows of a run under way are appended to a file beside its trajectory, block by block.
``trajectory.nc`` is written at the start, and names ``trajectory.rows``, the file of the rows that
follow; at the end, a whole one takes its place. Until then, and of a process that was killed, every
block that was written to its end can be read. A block is four integers (a mark, and the counts of
rows, entries of contacts and bytes of text), the columns of the rows and those of the entries, one
after the other, and the new events as JSON.
"""

import errno
import json
import os
import weakref
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import astuple, fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr
from xarray.backends import NetCDF4DataStore
from xarray.backends.netCDF4_ import NETCDF4_PYTHON_LOCK

from footfall.errors import RunError
from footfall.files import replacing
from footfall.trajectory.contact_table import (
    CONTACT_VARIABLES,
    ContactTable,
    contact_table,
    contact_variables,
)
from footfall.trajectory.events import INCOMPLETE, Event, Status
from footfall.trajectory.rows import COLUMNS, Rows, empty_column, joined_rows
from footfall.trajectory.variables import AXES, VARIABLES, XYZ, Layout

_MARK = 0x46_52_4F_57_53_31  # at the beginning of each block
_HEAD = np.dtype(("<i8", 4))


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

    def add(self, added: Rows, events: Sequence[Event] = ()) -> None:
        """Append rows, and the events since the last.

        Of a column that is left out nothing is known.
        """
        if self.trouble:
            return
        given = {"time": added.time, **added.columns, **added.contacts.columns}
        given |= {"row": added.contacts.row, "contact": added.contacts.contact}
        counts = len(added.time), len(added.contacts)
        columns = [
            np.ascontiguousarray(given[name], kind.base)
            if name in given
            else np.full(count, VARIABLES[name].fill, kind)
            for count, kinds in zip(counts, self._types, strict=True)
            for name, kind in kinds.items()
        ]
        text = json.dumps([astuple(event) for event in events]).encode() if events else b""
        head = np.array([_MARK, *counts, len(text)], "<i8")
        parts: list[Any] = [head, *columns, text]
        size = sum(column.nbytes for column in (head, *columns)) + len(text)
        try:
            written = os.writev(self._file.fileno(), parts)
            self.trouble = "" if written == size else os.strerror(errno.ENOSPC)
        except OSError as error:
            self.trouble = error.strerror or str(error)
        if self.trouble:  # what came behind half a block could not be read
            self.close()

    def close(self) -> None:
        """Close the file; nothing is added any more."""
        with suppress(OSError):
            self._file.close()


def read_rows(path: Path, layout: Layout) -> Iterator[tuple[Rows, tuple[Event, ...]]]:
    """Yield what ``RowsFile.add`` was given, up to the last block that is whole.

    Raises OSError for a file that cannot be read.
    """
    whole, at = path.read_bytes(), 0
    kinds = _types(layout)
    while at + _HEAD.itemsize <= len(whole):
        mark, *counts, text = np.frombuffer(whole, "<i8", 4, at).tolist()
        at += _HEAD.itemsize
        size = sum(
            count * kind.itemsize
            for count, of in zip(counts, kinds, strict=True)
            for kind in of.values()
        )
        if mark != _MARK or min(*counts, text) < 0 or at + size + text > len(whole):
            return
        rows: dict[str, npt.NDArray[Any]] = {}
        entries: dict[str, npt.NDArray[Any]] = {}
        for count, of, columns in zip(counts, kinds, (rows, entries), strict=True):
            for name, kind in of.items():
                columns[name] = np.ndarray((count, *kind.shape), kind.base, whole, at)
                at += count * kind.itemsize
        at += text
        try:
            told = json.loads(whole[at - text : at] or b"[]")
            events = tuple(Event(float(time), str(kind), str(what)) for time, kind, what in told)
        except (ValueError, TypeError):
            return
        row, contact, time = entries.pop("row"), entries.pop("contact"), rows.pop("time")
        within = (row >= 0) & (row < counts[0])
        if not (within & (contact >= 0) & (contact < layout.size("contact"))).all():
            return
        yield Rows(time, rows, ContactTable(row, contact, entries)), events


def _types(layout: Layout) -> tuple[dict[str, np.dtype[Any]], dict[str, np.dtype[Any]]]:
    """Types of the columns of rows, and of those of entries of contacts, in their order."""
    shapes = {
        name: tuple(layout.size(dim) for dim in variable.dims)
        for name, variable in VARIABLES.items()
    }
    rows: dict[str, np.dtype[Any]] = {"time": np.dtype("<f8")}
    rows |= {name: np.dtype((f"<{VARIABLES[name].dtype}", shapes[name])) for name in COLUMNS}
    entries: dict[str, np.dtype[Any]] = dict.fromkeys(("row", "contact"), np.dtype("<i8"))
    entries |= {
        name: np.dtype((f"<{VARIABLES[name].dtype}", shapes[name][1:]))
        for name in CONTACT_VARIABLES
    }
    return rows, entries


_FORMAT = "footfall trajectory 2"
_ENTRY = "entry"
_ENTRY_INDICES = {
    "entry_row": ("time", "index along time of an entry of a contact"),
    "entry_contact": ("contact", "index along contact of an entry"),
}
_CONTENTS = "contents"
_READING = "reading"
_OWN_ATTRIBUTES = ("format", "status", "message", _CONTENTS)
_AS_IT_STANDS: dict[str, Any] = {"engine": "netcdf4", "mask_and_scale": False}
_INFLATED = 2000  # times the size of a file, which deflate does not reach
_ROWS = ".rows"
_GROWS = "rows"  # attribute of a run under way: the file beside it that has its rows
_NAMES = {one.name: one.name.removesuffix("_units") for one in fields(Layout)}
_EVENT_VARIABLES = ("event_time", "event_kind", "event_what")
_TEXTS = {"event_kind", "event_what", *_NAMES}


def write(
    path: Path, data: xr.Dataset, events: tuple[Event, ...], status: Status, message: str
) -> None:
    """Write the parts of a trajectory; see Trajectory.save."""
    whole = _with_entries(data).assign(_event_variables(events))
    whole.attrs.update(format=_FORMAT, status=status.value, message=message)
    whole.attrs[_CONTENTS] = json.dumps(_contents(whole))
    with replacing(path) as temporary:
        try:
            _store(whole, temporary)
        except RuntimeError as error:
            raise RunError(f"cannot write {path}: {error}; is the disk full, or memory?") from error


def _store(data: xr.Dataset, path: Path) -> None:
    """Write a dataset as ``Dataset.to_netcdf`` does.

    That one imports all of Dask for its choice of a lock, which takes longer than to write.
    """
    opened: Any = NetCDF4DataStore  # without types
    store = opened.open(path, "w", "NETCDF4", lock=NETCDF4_PYTHON_LOCK)
    with closing(store):
        data.dump_to_store(store, encoding=_encoding(data))


def begin(path: Path, data: xr.Dataset, events: tuple[Event, ...]) -> RowsFile:
    """Write the start of a run; see Trajectory.begin."""
    rows = RowsFile(path.with_suffix(_ROWS), _layout(data))
    named = data.assign_attrs({_GROWS: path.with_suffix(_ROWS).name})
    try:
        write(path, named, events, Status.INTERRUPTED, "")
    except RunError:
        rows.close()
        path.with_suffix(_ROWS).unlink()
        raise
    return rows


def is_trajectory(data: xr.Dataset) -> bool:
    """Return whether opened data are of a trajectory that this or another version wrote."""
    return str(data.attrs.get("format")).startswith(_FORMAT[:-1])


def read(path: Path) -> tuple[xr.Dataset, tuple[Event, ...], Status, str]:
    """Read the parts of a trajectory; see Trajectory.load."""
    if not path.is_file():
        raise RunError(f"there is no trajectory file {path}")
    try:
        with xr.open_dataset(path, decode_times=False, **_AS_IT_STANDS) as opened:
            if opened.nbytes > _INFLATED * path.stat().st_size:  # which no file holds
                raise RunError(
                    f"{path} declares {opened.nbytes / 1e9:.3g} GB, more than it can hold; run the "
                    "scenario again"
                )
            data = opened.load()
    except (OSError, RuntimeError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise RunError(f"{path} is damaged or no NetCDF4 file; run the scenario again") from error
    _refuse_changed(data, path)
    if _READING not in data and "time" in data.dims:  # a file of before readings were kept
        data = data.assign(_no_readings(data.sizes["time"]))
    _refuse_foreign(data, path)
    data = _with_contacts(data)
    events = _events(data)
    status, message = Status(data.attrs["status"]), str(data.attrs.get("message", ""))
    data = _with_plain_text(data.drop_vars(_EVENT_VARIABLES).drop_encoding())
    for name in _OWN_ATTRIBUTES:
        data.attrs.pop(name, None)
    if data.attrs.pop(_GROWS, None) is None:
        return data, events, status, message
    return _grown(data, events, path.with_suffix(_ROWS))


def _no_readings(rows: int) -> xr.Dataset:
    """Return what data of a run without sensors have of readings."""
    none = Layout((), (), (), ())
    empty = VARIABLES[_READING]
    coords = none.coordinates()
    return xr.Dataset(
        {_READING: (("time", *empty.dims), empty_column(none, _READING, rows), empty.attrs)},
        {name: coords[name] for name in ("sensor", "sensor_units")},
    )


def _grown(
    start: xr.Dataset, events: tuple[Event, ...], path: Path
) -> tuple[xr.Dataset, tuple[Event, ...], Status, str]:
    """Return the parts of a trajectory out of its start and the rows that follow in a file."""
    layout = _layout(start)
    columns = {name: start[name].to_numpy() for name in COLUMNS}
    blocks = [Rows(start["time"].to_numpy(), columns, contact_table(start))]
    with suppress(OSError):  # no row came to be written
        for rows, told in read_rows(path, layout):
            blocks.append(rows)
            events += told
    others = start.drop_dims("time")
    whole = joined_rows(blocks).dataset(layout, start.attrs)
    start = whole.assign_coords(others.coords).assign(others.data_vars)
    end = float(start["time"][-1]) if start.sizes["time"] else 0.0
    message = f"not complete: it goes on, or was killed; this is it up to t = {end:.4f} s"
    return start, (*events, Event(end, INCOMPLETE, message)), Status.INTERRUPTED, message


def _layout(data: xr.Dataset) -> Layout:
    """Names and units along the dimensions of a trajectory's data."""
    return Layout(**{one.name: tuple(map(str, data[one.name].values)) for one in fields(Layout)})


def _with_entries(data: xr.Dataset) -> xr.Dataset:
    """Return a dataset whose contacts are entries, in the place of dense variables."""
    table = contact_table(data)
    entries: dict[str, Any] = {}
    for name in CONTACT_VARIABLES:
        dims = (_ENTRY, *VARIABLES[name].dims[1:])
        entries[name] = (dims, table.columns[name], data[name].attrs)
    for (name, (dim, long_name)), index in zip(
        _ENTRY_INDICES.items(), (table.row, table.contact), strict=True
    ):
        attrs = {"units": "1", "long_name": long_name, "instance_dimension": dim}
        entries[name] = (_ENTRY, index.astype(np.int32), attrs)
    return data.drop_vars(CONTACT_VARIABLES).assign(entries)


def _with_contacts(data: xr.Dataset) -> xr.Dataset:
    """Return a dataset with variables over time and contact, in the place of entries."""
    row, contact = (data[name].to_numpy().astype(np.int64) for name in _ENTRY_INDICES)
    columns = {name: data[name].to_numpy() for name in CONTACT_VARIABLES}
    table = ContactTable(row, contact, columns)
    arrays = contact_variables(table, data.sizes["time"], data.sizes["contact"])
    variables = {
        name: (("time", *VARIABLES[name].dims), arrays[name], data[name].attrs)
        for name in CONTACT_VARIABLES
    }
    others = data.drop_vars([*CONTACT_VARIABLES, *_ENTRY_INDICES])
    whole = others.assign(variables)
    return whole[[*VARIABLES, *(name for name in others.data_vars if name not in VARIABLES)]]


def _encoding(data: xr.Dataset) -> dict[str, dict[str, Any]]:
    """Numbers are deflated lightly and have no fill value, so that what is read is what was."""
    plain: dict[str, Any] = {"_FillValue": None}
    deflated = {"zlib": True, "complevel": 1, "shuffle": True, **plain}
    return {
        str(name): deflated if variable.size and variable.dtype.kind in "fi" else plain
        for name, variable in data.variables.items()
        if variable.dtype.kind in "fi"
    }


def _event_variables(events: tuple[Event, ...]) -> dict[str, Any]:
    """The events as three variables on a dimension of their own."""
    time = np.array([event.time for event in events], dtype=np.float64)
    kind = np.array([event.kind for event in events], dtype=np.str_)
    what = np.array([event.what for event in events], dtype=np.str_)
    return {
        "event_time": ("event", time, {"units": "s", "long_name": "time of the event"}),
        "event_kind": ("event", kind, {"units": "1", "long_name": "kind of the event"}),
        "event_what": ("event", what, {"units": "1", "long_name": "what happened"}),
    }


def _events(data: xr.Dataset) -> tuple[Event, ...]:
    """The events back from their variables."""
    columns = [data[name].values for name in _EVENT_VARIABLES]
    return tuple(
        Event(float(time), str(kind), str(what)) for time, kind, what in zip(*columns, strict=True)
    )


def _refuse_foreign(data: xr.Dataset, path: Path) -> None:
    """Raise RunError unless the file says it is ours and has every variable on its dimensions."""
    ours = data.attrs.get("format") == _FORMAT
    if is_trajectory(data) and not ours:
        raise RunError(f"{path} is of another version of footfall; run the scenario again")
    if not ours:
        raise RunError(f"{path} is not a footfall trajectory; give one that `footfall run` wrote")
    for name, dims in _expected().items():
        kinds = "UO" if name in _TEXTS else "fiu"
        if name not in data or data[name].dims != dims or data[name].dtype.kind not in kinds:
            raise RunError(f"{path}: the variable {name} is missing or misshapen; run it again")
    _layout(data)  # raises RunError for a name that occurs twice
    wrong = ""
    if str(data.attrs.get("status")) not in {status.value for status in Status}:
        wrong = "the status is missing or unknown"
    elif (data.sizes["axis"], data.sizes["xyz"]) != (len(AXES), len(XYZ)):
        wrong = "axis and xyz are not three each"
    elif not (np.isfinite(data["time"]).all() and (np.diff(data["time"]) >= 0.0).all()):
        wrong = "a time goes back or is no number"
    else:
        wrong = _wrong_entries(data)
    if wrong:
        raise RunError(f"{path}: {wrong}; run the scenario again")


def _expected() -> dict[str, tuple[str, ...]]:
    """Dimensions of the variables that every file has."""
    expected = {name: ("time", *VARIABLES[name].dims) for name in COLUMNS}
    for name in CONTACT_VARIABLES:
        expected[name] = (_ENTRY, *VARIABLES[name].dims[1:])
    expected |= dict.fromkeys(_ENTRY_INDICES, (_ENTRY,))
    expected |= dict.fromkeys(_EVENT_VARIABLES, ("event",))
    return expected | {"time": ("time",), **{name: (dim,) for name, dim in _NAMES.items()}}


def _refuse_changed(data: xr.Dataset, path: Path) -> None:
    """Raise RunError for a file whose variables are not all as they were written."""
    try:
        written = json.loads(data.attrs.get(_CONTENTS, "{}"))
        contents = _contents(data)
        changed = [name for name, what in written.items() if contents.get(name) != what]
    except (ValueError, TypeError, AttributeError) as error:
        raise RunError(f"{path}: the contents are damaged; run the scenario again") from error
    if changed:
        raise RunError(f"{path}: the variable {changed[0]} is missing or misshapen; run it again")


def _contents(data: xr.Dataset) -> dict[str, list[str]]:
    """Dimensions of every variable, and before them the kind of its values."""
    text = "text"
    return {
        str(name): [text if one.dtype.kind in "UOS" else one.dtype.kind, *map(str, one.dims)]
        for name, one in data.variables.items()
    }


def _wrong_entries(data: xr.Dataset) -> str:
    """Say what is wrong with the indices of entries of contacts, if something is."""
    for name, (dim, _) in _ENTRY_INDICES.items():
        if not _within(data[name].to_numpy(), data.sizes[dim]):
            return f"{name} points beyond {dim}"
    back = (np.diff(data["entry_row"].to_numpy().astype(np.int64)) < 0).any()
    return "entries of contacts are not in order" if back else ""


def _within(indices: npt.NDArray[np.int32], size: int) -> bool:
    """Return whether indices are such of a dimension."""
    return len(indices) == 0 or bool(indices.min() >= 0 and indices.max() < size)


def _with_plain_text(data: xr.Dataset) -> xr.Dataset:
    """Names as numpy text again, not as the objects that come out of the file."""
    texts = {
        name: (coord.dims, coord.values.astype(np.str_), coord.attrs)
        for name, coord in data.coords.items()
        if coord.dtype.kind not in "fiu"
    }
    return data.assign_coords(texts)
