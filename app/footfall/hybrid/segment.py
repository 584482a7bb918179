"""One smooth segment: a mode, integrated until its first guard, which is sought in every step."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from scipy.integrate import DOP853, OdeSolution

from footfall.arrays import Array
from footfall.hybrid.crossing import (
    Crossing,
    CrossingSearch,
    GuardTouch,
    SegmentFailed,
    Step,
    Unresolved,
)
from footfall.hybrid.guard_status import Entry
from footfall.hybrid.model import HybridMode
from footfall.hybrid.options import Options
from footfall.hybrid.run import Ending


class IntegratedSegment(NamedTuple):
    """A segment as integrated: its end, the path (None if it has no length), and what ended it.

    ending and message are set where neither a guard nor the end of time ended it. unresolved: a
    guard (its number) that left zero at the start and came back through it, all within rounding.
    """

    time: float
    state: Array
    path: OdeSolution | None
    crossing: Crossing | None
    touches: tuple[GuardTouch, ...]
    ending: Ending | None = None
    message: str = ""
    unresolved: int | None = None


@dataclass
class _Interpolants:
    """Interpolants of the steps so far."""

    times: list[float]
    paths: list[Any] = field(default_factory=list)

    def add(self, time: float, path: Any) -> None:  # noqa: ANN401 (scipy's interpolant)
        """Append a step that ends at a time [s]."""
        self.times.append(time)
        self.paths.append(path)


def integrate_segment(
    mode: HybridMode,
    time: float,
    state: Array,
    end: float,
    entry: Entry,
    first_step: float,
    options: Options,
    observe: Callable[[float], bool],
) -> IntegratedSegment:
    """Integrate a mode from a time and state (n,) to the first crossing of a guard, or to the end.

    entry: how the guards stand at the start. first_step: longest one [s]; it has to be of the size
    of the segment, lest a short flight be rounded away within it. observe(time): called after every
    step; True stops.
    """
    interpolants, touches = _Interpolants([time]), []
    start, crossing = (time, state), None
    try:
        search = CrossingSearch(mode, time, state, end, entry, options)
        derivative = _CheckedDerivative(mode)
        stepper = _stepper(derivative, time, state, end, first_step, options)
        while time < end:
            step = _advance(stepper, derivative)
            crossing, touched = search.search_step(step)
            touches += touched
            if crossing is not None:
                for interpolant in crossing.interpolants:
                    interpolants.add(*interpolant)
                time, state = crossing.time, crossing.state
                break
            time, state = step.t, step.y
            interpolants.add(time, step.path)
            _notify(observe, time)
    except SegmentFailed as failed:
        return IntegratedSegment(
            time, state, _path(interpolants), None, tuple(touches), failed.ending, str(failed)
        )
    except Unresolved as flight:
        return IntegratedSegment(*start, None, None, (), unresolved=flight.number)
    return IntegratedSegment(time, state, _path(interpolants), crossing, tuple(touches))


def _notify(observe: Callable[[float], bool], time: float) -> None:
    """Report the time to the observer; raises SegmentFailed if it stops the simulation."""
    if observe(time):
        raise SegmentFailed(Ending.STOPPED, f"stopped at t = {time:.9g} s")


def _path(interpolants: _Interpolants) -> OdeSolution | None:
    """Interpolant of a whole segment."""
    return OdeSolution(interpolants.times, interpolants.paths) if interpolants.paths else None


class _CheckedDerivative:
    """A mode's derivative as the integrator calls it: a failure gives NaN, and so a shorter step.

    fault: what it failed by last, as math.sin(inf) or math.exp(1000.0) do.
    """

    def __init__(self, mode: HybridMode) -> None:
        self._function, self.name = mode.derivative, mode.name
        self.fault: Exception | None = None

    def __call__(self, t: float, x: Array) -> Array:
        try:
            return self._function(t, x)
        except (ArithmeticError, ValueError) as fault:
            self.fault = fault
            return np.full(x.shape, np.nan)

    def not_finite(self, time: float) -> SegmentFailed:
        """The error that reports it."""
        why = f": {self.fault}" if self.fault else ""
        text = f"the derivative of mode '{self.name}' is not finite after t = {time:.9g} s{why}"
        return SegmentFailed(Ending.NOT_FINITE, text)


def _stepper(
    derivative: _CheckedDerivative,
    time: float,
    state: Array,
    end: float,
    first_step: float,
    options: Options,
) -> DOP853:
    """The integrator at the start of a segment."""
    if not np.isfinite(derivative(time, state)).all():
        raise derivative.not_finite(time)
    stepper = DOP853(derivative, time, state, end, rtol=options.relative, atol=options.absolute)
    if not np.isfinite(stepper.h_abs):  # the derivative is no number a little later
        stepper.h_abs = 1e-3 * (end - time)
    stepper.h_abs = min(stepper.h_abs, first_step)
    stepper.fun = derivative  # scipy's own wrapper counts calls and makes arrays of arrays
    return stepper


def _advance(stepper: DOP853, derivative: _CheckedDerivative) -> Step:
    """Take one step; raises SegmentFailed where there is none."""
    t_old, y_old = stepper.t, stepper.y
    stepper.step()
    if stepper.status == "failed":
        if not np.isfinite(stepper.K).all():
            raise derivative.not_finite(t_old)
        text = f"no step is small enough after t = {t_old:.9g} s in mode '{derivative.name}'"
        raise SegmentFailed(
            Ending.DIVERGED, f"{text}: the state runs away, or its derivative jumps"
        )
    return Step(t_old, y_old, stepper.t, stepper.y, stepper.dense_output())
