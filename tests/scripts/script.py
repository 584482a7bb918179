"""Scripts as a reader runs them."""

import contextlib
import io
import runpy
import subprocess
import sys
from pathlib import Path
from unittest import mock

import pytest

SCRIPTS = Path(__file__).parents[2] / "scripts"


def run_script(name, *arguments):
    """Run a script in a process of its own."""
    return subprocess.run(
        [sys.executable, *_words(name, arguments)], capture_output=True, text=True, check=False
    )


def output(name, *arguments):
    """Text on standard output of a script that runs in this process.

    One of its own imports Drake anew, which takes longer than a short simulation or a refusal.
    """
    words, told = _words(name, arguments), io.StringIO()
    with mock.patch.object(sys, "argv", words), contextlib.redirect_stdout(told):
        try:
            runpy.run_path(words[0], run_name="__main__")
        except SystemExit as leaving:
            if leaving.code:
                raise
    return told.getvalue()


def refusal(name, *arguments):
    """Text on standard error of a script that does not take the arguments, in this process."""
    words, told = _words(name, arguments), io.StringIO()
    with (
        mock.patch.object(sys, "argv", words),
        contextlib.redirect_stderr(told),
        pytest.raises(SystemExit) as leaving,
    ):
        runpy.run_path(words[0], run_name="__main__")
    assert leaving.value.code == 2, told.getvalue()
    return told.getvalue()


def _words(name, arguments):
    return [str(SCRIPTS / f"{name}.py"), *map(str, arguments)]
