"""Tasks done by several processes, kept by a checkpoint in the order of their names."""

import sys
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
from typing import Any

from footfall.analysis.context import AnalysisContext, Interrupted
from footfall.errors import RunError
from footfall.interrupt import exit_status
from footfall.workers import worker_pool

_PATIENCE = 0.5  # s between two looks at Ctrl-C
_BY_CTRL_C = 130  # after other signals there may be little time
_WAITING = "footfall: ends when the tasks under way are done and kept; Ctrl-C again ends at once."


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
    another. Raises Interrupted between tasks: those under way are waited for and kept, unless a
    second signal comes, or another one than Ctrl-C. Raises RunError where a process dies.
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
    futures: dict[Future[Any], str] = {}
    with worker_pool(workers) as pool:
        while missing or futures:
            while missing and len(futures) < workers:  # none that waits could be called back
                task = missing.pop(0)
                futures[pool.submit(task.work)] = task.name
            share = _share(shares, len(tasks) - len(missing) - len(futures), len(tasks))
            try:
                analysis.go_on(next(iter(futures.values())), share)
            except Interrupted:
                _keep_the_rest(analysis, futures)
                raise
            _keep_finished(analysis, futures)


def _keep_the_rest(analysis: AnalysisContext, futures: dict[Future[Any], str]) -> None:
    """Wait for what is under way after Ctrl-C, of which there may be a second one."""
    if exit_status() in (None, _BY_CTRL_C):
        print(_WAITING, file=sys.stderr, flush=True)  # noqa: T201 (the answer to Ctrl-C)
        while futures:
            _keep_finished(analysis, futures)


def _keep_finished(analysis: AnalysisContext, futures: dict[Future[Any], str]) -> None:
    """Wait a little, and keep what is done."""
    finished, _ = wait(futures, _PATIENCE, FIRST_COMPLETED)
    for future in finished:
        _keep(analysis, futures.pop(future), future)


def _keep(analysis: AnalysisContext, name: str, future: Future[Any]) -> None:
    try:
        analysis.checkpoint.result(name, partial(future.result))
    except BrokenProcessPool as error:
        message = f"a process ended in the middle of {name}; set workers to 1, or --resume"
        raise RunError(message) from error


def _share(shares: tuple[float, float], number: int, of: int) -> float:
    return shares[0] + (shares[1] - shares[0]) * number / of
