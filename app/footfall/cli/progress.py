"""The progress line of a run: simulated time, rate, contacts, residual, time left."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from footfall.run import Progress

_PERIOD = 0.2  # s between two refreshes
_KNOWN = 0.01  # share of the run after which the time left is told
_PLAIN_PERIOD = 10.0  # s between two lines where nobody watches


@contextmanager
def progress_line(label: str) -> Iterator[Callable[["Progress"], None]]:
    """Give what ``run_scenario`` reports to: a live line on a terminal, now and then one elsewhere.

    All of it goes to stderr. Before a run that has to compile its kernels, it says so.
    """
    from footfall.jit import nothing_compiled_yet

    if nothing_compiled_yet():
        sys.stderr.write("compiling the contact kernels, this once (a minute or so)\n")
    live = sys.stderr.isatty()
    started = last = time.perf_counter()

    def show(progress: "Progress") -> None:
        nonlocal last
        now = time.perf_counter()
        if now - last < (_PERIOD if live else _PLAIN_PERIOD):
            return
        last = now
        text = describe(label, progress, now - started)
        sys.stderr.write(f"\r\x1b[2K{text}" if live else f"{text}\n")
        sys.stderr.flush()

    try:
        yield show
    finally:
        if live:
            sys.stderr.write("\r\x1b[2K")
            sys.stderr.flush()


def describe(label: str, progress: "Progress", elapsed: float) -> str:
    """Say how far a run is after so many seconds of wall time."""
    rate = progress.time / elapsed if elapsed > 0.0 else 0.0
    text = (
        f"{label}  t {progress.time:.2f}/{progress.duration:.2f} s  {rate:.1f}x real time  "
        f"{progress.contacts} contacts  residual {progress.residual:.0e}"
    )
    if progress.time < _KNOWN * progress.duration or rate == 0.0:
        return text  # the first steps load and compile: no forecast
    return f"{text}  {(progress.duration - progress.time) / rate:.0f} s left"
