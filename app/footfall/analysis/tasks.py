"""Tasks done by several processes, kept by a checkpoint in the order of their names."""

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from footfall.analysis.context import AnalysisContext, Interrupted
from footfall.errors import RunError
from footfall.interrupt import exit_status
from footfall.workers import Pool, ProcessEnded, Workers, worker_pool

_PATIENCE = 0.5  # s between two looks at Ctrl-C; tasks that take less are begun before others end
_BY_CTRL_C = 130  # after other signals there may be little time
_WAITING = "footfall: ends when the tasks under way are done and kept; Ctrl-C again ends at once."


@dataclass(frozen=True)
class Task:
    """A task by its name, which says what it follows from; work: a function of a module.

    lost: result of a task that ends its process every time, instead of RunError.
    """

    name: str
    work: Callable[[], Any]
    lost: Any = None


def run_tasks(
    analysis: AnalysisContext,
    tasks: Sequence[Task],
    workers: int | Workers,
    shares: tuple[float, float],
    heard: Callable[[Any], None] = lambda _result: None,
) -> list[Any]:
    """Results of tasks in their order; those that the checkpoint has are not done again.

    workers: or how many of this machine. shares: of the whole analysis before and after them.
    heard: called with every result when it is there. What tasks give must not depend on one
    another. Raises Interrupted between tasks: those under way are waited for and kept, unless a
    second signal comes, or another one than Ctrl-C. A task whose process ends is repeated by
    another; raises RunError where that ends as well.
    """
    asked = workers if isinstance(workers, Workers) else Workers(workers)
    asked = analysis.workers or asked
    missing = [task for task in tasks if task.name not in analysis.checkpoint]
    for task in tasks:
        if task.name in analysis.checkpoint:
            heard(analysis.checkpoint.result(task.name, task.work))
    if asked.are_here or (len(missing) < 2 and not asked.scheduler):
        for number, task in enumerate(missing):
            analysis.go_on(task.name, _share(shares, number, len(missing)))
            heard(analysis.checkpoint.result(task.name, task.work))
    elif missing:
        with worker_pool(asked) as pool:
            _Progress(analysis, missing, shares, pool, heard).complete()
    return [analysis.checkpoint.result(task.name, task.work) for task in tasks]


class _Progress:
    """Tasks that are not done yet, by processes; each result is kept as it comes."""

    def __init__(
        self,
        analysis: AnalysisContext,
        tasks: Sequence[Task],
        shares: tuple[float, float],
        pool: Pool,
        heard: Callable[[Any], None],
    ) -> None:
        self._analysis, self._shares, self._pool, self._heard = analysis, shares, pool, heard
        self._tasks = {task.name: task for task in tasks}
        self._missing, self._done, self._began = list(reversed(tasks)), 0, time.monotonic()

    def complete(self) -> None:
        """Do all tasks; raises Interrupted, and RunError as `run_tasks`."""
        latest = self._missing[-1].name
        while self._missing or len(self._pool) > 0:
            room = 0 if self._pool.wants_rest else self._room() - len(self._pool)
            for _ in range(min(room, len(self._missing))):
                task = self._missing.pop()
                self._pool.submit(task.name, task.work)
            try:
                self._analysis.go_on(latest, _share(self._shares, self._done, len(self._tasks)))
            except Interrupted:
                self._keep_the_rest()
                raise
            latest = self._keep_finished() or latest

    def _room(self) -> int:
        """Return how many tasks may be under way: none that waits could be called back.

        Of short ones some may wait, so that no process has to.
        """
        slots = self._pool.slots
        each = slots * (time.monotonic() - self._began) / max(1, self._done)
        return 2 * slots if self._done >= slots and each < _PATIENCE else slots

    def _keep_the_rest(self) -> None:
        """Wait for what is under way after Ctrl-C, of which there may be a second one."""
        if exit_status() in (None, _BY_CTRL_C):
            print(_WAITING, file=sys.stderr, flush=True)  # noqa: T201 (the answer to Ctrl-C)
            while len(self._pool) > 0:
                self._keep_finished()

    def _keep_finished(self) -> str:
        """Wait a little, and keep what is done; returns the name of the last of it."""
        last = ""
        for last, result in self._pool.finished(_PATIENCE):
            work = partial(self._of, last, result)
            self._heard(self._analysis.checkpoint.result(last, work))
            self._done += 1
        return last

    def _of(self, name: str, result: Callable[[], Any]) -> Any:  # noqa: ANN401 (what JSON can hold)
        try:
            return result()
        except ProcessEnded as error:
            if self._tasks[name].lost is not None:
                return self._tasks[name].lost
            message = f"a process ended in the middle of {name}; set workers to 1, or --resume"
            raise RunError(message) from error


def _share(shares: tuple[float, float], number: int, of: int) -> float:
    return shares[0] + (shares[1] - shares[0]) * number / of
