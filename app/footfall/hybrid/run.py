"""Options and result of an event-driven simulation: its segments, the events between, its end."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.checked import Checked, between, not_negative, positive
from footfall.hybrid.component_first import State

_FINEST = 100.0 * float(np.finfo(float).eps)  # scipy takes no finer one


@dataclass(frozen=True)
class Options(Checked):
    """Tolerances and limits of a simulation.

    relative, absolute: error of a step, per component. most_events: after which it is given up.
    zeno: time [s] within which infinitely many events have to fit. Raises ValueError for nonsense.
    """

    relative: float = between(1e-12, _FINEST, 1.0, open_high=True)
    absolute: float = positive(1e-13)
    most_events: int = positive(100_000)
    zeno: float = not_negative(1e-6)


class Ending(StrEnum):
    """Reason for the end of a simulation."""

    END_OF_TIME = "end of time"
    GUARD = "guard"  # one without a reset, or the one that the simulation was to go up to
    ZENO = "zeno"  # events accumulate, and the system does not say what follows
    TOO_MANY_EVENTS = "too many events"
    NOT_FINITE = "not finite"  # the derivative, a guard or a reset is not a finite number
    DIVERGED = "diverged"  # no step is small enough
    STOPPED = "stopped"  # by the caller


@dataclass(frozen=True)
class FlowSegment:
    """A smooth segment of a motion: from start to end [s] in a mode.

    x_start, x_end: states (n,), exact to the tolerances. path(t): states (n,) at a time and (n, k)
    at k times, by the integrator's interpolant, which is of order 7 and thus somewhat coarser.
    """

    mode: str
    start: float
    end: float
    x_start: Array
    x_end: Array
    path: Callable[[float | Array], Array]


@dataclass(frozen=True)
class HybridEvent:
    """A guard's zero: time [s], modes and states (n,) before and after.

    after is None where the simulation ended. outputs: those of the reset.
    accumulation: the limit of infinitely many events of this guard, not a single one.
    """

    time: float
    guard: str
    before: str
    after: str | None
    x_before: Array
    x_after: Array
    outputs: Mapping[str, State] = field(default_factory=dict)
    accumulation: bool = False


@dataclass(frozen=True)
class HybridRun:
    """A motion: segments of positive length, events in order of time, and how it ended.

    time, mode, state: where it ended, after the last event. message: one line for the reader.
    """

    segments: tuple[FlowSegment, ...]
    events: tuple[HybridEvent, ...]
    ending: Ending
    message: str
    time: float
    mode: str
    state: Array

    def at(self, t: npt.ArrayLike) -> Array:
        """States (n,) at a time and (n, k) at k times [s]; at an event, the state after it.

        Raises ValueError for times outside of the motion.
        """
        times = np.asarray(t, dtype=np.float64)
        if not self.segments:
            raise ValueError("the motion has no segment of positive length")
        if times.size and not (self.segments[0].start <= times.min() <= times.max() <= self.time):
            raise ValueError(f"the motion goes from {self.segments[0].start} to {self.time} s")
        starts = [segment.start for segment in self.segments]
        indices = np.searchsorted(starts, times, side="right") - 1
        if times.ndim == 0:
            at_end = (
                self.state if times == self.time else self.segments[int(indices)].path(float(times))
            )
            return np.array(at_end)
        states = np.empty((len(self.state), times.size))
        for index in np.unique(indices):
            here = indices == index
            states[:, here] = self.segments[index].path(times[here])
        states[:, times == self.time] = self.state[:, None]
        return states
