"""A folder that one process at a time writes into; what a process that was killed left there."""

import fcntl
import os
import re
import shutil
import tempfile
import time
import weakref
from contextlib import suppress
from functools import cache
from pathlib import Path

_TEMPORARY = "footfall-files-"
_YOUNG = 60.0  # s: a temporary folder may not be locked yet
_held: set[tuple[int, int]] = set()  # device and number of folders that this process has locked
_PART = re.compile(r"\..+\.(\d+)\.part")


def part_of(path: Path) -> Path:
    """Return where a file is written before it takes its place; names the process that writes."""
    return path.with_name(f".{path.name}.{os.getpid()}.part")


def lock(folder: Path, owner: object) -> bool:
    """Lock a folder until its owner, an object, is gone, or the process is.

    Returns False if another process has locked it. A file system without locks lets everybody in.
    """
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        return True
    if _key(descriptor) in _held:
        os.close(descriptor)
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return False
    except OSError:
        os.close(descriptor)
        return True
    key = _key(descriptor)
    _held.add(key)
    weakref.finalize(owner, _release, descriptor, key)
    return True


def _key(descriptor: int) -> tuple[int, int]:
    found = os.fstat(descriptor)
    return found.st_dev, found.st_ino


def _release(descriptor: int, key: tuple[int, int]) -> None:
    _held.discard(key)
    os.close(descriptor)


def temporary_folder() -> "tempfile.TemporaryDirectory[str]":
    """Make a temporary folder; those of processes that were killed go, once a process."""
    _remove_left_folders(Path(tempfile.gettempdir()))
    folder = tempfile.TemporaryDirectory(prefix=_TEMPORARY)
    lock(Path(folder.name), folder)
    return folder


@cache
def _remove_left_folders(place: Path) -> None:
    """Remove temporary folders of this user that no process holds, on this machine or another."""
    with suppress(OSError):
        for path in place.glob(f"{_TEMPORARY}*"):
            if _is_left(path):
                shutil.rmtree(path, ignore_errors=True)


def _is_left(folder: Path) -> bool:
    """Return whether a temporary folder of this user is locked by nobody."""
    try:
        found = folder.lstat()
        if found.st_uid != os.getuid() or time.time() - found.st_mtime < _YOUNG:
            return False
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        if _key(descriptor) in _held:
            return False
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:  # somebody has it, or the file system knows no locks
        return False
    else:
        return True
    finally:
        os.close(descriptor)


def remove_left_parts(folder: Path) -> None:
    """Remove half-written files of processes of this machine that are no more."""
    with suppress(OSError):
        for path in folder.glob(".*.part"):
            named = _PART.fullmatch(path.name)
            if named and not _is_alive(int(named[1])):
                path.unlink(missing_ok=True)


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:  # of somebody else
        return True
    return True
