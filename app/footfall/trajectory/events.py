"""What happened in a run, and how it ended."""

from dataclasses import dataclass
from enum import Enum


class Status(Enum):
    """How a run ended."""

    DONE = "done"
    FAILED = "failed"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True)
class Event:
    """Something that happened at one time (s): a kind, such as "impact", and what it was."""

    time: float
    kind: str
    what: str
