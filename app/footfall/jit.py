"""The decorator of every compiled kernel: numba's ``njit``, compiled fast, cached, never stale.

numba asks only the file of a function whether its cached code is still good. It does not ask the
files of the kernels and of the constants that were compiled into it, so that a change in one module
would leave its callers in other modules as they were. Here the folder of the cache carries a digest
of the kernel's file and of every file of footfall that it imports, directly or not. A change to one
machine so compiles that machine's kernels anew, and no others.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

from footfall import kernel_parts
from footfall.kernel_parts import Kernel

_config: Any = numba.config
_KNOWN = (0, 68)  # the numba whose inside ``footfall.kernel_parts`` knows
# a division that may raise has numba count references of every array at hand: 5 ns each, and more
# than most divisions cost
_OPTIONS = {"nogil": True, "error_model": "numpy", "_nrt": True}
PYTHON = f"py{sys.version_info.major}{sys.version_info.minor}"
_Function = TypeVar("_Function", bound=Callable[..., Any])

# absolute imports alone, which the rules of the house ask for; names may be modules of a package
_IMPORT = re.compile(
    r"^\s*from\s+(footfall\w*)([\w.]*)\s+import\s+(\([^)]*\)|[^\n#]+)"
    r"|^\s*import\s+(footfall\w*)([\w.]*)",
    re.MULTILINE,
)


def njit(function: _Function) -> _Function:
    """Compile ``function`` in numba's nopython mode at its first call and keep the machine code.

    The code is kept in ``__pycache__/kernels-<digest>`` of this package, or under NUMBA_CACHE_DIR
    where that is set; where neither can be written, numba looks for a place of its own. Folders of
    older versions stay, because another process may still run from them; ``make clean`` removes
    them.
    """
    return _cached(function, _OPTIONS)


def scratch_njit(function: _Function) -> _Function:
    """Compile a function that allocates nothing and returns no array, without counting references.

    It works in memory that it is handed. A slice or a tuple of arrays then costs nothing, where
    ``njit`` counts two references of each array (10 ns) unless LLVM sees that it need not. numba
    refuses what allocates, but for calls of what ``njit`` compiles.
    """
    return _cached(function, {**_OPTIONS, "_nrt": False})


def _cached(function: _Function, options: dict[str, Any]) -> _Function:
    before = _config.CACHE_DIR
    _config.CACHE_DIR = str(folder_of(Path(function.__code__.co_filename)))
    try:
        return cast("_Function", _kernel(function, options))
    finally:
        _config.CACHE_DIR = before


def _kernel(function: Callable[..., Any], options: dict[str, Any]) -> Any:  # noqa: ANN401 (numba has no types)
    """Return the compiled function.

    With any other version of numba it is numba's own, whose machine code does the same and takes
    more than twice as long to make.
    """
    if _config.DISABLE_JIT or numba.version_info.short != _KNOWN:
        return numba.njit(cache=True, **options)(function)
    kernel = Kernel(function, targetoptions={"nopython": True, **options})
    kernel.enable_caching()
    return kernel


def is_compiled(file: Path) -> bool:
    """Say whether this Python has compiled a kernel of a file as the file is now, for Python."""
    return any(folder_of(file).rglob(f"*.{PYTHON}*.nbi"))


def _parent() -> Path:
    """Return the folder that holds the folders of machine code."""
    # not numba's setting: it may come from a file in the working folder, and code with it
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    return Path(chosen) if chosen else Path(__file__).parent / "__pycache__"


def folder_of(file: Path) -> Path:
    """Return the folder of the machine code of the kernels of a file, as the file is now."""
    return _parent() / f"kernels-{_digest(file)}"


@cache
def _digest(file: Path) -> str:
    """Return a short digest of a file, of this one, and of all of footfall that it imports."""
    total = hashlib.sha256()
    for path in sorted(_reached(file) | {Path(__file__), Path(kernel_parts.__file__)}):
        total.update(path.name.encode() + b"\0" + _content(path))
    return total.hexdigest()[:12]


@cache
def _content(path: Path) -> bytes:
    """Return a digest of what is in a file, which many others reach."""
    return hashlib.sha256(path.read_bytes()).digest()


def _reached(file: Path) -> set[Path]:
    """Return a file and all files of footfall that can be reached from it by imports."""
    found: set[Path] = set()
    ahead = [file]
    while ahead:
        path = ahead.pop()
        if path not in found:
            found.add(path)
            ahead += _imported(path)
    return found


@cache
def _imported(file: Path) -> tuple[Path, ...]:
    """Return files of footfall and its like that a file imports; a package has its own file."""
    found: list[Path] = []
    for top, package, names, other, module in _IMPORT.findall(file.read_text(encoding="utf-8")):
        parts, root = (package or module).strip("."), _root(top or other)
        if not parts or root is None:
            continue
        folder = root.joinpath(*parts.split("."))
        found += [folder.with_suffix(".py"), folder / "__init__.py"]
        found += [folder / f"{name}.py" for name in re.findall(r"\w+", names)]
    return tuple(path for path in found if path.is_file())


def _root(package: str) -> Path | None:
    """Return the folder of footfall, or of a package whose name begins like it."""
    if package == "footfall":
        return Path(__file__).parent
    spec = find_spec(package)
    return None if spec is None or spec.origin is None else Path(spec.origin).parent
