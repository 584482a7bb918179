"""Event-driven simulation: smooth segments, and resets exactly where guards go through zero.

The integrator is DOP853 (E. Hairer, S. P. Norsett, G. Wanner: Solving Ordinary Differential
Equations I, 2nd ed., Springer 1993). Guards are looked at within every step, a root is found along
the interpolant and then refined by steps that end there (``crossing``). A guard that is zero at the
start of a segment fires when it has left zero and comes back in its direction.

Infinitely many events of one guard before a finite time (Zeno): intervals between events that
shrink like a geometric series, D_k+1 = r D_k, end at

    t_inf = t_k + D_k r / (1 - r),    x_inf = x_k + (x_k - x_k-1) r / (1 - r)

(Aitken's extrapolation), exactly for a ball that bounces on resting ground, where r = e, and up to
the square of the intervals otherwise. The limit is believed when the time left is short.
"""

from collections import deque
from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.integrate import DOP853, OdeSolution

from footfall.arrays import Array
from footfall.hybrid.crossing import (
    Crossing,
    CrossingSearch,
    Entry,
    SegmentFailed,
    Step,
    Unresolved,
    entry_after_event,
    entry_at_start,
)
from footfall.hybrid.model import Guard, HybridMode, HybridSystem, Transition
from footfall.hybrid.run import Ending, FlowSegment, HybridEvent, HybridRun, Options

_EVENTS = 4  # of one guard that have to fit: three intervals and two ratios
_AGREEMENT = 0.2  # of the larger ratio: difference of the two


class ZenoLimit(NamedTuple):
    """Time [s] at which events accumulate, and the state (n,) there."""

    time: float
    state: Array


class ZenoWatch:
    """Looks on at the events of a simulation; left: time [s] at which a limit is believed."""

    def __init__(self, left: float) -> None:
        self._left = left
        self._seen: dict[str, deque[tuple[float, Array]]] = {}

    def limit(self, guard: str, time: float, state: Array) -> ZenoLimit | None:
        """Note an event and the state after it; the limit if its guard's events accumulate."""
        seen = self._seen.setdefault(guard, deque(maxlen=_EVENTS))
        seen.append((time, state))
        if len(seen) < _EVENTS:
            return None
        first, second, last = (b[0] - a[0] for a, b in pairwise(seen))
        if not first > second > last > 0.0:
            return None
        earlier, ratio = second / first, last / second
        if abs(ratio - earlier) > _AGREEMENT * max(ratio, earlier):
            return None
        limit = _limit(seen, ratio)
        return limit if limit.time - time <= self._left else None

    def limit_of_lost_flights(self, guard: str, time: float, state: Array) -> ZenoLimit:
        """The limit where flights cannot be told from rounding any more, as far as it is known."""
        seen = self._seen.get(guard, deque[tuple[float, Array]]())
        gaps = [b[0] - a[0] for a, b in pairwise(seen)]
        falling = len(gaps) > 1 and all(a > b > 0.0 for a, b in pairwise(gaps))
        if not falling or seen[-1][0] != time:
            return ZenoLimit(time, state)
        # the mean ratio, for the last flights are blurred
        return _limit(seen, (gaps[-1] / gaps[0]) ** (1.0 / (len(gaps) - 1)))


def _limit(seen: deque[tuple[float, Array]], ratio: float) -> ZenoLimit:
    """The sums of the geometric series."""
    (before, earlier), (time, state) = seen[-2], seen[-1]
    share = ratio / (1.0 - ratio)
    return ZenoLimit(time + (time - before) * share, state + (state - earlier) * share)


class IntegratedSegment(NamedTuple):
    """A segment as integrated: its end, the path (None if it has no length), and what ended it.

    ending and message are set where neither a guard nor the end of time ended it. unresolved: a
    guard (its number) that left zero at the start and came back through it, all within rounding.
    """

    time: float
    state: Array
    path: OdeSolution | None
    crossing: Crossing | None
    ending: Ending | None = None
    message: str = ""
    unresolved: int | None = None


