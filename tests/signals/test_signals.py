"""Real signals to real processes: nothing computed is lost, and the words say what is kept."""

import signal
import sys
import time

import pytest
from tests.signals.programs import is_alive, program

from footfall.run_folder import RunFolder
from footfall.trajectory import Status, Trajectory

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX"),
]

RUN = """
import footfall.engines.step_log, footfall.run, footfall.run_folder, footfall.report
from footfall.cli import main
{}
main(["run", "smoke/Defaults", "--set", "duration=0.05", "--out", "out"])
"""
WRITING = 'stop_before(footfall.run_folder.RunFolder, "write_trajectory", "writing")'
STEPPING = 'stop_before(footfall.engines.step_log.MoreauLog, "took", "stepping", times=3)'
MEASURING = 'stop_before(footfall.run, "common_measures", "measuring")'
REPORTING = 'stop_before(footfall.report, "write_reports", "reporting")'


def kept(folder):
    """The trajectory that is on disk, beside which nothing is left half-written."""
    assert not list((folder / "out").glob(".*"))
    assert RunFolder(folder / "out").read_metrics()
    return Trajectory.load(folder / "out" / "trajectory.nc")


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["Ctrl-C", "SIGTERM"]
)
def test_a_run_that_is_being_written_is_written_whole(tmp_path, number, status):
    with program(RUN.format(WRITING), tmp_path) as run:
        run.reached("writing")
        run.send(number)
        run.send(number)
        run.go_on()
        ended, err = run.ends()
    assert ended == status
    assert "interrupted; what was computed is in out" in err
    assert "Traceback" not in err
    assert kept(tmp_path).status is Status.DONE


def test_two_quick_ctrl_c_end_the_run_and_keep_what_there_is(tmp_path):
    with program(RUN.format(STEPPING + "\n" + MEASURING), tmp_path) as run:
        run.reached("stepping")
        run.send(signal.SIGINT)
        run.go_on()
        run.reached("measuring")
        run.send(signal.SIGINT)
        run.go_on()
        ended, err = run.ends()
    assert ended == 130
    assert "what was computed is in out; its page: footfall report out" in err
    trajectory = kept(tmp_path)
    assert trajectory.status is Status.INTERRUPTED
    assert 4 <= len(trajectory.data["time"]) <= 8  # of the start and of blocks of 1, 2 and 4 steps


def test_sigterm_ends_a_run_and_keeps_what_there_is(tmp_path):
    with program(RUN.format(STEPPING), tmp_path) as run:
        run.reached("stepping")
        run.send(signal.SIGTERM)
        run.go_on()
        ended, err = run.ends()
    assert ended == 143
    assert "interrupted at t = " in err
    assert kept(tmp_path).status is Status.INTERRUPTED


def test_ctrl_c_while_the_page_is_made_says_where_the_run_is(tmp_path):
    with program(RUN.format(REPORTING), tmp_path) as run:
        run.reached("reporting")
        run.send(signal.SIGINT)
        ended, err = run.ends()
    assert ended == 130
    assert "what was computed is in out; its page: footfall report out" in err
    assert kept(tmp_path).status is Status.DONE


def test_two_runs_do_not_write_into_one_folder(tmp_path):
    with program(RUN.format(STEPPING), tmp_path) as first:
        first.reached("stepping")
        with program(RUN.format(""), tmp_path) as second:
            ended, err = second.ends()
        assert ended == 2
        assert "out holds a run that is not whole: it is being written" in err
        first.go_on()
        assert first.ends()[0] == 0
    assert kept(tmp_path).status is Status.DONE


# An analysis of three tasks by two processes: the first task ends at once, the others do not.
WORK = """
import os, time
from pathlib import Path

def work(number):
    Path(f"pid{number}").write_text(str(os.getpid()))
    while number and not Path("done").exists():
        time.sleep(0.01)
    return number
"""
ANALYSIS = """
import work
from functools import partial
from pathlib import Path
from footfall.analysis.checkpoint import Checkpoint
from footfall.analysis.context import AnalysisContext, Interrupted
from footfall.analysis.context import Task, run_tasks
from footfall.interrupt import ending_by_signals, exit_status, hearing_ctrl_c

if __name__ == "__main__":
    tasks = [Task(str(n), partial(work.work, n)) for n in range(3)]
    def tell(what, share):
        if share > 0 and all(Path(f"pid{n}").exists() for n in range(3)) and not reached:
            reached.append(1)
            reach("tasks")
    reached = []
    with ending_by_signals():
        try:
            with hearing_ctrl_c() as interrupted:
                context = AnalysisContext(Checkpoint(Path("kept")), tell, interrupted)
                run_tasks(context, tasks, 2, (0, 1))
        except (Interrupted, KeyboardInterrupt):
            pass
    sys.exit(exit_status())
"""


