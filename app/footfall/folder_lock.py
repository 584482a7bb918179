"""A folder that one process at a time writes into; what a process that was killed left there."""

import fcntl
import os
import re
import weakref
from contextlib import suppress
from pathlib import Path

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
