"""Guards of a mode: how they stand at an instant, and the first that goes through zero in a step.

Along a step's dense output a guard is a smooth function of time (a polynomial of degree 7 if it is
linear in the state). Its Chebyshev interpolant, halved until it is resolved, bounds it away from
zero by its coefficients or gives its extrema; between two extrema there is at most one zero, so
that no two are missed. Source: L. N. Trefethen: Approximation Theory and Approximation Practice,
SIAM 2013, chapter 18.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.polynomial import chebyshev
from scipy.integrate import DOP853
from scipy.optimize import brentq

from footfall.arrays import Array
from footfall.hybrid.component_first import STEP, perturbed
from footfall.hybrid.model import Guard, HybridMode
from footfall.hybrid.run import Ending, Options

_ROUNDING = 16.0 * float(np.finfo(float).eps)


class GuardStatus(NamedTuple):
    """Value and rate of a guard, and the sizes below which either counts as zero."""

    value: float
    rate: float
    noise: float
    rate_noise: float

    @property
    def rate_sign(self) -> int:
        """Sign of the rate, 0 where it is rounding."""
        return 0 if abs(self.rate) <= self.rate_noise else (1 if self.rate > 0.0 else -1)


def rate(guard: Guard, t: float, x: Array, slope: Array) -> float:
    """Rate of a guard at (t, x), x: (n,), along x' = slope."""
    return float(np.imag(guard.value(t + 1j * STEP, x + 1j * STEP * slope))) / STEP


def guard_status(guard: Guard, t: float, x: Array, slope: Array) -> GuardStatus:
    """Return the status of a guard at (t, x), x: (n,), with x' = slope.

    noise: that of x, component by component, and of t, of which a root is known to rounding only.
    """
    gradient = np.imag(np.broadcast_to(guard.value(t, perturbed(x)), x.shape)) / STEP
    with_time = float(np.imag(guard.value(t + 1j * STEP, x))) / STEP
    moving = float(gradient @ slope) + with_time
    of_state = float(np.abs(gradient) @ np.abs(x))
    return GuardStatus(
        float(guard.value(t, x)),
        moving,
        _ROUNDING * (of_state + abs(t) * (abs(with_time) + abs(moving))),
        _ROUNDING * (float(np.abs(gradient) @ np.abs(slope)) + abs(with_time)),
    )


def _slope(mode: HybridMode, t: float, x: Array) -> Array:
    """Derivative (n,) at (t, x); no numbers where it fails, which ends the segment from there."""
    try:
        return mode.derivative(t, x)
    except (ArithmeticError, ValueError):
        return np.full(x.shape, np.nan)


class Entry(NamedTuple):
    """Start of a segment, guard by guard, and the number of one that fires at once.

    noise: value up to which a guard counts as zero. leaves: it is zero and moves against its
    direction, as after a bounce. spent: names of the guards that have fired at this instant.
    """

    noise: Array
    leaves: list[bool]
    at_once: int | None
    spent: frozenset[str]


def entry_at_start(mode: HybridMode, t: float, x: Array) -> Entry:
    """Entry of the first segment: nothing fires at once."""
    slope = _slope(mode, t, x)
    now = [guard_status(guard, t, x, slope) for guard in mode.guards]
    noise = np.array([stands.noise for stands in now])
    leaves = [_leaves(guard, stands) for guard, stands in zip(mode.guards, now, strict=True)]
    return Entry(noise, leaves, None, frozenset())


def entry_after_event(
    old: HybridMode,
    fired: str,
    before: Array,
    new: HybridMode,
    after: Array,
    t: float,
    spent: frozenset[str],
) -> Entry:
    """Entry into a mode after a guard fired at t and changed the state ``before`` to ``after``.

    spent: guards that fired at this very instant before. A guard of both modes that is zero before
    and after and now moves in its direction is one that went through zero together with the one
    that fired, or that the reset sent through: it fires at once. One that fired and still moves in
    its direction does not fire again.
    """
    slopes = _slope(old, t, before), _slope(new, t, after)
    known = {guard.name for guard in old.guards}
    noise: list[float] = []
    leaves: list[bool] = []
    at_once, still = None, set()
    for index, guard in enumerate(new.guards):
        was = guard_status(guard, t, before, slopes[0])
        now = guard_status(guard, t, after, slopes[1])
        here = max(was.noise, now.noise)
        if guard.name == fired:
            here = max(here, 4.0 * abs(was.value))  # what the search for the root has left
        noise.append(here)
        leaves.append(abs(now.value) <= here and _leaves(guard, now))
        closing = now.rate_sign == guard.direction
        if guard.name == fired or (guard.name in spent and closing):
            still.add(guard.name)
            continue
        at_zero = max(abs(was.value), abs(now.value)) <= here
        if at_once is None and guard.name in known and at_zero and closing:
            at_once = index
    return Entry(np.array(noise), leaves, at_once, frozenset(still))


def _leaves(guard: Guard, stands: GuardStatus) -> bool:
    """Return whether a guard moves against its direction."""
    return stands.rate_sign == -guard.direction


_DEGREE = 12  # 7 would do for guards that are linear in the state
NODES = -np.cos(np.pi * np.arange(_DEGREE + 1) / _DEGREE)  # with both ends, rising
_COEFFICIENTS = np.linalg.inv(chebyshev.chebvander(NODES, _DEGREE))
_RESOLVED = 1e-9  # of the largest value: error of the last coefficients
_HALVINGS = 10
_NOISE = 1e-15  # of the largest coefficient: what rounding leaves of those that are zero


