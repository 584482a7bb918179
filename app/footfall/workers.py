"""Worker processes that end with their parent, however it ends."""

import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import connection, get_context, parent_process


@contextmanager
def worker_pool(workers: int) -> Iterator[ProcessPoolExecutor]:
    """Give a pool of processes; an exception in the block ends them in the middle of their work."""
    pool = ProcessPoolExecutor(workers, get_context("spawn"), _leave_signals_to_parent)
    try:
        yield pool
    except BaseException:
        for process in list((pool._processes or {}).values()):  # noqa: SLF001 (3.14 has a method)
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _leave_signals_to_parent() -> None:
    """Let a worker hear no Ctrl-C, which a terminal sends to all, and end when its parent does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Wait for the end of the parent: one that is killed can tell nobody."""
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)
