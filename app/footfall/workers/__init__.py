"""Worker processes that share work, by Dask: of this machine, or of a cluster that is there.

Those of this machine are started when they are needed, listen on localhost only and to each other
only, import nothing of the working folder, and end with their parent, however it ends.
"""

import os
import queue
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from footfall.errors import RunError
from footfall.worker_template import METHOD, begin_template, environment_of_workers

if TYPE_CHECKING:
    from distributed import Client, Future, LocalCluster, Nanny

_LOCALHOST = "127.0.0.1"
_RENEWED_AFTER = 250  # tasks of a process: Drake 1.51 keeps up to a megabyte of every robot
_LOOKS = 5.0  # s between two looks at how many workers there are
_PATIENCE = 30.0  # s until a scheduler answers and has workers
_HANDLES, _HANDLES_EACH = 64, 8  # open files of a program with workers, and for each of them
_CONFIG: dict[str, object] = {
    "distributed.scheduler.allowed-failures": 2,  # processes that a task may take with it
    "distributed.scheduler.worker-ttl": None,  # compiled code may keep a worker from answering
    "distributed.comm.timeouts.connect": f"{_PATIENCE:g}s",
    "distributed.worker.multiprocessing-method": METHOD,
    # threads that look at a worker a hundred times a second, and freed memory given back at once,
    # cost a fifth of the time of a simulation
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    # servers of pages about the work, which any program of the machine could read
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
}


@dataclass(frozen=True)
class Workers:
    """Processes that work at the same time.

    count: of this machine, 0 for one a core; 1 works in this process, without others. scheduler:
    address of a Dask scheduler, as tcp://host:8786, whose workers do it instead.
    """

    count: int = 0
    scheduler: str = ""

    def __post_init__(self) -> None:
        """Refuse fewer than none."""
        if self.count < 0:
            raise RunError(f"workers is {self.count}: give 1 or more, or 0 for one a core.")

    @property
    def are_here(self) -> bool:
        """Return whether this process does the work itself."""
        return not self.scheduler and self.number == 1

    @property
    def number(self) -> int:
        """Count of the processes of this machine."""
        return self.count or len(os.sched_getaffinity(0))

    def prepare(self) -> None:
        """Begin what processes of this machine need to start, if it is they that do the work."""
        if not (self.scheduler or self.are_here):
            begin_template()


class ProcessEnded(Exception):
    """A process ended in the middle of a task, and others did that took it up."""


class Pool:
    """Tasks under way in worker processes."""

    def __init__(self, client: "Client", scheduler: str, cluster: "LocalCluster | None") -> None:
        """Take a client of Dask; cluster: where the processes are those of this machine."""
        self._client, self._scheduler, self._cluster = client, scheduler, cluster
        self._ended: queue.SimpleQueue[Future] = queue.SimpleQueue()
        self._names: dict[str, str] = {}
        self._begun = 0
        self._slots, self._looked = 0, -_LOOKS

    def __len__(self) -> int:
        """Return how many tasks are under way."""
        return len(self._names)

    @property
    def slots(self) -> int:
        """Count of the tasks that are worked on at the same time; a cluster grows and shrinks."""
        if time.monotonic() - self._looked > _LOOKS:
            self._slots, self._looked = sum(self._client.nthreads().values()), time.monotonic()
        return max(1, self._slots)

    @property
    def wants_rest(self) -> bool:
        """Return whether no task should be begun before all that are under way have ended."""
        due = self._begun >= _RENEWED_AFTER * self.slots if self._cluster is not None else False
        if due and not self._names:
            self._client.restart()
            self._begun = 0
            return False
        return due

    def submit(self, name: str, work: Callable[[], Any]) -> None:
        """Begin a task; work: a function of a module, with its arguments bound."""
        future = self._client.submit(work, key=f"footfall-{uuid4().hex}", pure=False)
        self._names[future.key] = name
        self._begun += 1
        future.add_done_callback(self._ended.put)

    def finished(self, patience: float) -> list[tuple[str, Callable[[], Any]]]:
        """Return the tasks that have ended, and what gives their results, after so many seconds.

        What gives a result raises what the task raised, ProcessEnded, or RunError where the
        scheduler is gone. So this does in that case.
        """
        found: list[tuple[str, Callable[[], Any]]] = []
        with suppress(queue.Empty):
            found.append(self._taken(self._ended.get(timeout=patience)))
            while True:
                found.append(self._taken(self._ended.get_nowait()))
        if not found and self._client.status in ("closing", "closed"):
            raise self._gone()
        return found

    def _taken(self, future: "Future") -> tuple[str, Callable[[], Any]]:
        return self._names.pop(future.key), lambda: self._result(future)

    def _result(self, future: "Future") -> Any:  # noqa: ANN401 (whatever a task gives)
        from distributed import KilledWorker

        try:
            return future.result()
        except KilledWorker as error:
            raise ProcessEnded from error
        except CancelledError as error:
            raise self._gone() from error
        except ImportError as error:
            raise RunError(
                f"a worker of {self._scheduler} cannot import what it needs ({error}): install the "
                "same version of footfall there."
            ) from error

    def _gone(self) -> RunError:
        return RunError(f"the scheduler {self._scheduler} is gone: start it again, and --resume")


@dataclass(frozen=True, eq=False)
class _Shared:
    """Pools that stay open until a block ends."""

    stack: ExitStack = field(default_factory=ExitStack)
    pools: dict[Workers, Pool] = field(default_factory=dict)


_sharing: list[_Shared] = []


