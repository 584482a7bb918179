"""The first guard that goes through zero within a step, and those that touch it."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.integrate import DOP853
from scipy.optimize import brentq

from footfall.arrays import Array
from footfall.hybrid.guard_status import Entry, rate
from footfall.hybrid.model import EITHER, Guard, HybridMode
from footfall.hybrid.options import Options
from footfall.hybrid.root import monotone_intervals, node_times
from footfall.hybrid.run import Ending

_REFINEMENTS = 8
_TOGETHER = 1e-6  # of a step: roots that the interpolant may have in the wrong order


class SegmentFailed(Exception):
    """A segment that cannot go on: its ending, and in words why."""

    def __init__(self, ending: Ending, message: str) -> None:
        super().__init__(message)
        self.ending = ending


class Unresolved(Exception):
    """A guard (its number) that left zero and came back through it, all within rounding."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class Step(NamedTuple):
    """A step of the integrator: time [s] and state (n,) at both ends, and the interpolant."""

    t_old: float
    y_old: Array
    t: float
    y: Array
    path: Any


class Crossing(NamedTuple):
    """A guard (its number) that goes through zero: time [s], state (n,), whether it grazes.

    pieces: time of the end and interpolant of the step (or steps) up to there.
    """

    number: int
    time: float
    state: Array
    grazing: bool
    interpolants: tuple[tuple[float, Any], ...]


class GuardTouch(NamedTuple):
    """A guard (its number) that touches zero and turns round: time [s] and state (n,) there."""

    number: int
    time: float
    state: Array


class _Bracket(NamedTuple):
    """Times [s] around a root of a guard (its number), and the root along the interpolant."""

    number: int
    low: float
    high: float
    root: float


