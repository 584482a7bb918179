"""Signals that end the program: Ctrl-C, SIGTERM, and SIGHUP of a terminal that is closed.

What they do depends on what is under way. A loop hears them between two steps; what writes a file
or holds what was computed is shielded until nothing can be lost; all else ends at once. Only the
main thread hears signals; elsewhere nothing changes.
"""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.machinery import ExtensionFileLoader
from types import FrameType
from typing import Any

_OFFSET = 128  # exit status of a program that a signal ended, less the signal


@dataclass(eq=False)
class _Block:
    """A `with` block in which signals do not end the program. waiting: those that came.

    begun: there is something to lose, for which the first signal waits.
    """

    hears: bool
    begun: bool = True
    waiting: list[int] = field(default_factory=list)
    told: bool = False

    def take(self, signum: int) -> None:
        """Take a signal; the second of one that hears interrupts, or any before it has begun."""
        self.waiting.append(signum)
        if self.hears and (len(self.waiting) > 1 or not self.begun):
            self.told = True
            raise KeyboardInterrupt

    def asked(self) -> bool:
        """Return whether a signal came, of which somebody knows from now on."""
        self.told = self.told or bool(self.waiting)
        return bool(self.waiting)


@dataclass
class _Signals:
    """Blocks under way, from the outermost, and how all ends."""

    blocks: list[_Block] = field(default_factory=list)
    before: dict[int, Any] = field(default_factory=dict)
    first: int = 0
    kept: str = ""


_signals = _Signals()


@contextmanager
def ending_by_signals() -> Iterator[None]:
    """Let a program end in good order by SIGINT, SIGTERM and SIGHUP: as KeyboardInterrupt."""
    _signals.first, _signals.kept = 0, ""
    numbers = [getattr(signal, name, None) for name in ("SIGINT", "SIGTERM", "SIGHUP")]
    with _handling([number for number in numbers if number is not None]), _whole_imports():
        yield


def exit_status() -> int | None:
    """Return 130 after Ctrl-C, 143 after SIGTERM; None if no signal came."""
    return _OFFSET + _signals.first if _signals.first else None


def note_kept(what: str) -> None:
    """Say in a few words what is on disk, for the case that a signal ends the program."""
    _signals.kept = what


def kept() -> str:
    """Return what is on disk of what was computed, in the words of `note_kept`."""
    return _signals.kept or "nothing was kept"


def last_words() -> str:
    """Return what the program says where a signal ended it, and what is on disk."""
    return f"interrupted; {kept()}."


@contextmanager
def hearing_ctrl_c(*, begun: bool = True) -> Iterator[Callable[[], bool]]:
    """Give a function that says whether a signal came; a second one interrupts at once.

    An exception in the middle of a step may come out of compiled code as something else, or leave
    half a row. A signal that came before, to what is around this, is heard as well. begun: False
    for a loop that is still made ready, kernels compiled: until `note_begun` the first signal
    interrupts at once.
    """
    with _block(_Block(hears=True, begun=begun)) as block:
        for outer in _signals.blocks[:-1] if block in _signals.blocks else ():
            block.waiting += outer.waiting[:1]
            if not outer.hears:
                outer.waiting.clear()
        yield block.asked


def note_begun() -> None:
    """Say that the loop which hears signals has begun: from now on the first one waits for it."""
    for block in _signals.blocks[-1:]:
        block.begun = True


def heard() -> bool:
    """Return whether a signal came to a loop that hears; for long work below it to ask."""
    if threading.current_thread() is not threading.main_thread():
        return False
    return any([block.asked() for block in _signals.blocks if block.hears])  # noqa: C419 (all are asked)


@contextmanager
def shielded() -> Iterator[None]:
    """Finish a block whatever signal comes; it ends the program behind the block."""
    with _block(_Block(hears=False)):
        yield


@contextmanager
def _whole_imports() -> Iterator[None]:
    """Finish the import of a compiled module whatever signal comes.

    One that is left in the middle makes another error of the signal, or ends the interpreter.
    """
    steps = {name: getattr(ExtensionFileLoader, name) for name in ("create_module", "exec_module")}
    for name, step in steps.items():
        setattr(ExtensionFileLoader, name, shielded()(step))
    try:
        yield
    finally:
        for name, step in steps.items():
            setattr(ExtensionFileLoader, name, step)


@contextmanager
def _block(block: _Block) -> Iterator[_Block]:
    """Enter a block; behind it, signals that nobody was told of go to what is around it.

    Where that is no block, a loop that was at its end has done what Ctrl-C would have ended. What
    one loop heard, the loop around it hears as well.
    """
    if threading.current_thread() is not threading.main_thread():
        yield block
        return
    with _handling([signal.SIGINT]):
        _signals.blocks.append(block)
        try:
            yield block
        finally:
            _signals.blocks.remove(block)
        if block.told:
            for outer in [one for one in _signals.blocks if one.hears][-1:]:
                outer.waiting += block.waiting[:1]
            return
        for signum in block.waiting:
            if _signals.blocks or not block.hears or signum != signal.SIGINT:
                _deliver(signum, None)


@contextmanager
def _handling(numbers: list[int]) -> Iterator[None]:
    """Handle signals here, unless they are already, or are ignored."""
    main = threading.current_thread() is threading.main_thread()
    new = [
        number
        for number in numbers
        if main and number not in _signals.before and signal.getsignal(number) != signal.SIG_IGN
    ]
    for number in new:
        _signals.before[number] = signal.signal(number, _deliver)
    try:
        yield
    finally:
        for number in new:
            signal.signal(number, _signals.before.pop(number))


def _deliver(signum: int, _frame: FrameType | None) -> None:
    """Give a signal to the innermost block, or end the program."""
    _signals.first = _signals.first or signum
    if _signals.blocks:
        _signals.blocks[-1].take(signum)
    else:
        raise KeyboardInterrupt
