"""Model files that a user trusts to run code: none, unless the user says so.

Kept in the environment of the process, which those that it starts inherit.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

_VARIABLE = "FOOTFALL_TRUST"
_ALL = "*"


def trust(files: Iterable[str]) -> None:
    """Trust files, named as directives name them, from now on in this process."""
    if known := dict.fromkeys([*trusted(), *files]):
        os.environ[_VARIABLE] = os.pathsep.join(known)


def is_trusted(file: str) -> bool:
    """Return whether a file, named as a directive names it, is trusted."""
    known = trusted()
    return _ALL in known or file in known


@contextmanager
def trusting_all() -> Iterator[None]:
    """Trust every model file for the length of a `with` block."""
    before = os.environ.get(_VARIABLE)
    trust([_ALL])
    try:
        yield
    finally:
        if before is None:
            del os.environ[_VARIABLE]
        else:
            os.environ[_VARIABLE] = before


def trusted() -> list[str]:
    """Return the files that are trusted in this process."""
    return [file for file in os.environ.get(_VARIABLE, "").split(os.pathsep) if file]
