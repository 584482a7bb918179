"""Events in a run, and its status at the end."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

# kinds of events that are reported to the user, wherever the run was made
PENETRATION = "penetration"
ENERGY_GAIN = "energy-gain"
ENERGY_DRIFT = "energy-drift"  # what nothing gave or took
GAP_DRIFT = "gap-drift"  # contacts that sink, loops that open
ENERGY_INCOMPLETE = "energy-incomplete"
RESIDUAL = "residual"  # of steps that were less exact than was asked
SLIDES = "slides"  # where the engine knows feet that stand, and no others
LONG_STEP = "long-step"  # for a law that is sampled
NEVER_ACTS = "never-acts"  # what is to begin after the end
LEFT_OUT = "left-out"  # what an engine does not know
MOVED_START = "moved-start"  # onto loops and joint limits
CHANGED = "changed"  # a setting, while the run went on
CHATTER = "chatter"  # of drives
SLOWER = "slower"  # what compiled code does not hold, and Drake works out
TOO_FAST = "too-fast"  # a walk, for the posture in which it starts
CONTROL = "control"  # limits that a controller could not keep
OBSERVABLE = "observable"  # a function of the user's that failed
FALLEN = "fallen"  # as the scenario expects
NOT_COMPUTED = "not-computed"  # of a run that is kept: what somebody asks of its rows
INCOMPLETE = "incomplete"  # a run under way, or one whose process was killed
REPORTED_KINDS = (
    PENETRATION,
    ENERGY_GAIN,
    ENERGY_DRIFT,
    GAP_DRIFT,
    ENERGY_INCOMPLETE,
    RESIDUAL,
    SLIDES,
    LONG_STEP,
    NEVER_ACTS,
    LEFT_OUT,
    MOVED_START,
    SLOWER,
    CHATTER,
    TOO_FAST,
    CONTROL,
    OBSERVABLE,
    FALLEN,
    NOT_COMPUTED,
)

# of these, kinds that are known, and told, before the first step
START_KINDS = (
    PENETRATION,
    ENERGY_INCOMPLETE,
    LONG_STEP,
    NEVER_ACTS,
    LEFT_OUT,
    MOVED_START,
    SLOWER,
    TOO_FAST,
)


class Status(Enum):
    """Status at the end of a run."""

    DONE = "done"
    FAILED = "failed"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True)
class Event:
    """Something that happened at one time (s): a kind, such as "impact", and what it was."""

    time: float
    kind: str
    what: str


def known_at_start(event: Event) -> bool:
    """Return whether an event is told before a run, and not again behind it."""
    return event.time == 0.0 and event.kind in START_KINDS


def reported(runs: Mapping[str, Iterable[Event]]) -> list[str]:
    """Lines about events of runs by name, one line for all runs that have it."""
    names: dict[str, list[str]] = {}
    for name, events in runs.items():
        for event in events:
            if event.kind in REPORTED_KINDS:
                names.setdefault(event.what, []).append(name)
    return [
        what if len(those) == len(runs) > 1 else f"{', '.join(those)}: {what}"
        for what, those in names.items()
    ]
