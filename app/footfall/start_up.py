"""A process that starts sooner, as that of the command line, whose Python nobody looks into."""

import gc
from typing import Any

_NEW_OBJECTS = 100_000  # after which Python looks for unreachable cycles

_docstrings_are_read = True


def start_sooner() -> None:
    """Look for unreachable cycles seldom, and let libraries write no docstrings.

    With its own 700 new objects between two looks Python goes, while Drake and other libraries are
    imported, again and again through what stays.
    """
    global _docstrings_are_read  # noqa: PLW0603 (of the process)
    gc.set_threshold(_NEW_OBJECTS, *gc.get_threshold()[1:])
    _docstrings_are_read = False


def before_matplotlib() -> None:
    """Keep matplotlib from writing docstrings about its artists' properties, where none is read.

    They take a third of the time in which it is imported. To be called before that; another version
    without these functions writes them as ever.
    """
    if _docstrings_are_read:
        return
    from matplotlib import artist

    module: Any = artist
    module.kwdoc = lambda _: ""
    module.Artist._update_set_signature_and_docstring = classmethod(lambda _: None)  # noqa: SLF001