def node_times(start: float, end: float) -> Array:
    """Times of the nodes of an interval [s], ends included, rising, (13,)."""
    times = start + 0.5 * (end - start) * (NODES + 1.0)
    times[-1] = end
    return np.asarray(times, dtype=np.float64)


def monotone_intervals(
    value: Callable[[Array], Array],
    start: float,
    end: float,
    margin: float,
    sampled: Array | None = None,
    halvings: int = _HALVINGS,
) -> Array:
    """Times [s], (m,), between which a function is monotone or further from zero than the margin.

    Both ends of the interval are included. value: at times (k,) gives (k,); sampled: its values at
    ``node_times`` if they are known.
    """
    samples = value(node_times(start, end)) if sampled is None else sampled
    c = _COEFFICIENTS @ samples
    sizes = np.abs(c)
    tail = float(sizes[-3:].max())
    if sizes[0] - sizes[1:].sum() > margin + len(c) * tail:
        return np.array([start, end])
    blur = 8.0 * float(np.spacing(max(abs(start), abs(end)))) / (end - start)  # of short intervals
    if tail > (_RESOLVED + blur) * sizes.max() and halvings > 0:
        middle = 0.5 * (start + end)
        first = monotone_intervals(value, start, middle, margin, None, halvings - 1)
        second = monotone_intervals(value, middle, end, margin, None, halvings - 1)
        return np.concatenate([first, second[1:]])
    extrema = start + 0.5 * (end - start) * (_extrema(c) + 1.0)
    return np.concatenate([[start], extrema, [end]])


def _extrema(c: Array) -> Array:
    """Zeros within (-1, 1) of the derivative of a Chebyshev series, rising."""
    slope = chebyshev.chebder(c)
    sizes = np.abs(slope)
    known = np.flatnonzero(sizes > _NOISE * len(c) ** 2 * np.abs(c).max())
    if known.size == 0 or sizes[0] > sizes[1:].sum():
        return np.empty(0)
    roots = chebyshev.chebroots(slope[: known[-1] + 1])
    # a double zero, split by rounding into a pair off the axis, is kept: one break more is harmless
    real = roots.real[np.abs(roots.imag) < 1e-6]
    return np.sort(real[(real > -1.0) & (real < 1.0)])


_REFINEMENTS = 8
_TOGETHER = 1e-6  # of a step: roots that the interpolant may have in the wrong order
_MARGIN = 1e-10  # in units of a guard: nearer to zero its extrema are looked for


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
    """A guard (its number) that goes through zero: time [s] and state (n,).

    interpolants: time of the end and interpolant of the step (or steps) up to there.
    """

    number: int
    time: float
    state: Array
    interpolants: tuple[tuple[float, Any], ...]


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

    def search_step(self, step: Step) -> Crossing | None:
        """The first crossing of a guard in its direction."""
        times = node_times(step.t_old, step.t)
        states = step.path(times)
        brackets: list[_Bracket] = []
        for index, guard in enumerate(self._mode.guards):
            sampled = np.broadcast_to(guard.value(times, states), times.shape)
            if not np.isfinite(sampled).all():
                text = f"guard '{guard.name}' is not finite after t = {step.t_old:.9g} s"
                raise SegmentFailed(Ending.NOT_FINITE, text)
            along = _along(guard, step)
            breaks = monotone_intervals(along, step.t_old, step.t, _MARGIN, sampled)
            values = along(breaks) if len(breaks) > 2 else sampled[[0, -1]]
            bracket = self._walk(index, along, breaks, values)
            if bracket is not None:
                brackets.append(bracket)
        return self._first(brackets, step) if brackets else None

    def _walk(
        self, index: int, along: Callable[[Any], Any], breaks: Array, values: Array
    ) -> _Bracket | None:
        """Go over the pieces of a step up to the first crossing."""
        direction, sign = self._mode.guards[index].direction, self._signs[index]
        noise = self._noise[index]
        distinct = _distinct(values, noise)
        breaks, values = breaks[distinct], values[distinct]
        for k in range(len(breaks) - 1):
            there = float(values[k + 1])
            if sign == 0:
                sign = 0 if abs(there) <= noise else _sign(there)
                if self._leaves[index] and sign == direction:
                    raise Unresolved(index)
            elif _sign(there) == -sign:
                sign = -sign
                if direction == sign:
                    low, high = float(breaks[k]), float(breaks[k + 1])
                    return _Bracket(index, low, high, _root(along, low, high))
        self._signs[index] = sign
        return None

    def _first(self, brackets: list[_Bracket], step: Step) -> Crossing:
        """The earliest of the roots; of those at one time the guard that was declared first."""
        close = min(b.root for b in brackets) + _TOGETHER * (step.t - step.t_old)
        crossings = [self._refine(b, step) for b in brackets if b.root <= close]
        time = min(crossing.time for crossing in crossings)
        return next(c for c in crossings if c.time <= time + 4.0 * np.spacing(abs(time)))

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
                best = Crossing(bracket.number, t, state, interpolants)
            newer = min(max(t - value / moving, low), high) if moving != 0.0 else t
            if abs(newer - t) <= 2.0 * np.spacing(abs(t)):
                break
            t = newer
        if best is None:
            raise SegmentFailed(
                Ending.NOT_FINITE, f"guard '{guard.name}' is not finite at t = {t:.9g} s"
            )
        return best

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


def _distinct(values: Array, noise: float) -> list[int]:
    """Indices of a guard's values to go over: both ends, and what differs from the one before.

    Rounding makes extrema of its own, and pairs of what is one.
    """
    distinct = [0]
    for k in range(1, len(values) - 1):
        if abs(values[k] - values[distinct[-1]]) > noise:
            distinct.append(k)
    return [*distinct, len(values) - 1]


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