def integrate_segment(
    mode: HybridMode,
    time: float,
    state: Array,
    end: float,
    entry: Entry,
    first_step: float,
    options: Options,
    stopped: Callable[[], bool],
) -> IntegratedSegment:
    """Integrate a mode from a time and state (n,) to the first crossing of a guard, or to the end.

    entry: how the guards stand at the start. first_step: longest one [s]; it has to be of the size
    of the segment, lest a short flight be rounded away within it. stopped(): after a step.
    """
    start, crossing = (time, state), None
    steps: list[tuple[float, Any]] = []  # end of each, and scipy's interpolant

    def path() -> OdeSolution | None:
        """Interpolant of the whole segment."""
        if not steps:
            return None
        times, interpolants = zip(*steps, strict=True)
        return OdeSolution([start[0], *times], interpolants)

    try:
        search = CrossingSearch(mode, time, state, end, entry, options)
        derivative = _CheckedDerivative(mode)
        stepper = _stepper(derivative, time, state, end, first_step, options)
        while time < end:
            step = _advance(stepper, derivative)
            crossing = search.search_step(step)
            if crossing is not None:
                steps += crossing.interpolants
                time, state = crossing.time, crossing.state
                break
            time, state = step.t, step.y
            steps.append((time, step.path))
            if stopped():
                why = f"stopped at t = {time:.9g} s"
                return IntegratedSegment(time, state, path(), None, Ending.STOPPED, why)
    except SegmentFailed as failed:
        return IntegratedSegment(time, state, path(), None, failed.ending, str(failed))
    except Unresolved as flight:
        return IntegratedSegment(*start, None, None, unresolved=flight.number)
    return IntegratedSegment(time, state, path(), crossing)


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


_GROWTH = 2.0  # first step of a segment at most, over the length of the segment before


def simulate(
    system: HybridSystem,
    mode: str,
    x0: npt.ArrayLike,
    span: tuple[float, float],
    options: Options | None = None,
    *,
    until: str | None = None,
    stopped: Callable[[], bool] | None = None,
) -> HybridRun:
    """Simulate a system from a state x0 (n,) in a mode over a span (t0, t1) [s].

    until: a guard with whose first event (reset included) the simulation ends. stopped() is asked
    after every step whether to end there. What was computed before a failure is kept; ``ending``
    and ``message`` say why.
    Raises ValueError for a mode that does not exist (also when a reset leads there), a guard that
    none has, a wrong state or a span that runs backwards.
    """
    state = np.array(x0, dtype=np.float64)
    if mode not in system.modes:
        raise ValueError(f"there is no mode '{mode}', only {', '.join(system.modes)}")
    if state.shape != (len(system.components),) or not np.isfinite(state).all():
        raise ValueError(f"x0 must be {len(system.components)} finite numbers, got {state}")
    guards = dict.fromkeys(guard.name for each in system.modes.values() for guard in each.guards)
    if until is not None and until not in guards:
        raise ValueError(f"there is no guard '{until}', only {', '.join(guards)}")
    if not span[0] <= span[1]:
        raise ValueError(f"the span must run forwards, got {span}")
    simulation = _Simulation(system, system.modes[mode], state, span, options or Options(), until)
    with np.errstate(all="ignore"):  # what is not finite is reported in words
        return simulation.run(stopped or (lambda: False))


