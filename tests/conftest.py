"""Settings of all tests: figures need no screen, and a test that failed once fails again."""

import gc
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import settings
from tests.extras import require

os.environ.setdefault("MPLBACKEND", "Agg")
# several workers share the cores: threads of each would wait for those of the others
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# The examples are drawn from a fixed seed. No deadline: the first example may wait for numba.
settings.register_profile("footfall", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("footfall")

# A shell lets what it starts in the background ignore Ctrl-C, which tests send and programs obey.
for _ending in ("SIGINT", "SIGHUP"):
    _number = getattr(signal, _ending, None)
    if _number is not None and signal.getsignal(_number) == signal.SIG_IGN:
        signal.signal(
            _number, signal.default_int_handler if _ending == "SIGINT" else signal.SIG_DFL
        )

_COMPILE = Path(__file__).parents[1] / "scripts" / "compile_kernels.py"
_WITHOUT_KERNELS = {"analysis", "packaging", "registry", "textbook"}


@pytest.hookimpl(tryfirst=True)  # before the workers start
def pytest_sessionstart(session):
    """Compile the kernels once, where several workers would do so each for itself."""
    config = session.config
    # a worker is not asked for workers of its own
    if (config.getoption("numprocesses", None) or 0) < 2 or not _meets_kernels(config.args):
        return
    done = subprocess.run(
        [sys.executable, str(_COMPILE)], capture_output=True, text=True, check=False
    )
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    for line in (done.stdout + done.stderr).splitlines():
        reporter.write_line(line)


def pytest_runtest_setup(item):
    """Ask for MuJoCo where a test is to run in it."""
    params = getattr(getattr(item, "callspec", None), "params", {})
    if any(isinstance(value, str) and value == "mujoco" for value in params.values()):
        require("mujoco", "mujoco")


def pytest_collection_finish():
    """Collect garbage more seldom, and leave out what was imported: it stays until the end."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)  # a page of figures makes hundreds of thousands of objects


def _meets_kernels(arguments):
    """Return whether a folder is among the arguments whose tests call compiled kernels."""
    folders = [Path(one) for one in arguments if Path(one).is_dir()]
    return any(folder.name not in _WITHOUT_KERNELS for folder in folders)


@pytest.fixture
def blank(monkeypatch):
    """Figures that nobody looks at: their pictures are not drawn."""
    from footfall.report import figure as figures

    monkeypatch.setattr(figures, "embedded", lambda _figure: "data:,")


@pytest.fixture
def drawn(monkeypatch):
    """The figures of pages as matplotlib's, drawn."""
    return _kept(monkeypatch, lambda figure: figure.canvas.draw())


@pytest.fixture
def plotted(monkeypatch):
    """The same, not drawn, which takes most of the time: for tests of data, titles and words."""
    return _kept(monkeypatch, lambda _: None)


def _kept(monkeypatch, look):
    from footfall.report import figure as figures
    from footfall.report.charts.picture import figure_of

    kept = []

    def keep(figure):
        kept.append(figure)
        look(figure)
        return "data:,"

    def keep_chart(chart):
        keep(figure_of(chart))
        return 0

    monkeypatch.setattr(figures, "embedded", keep)
    monkeypatch.setattr(figures, "points_of", keep_chart)
    return kept
