"""Temporary folders: what a process that was killed left is removed by the next."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from footfall import folder_lock
from footfall.folder_lock import temporary_folder

HOLD = """
import sys, time
from pathlib import Path
from footfall.folder_lock import temporary_folder
folder = temporary_folder()
(Path(folder.name) / "mesh.obj").write_text("v 0 0 0")
print(folder.name, flush=True)
time.sleep(60)
"""


@pytest.fixture
def place(tmp_path, monkeypatch):
    """The folder of temporary files, not yet looked at by this process."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    folder_lock._remove_left_folders.cache_clear()
    yield tmp_path
    folder_lock._remove_left_folders.cache_clear()


@pytest.fixture
def other(place):
    """Another process with a temporary folder, which is no longer new."""
    process = subprocess.Popen([sys.executable, "-c", HOLD], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    folder = Path(process.stdout.readline().strip())
    assert folder.parent == place
    aged(folder)
    yield process, folder
    process.kill()
    process.wait()
    process.stdout.close()


def aged(folder):
    an_hour_ago = time.time() - 3600.0
    os.utime(folder, (an_hour_ago, an_hour_ago))


def test_what_a_killed_process_left_is_removed_by_the_next(other):
    process, folder = other
    process.kill()
    process.wait()
    assert folder.is_dir()
    with temporary_folder() as own:
        assert not folder.exists()
        assert Path(own).is_dir()
    assert not Path(own).exists()


def test_what_somebody_uses_stays(other):
    with temporary_folder():
        assert (other[1] / "mesh.obj").is_file()


def test_own_folders_new_ones_and_those_of_others_stay(place):
    new, theirs = place / "footfall-files-new", place / "something-else"
    for folder in (new, theirs):
        folder.mkdir()
    aged(theirs)
    with temporary_folder() as first:
        aged(Path(first))
        folder_lock._remove_left_folders.cache_clear()
        with temporary_folder():
            assert all(folder.is_dir() for folder in (new, theirs, Path(first)))
