"""Controls of a page, shared between the browser and the thread that simulates, and its clock.

The thread of the page's server only puts commands in and reads what was last told. Whoever
simulates or plays takes the commands out in its own thread, which is the one that Meshcat wants.
The clock of what is watched is slower or faster than the one on the wall.
"""

import math
import queue
import sys
import time
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
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


SLOWEST, FASTEST = 1e-3, 1e3
_LAG = 0.25  # s on the wall that may be made up for; what computes slower stays behind
_WINDOW = 1.0  # s, over which the rate is told
FRAME_PERIOD = 1.0 / 60.0  # s, on the wall
_SHARE = 0.06  # of the time of the thread that drawing may take while steps need all of it
_SLOWEST = 0.25  # s between two frames, whatever they cost


class Clock:
    """Simulated time that is due now.

    speed: simulated over shown time, infinite for as fast as can be. paused: nothing is due.
    """

    def __init__(self) -> None:
        """Begin at real time."""
        self.speed, self.paused = 1.0, False
        self._time, self._wall = 0.0, time.perf_counter()
        self._seen: deque[tuple[float, float]] = deque()

    def start(self, at: float) -> None:
        """Go on from a simulated time [s]."""
        self._time, self._wall = at, time.perf_counter()
        self._seen.clear()

    def target(self) -> float:
        """Return the simulated time that is due [s]; minus infinity while it pauses."""
        if self.paused:
            return -math.inf
        if math.isinf(self.speed):
            return math.inf
        return self._time + self.speed * (time.perf_counter() - self._wall)

    def forgive(self, reached: float) -> None:
        """Forget what a computation that has reached a time [s] lags behind by more than a little.

        Nothing is made up for in a rush.
        """
        if math.isinf(self.speed):
            return
        lag = self.target() - reached
        if lag > _LAG * self.speed:
            self._time, self._wall = reached + _LAG * self.speed, time.perf_counter()

    def wall_until(self, due: float) -> float:
        """Return the time on the wall [s] until a simulated one is due."""
        if math.isinf(self.speed):
            return 0.0
        return max((due - self.target()) / self.speed, 0.0)

    def pause(self) -> None:
        """Let nothing be due."""
        if not self.paused:
            self._time, self.paused = min(self.target(), 1e300), True

    def play(self, at: float) -> None:
        """Go on from a simulated time [s]."""
        self.paused = False
        self.start(at)

    def rate(self, now: float) -> float:
        """Return simulated over wall time of the last second."""
        wall = time.perf_counter()
        self._seen.append((wall, now))
        while len(self._seen) > 2 and wall - self._seen[0][0] > _WINDOW:
            self._seen.popleft()
        first, last = self._seen[0], self._seen[-1]
        span = last[0] - first[0]
        return (last[1] - first[1]) / span if span > 0.0 else 0.0

    def obey(self, command: Command, at: float) -> bool:
        """Carry out a command about the clock at a simulated time [s]; say whether it was one."""
        if command.name == "pause":
            self.pause()
        elif command.name == "play":
            self.play(at)
        elif command.name == "speed":
            value = command.number("value", 1.0)
            self.speed = math.inf if value <= 0.0 else min(max(value, SLOWEST), FASTEST)
            self.start(at)
        else:
            return False
        return True


class Frames:
    """Says when a frame is due: sixty a second, fewer where drawing would slow the run down.

    Time is that of the thread, so that other programs on the machine take no frames away, and
    nothing is counted while a run waits for the clock on the wall.
    """

    def __init__(self) -> None:
        """Begin with a frame that is due."""
        self._last, self._next = -_SLOWEST, 0.0
        self._ended, self._cost = 0.0, 0.0

    def is_due(self) -> bool:
        """Return whether the next frame is due."""
        now = time.perf_counter()
        if now < self._next:
            return False
        spent = time.thread_time() - self._ended
        return spent * _SHARE >= self._cost or now - self._last >= _SLOWEST

    @contextmanager
    def drawn(self) -> Iterator[None]:
        """Take the time of a frame that is drawn here."""
        began = time.thread_time()
        yield
        self._last, self._ended = time.perf_counter(), time.thread_time()
        self._cost, self._next = self._ended - began, self._last + FRAME_PERIOD

    def has_time(self) -> None:
        """Let the next frame cost what it may: the run waits anyway."""
        self._cost = 0.0

    def hurry(self) -> None:
        """Let the next frame be due at once."""
        self._cost = self._next = 0.0