class _Simulation:
    """A simulation under way: where it is, and what it went through."""

    def __init__(
        self,
        system: HybridSystem,
        mode: HybridMode,
        state: Array,
        span: tuple[float, float],
        options: Options,
        until: str | None,
    ) -> None:
        self._system, self._options, self._until = system, options, until
        self._mode, self._state = mode, state
        self._time, self._end = float(span[0]), float(span[1])
        self._watch = ZenoWatch(options.zeno)
        self._first_step = np.inf
        self._segments: list[FlowSegment] = []
        self._events: list[HybridEvent] = []

    def run(self, stopped: Callable[[], bool]) -> HybridRun:
        """Go on until there is an ending."""
        entry = entry_at_start(self._mode, self._time, self._state)
        while True:
            following = self._go_on(entry, stopped)
            if isinstance(following, HybridRun):
                return following
            entry = following
            if len(self._events) >= self._options.most_events:
                last = f"t = {self._time:.9g} s, the last one of '{self._events[-1].guard}'"
                message = f"{len(self._events)} events until {last}"
                return self._finished(Ending.TOO_MANY_EVENTS, message)

    def _go_on(self, entry: Entry, stopped: Callable[[], bool]) -> Entry | HybridRun:
        """Go through one segment and the event at its end."""
        if entry.at_once is not None:
            return self._fire(self._mode.guards[entry.at_once], entry.spent)
        smooth = integrate_segment(
            self._mode, self._time, self._state, self._end,
            entry, self._first_step, self._options, stopped,
        )  # fmt: skip
        if smooth.unresolved is not None:
            guard = self._mode.guards[smooth.unresolved]
            limit = self._watch.limit_of_lost_flights(guard.name, self._time, self._state)
            if limit.time < self._end:
                return self._pass_limit(guard, limit)
            return self._pass_limit(guard, ZenoLimit(self._time, self._state))
        self._add_segment(smooth)
        if smooth.ending is not None:
            return self._finished(smooth.ending, smooth.message)
        crossing = smooth.crossing
        if crossing is None:
            return self._finished(Ending.END_OF_TIME, f"t = {self._time:.9g} s is reached")
        spent = entry.spent if smooth.path is None else frozenset[str]()
        return self._fire(self._mode.guards[crossing.number], spent)

    def _add_segment(self, smooth: IntegratedSegment) -> None:
        """Add a segment and go to its end."""
        if smooth.path is not None:
            start = self._time
            segment = FlowSegment(
                self._mode.name, start, smooth.time, self._state, smooth.state, smooth.path
            )
            self._segments.append(segment)
            self._first_step = _GROWTH * (smooth.time - start)
        self._time, self._state = smooth.time, smooth.state

    def _fire(self, guard: Guard, spent: frozenset[str]) -> Entry | HybridRun:
        """Reset at an event and see whether events of its guard accumulate."""
        transition = guard.reset(self._time, self._state) if guard.reset is not None else None
        self._note(guard, transition)
        at = f"t = {self._time:.9g} s"
        if transition is None:
            return self._finished(Ending.GUARD, f"guard '{guard.name}' ended it at {at}")
        entry = self._enter(guard, transition, spent)
        if entry is None:
            message = f"the reset of guard '{guard.name}' is not finite at {at}"
            return self._finished(Ending.NOT_FINITE, message)
        if guard.name == self._until:
            return self._finished(Ending.GUARD, f"guard '{guard.name}' was reached at {at}")
        limit = self._watch.limit(guard.name, self._time, self._state)
        if limit is not None and limit.time < self._end:
            return self._pass_limit(guard, limit)
        return entry

    def _enter(self, guard: Guard, transition: Transition, spent: frozenset[str]) -> Entry | None:
        """Go over to the mode and state after an event; None if that state is no number."""
        before, old = self._state, self._mode
        after = np.array(transition.state, dtype=np.float64)
        if not np.isfinite(after).all():
            return None
        if transition.mode not in self._system.modes:
            raise ValueError(f"guard '{guard.name}' leads to '{transition.mode}', which is no mode")
        self._mode, self._state = self._system.modes[transition.mode], after
        return entry_after_event(old, guard.name, before, self._mode, after, self._time, spent)

    def _pass_limit(self, guard: Guard, limit: ZenoLimit) -> Entry | HybridRun:
        """Go to the time at which events accumulate, and on from there if the system says how."""
        x, mode, start = self._state, self._mode.name, self._time
        if limit.time > start:
            straight = _Straight(start, x, limit)
            self._segments.append(FlowSegment(mode, start, limit.time, x, limit.state, straight))
        self._time, self._state = limit.time, limit.state
        at = f"t = {limit.time:.9g} s"
        if self._system.zeno is None:
            message = f"events of guard '{guard.name}' accumulate at {at}"
            return self._finished(Ending.ZENO, message)
        transition = self._system.zeno(guard.name, limit.time, limit.state)
        self._note(guard, transition, accumulation=True)
        self._watch = ZenoWatch(self._options.zeno)
        entry = self._enter(guard, transition, frozenset())
        if entry is None:
            message = f"what follows the accumulation of '{guard.name}' is not finite at {at}"
            return self._finished(Ending.NOT_FINITE, message)
        return entry

    def _note(
        self, guard: Guard, transition: Transition | None, *, accumulation: bool = False
    ) -> None:
        """Add an event at the present time."""
        before, name = self._state, self._mode.name
        after = before if transition is None else np.array(transition.state, dtype=np.float64)
        following = None if transition is None else transition.mode
        outputs = {} if transition is None else transition.outputs
        self._events.append(
            HybridEvent(
                self._time,
                guard.name,
                name,
                following,
                before,
                after,
                outputs,
                accumulation,
            )
        )

    def _finished(self, ending: Ending, message: str) -> HybridRun:
        """The run as it is."""
        return HybridRun(
            tuple(self._segments), tuple(self._events), ending, message,
            self._time, self._mode.name, self._state,
        )  # fmt: skip


class _Straight:
    """Straight path through the infinitely many events before their limit.

    Their flights are shorter than the time in which a limit is believed, and lower than its square.
    """

    def __init__(self, start: float, x: Array, limit: ZenoLimit) -> None:
        self._start, self._x, self._limit = start, x, limit

    def __call__(self, t: float | Array) -> Array:
        share = (np.asarray(t) - self._start) / (self._limit.time - self._start)
        return np.asarray((self._x + np.multiply.outer(share, self._limit.state - self._x)).T)
