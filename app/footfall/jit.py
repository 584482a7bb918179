"""The decorator of every compiled kernel: numba's ``njit``, cached on disk, never stale.

numba asks only the file of a function whether its cached code is still good. It does not ask the
files of the kernels and of the constants that were compiled into it, so that a change in one module
would leave its callers in other modules as they were. Here the folder of the cache carries a digest
of every package with a kernel in it. A constant that a kernel takes from elsewhere must therefore
come from such a package, too.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

_config: Any = numba.config
_Function = TypeVar("_Function", bound=Callable[..., Any])


def njit(function: _Function) -> _Function:
    """Compile ``function`` in numba's nopython mode at its first call and keep the machine code.

    The code is kept in ``__pycache__/kernels-<digest>`` of this package, or under NUMBA_CACHE_DIR
    where that is set; where neither can be written, numba looks for a place of its own. Folders of
    older versions stay, because another process may still run from them; ``make clean`` removes
    them.
    """
    before = _config.CACHE_DIR
    _config.CACHE_DIR = str(_folder())
    try:
        return cast("_Function", numba.njit(cache=True)(function))
    finally:
        _config.CACHE_DIR = before


def nothing_compiled_yet() -> bool:
    """Whether these kernels have never run here, so that a first run compiles them."""
    return not any(_folder().rglob("*.nbi"))


def _folder() -> Path:
    """Where the machine code of this version of the kernels is kept."""
    chosen = _config.CACHE_DIR
    parent = Path(chosen) if chosen else Path(__file__).parent / "__pycache__"
    return parent / f"kernels-{_digest()}"


@cache
def _digest() -> str:
    """A short digest of this file and of all files in the folders that have a kernel in them."""
    root = Path(__file__).parent
    texts = {path: path.read_bytes() for path in sorted(root.rglob("*.py"))}
    rooms = {path.parent for path, text in texts.items() if b"njit" in text} - {root}
    total = hashlib.sha256()
    for path, text in texts.items():
        if path.parent in rooms or path == Path(__file__):
            total.update(str(path.relative_to(root)).encode() + b"\0" + text)
    return total.hexdigest()[:12]
