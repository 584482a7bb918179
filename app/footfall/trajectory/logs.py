"""Logs of robots and other programs: numbers over time by name, out of CSV, MCAP and NetCDF files.

A CSV file has a column for each, with its unit in brackets behind its name, ``knee [deg]``, or
without. In NetCDF they are variables over a dimension ``time``, as in a trajectory. In MCAP they
are the fields of messages behind their topic, ``/joint_states.position.knee``: of arrays by the
names beside them if there are as many, else by their place. Messages are JSON or those of ROS 2.
"""

# (No `from __future__ import annotations` here: Drake's YAML reader needs the types themselves.)

import csv
import json
import math
import re
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import xarray as xr

from footfall.arrays import Array
from footfall.checked import Checked, finite
from footfall.errors import RunError, reason_of, refusing
from footfall.trajectory.netcdf import is_trajectory, read
from footfall.trajectory.series import all_series
from footfall.wording import did_you_mean

ENDINGS = (".csv", ".mcap", ".nc")
_UNITS = {  # that may stand for one in SI, and how much each is in it
    "s": {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9},
    "rad": {"rad": 1.0, "deg": math.pi / 180.0, "rev": 2.0 * math.pi},
    "rad/s": {"rad/s": 1.0, "deg/s": math.pi / 180.0, "rpm": math.pi / 30.0},
    "m": {"m": 1.0, "cm": 1e-2, "mm": 1e-3},
    "m/s": {"m/s": 1.0, "mm/s": 1e-3},
    "N m": {"N m": 1.0, "Nm": 1.0, "N mm": 1e-3},
    "N": {"N": 1.0, "kN": 1e3},
    "1": {"1": 1.0},
}
_COLUMN = re.compile(r"(?P<sign>-?)\s*(?P<name>.+?)\s*(?:\[(?P<unit>[^\[\]]*)\])?\s*", re.DOTALL)
# how the columns of a group may be called where nobody says: what footfall writes comes first
_CALLED = {
    "positions": ("q.{0}", "/q.value.{0}", "*.position.{0}", "*.{0}.position"),
    "velocities": ("v.{0}", "/v.value.{0}", "*.velocity.{0}", "*.{0}.velocity"),
    "efforts": ("actuation.{0}", "/actuation.value.{0}", "*.effort.{0}", "*.{0}.effort"),
}
_MOST = 256  # numbers of an array in a message: there are more in pictures and clouds of points


@dataclass
class LogColumns(Checked, at=""):
    """Columns of a log by what they tell: a column's name, with its unit if the log has it not.

    As in "knee_angle [deg]"; "-knee_angle [deg]" is turned about.
    """

    # Column of the time; of MCAP a field of every message, such as header.stamp. Left out: time, or
    # t, else the first; of MCAP when a message was written.
    time: str = ""
    # Time of the log [s] that becomes 0, in MCAP since its first message. Left out: the first at
    # which all columns have a value.
    start: float | None = finite(None)
    # Positions by coordinate [rad or m]. What is left out here and below is looked for by its name.
    positions: dict[str, str] = field(default_factory=dict)
    # Velocities by coordinate [rad/s or m/s].
    velocities: dict[str, str] = field(default_factory=dict)
    # Torques and forces by actuator [N m or N].
    efforts: dict[str, str] = field(default_factory=dict)
    # What is added to positions, by coordinate [rad or m].
    offsets: dict[str, float] = finite({})


class Column(NamedTuple):
    """Numbers of a log: at their times (n,) [s], n > 0; values (n,) in a unit, empty if unknown."""

    time: Array
    values: Array
    unit: str


