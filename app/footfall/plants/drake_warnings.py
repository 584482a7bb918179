"""Warnings of Drake's: those that need no action pass, others are kept for who asks for them."""

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager

_ANSWERED = (
    "does not currently support non-zero joint friction",  # footfall reads it: xml_friction
    "half spaces are not currently supported for deformable",  # footfall has no such bodies
    "Drake's Meshcat only supports Mesh/Convex",  # collision shapes are shown instead
)
# judged by urdf_tags before Drake reads the file
_OF_URDF = re.compile(r"\S*\.urdf:\d+: .*is currently unsupported and will be ignored")


class _Warnings(logging.Filter):
    """Passes over answered warnings; while somebody listens, hands all others to them instead."""

    def __init__(self) -> None:
        super().__init__()
        self.listeners: list[list[str]] = []

    def filter(self, record: logging.LogRecord) -> bool:
        text = " ".join(record.getMessage().split())
        if any(remark in text for remark in _ANSWERED) or _OF_URDF.match(text):
            return False
        if record.levelno < logging.WARNING:
            return not self.listeners
        for lines in self.listeners:
            lines.append(text)
        return not self.listeners


_FILTER = _Warnings()
_LOGGER = logging.getLogger("drake")


def silence_answered_warnings() -> None:
    """Let Drake's logger pass over these warnings; asking for it again does nothing."""
    _LOGGER.addFilter(_FILTER)


@contextmanager
def listening() -> Iterator[list[str]]:
    """Keep the warnings of a `with` block, a line each, instead of letting them go to the console.

    Whoever listens outside gets those of an inner block as well.
    """
    _LOGGER.removeFilter(_FILTER)
    _LOGGER.addFilter(_FILTER)  # behind filters that put the user's files in place of compiled ones
    lines: list[str] = []
    _FILTER.listeners.append(lines)
    try:
        yield lines
    finally:
        # by identity: another listener may have heard the same
        _FILTER.listeners[:] = [other for other in _FILTER.listeners if other is not lines]
