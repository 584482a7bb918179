"""Commands of footfall, run in this process."""

import contextlib
import io

import pytest

from footfall.cli import main


def footfall(*arguments, capsys):
    """Run a command; returns its exit status, stdout and stderr."""
    with pytest.raises(SystemExit) as leaving:
        main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return leaving.value.code or 0, out, err


def done(*arguments):
    """Run a command that must not fail, for a fixture that several tests share; returns stdout."""
    told = io.StringIO()
    with contextlib.redirect_stdout(told), pytest.raises(SystemExit) as leaving:
        main([str(argument) for argument in arguments])
    assert not leaving.value.code
    return told.getvalue()