class Log:
    """A log as its columns tell it, which ``find`` gives in SI over a time from 0 on.

    Raises RunError, one line, for what cannot be read, and for columns that there are not.
    """

    def __init__(self, path: Path, columns: LogColumns, file: str = "") -> None:
        """Read a file; file: that tells the columns, for messages."""
        self._path, self._told = f"{path} with {file}" if file else str(path), columns
        read = {".csv": _read_csv, ".mcap": _read_mcap, ".nc": _read_netcdf}.get(path.suffix)
        if read is None:
            raise RunError(f"{path} is no log: give a file that ends in {', '.join(ENDINGS)}.")
        if not path.is_file():
            raise RunError(f"there is no log {path}.")
        told = f"{self._path} cannot be read"
        with refusing(RunError, lambda error: f"{told}: {reason_of(error)}."):
            self.columns, self._note = read(path, columns.time)
        if not self.columns:
            raise RunError(f"{path} holds no numbers over time.")

    def find(self, units: Mapping[str, Mapping[str, str]], bare: str) -> "Found":
        """Return columns of some groups, such as positions, by the names that they have there.

        units: of all names of a group in SI, as a robot has them. bare: the group whose columns may
        have names alone. What the log does not tell is left out, and what was named and is not
        there is refused.
        """
        found: dict[str, dict[str, Column]] = {}
        for group, known in units.items():
            named: dict[str, str] = getattr(self._told, group)
            for name in named:
                if name not in known:
                    raise RunError(
                        f"{self._path}: {group}.{name}: there is no '{name}'; "
                        f"{did_you_mean(name, known)}"
                    )
            patterns = (*_CALLED[group], "{0}") if group == bare else _CALLED[group]
            texts = {n: named.get(n) or self._called(n, patterns, group) for n in known}
            found[group] = {
                name: self._column(text, known[name], f"{group}.{name}")
                for name, text in texts.items()
                if text
            }
        for name, offset in self._told.offsets.items():
            if name not in found.get("positions", {}):
                raise RunError(f"{self._path}: offsets.{name}: there is no position '{name}'.")
            column = found["positions"][name]
            found["positions"][name] = column._replace(values=column.values + offset)
        return self._begun(found)

    def _begun(self, found: dict[str, dict[str, Column]]) -> "Found":
        """Let the time of columns begin at 0."""
        every = [column for group in found.values() for column in group.values()]
        first = max((column.time[0] for column in every), default=0.0)
        end = min((column.time[-1] for column in every), default=0.0)
        start = first if self._told.start is None else self._told.start
        if not first <= start <= end:
            raise RunError(
                f"{self._path}: no time from {start:g} s on: all columns have values from "
                f"{first:g} s to {end:g} s; set start, or name other columns."
            )
        moved = {
            group: {name: one._replace(time=one.time - start) for name, one in columns.items()}
            for group, columns in found.items()
        }
        return Found(moved, end - start, self._note)

    def _called(self, name: str, patterns: Sequence[str], group: str) -> str:
        """Return the column that is called by a name of a group, if one is."""
        for pattern in patterns:
            wanted = pattern.format(name)
            if not wanted.startswith("*"):
                fitting = [wanted] if wanted in self.columns else []
            else:
                fitting = [each for each in self.columns if each.endswith(wanted[1:])]
            if len(fitting) > 1:
                raise RunError(
                    f"{self._path}: '{name}' may be {' or '.join(fitting[:3])}: say which in "
                    f"{group}."
                )
            if fitting:
                return fitting[0]
        return ""

    def _column(self, text: str, unit: str, where: str) -> Column:
        """Return a column in SI; unit: of what it is to be, where: its place, for messages."""
        match = _COLUMN.fullmatch(text)
        if text in self.columns or match is None:  # its own name may have brackets
            name, sign, said = text, "", None
        else:
            name, sign, said = match["name"], match["sign"], match["unit"]
        if name not in self.columns:
            raise RunError(
                f"{self._path}: {where}: there is no column of numbers '{name}'; "
                f"{did_you_mean(name, self.columns)}"
            )
        column = self.columns[name]
        own = column.unit if said is None else said
        factor = _UNITS[unit].get(own or unit)
        if factor is None:
            raise RunError(
                f"{self._path}: {where}: column '{name}' is in {own}, and [{unit}] is wanted: name "
                f"its unit, one of {', '.join(_UNITS[unit])}, as in '{name} [{unit}]'."
            )
        # not multiplied by 1: bits stay
        values = column.values if factor == 1.0 else factor * column.values
        return Column(column.time, -values if sign else values, unit)


class Found(NamedTuple):
    """Columns of a log in SI by their groups and names, from time 0 to an end [s].

    note: a line on a file that is not whole, as of a recorder that was killed.
    """

    columns: Mapping[str, Mapping[str, Column]]
    end: float
    note: str


def at(column: Column, times: Array, *, held: bool = False) -> Array:
    """Return a column at times (m,) [s]: held from its last value on, or interpolated.

    Beyond its ends it has its values there.
    """
    if not held:
        return np.interp(times, column.time, column.values)
    near = 1e-6 * np.diff(column.time[[0, -1]]) / len(column.time)  # times are rounded
    places = np.searchsorted(column.time, times + near, side="right") - 1
    return column.values[np.maximum(places, 0)]


