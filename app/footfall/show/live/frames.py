"""Frames of a run that is watched: sixty a second, fewer where drawing would slow the run down."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

FRAME_PERIOD = 1.0 / 60.0  # s, on the wall
_SHARE = 0.06  # of the time of the thread that drawing may take while steps need all of it
_SLOWEST = 0.25  # s between two frames, whatever they cost


class Frames:
    """Says when a frame is due: by the wall, and by what the last one cost.

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
