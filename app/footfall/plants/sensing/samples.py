"""Samples that are taken in a fixed rhythm and arrive after a delay."""

import math
from abc import abstractmethod
from dataclasses import dataclass

from pydrake.systems.framework import Context, EventStatus, LeafSystem, State

from footfall.arrays import Array
from footfall.errors import ScenarioError

_ROUNDING = 1e-6  # of a period: times are sums of steps
_MOST = 10_000  # samples on their way


@dataclass(frozen=True)
class Clock:
    """Times of samples: sample j is taken at j ``period`` and arrives ``delay`` later [s].

    time_step [s]: of the engine, which steps, or, where it is continuous, is looked at in that
    rhythm. every: steps from one sample to the next.
    """

    time_step: float
    every: int = 1
    delay: float = 0.0
    continuous: bool = False

    @property
    def period(self) -> float:
        """Time from one sample to the next [s]."""
        return self.every * self.time_step

    @property
    def kept(self) -> int:
        """Number of the last samples that may be asked for: those on their way, and one before."""
        return math.ceil(self.delay / self.period - _ROUNDING) + 2

    def arrived(self, time: float) -> int:
        """Last sample that has arrived at a time [s]; the first one before any has."""
        return max(0, math.floor((time - self.delay) / self.period + _ROUNDING))


def check_delay(where: str, delay: float, period: float) -> None:
    """Raise ScenarioError for a delay [s] that is none, or of too many periods [s]."""
    if not 0.0 <= delay < math.inf:
        raise ScenarioError(f"{where}.delay is {delay}: give a finite number of seconds from 0.")
    if delay > _MOST * period:
        raise ScenarioError(
            f"{where}.delay is {delay:g} s, more than {_MOST} samples of {period:g} s: shorten it."
        )


class Sampled(LeafSystem):
    """A system that keeps its last samples, each of ``width`` numbers, and knows which has arrived.

    All state is in the context: the last step, then a row for each sample kept, its number + 1
    before its values. A sample is kept by an update at its time. Drake's plant has asked for its
    inputs by then or asks at the same time, Moreau's engine asks afterwards; so a sample whose time
    is now is taken from the inputs where it is not kept yet. An engine in continuous time gets what
    was there at its last step, so that nothing jumps while it integrates.
    """

    def __init__(self, width: int, clock: Clock) -> None:
        """Take the numbers of a sample and the times of samples."""
        super().__init__()
        self._clock, self._width = clock, width
        self._samples = self.DeclareDiscreteState(1 + clock.kept * (1 + width))
        self.DeclarePeriodicUnrestrictedUpdateEvent(clock.time_step, 0.0, self._step)

    @abstractmethod
    def sample(self, context: Context, number: int) -> Array:
        """Values of a sample at the inputs of a context, (width,)."""

    def _step(self, context: Context, state: State) -> EventStatus:
        """Keep the sample that is taken now, if one is."""
        step = round(context.get_time() / self._clock.time_step)
        number, rest = divmod(step, self._clock.every)
        kept = context.get_discrete_state(self._samples).get_value().copy()
        kept[0] = step + 1
        if rest == 0:
            kept[self._row(number)] = [number + 1, *self.sample(context, number)]
        state.get_mutable_discrete_state().set_value(self._samples, kept)
        return EventStatus.Succeeded()

    def _row(self, number: int) -> slice:
        start = 1 + number % self._clock.kept * (1 + self._width)
        return slice(start, start + 1 + self._width)

    def kept(self, context: Context, number: int) -> Array | None:
        """Values of a sample that was taken, (width,); None where it is not kept."""
        if number < 0:
            return None
        row = context.get_discrete_state(self._samples).get_value()[self._row(number)]
        values: Array = row[1:]
        return values if row[0] == number + 1 else None

    def time(self, context: Context) -> float:
        """Time [s] that arrivals are judged by."""
        if not self._clock.continuous:
            time: float = context.get_time()
            return time
        step: float = context.get_discrete_state(self._samples).get_value()[0]
        return max(0.0, step - 1) * self._clock.time_step

    def arrived(self, context: Context) -> Array:
        """Values of the last sample that has arrived, (width,)."""
        number = self._clock.arrived(self.time(context))
        values = self.kept(context, number)
        return values if values is not None else self.sample(context, number)
