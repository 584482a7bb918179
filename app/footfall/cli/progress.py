"""The progress line of a run (time, rate, contacts, residual, time left) or of an analysis."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from footfall.simulation import Progress

_PERIOD = 0.2  # s between two refreshes
_KNOWN = 0.01  # share of the run after which the time left is shown
_PLAIN_PERIOD = 10.0  # s between two lines where nobody watches


@contextmanager
def progress_line(
    label: str, told: set[str] | None = None
) -> Iterator[Callable[["Progress"], None]]:
    """Give what ``run_scenario`` reports to; before a run that compiles its kernels, say so.

    told: lines about starts that were told already, of which more are put in.
    """
    import footfall.engines.moreau_step as step
    from footfall.jit import is_compiled

    if not is_compiled(Path(step.__file__)):
        sys.stderr.write("compiling the contact kernels, this once (half a minute or so)\n")
    heard = set() if told is None else told
    with _line() as show:

        def report(progress: "Progress") -> None:
            for line in progress.told:
                if line not in heard:
                    sys.stderr.write(f"footfall: {line}.\n")
                    heard.add(line)
            show(lambda elapsed: describe(label, progress, elapsed))

        yield report


@contextmanager
def share_line(label: str) -> Iterator[Callable[[str, float], None]]:
    """Give what an analysis reports to: the task under way, and the share that is done."""
    with _line() as show:
        yield lambda what, share: show(lambda elapsed: describe_share(label, what, share, elapsed))


@contextmanager
def _line() -> Iterator[Callable[[Callable[[float], str]], None]]:
    """A live line on a terminal, now and then a line elsewhere; all of it goes to stderr.

    What it gives takes a text as a function of the seconds since the start, and asks for it only
    when it is shown.
    """
    live = sys.stderr.isatty()
    started = last = time.perf_counter()

    def show(text: Callable[[float], str]) -> None:
        nonlocal last
        now = time.perf_counter()
        if now - last < (_PERIOD if live else _PLAIN_PERIOD):
            return
        last = now
        with suppress(OSError):  # no run ends because nobody can be told how far it is
            told = text(now - started)
            sys.stderr.write(f"\r\x1b[2K{told}" if live else f"{told}\n")
            sys.stderr.flush()

    try:
        yield show
    finally:
        if live:
            sys.stderr.write("\r\x1b[2K")
            sys.stderr.flush()


def describe_share(label: str, what: str, share: float, elapsed: float) -> str:
    """Say how far an analysis is after so many seconds of wall time."""
    text = f"{label}  {what}  {100.0 * share:.0f} %"
    if share < _KNOWN:
        return text
    return f"{text}  {elapsed * (1.0 - share) / share:.0f} s left"


def describe(label: str, progress: "Progress", elapsed: float) -> str:
    """Say how far a run is after so many seconds of wall time."""
    rate = progress.time / elapsed if elapsed > 0.0 else 0.0
    text = (
        f"{label}  t {progress.time:.2f}/{progress.duration:.2f} s  {rate:.2g}x real time  "
        f"{progress.contacts} contacts  residual {progress.residual:.0e}"
    )
    if progress.time < _KNOWN * progress.duration or rate == 0.0:
        return text  # the first steps load and compile: no forecast
    return f"{text}  {(progress.duration - progress.time) / rate:.0f} s left"
