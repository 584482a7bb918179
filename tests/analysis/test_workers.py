"""Work shared among processes: results, a process that is killed, one that ends every time."""

import asyncio
import gc
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import suppress
from functools import partial

import pytest
import xarray as xr
from tests.engines.tiny import BALL

from footfall.analysis.checkpoint import Checkpoint
from footfall.analysis.context import AnalysisContext, Task, run_tasks
from footfall.errors import RunError
from footfall.worker_template import ENVIRONMENT, METHOD, begin_template
from footfall.workers import Workers, sharing_pools, worker_pool

# what a worker evaluates: the first time it ends its process, the second it gives 7
ONCE = (
    "7 if __import__('os').path.exists({path!r}) else "
    "(open({path!r}, 'w').close(), __import__('os').kill(__import__('os').getpid(), 9))"
)


@pytest.fixture(scope="module")
def pool():
    with worker_pool(Workers(2)) as pool:
        yield pool


def ended(pool, count):
    """Results by name of so many tasks; an exception where one raised it."""
    found, until = {}, time.monotonic() + 60.0
    while len(found) < count and time.monotonic() < until:
        for name, result in pool.finished(0.2):
            try:
                found[name] = result()
            except Exception as error:  # noqa: BLE001 (told to the test)
                found[name] = error
    return found


def test_results_come_by_name(pool):
    for k in range(5):
        pool.submit(str(k), partial(pow, k, 2))
    assert ended(pool, 5) == {str(k): k * k for k in range(5)}
    assert (len(pool), pool.slots) == (0, 2)


def test_what_a_task_raises_is_raised(pool):
    pool.submit("bad", partial(int, "x"))
    assert isinstance(ended(pool, 1)["bad"], ValueError)


def test_ctrl_c_of_a_terminal_ends_no_worker(pool):
    for nanny in pool._cluster.workers.values():
        os.kill(nanny.pid, signal.SIGINT)
    before = {nanny.pid for nanny in pool._cluster.workers.values()}
    for k in range(4):
        pool.submit(str(k), partial(os.getpid))
    assert set(ended(pool, 4).values()) <= before


def test_a_task_whose_process_is_killed_is_repeated(pool, tmp_path):
    pool.submit("killed", partial(eval, ONCE.format(path=str(tmp_path / "there"))))
    assert ended(pool, 1) == {"killed": 7}


@pytest.mark.skipif(METHOD != "forkserver", reason="processes begin anew on this system")
def test_a_worker_begins_with_what_a_simulation_needs_and_one_thread(pool):
    asked = "('footfall.scenario_runner' in __import__('sys').modules, {0}.environ['{1}'])"
    pool.submit("x", partial(eval, asked.format("__import__('os')", "OMP_NUM_THREADS")))
    assert ended(pool, 1) == {"x": (True, "1")}


def test_what_workers_begin_with_leaves_this_process_as_it_is():
    before = dict(os.environ), signal.pthread_sigmask(signal.SIG_BLOCK, set())
    begin_template()
    assert (dict(os.environ), signal.pthread_sigmask(signal.SIG_BLOCK, set())) == before


@pytest.mark.skipif(shutil.which("ss") is None, reason="ss is not installed")
def test_processes_listen_on_this_machine_only(pool):
    pids = [os.getpid(), *(nanny.pid for nanny in pool._cluster.workers.values())]
    listening = subprocess.run(["ss", "-ltnp"], capture_output=True, text=True, check=True).stdout
    own = [line for line in listening.splitlines() if any(f"pid={pid}," in line for pid in pids)]
    assert len(own) >= 3  # the scheduler, and both workers
    assert all(line.split()[3].startswith("127.0.0.1:") for line in own)


def _doors(pool):
    """Ports at which the processes of a pool listen: scheduler, nannies, workers."""
    nannies = list(pool._cluster.workers.values())
    addresses = [pool._scheduler, *(a for n in nannies for a in (n.address, n.worker_address))]
    assert all(address.startswith("footfall://127.0.0.1:") for address in addresses)
    return [int(address.rpartition(":")[2]) for address in addresses]


# an unrelated program of this machine, which has Dask and footfall as well
FOREIGN = """
import sys
from distributed import Client
from footfall.workers.keyed import Keyed

address, file, own = sys.argv[1:]
try:
    client = Client(address, timeout=1.5, security=Keyed() if own else None)
    client.submit(open, file, "w").result(timeout=10)
except Exception:  # a question of its own, which Dask may read as anything, is all that it hears
    print("refused")
"""


