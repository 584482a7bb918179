"""Ctrl-C as a wish that a loop hears between two steps, not an exception within one."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def hearing_ctrl_c() -> Iterator[Callable[[], bool]]:
    """Give a function that says whether Ctrl-C was pressed; a second Ctrl-C interrupts at once.

    An exception in the middle of a step may come out of compiled code as something else, or leave
    half a row. Only the main thread hears signals; elsewhere nothing changes.
    """
    pressed = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield pressed.is_set
        return

    def hear(signum: int, frame: FrameType | None) -> None:
        if pressed.is_set():
            signal.default_int_handler(signum, frame)
        pressed.set()

    before = signal.signal(signal.SIGINT, hear)
    try:
        yield pressed.is_set
    finally:
        signal.signal(signal.SIGINT, before)