def workers_end(folder):
    """Return whether both workers are gone within ten seconds."""
    pids = [int((folder / f"pid{n}").read_text()) for n in (1, 2)]
    until = time.monotonic() + 10
    while any(is_alive(pid) for pid in pids) and time.monotonic() < until:
        time.sleep(0.01)
    return not any(is_alive(pid) for pid in pids)


@pytest.fixture
def analysis(tmp_path):
    (tmp_path / "work.py").write_text(WORK)
    text = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n{ANALYSIS}"
    with program(text, tmp_path) as process:
        process.reached("tasks")
        yield process


def test_ctrl_c_lets_tasks_under_way_end_and_keeps_them(tmp_path, analysis):
    analysis.send(signal.SIGINT)
    analysis.go_on()
    assert "Ctrl-C again ends at once" in analysis.process.stderr.readline()
    (tmp_path / "done").touch()
    assert analysis.ends()[0] == 130
    assert len((tmp_path / "kept").read_text().splitlines()) == 3
    assert workers_end(tmp_path)


def test_a_second_ctrl_c_ends_tasks_under_way(tmp_path, analysis):
    analysis.send(signal.SIGINT)
    analysis.go_on()
    assert "Ctrl-C again ends at once" in analysis.process.stderr.readline()
    analysis.send(signal.SIGINT)
    assert analysis.ends()[0] == 130
    assert len((tmp_path / "kept").read_text().splitlines()) == 1
    assert workers_end(tmp_path)


def test_sigterm_ends_the_workers_at_once(tmp_path, analysis):
    analysis.send(signal.SIGTERM)
    analysis.go_on()
    assert analysis.ends()[0] == 143
    assert workers_end(tmp_path)


def test_workers_end_with_a_parent_that_is_killed(tmp_path, analysis):
    analysis.send(signal.SIGKILL)
    analysis.process.wait()
    assert workers_end(tmp_path)


IMPORTING = """
import os, sys
from importlib.abc import MetaPathFinder
from importlib.machinery import ExtensionFileLoader
from footfall.__main__ import main

class Finder(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), 15)

load = ExtensionFileLoader.exec_module

def exec_module(self, module):  # which compiled code does, and makes another error of a signal
    try:
        find("compiled " + module.__name__.partition(".")[0], None)
    except KeyboardInterrupt as error:
        raise ImportError("initialization failed") from error
    load(self, module)

find = Finder().find_spec
sys.meta_path.insert(0, Finder())
ExtensionFileLoader.exec_module = exec_module
sys.argv = ["footfall", "run", "smoke/Defaults"]
main()
"""


@pytest.mark.parametrize("module", ["footfall.cli", "pydrake", "compiled pydrake"])
def test_a_signal_while_the_program_is_imported_is_answered_in_one_line(tmp_path, module):
    with program(IMPORTING.format(module=module), tmp_path) as run:
        assert run.ends() == (143, "footfall: interrupted; nothing was kept.\n")


LED = """
from footfall.show.live.run import LiveRun
from footfall.cli import main
stop_before(LiveRun, "steps", "leading", times=5)
main(["run", "smoke/Defaults", "--view", "--set", "duration=60", "--no-report", "--out", "out"])
"""


def test_ctrl_c_ends_a_run_that_is_led_on_a_page_and_keeps_it(tmp_path):
    with program(LED, tmp_path) as run:
        run.reached("leading")
        run.send(signal.SIGINT)
        run.go_on()
        ended, err = run.ends()
    assert ended == 130
    assert "Traceback" not in err
    assert "moreau interrupted: interrupted at t =" in err
    assert kept(tmp_path).status is Status.INTERRUPTED