@contextmanager
def sharing_pools() -> Iterator[None]:
    """Let pools of the same processes be one pool in a block: to start them takes seconds."""
    shared = _Shared()
    _sharing.append(shared)
    try:
        with shared.stack:
            yield
    finally:
        _sharing.remove(shared)


@contextmanager
def worker_pool(workers: Workers) -> Iterator[Pool]:
    """Give a pool of processes; an exception in the block ends them in the middle of their work.

    Raises RunError for a scheduler that does not answer, or that has no workers.
    """
    if not _sharing:
        with _opened(workers) as pool:
            yield pool
        return
    shared = _sharing[-1]
    if workers not in shared.pools:
        shared.pools[workers] = shared.stack.enter_context(_opened(workers))
    try:
        yield shared.pools[workers]
    except BaseException:
        del shared.pools[workers]  # which has tasks under way that nobody waits for
        raise


@contextmanager
def _opened(workers: Workers) -> Iterator[Pool]:
    import logging

    import dask
    import distributed  # before its settings are changed, which come with it

    for name in (distributed.__name__, "tornado.application"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    with dask.config.set(_CONFIG):
        if workers.scheduler:
            with _connected(workers.scheduler) as client:
                yield Pool(client, workers.scheduler, None)
        else:
            with _started(workers.number) as (client, cluster):
                yield Pool(client, cluster.scheduler_address, cluster)


@contextmanager
def _connected(scheduler: str) -> "Iterator[Client]":
    """Connect with a cluster that is there; tasks that are under way at the end are given up."""
    import asyncio

    from distributed import Client

    try:
        # in a thread, for a program that has a loop of its own under way, as notebooks do
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, _reach(scheduler)).result()
        client = Client(scheduler, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError, TimeoutError) as error:  # TypeError: no certificate
        raise RunError(
            f"no scheduler answers at {scheduler}: start one with dask scheduler, or mend the "
            "address, such as tcp://host:8786."
        ) from error
    try:
        client.wait_for_workers(1, timeout=_PATIENCE)
        yield client
    except TimeoutError as error:
        raise RunError(
            f"the scheduler {scheduler} has no workers: start some with dask worker {scheduler}."
        ) from error
    finally:
        client.close(timeout=2)


async def _reach(scheduler: str) -> None:
    """Shake hands with a scheduler; a client that it does not answer hangs when it is discarded."""
    import asyncio

    from distributed import Security
    from distributed.comm import connect

    known = Security().get_connection_args("client")  # certificates, where Dask is told of some
    comm = await asyncio.wait_for(connect(scheduler, timeout=_PATIENCE, **known), 2.0 * _PATIENCE)
    comm.abort()


@contextmanager
def _started(number: int) -> "Iterator[tuple[Client, LocalCluster]]":
    """Start processes of this machine, which nobody else can reach."""
    import logging
    import resource

    from distributed import Client, LocalCluster

    from footfall.folder_lock import temporary_folder
    from footfall.workers.keyed import PROTOCOL, Keyed

    most, need = resource.getrlimit(resource.RLIMIT_NOFILE)[0], _HANDLES + _HANDLES_EACH * number
    if 0 <= most < need:  # with fewer, Dask waits for ever
        raise RunError(
            f"{number} worker processes need {need} open files and {most} are allowed: raise the "
            "limit (ulimit -n), or give fewer --workers."
        )
    begin_template()
    # Dask sets variables of the workers in this process, and leaves them there
    with environment_of_workers(), temporary_folder() as folder:
        cluster = LocalCluster(
            n_workers=number,
            threads_per_worker=1,
            processes=True,
            host=_LOCALHOST,
            protocol=PROTOCOL,
            security=Keyed(),
            dashboard_address=f"{_LOCALHOST}:0",
            scheduler_kwargs={"dashboard": False},
            worker_dashboard_address=None,
            memory_limit=0,
            silence_logs=logging.CRITICAL,
            local_directory=folder,
            preload=__name__,
        )
        try:
            with Client(cluster, set_as_default=False) as client:
                try:
                    yield client, cluster
                finally:
                    _end(cluster)
        finally:
            cluster.close()


def _end(cluster: "LocalCluster") -> None:
    """End processes at once, whatever they are at."""
    cluster.sync(_stop_replacing, cluster)
    for nanny in cluster.workers.values():
        if nanny.pid is not None:
            with suppress(ProcessLookupError):
                os.kill(nanny.pid, signal.SIGKILL)


async def _stop_replacing(cluster: "LocalCluster") -> None:
    """Let no process take the place of one that ended, and wait for those that are about to.

    Dask cannot close, and waits for ever, while it is starting a process. Where a process that has
    just connected ends, it takes the next one for running before that is there, and cannot join it.
    """
    import asyncio

    from distributed.core import Status

    for nanny in cluster.workers.values():
        nanny.close_gracefully()
    until = time.monotonic() + _PATIENCE
    for nanny in cluster.workers.values():
        if nanny.process is not None and nanny.process.status == Status.starting:
            with suppress(TimeoutError):
                await asyncio.wait_for(nanny.process.running.wait(), _PATIENCE)
        while _is_to_come(nanny) and time.monotonic() < until:  # noqa: ASYNC110 (no event of Dask)
            await asyncio.sleep(0.01)


def _is_to_come(nanny: "Nanny") -> bool:
    """Return whether a process has not got its number yet."""
    own = nanny.process.process if nanny.process is not None else None
    return own is not None and own.pid is None


def dask_setup(_worker: object) -> None:
    """Let a worker hear no Ctrl-C, which a terminal sends to all; Dask calls this in each."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
