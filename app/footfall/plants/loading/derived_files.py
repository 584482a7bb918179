"""Files made of others, which last as long as the process: who draws a model reads them later."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp

from footfall.folder_lock import temporary_folder

Maker = Callable[[Path, Path], None]
"""Takes a file and the one to write; raises FootfallError, one line."""


def derived(maker: Maker, source: Path, ending: str) -> Path:
    """Return what a maker makes of a file, under the file's name; made anew when that changes."""
    return _derived(maker, source, ending, source.stat().st_mtime_ns)


@cache
def _derived(maker: Maker, source: Path, ending: str, _changed: int) -> Path:
    target = Path(mkdtemp(dir=_folder().name)) / f"{source.stem}{ending}"
    maker(source, target)
    return target


@cache
def _folder() -> "TemporaryDirectory[str]":
    return temporary_folder()