class CrossingSearch:
    """Looks for crossings step by step in one segment, and knows on which side the guards are."""

    def __init__(
        self,
        mode: HybridMode,
        time: float,
        state: Array,
        end: float,
        entry: Entry,
        options: Options,
    ) -> None:
        self._mode, self._end, self._options = mode, end, options
        self._noise, self._leaves = entry.noise, entry.leaves
        values = [float(guard.value(time, state)) for guard in mode.guards]
        # 0: still at the zero it began with; that is no crossing, whichever way it leaves
        self._signs = [
            0 if abs(g) <= near else _sign(g) for g, near in zip(values, entry.noise, strict=True)
        ]

    def search_step(self, step: Step) -> tuple[Crossing | None, list[GuardTouch]]:
        """The first crossing of a guard in its direction, and the touches before it."""
        times = node_times(step.t_old, step.t)
        states = step.path(times)
        brackets: list[_Bracket] = []
        touches: list[tuple[float, int]] = []
        for index, guard in enumerate(self._mode.guards):
            sampled = np.broadcast_to(guard.value(times, states), times.shape)
            if not np.isfinite(sampled).all():
                text = f"guard '{guard.name}' is not finite after t = {step.t_old:.9g} s"
                raise SegmentFailed(Ending.NOT_FINITE, text)
            along = _along(guard, step)
            margin = self._options.grazing
            breaks = monotone_intervals(along, step.t_old, step.t, margin, sampled)
            values = along(breaks) if len(breaks) > 2 else sampled[[0, -1]]
            bracket, touched = self._walk(index, along, breaks, values)
            brackets += bracket
            touches += touched
        crossing = self._first(brackets, step) if brackets else None
        last = step.t if crossing is None else crossing.time
        return crossing, [GuardTouch(k, t, step.path(t)) for t, k in sorted(touches) if t < last]

    def _walk(
        self, index: int, along: Callable[[Any], Any], breaks: Array, values: Array
    ) -> tuple[list[_Bracket], list[tuple[float, int]]]:
        """Go over the pieces of a step up to the first crossing; one bracket or none."""
        direction, sign = self._mode.guards[index].direction, self._signs[index]
        touches: list[tuple[float, int]] = []
        noise = self._noise[index]
        kept = _distinct(values, noise)
        breaks, values = breaks[kept], values[kept]
        last = len(breaks) - 1
        for k in range(last):
            here, there = float(values[k]), float(values[k + 1])
            if sign == 0:
                sign = 0 if abs(there) <= noise else _sign(there)
                if self._leaves[index] and sign == direction:
                    raise Unresolved(index)
            elif _sign(there) == -sign:
                sign = -sign
                if direction in (sign, EITHER):
                    low, high = float(breaks[k]), float(breaks[k + 1])
                    return [_Bracket(index, low, high, _root(along, low, high))], touches
            elif (
                direction in (-sign, EITHER)
                and k + 1 < last
                and abs(there) <= self._options.grazing
                and abs(here) > abs(there) <= abs(values[k + 2])
                and sign * values[k + 2] >= 0.0
            ):
                touches.append((float(breaks[k + 1]), index))
        self._signs[index] = sign
        return [], touches

    def _first(self, brackets: list[_Bracket], step: Step) -> Crossing:
        """The earliest of the roots; of those at one time the guard that was declared first."""
        close = min(b.root for b in brackets) + _TOGETHER * (step.t - step.t_old)
        found = [self._refine(b, step) for b in brackets if b.root <= close]
        time = min(crossing.time for crossing in found)
        return next(c for c in found if c.time <= time + 4.0 * np.spacing(abs(time)))

    def _refine(self, bracket: _Bracket, step: Step) -> Crossing:
        """Newton's method for the root of the solution itself, each time by a step up to there."""
        guard, t = self._mode.guards[bracket.number], bracket.root
        pad = _TOGETHER * (step.t - step.t_old)
        low, high = max(step.t_old, bracket.low - pad), min(self._end, bracket.high + pad)
        best, least = None, np.inf
        for _ in range(_REFINEMENTS):
            state, interpolants = self._retake(step, t)
            value = float(guard.value(t, state))
            moving = rate(guard, t, state, self._mode.derivative(t, state))
            if abs(value) < least:
                least = abs(value)
                best = (t, state, moving, interpolants)
            newer = min(max(t - value / moving, low), high) if moving != 0.0 else t
            if abs(newer - t) <= 2.0 * np.spacing(abs(t)):
                break
            t = newer
        if best is None:
            raise SegmentFailed(
                Ending.NOT_FINITE, f"guard '{guard.name}' is not finite at t = {t:.9g} s"
            )
        time, state, moving, interpolants = best
        grazing = self._grazes(guard, step, time, moving)
        return Crossing(bracket.number, time, state, grazing, interpolants)

    def _retake(self, step: Step, t: float) -> tuple[Array, tuple[tuple[float, Any], ...]]:
        """State (n,) and interpolants where a step ends at t, mostly in one step."""
        if t <= step.t_old:
            return step.y_old, ()
        stepper = DOP853(
            self._mode.derivative, step.t_old, step.y_old, t, first_step=t - step.t_old,
            rtol=self._options.relative, atol=self._options.absolute,
        )  # fmt: skip
        interpolants = []
        while stepper.status == "running":
            stepper.step()
            interpolants.append((stepper.t, stepper.dense_output()))
        return stepper.y, tuple(interpolants)

    def _grazes(self, guard: Guard, step: Step, time: float, moving: float) -> bool:
        """Return whether a guard's parabola at a root is no deeper than the depth of grazing."""
        span = 0.1 * (time - step.t_old)
        if span <= 0.0:
            return moving == 0.0
        state = step.path(time - span)
        earlier = rate(guard, time - span, state, self._mode.derivative(time - span, state))
        return moving**2 * span <= 2.0 * abs(moving - earlier) * self._options.grazing


def _distinct(values: Array, noise: float) -> list[int]:
    """Indices of a guard's values to go over: both ends, and what differs from the one before.

    Rounding makes extrema of its own, and pairs of what is one.
    """
    kept = [0]
    for k in range(1, len(values) - 1):
        if abs(values[k] - values[kept[-1]]) > noise:
            kept.append(k)
    return [*kept, len(values) - 1]


def _sign(x: float) -> int:
    """-1, 0 or 1."""
    return (x > 0.0) - (x < 0.0)


def _along(guard: Guard, step: Step) -> Callable[[Any], Any]:
    """A guard as a function of time (k,) along the interpolant of a step."""

    def value(t: Any) -> Any:  # noqa: ANN401 (one time or many)
        return np.broadcast_to(guard.value(t, step.path(t)), np.shape(t))

    return value


def _root(along: Callable[[Any], Any], low: float, high: float) -> float:
    """Zero of a guard that is monotone between two times; an end where rounding took the other."""
    at_low, at_high = float(along(low)), float(along(high))
    if at_low * at_high >= 0.0:
        return low if abs(at_low) <= abs(at_high) else high
    return float(brentq(along, low, high, xtol=1e-14, rtol=1e-14))
