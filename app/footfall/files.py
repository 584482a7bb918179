"""Writing a file so that nobody ever meets it half-written."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from footfall.errors import RunError
from footfall.folder_lock import part_of
from footfall.interrupt import shielded


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a temporary path beside ``path`` that takes its place when the block ends well.

    Signals wait until it has. When the block ends in any exception the temporary file is removed
    and ``path`` stays as it was. Raises RunError when the folder cannot be written to.
    """
    temporary = part_of(path)
    with shielded():  # an interrupted writer of NetCDF never lets go of its lock
        try:
            if not path.parent.is_dir():
                raise RunError(
                    f"cannot write {path}: there is no folder {path.parent}; make it first"
                )
            yield temporary
            temporary.replace(path)
        except OSError as error:
            reason = error.strerror or str(error)
            raise RunError(f"cannot write {path}: {reason}; choose another folder") from error
        finally:
            with suppress(OSError):
                temporary.unlink()


def write_text(path: Path, text: str) -> None:
    """Write a text file that is whole or not there; raises RunError as ``replacing`` does."""
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def make_folder(path: Path) -> None:
    """Make a folder and those above it, if they are not there; raises RunError as ``replacing``."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise RunError(f"cannot make {path}: {reason}; choose another folder") from error


@contextmanager
def new_folder(path: Path) -> Iterator[None]:
    """Make a folder for what the block writes; unless it ends well, nothing stays behind.

    What a folder held before stays in any case. Raises RunError as `replacing`.
    """
    ours = not path.is_dir() or not any(path.iterdir())
    make_folder(path)
    try:
        yield
    except BaseException:
        if ours:
            shutil.rmtree(path, ignore_errors=True)
        raise
