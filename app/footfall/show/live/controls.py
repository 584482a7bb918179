"""Controls of a page, shared between the browser and the thread that simulates.

The thread of the page's server only puts commands in and reads what was last told. Whoever
simulates or plays takes the commands out in its own thread, which is the one that Meshcat wants.
"""

import queue
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

_MOST_COMMANDS = 1000  # that wait: more are of somebody who leans on a key
_MOST_ROWS = 100_000  # of plots that are kept


@dataclass(frozen=True)
class Command:
    """Something that was asked for on the page: a name, and what belongs to it."""

    name: str
    values: Mapping[str, Any] = field(default_factory=dict)

    def number(self, key: str, default: float = 0.0) -> float:
        """Return a finite number that came with it, or what is to be taken instead."""
        value = self.values.get(key, default)
        plain = isinstance(value, int | float) and not isinstance(value, bool)
        return float(value) if plain and abs(value) <= sys.float_info.max else default

    def text(self, key: str) -> str:
        """Return a text that came with it, or an empty one."""
        value = self.values.get(key, "")
        return value if isinstance(value, str) else ""

    def numbers(self, key: str, count: int, default: float = 0.0) -> list[float]:
        """Return so many finite numbers, or what is to be taken for each that did not come."""
        values = self.values.get(key)
        given = values if isinstance(values, list) and len(values) == count else [None] * count
        return [Command("", {"value": value}).number("value", default) for value in given]


class Controls:
    """Requests of the page, and what it is told.

    about: what seldom changes (title, links, legend, choices); state: what changes all the time
    (clock, rate). rows: of the plots, time first; ``era`` counts how often they began anew.
    """

    def __init__(self) -> None:
        """Begin with nothing told."""
        self._commands: queue.Queue[Command] = queue.Queue(_MOST_COMMANDS)
        self.about: dict[str, Any] = {}
        self.state: dict[str, Any] = {}
        self.version, self.era = 0, 0
        self.rows: list[list[float]] = []
        self.notes: list[str] = []

    def put(self, command: Command) -> None:
        """Ask for something; what does not fit any more is dropped."""
        try:
            self._commands.put_nowait(command)
        except queue.Full:
            return

    def take(self, patience: float = 0.0) -> Command | None:
        """Take the next command, waiting so long [s] for one."""
        if not patience and self._commands.empty():  # as nearly always between two steps
            return None
        try:
            return self._commands.get(timeout=patience) if patience else self._commands.get_nowait()
        except queue.Empty:
            return None

    def tell_about(self, **values: Any) -> None:  # noqa: ANN401 (whatever JSON holds)
        """Change what seldom changes."""
        self.about = {**self.about, **values}
        self.version += 1

    def add_row(self, row: list[float]) -> None:
        """Add values of the plots, time first."""
        if len(self.rows) < _MOST_ROWS:
            self.rows.append(row)

    def put_rows(self, rows: list[list[float]]) -> None:
        """Begin the plots anew."""
        self.rows = rows
        self.era += 1

    def snapshot(self, era: int, begin: int) -> dict[str, Any]:
        """Return all that a page asks for that has rows up to ``begin`` of an era."""
        now, rows = self.era, self.rows
        first = begin if era == now else 0
        return {
            **self.state,
            "version": self.version,
            "era": now,
            "first": first,
            "rows": rows[first:],
            "notes": self.notes[-_TOLD:],
        }


_TOLD = 12  # notes