def slope(time: Array, values: Array) -> Array:
    """Return the slopes of values (n, ...) over times (n,) that may repeat, by differences."""
    apart, place = np.unique(time, return_inverse=True)
    if len(apart) < 2:
        return np.zeros_like(values)
    last = np.searchsorted(time, apart, side="right") - 1
    slopes: Array = np.gradient(values[last], apart, axis=0)[place]
    return slopes


_Read = tuple[dict[str, Column], str]
"""Columns of a file, and a line where it is not whole."""


def _column_of(time: Array, values: Array, unit: str) -> Column | None:
    """Return what of a column is a number; None without any."""
    known = np.isfinite(values) & np.isfinite(time)
    return Column(time[known], values[known], unit) if known.any() else None


def _sound(columns: Mapping[str, Column | None]) -> dict[str, Column]:
    """Return the columns that have numbers; raises ValueError for a time that goes back."""
    sound = {name: column for name, column in columns.items() if column is not None}
    for name, column in sound.items():
        back = np.flatnonzero(np.diff(column.time) < 0.0)
        if len(back):
            before, after = column.time[back[0] : back[0] + 2]
            raise ValueError(f"the time of '{name}' goes back from {before:.9g} s to {after:.9g} s")
    return sound


def _in_seconds(times: Array, unit: str) -> Array:
    factor = _UNITS["s"].get(unit or "s")
    if factor is None:
        raise ValueError(f"the time is in {unit}: name its unit, s, ms, us or ns, as in 't [ms]'")
    return times if factor == 1.0 else factor * times


def _time_of(names: Sequence[str], told: str) -> tuple[str, str | None]:
    """Return the name of the column of time among names, and the unit that is told of it."""
    if not told:
        usual = [name for name in names if name.lower() in ("time", "t", "timestamp")]
        return (usual or list(names))[0], None
    match = _COLUMN.fullmatch(told)
    name, unit = (match["name"], match["unit"]) if match else (told, None)
    if name not in names:
        raise ValueError(f"time: there is no column '{name}'; {did_you_mean(name, names)}")
    return name, unit


def _read_csv(path: Path, told: str) -> _Read:
    with path.open(encoding="utf-8-sig", newline="") as file:
        header = file.readline()
        file.seek(0)
        headings, *rows = [*csv.reader(file, delimiter=max(",;\t", key=header.count))] or [[]]
    rows = [row for row in rows if row]
    cut = len(rows) > 1 and len(rows[-1]) < len(headings)
    rows = rows[:-1] if cut else rows
    ragged = [k for k, row in enumerate(rows, 2) if len(row) != len(headings)]
    if ragged or not rows:
        what = f"row {ragged[0]} has not as many cells as the first" if ragged else "it has no rows"
        raise ValueError(what)
    units, numbers = dict[str, str](), dict[str, Array]()
    for heading, cells in zip(headings, zip(*rows, strict=True), strict=True):
        match = _COLUMN.fullmatch(heading)
        name, unit = (match["sign"] + match["name"], match["unit"]) if match else (heading, None)
        if name in numbers:
            raise ValueError(f"two columns are called '{name}'")
        units[name], numbers[name] = unit or "", _parsed(cells)
    key, unit = _time_of(list(numbers), told)
    time = _in_seconds(numbers.pop(key), units[key] if unit is None else unit)
    columns = {name: _column_of(time, each, units[name]) for name, each in numbers.items()}
    return _sound(columns), "the log ends within a row, which is left out" if cut else ""


def _parsed(cells: Sequence[str]) -> Array:
    """Return the numbers in cells, NaN in empty ones, and everywhere if there is a text."""
    with suppress(ValueError):
        return np.array([cell.strip() or "nan" for cell in cells], dtype=np.float64)
    return np.full(len(cells), np.nan)


def _read_netcdf(path: Path, told: str) -> _Read:
    with xr.open_dataset(path, engine="netcdf4", decode_times=False) as opened:
        own = is_trajectory(opened)
        data, note = opened if own else opened.load(), ""
    if own:
        data, _, _, note = read(path)
    names = [str(name) for name, one in data.variables.items() if one.dims == one.dims[:1] != ()]
    key, unit = _time_of(names or [""], told or "time")
    data = data.swap_dims({dim: key for dim in data[key].dims if dim != key})
    if key != "time":
        data = data.rename({key: "time"})
    unit = str(data["time"].attrs.get("units", "")) if unit is None else unit
    time = _in_seconds(data["time"].to_numpy().astype(np.float64), unit)
    columns = {one.name: _column_of(time, one.values, one.unit) for one in all_series(data)}
    return _sound(columns), note


