"""Tolerances and limits of an event-driven simulation."""

from dataclasses import dataclass

import numpy as np

_FINEST = 100.0 * float(np.finfo(float).eps)  # scipy takes no finer one


@dataclass(frozen=True)
class Options:
    """Tolerances and limits of a simulation.

    relative, absolute: error of a step, per component. most_events: after which it is given up.
    grazing: depth, in units of the guard, up to which a guard is said to touch zero: that of its
    extremum if it turns round before zero, rate^2 / (2 |acceleration|) if it goes through. zeno:
    time [s] within which infinitely many events have to fit. Raises ValueError for nonsense.
    """

    relative: float = 1e-12
    absolute: float = 1e-13
    most_events: int = 100_000
    grazing: float = 1e-10
    zeno: float = 1e-6

    def __post_init__(self) -> None:
        """Refuse tolerances below rounding and limits that are none."""
        if not _FINEST <= self.relative < 1.0:
            raise ValueError(f"relative must be from {_FINEST:.3g} to 1, got {self.relative}")
        if not (self.absolute > 0.0 and self.most_events > 0):
            raise ValueError(f"absolute and most_events must be positive, got {self}")
        if not (self.grazing >= 0.0 and self.zeno >= 0.0):
            raise ValueError(f"grazing and zeno must not be negative, got {self}")