@pytest.mark.parametrize("own", ["", "with a key of its own"])
def test_work_of_another_program_is_refused(pool, tmp_path, own):
    file, port = tmp_path / "theirs", _doors(pool)[0]
    address = f"{'footfall' if own else 'tcp'}://127.0.0.1:{port}"
    command = [sys.executable, "-c", FOREIGN, address, file, own]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "refused\n"
    assert not file.exists()
    pool.submit("ours", partial(pow, 2, 3))
    assert ended(pool, 1) == {"ours": 8}


@pytest.mark.parametrize("sent", [b"", b"x" * 63, b"x" * 64, b"x" * 100_000, None])
def test_no_process_hears_who_does_not_know_the_key(pool, sent):
    for port in _doors(pool):
        with socket.create_connection(("127.0.0.1", port), timeout=10) as foreign:
            question = foreign.recv(1000)
            # what it asks is no answer, nor is its own answer to it
            answer = b""
            with suppress(OSError):  # where it has closed before all was sent
                foreign.sendall(2 * question if sent is None else sent)
                foreign.shutdown(socket.SHUT_WR)
                while more := foreign.recv(1000):
                    answer += more
            assert (len(question), len(answer) <= 32) == (32, True)


def test_who_connects_and_says_nothing_keeps_no_pool_from_ending(capfd):
    with worker_pool(Workers(1)) as pool:
        silent = [socket.create_connection(("127.0.0.1", port)) for port in _doors(pool)]
        began = time.monotonic()
    assert time.monotonic() - began < 10.0
    for each in silent:
        each.close()
    assert capfd.readouterr() == ("", "")


def test_no_page_about_the_work_is_served(pool):
    server = pool._cluster.scheduler.http_server
    for path in ("status", "health", "metrics", "json/counts.json", "info/main/workers.html"):
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(f"http://127.0.0.1:{server.port}/{path}", timeout=10)


def test_a_task_that_ends_its_process_every_time_has_the_result_of_one_lost(tmp_path):
    tasks = [Task(str(k), partial(pow, k, 2), "lost") for k in range(3)]
    tasks.append(Task("fatal", partial(os._exit, 3), "lost"))
    context = AnalysisContext(Checkpoint(tmp_path / "kept"), workers=Workers(2))
    assert run_tasks(context, tasks, 1, (0.0, 1.0)) == [0, 1, 4, "lost"]
    assert "fatal" in Checkpoint(tmp_path / "kept")


@pytest.mark.slow
def test_a_pool_ends_while_a_process_takes_the_place_of_another():
    for delay in (0.0, 0.02, 0.05, 0.1):  # s; a new process is there after some 0.1
        with worker_pool(Workers(2)) as pool:
            nannies = list(pool._cluster.workers.values())
            os.kill(nannies[0].pid, signal.SIGKILL)
            time.sleep(delay)
        assert [nanny.pid for nanny in nannies] == [None, None]


@pytest.mark.slow
def test_a_pool_ends_where_a_process_is_taken_for_running_before_it_is_there(monkeypatch):
    """As Dask does where a process ends that has just said that it is connected."""
    from distributed.core import Status
    from distributed.process import AsyncProcess

    begin = AsyncProcess.start

    async def late(process):
        await asyncio.sleep(1.0)
        await begin(process)

    with worker_pool(Workers(1)) as pool:
        (nanny,) = pool._cluster.workers.values()
        monkeypatch.setattr(AsyncProcess, "start", late)
        os.kill(nanny.pid, signal.SIGKILL)
        until = time.monotonic() + 20.0
        while nanny.process.status != Status.starting and time.monotonic() < until:
            time.sleep(0.001)
        nanny.process.status = Status.running
        pool._cluster.loop.add_callback(nanny.process.running.set)
        assert nanny.process.process.pid is None
    assert nanny.pid is None


def test_pools_are_one_in_a_block_until_one_breaks_off(monkeypatch):
    for name in ENVIRONMENT:
        monkeypatch.delenv(name, raising=False)
    before = dict(os.environ)
    with sharing_pools():
        with worker_pool(Workers(2)) as first:
            first.submit("1", partial(os.getpid))
            pid = ended(first, 1)["1"]
        with worker_pool(Workers(2)) as second:
            assert second is first
            second.submit("2", partial(time.sleep, 60))
            alive = [nanny.pid for nanny in second._cluster.workers.values()]
            assert pid in alive
        with suppress(KeyError), worker_pool(Workers(2)):
            raise KeyError
    for one in alive:
        with pytest.raises(ProcessLookupError):
            os.kill(one, 0)
    assert dict(os.environ) == before


