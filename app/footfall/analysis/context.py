"""Analyses, which a scenario may ask for instead of one simulation: computations over many.

Their tasks are done by several processes, and kept by a checkpoint in the order of their names.
"""

import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import xarray as xr

from footfall.analysis.checkpoint import Checkpoint
from footfall.analysis.functions import SimulationFactory, Summary
from footfall.analysis.runs import FAILED, Outcome, Point, Runner
from footfall.errors import RunError
from footfall.files import replacing
from footfall.interrupt import exit_status
from footfall.metrics import Metric
from footfall.registry.claims import Claim
from footfall.registry.context import MachineContext
from footfall.registry.machine import HYBRID
from footfall.workers import Pool, ProcessEnded, Workers, worker_pool


class Interrupted(Exception):
    """Ctrl-C was heard between two tasks."""


@dataclass(frozen=True)
class AnalysisContext:
    """Context of an analysis: finished tasks, whom to report to, when to stop.

    tell(what, share): the task under way and the share of the whole that is done, 0 to 1. factory:
    builds simulations of the scenario, for analyses that simulate. runner: simulates it with values
    changed, for sweeps. engine: the scenario's own. workers: processes that share the work, instead
    of as many as the analysis names. summary: what the machine says of a whole sweep.
    """

    checkpoint: Checkpoint = field(default_factory=Checkpoint)
    tell: Callable[[str, float], None] = lambda _what, _share: None
    stopped: Callable[[], bool] = lambda: False
    factory: SimulationFactory | None = None
    runner: Runner | None = None
    engine: str = HYBRID
    workers: Workers | None = None
    summary: Summary | None = None

    def go_on(self, what: str, share: float) -> None:
        """Say how far the work is; raises Interrupted when it is to stop."""
        if self.stopped():
            raise Interrupted
        self.tell(what, share)


@dataclass(frozen=True)
class AnalysisResult:
    """Result of an analysis.

    data: labelled arrays with ``units``, in SI. metrics, claims: as those of a run. scenarios: what
    was found to be run, by name: settings as ``--set`` takes them, of which the analysis' own
    scenario becomes a simulation.
    """

    data: xr.Dataset
    metrics: dict[str, Metric]
    claims: Sequence[Claim] = ()
    scenarios: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def save(self, path: Path) -> None:
        """Write the arrays as NetCDF4, whole or not at all; raises RunError as ``replacing``."""
        with replacing(path) as temporary:
            self.data.to_netcdf(temporary, "w", "NETCDF4", engine="netcdf4")


def load_arrays(path: Path) -> xr.Dataset:
    """Read the arrays of saved findings; raises RunError for a file that is none."""
    try:
        return xr.load_dataset(path, engine="netcdf4", decode_times=False)
    except (OSError, RuntimeError, ValueError, KeyError) as error:
        raise RunError(f"{path} is missing or damaged; run the scenario again") from error


def meanings_of(data: xr.Dataset) -> dict[str, tuple[str, str]]:
    """Return unit and meaning of the single numbers among the findings of an analysis."""
    return {
        str(name): (str(one.attrs.get("units", "")), str(one.attrs.get("long_name", "")))
        for name, one in data.data_vars.items()
        if one.ndim == 0
    }


class Analysis(Protocol):
    """A computation that a scenario describes; a dataclass of its options.

    Scenarios without a registered machine are refused, and so are controllers, references and
    observables of the user's and grounds that are no plane, unless the class has
    ``takes_any_scenario = True``: then it simulates the scenario as it is. It may have ``series``,
    names of time series, and a method ``wanted()``, names of metrics, that its runs have to tell.
    """

    def run(self, context: MachineContext, analysis: AnalysisContext) -> AnalysisResult:
        """Compute everything, task by task through ``analysis.checkpoint``.

        Raises Interrupted between two tasks, ScenarioError or RunError for what cannot be had.
        """

    def metrics(self) -> dict[str, tuple[str, str]]:
        """Unit and meaning of every metric that it finds."""


def takes_any_scenario(analysis: Analysis | None) -> bool:
    """Return whether an analysis simulates a scenario as it is, whatever is in it."""
    return bool(getattr(analysis, "takes_any_scenario", False))


def engine_of(analysis: Analysis | None, own: str) -> str:
    """The engine of an analysis: the one that it names as its ``engine``, else HYBRID.

    own: the scenario's, which is that of an analysis that takes any scenario.
    """
    return own if takes_any_scenario(analysis) else str(getattr(analysis, "engine", HYBRID))


_ENDED = Outcome(FAILED, "it ended its process every time that it was tried").to_dict()
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


def run_points(
    analysis: AnalysisContext,
    points: Sequence[Point],
    shares: tuple[float, float] = (0.0, 1.0),
    heard: Callable[[Outcome], None] = lambda _outcome: None,
    not_run: Outcome | None = None,
) -> list[Outcome]:
    """Outcomes of points in their order, those that are the same run once; see `run_tasks`.

    A point whose process ends every time has failed. not_run: the outcome of those that were not
    done when Ctrl-C came, instead of Interrupted.
    """
    if analysis.runner is None:
        raise ValueError("an analysis of any scenario needs a runner")
    work = {point.name: partial(analysis.runner, point) for point in points}
    try:
        tasks = [Task(name, one, _ENDED) for name, one in work.items()]
        run_tasks(analysis, tasks, Workers(), shares, lambda result: heard(Outcome(**result)))
    except Interrupted:
        if not_run is None:
            raise
    rest = Outcome(FAILED) if not_run is None else not_run
    found = (analysis.checkpoint.result(point.name, rest.to_dict) for point in points)
    return [Outcome(**each) for each in found]


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
