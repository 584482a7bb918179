"""A folder that one process at a time writes into; what a process that was killed left there."""

import fcntl
import os
import re
import weakref
from contextlib import suppress
from pathlib import Path

_PART = re.compile(r"\..+\.(\d+)\.part")


def part_of(path: Path) -> Path:
    """Return where a file is written before it takes its place; names the process that writes."""
    return path.with_name(f".{path.name}.{os.getpid()}.part")


def lock(folder: Path, owner: object) -> bool:
    """Lock a folder until its owner, an object, is gone, or the process is; False if another has.

    A file system that knows no locks lets everybody in.
    """
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return False
    except OSError:
        os.close(descriptor)
        return True
    weakref.finalize(owner, os.close, descriptor)
    return True


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