SCHEDULER = """
import asyncio
from distributed import Scheduler, Worker

async def main():
    async with Scheduler(host="127.0.0.1", dashboard_address="127.0.0.1:0") as scheduler:
        async with Worker(scheduler.address, nthreads=1):
            print(scheduler.address, flush=True)
            await asyncio.sleep(600)

asyncio.run(main())
"""


def test_a_scheduler_that_goes_away_ends_it_in_one_line_and_what_is_done_is_kept(tmp_path):
    with subprocess.Popen(
        [sys.executable, "-c", SCHEDULER], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as cluster:
        try:
            address = cluster.stdout.readline().decode().strip()
            path = tmp_path / "kept"
            tasks = [Task("first", partial(pow, 3, 2)), Task("never", partial(time.sleep, 300))]

            def tell(_what, share):
                if share > 0.0:  # the first is done
                    os.kill(cluster.pid, signal.SIGKILL)

            context = AnalysisContext(Checkpoint(path), tell, workers=Workers(0, address))
            with pytest.raises(RunError, match=f"the scheduler {address} is gone") as told:
                run_tasks(context, tasks, 1, (0.0, 1.0))
        finally:
            cluster.kill()
    assert "\n" not in str(told.value)
    assert Checkpoint(path).result("first", None) == 9


@pytest.mark.slow
@pytest.mark.parametrize("listens", [False, True])
def test_what_does_not_answer_as_a_scheduler_is_told_in_one_line(listens, monkeypatch):
    monkeypatch.setattr("footfall.workers._PATIENCE", 0.5)
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        if listens:  # and says nothing
            other.listen()
        address = f"tcp://127.0.0.1:{other.getsockname()[1]}"
        began = time.monotonic()
        with (
            pytest.raises(RunError, match=f"no scheduler answers at {address}") as told,
            worker_pool(Workers(scheduler=address)),
        ):
            pass
    assert "\n" not in str(told.value)
    del told
    gc.collect()  # a client that is discarded would wait here for a minute
    assert time.monotonic() - began < 30.0


def test_a_scheduler_with_certificates_that_nobody_told_of_is_refused_in_one_line():
    with (
        pytest.raises(RunError, match=r"answers at tls://127\.0\.0\.1:1") as told,
        worker_pool(Workers(scheduler="tls://127.0.0.1:1")),
    ):
        pass
    assert "\n" not in str(told.value)


def test_fewer_workers_than_none_are_refused():
    with pytest.raises(RunError, match="workers is -1"):
        Workers(-1)
    assert Workers(1).are_here
    assert not Workers(1, "tcp://there:8786").are_here


# in the place of the library's; what is imported besides would show as well
SHADOWS = ("numpy", "secrets", "signal", "threading", "tornado", "xarray", "footfall_controllers")
PROGRAM = "from footfall.__main__ import main\nif __name__ == '__main__':\n    main()\n"


@pytest.mark.slow
@pytest.mark.parametrize("program", ["-m", "its script"])
def test_a_sweep_runs_nothing_of_the_working_folder_but_what_it_names(tmp_path, program):
    folder, script = tmp_path / "work", tmp_path / "footfall"
    folder.mkdir()
    script.write_text(PROGRAM)
    for name in SHADOWS:
        (folder / f"{name}.py").write_text("open(__file__ + '.ran', 'w')\n")
    (folder / "named.py").write_text(
        "import beside\ndef square(case, *, x=1.0): return {'square': beside.twice(x) * x / 2}\n"
    )
    (folder / "beside.py").write_text("def twice(x): return 2 * x\n")
    (folder / "ball.urdf").write_text(BALL)
    (folder / "case.yaml").write_text(SQUARES)
    how = ["-m", "footfall"] if program == "-m" else [str(script)]
    options = ("--workers", "2", "--out", "out", "--no-report")
    command = [sys.executable, *how, "sweep", "case.yaml", *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert list(folder.glob("*.ran")) == []
    with xr.open_dataset(folder / "out" / "findings.nc") as found:
        assert found["square"].to_numpy().ravel().tolist() == [1.0, 9.0, 49.0]


SQUARES = """
duration: 0.02
directives:
- add_model: {name: ball, file: ball.urdf}
analysis: !Sweep
  function: named.py:square
  over: {parameters.x: !Values {values: [1.0, 3.0, 7.0]}}
"""
