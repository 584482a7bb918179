"""Whatever ends a command is told in one line, and exits with a status."""

import errno
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from tests.cli.command import footfall

from footfall import cli
from footfall.errors import RunError


def _raising(error):
    def command(*_, **__):
        raise error

    return command


@pytest.mark.parametrize(
    ("error", "status", "match"),
    [
        (ValueError("a\nb"), 1, "ValueError: a b"),
        (MemoryError(), 1, "MemoryError"),
        (RuntimeError("x"), 1, "RuntimeError: x"),
        (SystemExit("Drake gives up"), 1, "Drake gives up"),
        (OSError(errno.EMFILE, "Too many open files"), 1, "Too many open files"),
        (PermissionError(13, "Permission denied", "a.yaml"), 2, "cannot use a.yaml: Permission"),
        (RunError("no"), 2, "no"),
        (typer.Abort(), 130, "interrupted"),
    ],
)
def test_whatever_is_raised_is_one_line(error, status, match, monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(cli, "app", _raising(error))
    monkeypatch.setattr(cli.os, "dup2", lambda *_: None)
    left, _, told = footfall("list", capsys=capsys)
    assert left == status
    assert match in told
    assert told.count("\n") == 1
    traces = list(tmp_path.glob("footfall-traceback-*"))
    assert len(traces) == (status == 1)
    assert all(str(path) in told and "Traceback" in path.read_text() for path in traces)


def test_a_reader_that_has_enough_ends_a_command_in_silence(monkeypatch, capsys):
    by_rich = SystemExit(1)
    by_rich.__context__ = BrokenPipeError(errno.EPIPE, "Broken pipe")
    monkeypatch.setattr(cli, "app", _raising(by_rich))
    monkeypatch.setattr(cli.os, "dup2", lambda *_: None)
    assert footfall("list", capsys=capsys) == (0, "", "")


def test_a_fault_whose_traceback_cannot_be_written_is_told(monkeypatch, capsys):
    monkeypatch.setattr("tempfile.tempdir", "/nowhere")
    monkeypatch.setattr(cli, "app", _raising(ValueError("x")))
    status, _, told = footfall("list", capsys=capsys)
    assert (status, told.count("\n")) == (1, 1)
    assert "traceback is in" not in told


def test_little_address_space_is_refused_before_libraries_wait_for_it(monkeypatch, capsys):
    monkeypatch.setattr(resource, "getrlimit", lambda _: (600_000_000, 600_000_000))
    status, _, told = footfall("list", capsys=capsys)
    assert status == 2
    assert "ulimit -v" in told


def test_a_working_folder_that_is_gone_is_told(monkeypatch, capsys):
    monkeypatch.setattr(Path, "cwd", _raising(FileNotFoundError(2, "No such file")))
    monkeypatch.setattr(cli, "app", _raising(FileNotFoundError(2, "No such file")))
    monkeypatch.setattr(cli.os, "dup2", lambda *_: None)
    status, _, told = footfall("list", capsys=capsys)
    assert status == 2
    assert "working folder has been removed" in told


@pytest.mark.slow
def test_a_full_output_is_one_line_and_the_run_is_kept(tmp_path):
    command = [sys.executable, "-m", "footfall", "run", "smoke/Defaults", "--set", "duration=0.01"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*command, "--out", tmp_path / "run"], stdout=full, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "TMPDIR": str(tmp_path)}, check=False,
        )  # fmt: skip
    assert done.returncode == 1
    lines = [line for line in done.stderr.splitlines() if line.startswith("footfall: ")]
    assert len(lines) == 1
    assert "No space left" in lines[0]
    assert '"done"' in (tmp_path / "run" / "metrics.json").read_text()
