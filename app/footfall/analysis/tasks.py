"""Tasks done by several processes, kept by a checkpoint in the order of their names."""

import signal
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from typing import Any

from footfall.analysis.context import AnalysisContext
from footfall.errors import RunError

_PATIENCE = 0.5  # s between two looks at Ctrl-C


@dataclass(frozen=True)
class Task:
    """A task by its name, which says what it follows from; work: a function of a module."""

    name: str
    work: Callable[[], Any]


def run_tasks(
    analysis: AnalysisContext, tasks: Sequence[Task], workers: int, shares: tuple[float, float]
) -> list[Any]:
    """Results of tasks in their order; those that the checkpoint has are not done again.

    shares: of the whole analysis before and after them. What they give must not depend on one
    another. Raises Interrupted between tasks: those under way are waited for and kept. Raises
    RunError where a process dies.
    """
    if workers == 1:
        for number, task in enumerate(tasks):
            analysis.go_on(task.name, _share(shares, number, len(tasks)))
            analysis.checkpoint.result(task.name, task.work)
    else:
        _by_processes(analysis, tasks, workers, shares)
    return [analysis.checkpoint.result(task.name, task.work) for task in tasks]


def _by_processes(
    analysis: AnalysisContext, tasks: Sequence[Task], workers: int, shares: tuple[float, float]
) -> None:
    """Let processes do what is not done, and keep each result as it comes."""
    missing = [task for task in tasks if task.name not in analysis.checkpoint]
    if not missing:
        return
    pool = ProcessPoolExecutor(workers, get_context("spawn"), _deaf_to_ctrl_c)
    try:
        futures = {pool.submit(task.work): task.name for task in missing}
        while futures:
            share = _share(shares, len(tasks) - len(futures), len(tasks))
            analysis.go_on(next(iter(futures.values())), share)
            finished, _ = wait(futures, _PATIENCE, FIRST_COMPLETED)
            for future in finished:
                _keep(analysis, futures.pop(future), future)
    finally:
        pool.shutdown(cancel_futures=True)
        for future, name in futures.items():
            if future.done() and not future.cancelled() and future.exception() is None:
                _keep(analysis, name, future)


def _keep(analysis: AnalysisContext, name: str, future: Future[Any]) -> None:
    try:
        analysis.checkpoint.result(name, partial(future.result))
    except BrokenProcessPool as error:
        message = f"a process ended in the middle of {name}; set workers to 1, or --resume"
        raise RunError(message) from error


def _share(shares: tuple[float, float], number: int, of: int) -> float:
    return shares[0] + (shares[1] - shares[0]) * number / of


def _deaf_to_ctrl_c() -> None:
    """Leave Ctrl-C to the process that gives out the work."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