def _read_mcap(path: Path, told: str) -> _Read:
    """Read a log whose columns have times from its first message on, which keeps their digits."""
    try:
        from mcap.exceptions import EndOfFile
        from mcap.reader import NonSeekingReader
        from mcap_ros2.decoder import DecoderFactory
    except ImportError as error:
        raise ValueError("it needs the package mcap: pip install 'footfall[mcap]'") from error

    rows: dict[str, list[tuple[int, float]]] = {}
    decoders: dict[int, Callable[[bytes], Any] | None] = {}
    unread: dict[str, str] = {}
    notes: list[str] = []
    with path.open("rb") as file:
        messages = NonSeekingReader(file, validate_crcs=True).iter_messages(log_time_order=False)
        for schema, channel, message in _whole(messages, (EndOfFile, struct.error), notes):
            if channel.id not in decoders:
                encoding = channel.message_encoding
                of_ros = DecoderFactory().decoder_for(encoding, schema)
                decoders[channel.id] = json.loads if encoding == "json" else of_ros
            decode = decoders[channel.id]
            if decode is None:
                unread[channel.topic] = channel.message_encoding
                continue
            for name, value in _numbers(decode(message.data), channel.topic):
                rows.setdefault(name, []).append((message.log_time, value))
    if unread and not rows:
        topic, encoding = next(iter(unread.items()))
        raise ValueError(
            f"topic {topic} is encoded as {encoding}, which is neither JSON nor ROS 2: convert it"
        )
    first = min((time for each in rows.values() for time, _ in each), default=0)
    columns: dict[str, Column | None] = {}
    for name, each in rows.items():
        each.sort(key=lambda row: row[0])
        times = np.array([time - first for time, _ in each], dtype=np.float64) * 1e-9
        columns[name] = _column_of(times, np.array([value for _, value in each]), "")
    return _sound(columns if not told else _stamped(columns, told)), "".join(notes)


def _whole(
    messages: Iterator[Any], ends: tuple[type[Exception], ...], notes: list[str]
) -> Iterator[Any]:
    """Yield the messages that are whole; a note where the file ends within another one."""
    some = False
    try:
        for message in messages:
            some = True
            yield message
    except ends:
        if not some:
            raise
        notes.append("the log ends within a message, and what follows is missing")
    except ValueError as error:  # of a checksum
        raise ValueError(f"it is damaged: {error}") from error


def _stamped(columns: Mapping[str, Column | None], told: str) -> dict[str, Column | None]:
    """Return columns at the times that a field of their messages tells."""
    stamps = {
        name.removesuffix(f".{told}"): column
        for name, column in columns.items()
        if column is not None and name.endswith(f".{told}")
    }
    if not stamps:
        raise ValueError(f"time: no message has a field '{told}'")
    first = min(column.values[0] for column in stamps.values())
    stamped: dict[str, Column | None] = {}
    for topic, stamp in stamps.items():
        for name, column in columns.items():
            if column is not None and name.startswith(f"{topic}."):
                times = np.interp(column.time, stamp.time, stamp.values - first)
                stamped[name] = column._replace(time=times)
    return stamped


def _numbers(value: Any, path: str) -> Iterator[tuple[str, float]]:  # noqa: ANN401 (of any message)
    """Yield the numbers of a message by their paths."""
    if isinstance(value, bool | int | float | np.number):
        yield path, float(value)
    elif isinstance(value, Mapping) or hasattr(value, "__slots__"):
        group = value if isinstance(value, Mapping) else _slots(value)
        nanoseconds = group.get("nanosec", group.get("nsec"))
        if isinstance(nanoseconds, int) and "sec" in group:
            yield path, group["sec"] + 1e-9 * nanoseconds
            return
        names = group.get("name", ())
        for key, part in group.items():
            if _is_list(part) and _is_list(names) and len(part) == len(names):
                for name, each in zip(names, part, strict=True):
                    yield from _numbers(each, f"{path}.{key}.{name}")
            else:
                yield from _numbers(part, f"{path}.{key}")
    elif _is_list(value) and len(value) <= _MOST:
        for k, part in enumerate(value):
            name = part.get("name", k) if isinstance(part, Mapping) else getattr(part, "name", k)
            yield from _numbers(part, f"{path}.{name}")


def _slots(value: Any) -> dict[str, Any]:  # noqa: ANN401 (of any message)
    return {name: getattr(value, name) for name in value.__slots__}


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence | np.ndarray) and not isinstance(value, str | bytes)
