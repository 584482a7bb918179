"""Process that has imported what work needs, of which worker processes are copies.

It imports while the program that wants workers still reads what is asked of it. A worker that
takes the place of another one is there at once, without the seconds that the imports take.
"""

import multiprocessing
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import forkserver

METHOD = "forkserver" if sys.platform == "linux" else "spawn"
"""Start method of worker processes: libraries of other systems do not bear to be copied."""

ENVIRONMENT = {
    "OMP_NUM_THREADS": "1",  # as Dask has it: the workers are as many as the cores
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "DASK_LOGGING__DISTRIBUTED": "critical",
    "PYTHONSAFEPATH": "1",  # else whatever lies in the working folder is imported for the library
    # freed memory given back to the system at once costs time in every run
    "MALLOC_TRIM_THRESHOLD_": str(1 << 24),
}
"""Environment of worker processes, which is read when they, or what they are copies of, begin."""

# by their names: they are on higher floors
_IMPORTED = (
    "distributed.worker",
    "footfall.scenario_runner",
    "footfall.scenario.function_runner",
)


def begin_template() -> None:
    """Begin the process, unless it is there; returns at once."""
    if METHOD != "forkserver":
        return
    multiprocessing.get_context(METHOD).set_forkserver_preload(list(_IMPORTED))
    with environment_of_workers(), _deaf_to_interrupts():
        forkserver.ensure_running()


@contextmanager
def environment_of_workers() -> Iterator[None]:
    """Give this process, and what it starts in the block, the environment of workers."""
    before = {name: os.environ.get(name) for name in ENVIRONMENT}
    os.environ.update(ENVIRONMENT)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Let processes begin that hear no Ctrl-C, which a terminal sends to all of a program.

    One that comes meanwhile is heard behind the block.
    """
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
