"""Files that are written so that nobody meets them half-written; files that a scenario names."""

import hashlib
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from footfall.errors import RunError, ScenarioError
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


@dataclass(frozen=True)
class DataFile:
    """A file of numbers as it was read: where it is, and what was in it."""

    path: Path
    content: bytes

    @property
    def sha256(self) -> str:
        """Hash of the content, in hexadecimal digits."""
        return hashlib.sha256(self.content).hexdigest()


_READ: dict[Path, DataFile] = {}


def read_data_file(file: str, where: str, endings: Sequence[str]) -> DataFile:
    """Read a file that a field of a scenario names; raises ScenarioError, one line."""
    path = Path(file).resolve()
    if path.suffix.lower() not in endings:
        known = f"{', '.join(endings[:-1])} or {endings[-1]}"
        raise ScenarioError(f"{where} is '{file}': give a {known} file.")
    try:
        _READ[path] = DataFile(path, path.read_bytes())
    except OSError as error:
        reason = error.strerror or error
        raise ScenarioError(f"{where} '{file}' cannot be read: {reason}.") from error
    return _READ[path]


def used_data_file(file: str, where: str, endings: Sequence[str]) -> DataFile:
    """Return a file as it was read last, whatever has become of it since."""
    return _READ.get(Path(file).resolve()) or read_data_file(file, where, endings)
