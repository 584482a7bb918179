"""Event-driven simulation: smooth segments, and resets exactly where guards go through zero.

The integrator is DOP853 (E. Hairer, S. P. Norsett, G. Wanner: Solving Ordinary Differential
Equations I, 2nd ed., Springer 1993). Guards are looked at within every step (``root``), a root is
found along the interpolant and then refined by steps that end there (``crossing``). A guard that
is zero at the start of a segment fires when it has left zero and comes back in its direction.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.hybrid.guard_status import Entry, entry_after_event, entry_at_start
from footfall.hybrid.model import Guard, HybridMode, HybridSystem, Transition
from footfall.hybrid.options import Options
from footfall.hybrid.run import Ending, FlowSegment, HybridEvent, HybridRun
from footfall.hybrid.segment import IntegratedSegment, integrate_segment
from footfall.hybrid.zeno import ZenoLimit, ZenoWatch

__all__ = ["Ending", "FlowSegment", "HybridEvent", "HybridRun", "Options", "simulate"]

_GROWTH = 2.0  # first step of a segment at most, over the length of the segment before


def simulate(
    system: HybridSystem,
    mode: str,
    x0: npt.ArrayLike,
    span: tuple[float, float],
    options: Options | None = None,
    *,
    until: str | None = None,
    report: Callable[[float], None] | None = None,
    stopped: Callable[[], bool] | None = None,
) -> HybridRun:
    """Simulate a system from a state x0 (n,) in a mode over a span (t0, t1) [s].

    until: a guard with whose first event (reset included) the simulation ends. report(time) hears
    of every step [s]; stopped() is asked after every step whether to end there. What was computed
    before a failure is kept; ``ending`` and ``message`` say why.
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
        return simulation.run(_observer(report, stopped))


def _observer(
    report: Callable[[float], None] | None, stopped: Callable[[], bool] | None
) -> Callable[[float], bool]:
    """Return what is called after every step: it reports the time, and says whether to stop."""

    def observe(time: float) -> bool:
        if report is not None:
            report(time)
        return stopped is not None and stopped()

    return observe


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

    def run(self, observe: Callable[[float], bool]) -> HybridRun:
        """Go on until there is an ending."""
        entry = entry_at_start(self._mode, self._time, self._state)
        while True:
            following = self._go_on(entry, observe)
            if isinstance(following, HybridRun):
                return following
            entry = following
            if len(self._events) >= self._options.most_events:
                last = f"t = {self._time:.9g} s, the last one of '{self._events[-1].guard}'"
                message = f"{len(self._events)} events until {last}"
                return self._finished(Ending.TOO_MANY_EVENTS, message)

    def _go_on(self, entry: Entry, observe: Callable[[float], bool]) -> Entry | HybridRun:
        """Go through one segment and the event at its end."""
        if entry.at_once is not None:
            return self._fire(self._mode.guards[entry.at_once], entry.spent, grazing=False)
        smooth = integrate_segment(
            self._mode, self._time, self._state, self._end,
            entry, self._first_step, self._options, observe,
        )  # fmt: skip
        if smooth.unresolved is not None:
            guard = self._mode.guards[smooth.unresolved]
            limit = self._watch.limit_of_lost_flights(guard.name, self._time, self._state)
            if limit.time < self._end:
                return self._pass_limit(guard, limit)
            return self._pass_limit(guard, ZenoLimit(self._time, self._state))
        self._keep(smooth)
        if smooth.ending is not None:
            return self._finished(smooth.ending, smooth.message)
        crossing = smooth.crossing
        if crossing is None:
            return self._finished(Ending.END_OF_TIME, f"t = {self._time:.9g} s is reached")
        spent = entry.spent if smooth.path is None else frozenset[str]()
        return self._fire(self._mode.guards[crossing.number], spent, grazing=crossing.grazing)

    def _keep(self, smooth: IntegratedSegment) -> None:
        """Add a segment and its touches, and go to its end."""
        if smooth.path is not None:
            start = self._time
            segment = FlowSegment(
                self._mode.name, start, smooth.time, self._state, smooth.state, smooth.path
            )
            self._segments.append(segment)
            self._first_step = _GROWTH * (smooth.time - start)
        name = self._mode.name
        for touch in smooth.touches:
            guard = self._mode.guards[touch.number].name
            x = touch.state
            self._events.append(HybridEvent(touch.time, guard, name, name, x, x, {}, grazing=True))
        self._time, self._state = smooth.time, smooth.state

    def _fire(self, guard: Guard, spent: frozenset[str], *, grazing: bool) -> Entry | HybridRun:
        """Reset at an event and see whether events of its guard accumulate."""
        transition = guard.reset(self._time, self._state) if guard.reset is not None else None
        self._note(guard, transition, grazing=grazing)
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
        self,
        guard: Guard,
        transition: Transition | None,
        *,
        grazing: bool = False,
        accumulation: bool = False,
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
                grazing,
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
