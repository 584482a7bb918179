"""Many states at once from a section to a guard, by steps of one size.

For return maps of thousands of states: basins, bifurcation diagrams, derivatives by complex step.
A crossing of a guard is seen in the signs of its values at both ends of a step, no finer: two
crossings within one step are missed, so that the step must be small beside the shortest time
between two zeros of a guard. The error of a step is nobody's but the caller's, either.

The step is that of Dormand and Prince of order 8 with 12 stages (Hairer, Norsett and Wanner:
Solving Ordinary Differential Equations I, section II.5), whose coefficients scipy publishes.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.integrate import DOP853

from footfall.arrays import Array
from footfall.hybrid.component_first import STEP, State
from footfall.hybrid.fixed_point import Linearised, NoReturn
from footfall.hybrid.model import Guard, HybridMode, HybridSystem, Transition

_BLOCK = 4096  # members that are simulated together: more leave the cache, fewer wait for Python
IMAGINARY = 1e-60  # far below that of the slopes of guards; its fifth power is not zero yet
_ZERO = 1e-9  # of a guard's change over a step: a segment that begins closer begins on the guard
_MOST_EVENTS = 1000  # of a member: events that accumulate would never let it end
_A, _B, _C = DOP853.A, DOP853.B, DOP853.C
_CLOSE = 1e-10  # a Newton correction below this leaves less than rounding to the next one
_MOST = 100  # iterations: bisection alone needs 53

Mask = npt.NDArray[np.bool_]
Members = npt.NDArray[np.intp]
Rate = Callable[[Any, State], State]
Family = Callable[[Any], HybridSystem]


class BatchPassage(NamedTuple):
    """Ends of k members of a batch: x (n, k) after the reset of the guard asked for, time (k,) [s].

    arrived (k,): which came there; the others are where they ended. x and time are complex if the
    members were.
    """

    x: State
    time: State
    arrived: Mask


def batch_step(
    system: HybridSystem, mode: str, x0: State, guard: str, most_time: float, step: float
) -> BatchPassage:
    """Members x0 (n, k) from ``mode`` through all events on the way to the first ``guard``.

    most_time [s]: members still under way then have ended. step [s]: of Dormand and Prince's method
    of order 8. A guard that is zero where a segment begins fires when it crosses zero again in its
    direction. Guards without a reset end a member unless they are the one asked for. The mode after
    an event must not depend on the state: members at one guard pass it together. Members of endless
    events do not arrive. Raises ValueError for a step or time that is not positive, an unknown mode
    or guard, and states of the wrong shape.
    """
    x0 = np.asarray(x0)
    _check(system, mode, x0, guard, most_time, step)
    x0 = x0.astype(np.complex128 if np.iscomplexobj(x0) else np.float64, copy=False)
    blocks = []
    for first in range(0, max(x0.shape[1], 1), _BLOCK):
        block = _Batch(system, mode, x0[:, first : first + _BLOCK], guard, most_time, step)
        block.run()
        blocks.append(block)
    return BatchPassage(
        np.concatenate([each.x for each in blocks], axis=1),
        np.concatenate([each.t for each in blocks]),
        np.concatenate([each.arrived for each in blocks]),
    )


def batch_derivative(
    system: HybridSystem,
    mode: str,
    x0: Array,
    guard: str,
    most_time: float,
    step: float,
    directions: Array,
) -> tuple[BatchPassage, Array]:
    """The passage of real members x0 (n, k) and its derivatives D (n, m, k) in directions (n, m).

    By complex step, all members and directions in one batch: exact derivatives of the steps taken,
    events included, so that they carry the error of the steps and no other. NaN for members that
    did not arrive.
    """
    (n, k), m = x0.shape, directions.shape[1]
    members = x0[:, None, :] + 1j * IMAGINARY * directions[:, :, None]
    all_ = batch_step(system, mode, members.reshape(n, m * k), guard, most_time, step)
    x = all_.x.reshape(n, m, k)
    passage = BatchPassage(x[:, 0].real, all_.time[:k].real, all_.arrived[:k])
    return passage, np.where(passage.arrived, x.imag / IMAGINARY, np.nan)


@dataclass(frozen=True)
class SectionMap:
    """Return map of a family of hybrid systems to the section on which a guard has just fired.

    family(p): the system, of real and complex p. embed(y): states (n, k) in ``mode``, just after
    the guard, of points (m, k); project(x): back; both analytic. most_time [s]: a motion that has
    not come back by then does not return. step [s]: derivatives are exact of the steps taken, whose
    error and what they may miss is said in batch_step. Passages begin at time 0: a system that
    depends on time itself wants its phase among the components.
    """

    family: Family
    mode: str
    guard: str
    embed: Callable[[State], State]
    project: Callable[[State], State]
    most_time: float
    step: float

    def linearised(self, y: Array, p: float) -> Linearised:
        """Images of points (m, k) and their derivatives; raises NoReturn if one does not return."""
        m, k = y.shape
        members = y[:, None, :] + 1j * IMAGINARY * np.eye(m)[:, :, None]
        image = self._images(members.reshape(m, m * k), p).reshape(m, m, k)
        by_p = np.imag(self._images(y + 0j, p + 1j * IMAGINARY)) / IMAGINARY
        return Linearised(image[:, 0].real, image.imag / IMAGINARY, by_p)

    def _images(self, y: State, p: complex) -> State:
        """Images of points (m, k)."""
        system, x0 = self.family(p), self.embed(y)
        passage = batch_step(system, self.mode, x0, self.guard, self.most_time, self.step)
        if not passage.arrived.all():
            when = passage.time[np.argmin(passage.arrived)].real
            raise NoReturn(f"no '{self.guard}' after {when:.6g} s")
        return self.project(passage.x)


def with_parameter(family: Family, p: float) -> HybridSystem:
    """A system whose state has the parameter of a family as its last component, which stays.

    family: p to the system; it must take many p (k,) at once, and complex ones for derivatives. p:
    any value that the family has; only names of modes, guards and components are taken from it. So
    a bifurcation diagram is one batch.
    """

    def varied(mode: HybridMode) -> HybridMode:
        def derivative(t: Any, x: State) -> State:  # noqa: ANN401 (a time, real or complex)
            rate = family(x[-1]).modes[mode.name].derivative(t, x[:-1])
            return np.concatenate([rate, np.zeros_like(x[-1:])])

        guards = [varied_guard(mode, number) for number in range(len(mode.guards))]
        return HybridMode(mode.name, derivative, tuple(guards))

    def varied_guard(mode: HybridMode, number: int) -> Guard:
        guard = mode.guards[number]

        def own(x: State) -> Guard:
            return family(x[-1]).modes[mode.name].guards[number]

        def reset(t: Any, x: State) -> Transition:  # noqa: ANN401
            given = own(x).reset
            if given is None:
                raise ValueError(f"guard '{guard.name}' has a reset for some parameters only")
            transition = given(t, x[:-1])
            state = np.concatenate([transition.state, x[-1:]])
            return Transition(transition.mode, state, transition.outputs)

        def value(t: Any, x: State) -> Any:  # noqa: ANN401
            return own(x).value(t, x[:-1])

        return Guard(guard.name, value, guard.direction, None if guard.reset is None else reset)

    system = family(p)
    modes = {name: varied(mode) for name, mode in system.modes.items()}
    return HybridSystem(modes, (*system.components, "parameter"))


class _Batch:
    """Members under way: their times, states and modes, and the signs of the guards ahead of them.

    x (n, k), t, arrived (k,): as in BatchPassage. Modes are numbered in the order of the system.
    """

    def __init__(
        self,
        system: HybridSystem,
        mode: str,
        x0: State,
        guard: str,
        most_time: float,
        step: float,
    ) -> None:
        k = x0.shape[1]
        self._modes: tuple[HybridMode, ...] = tuple(system.modes.values())
        self._index = {one.name: i for i, one in enumerate(self._modes)}
        self._target, self._step, self._until = guard, step, most_time
        self.x, self.t = x0.copy(), np.zeros(k, dtype=x0.dtype)
        self.arrived, self._runs = np.zeros(k, dtype=np.bool_), np.ones(k, dtype=np.bool_)
        self._mode, self._events = np.full(k, self._index[mode]), np.zeros(k, dtype=np.intp)
        most = max(len(one.guards) for one in self._modes)
        self._sign, self._fresh = np.zeros((most, k)), np.zeros((most, k), dtype=np.bool_)

    def run(self) -> None:
        """Simulate until every member has ended."""
        with np.errstate(over="ignore", invalid="ignore"):
            self._arm(np.arange(self.t.size))
            while (running := np.flatnonzero(self._runs)).size:
                modes = self._mode[running]  # as they are before any of these members changes it
                for index in np.unique(modes):
                    self._advance(self._modes[index], running[modes == index])

    def _arm(self, members: Members) -> None:
        """Note the signs of the guards at the beginning of a segment.

        A value of zero up to rounding has the sign that it is about to take.
        """
        for index in np.unique(self._mode[members]):
            mode, here = self._modes[index], members[self._mode[members] == index]
            t, x = self.t[here].real, self.x[:, here].real
            for j, guard in enumerate(mode.guards):
                value, slope = _value_and_slope(guard, mode.derivative, t, x)
                zero = np.abs(value) <= _ZERO * self._step * np.abs(slope)
                self._fresh[j, here] = zero
                self._sign[j, here] = np.sign(np.where(zero, slope, value))

    def _advance(self, mode: HybridMode, members: Members) -> None:
        """One step of members in one mode, up to an event where there is one."""
        t, x = self.t[members], self.x[:, members]
        left = self._until - t.real
        h = np.minimum(self._step, left)
        after = _step(mode.derivative, t, x, h)
        count = len(mode.guards)
        value = np.empty((count, members.size))
        for j, guard in enumerate(mode.guards):
            value[j] = np.real(guard.value(t + h, after))
        first, theta = self._first_guard(mode, members, (t, x, h), value)
        on = first < 0
        going = members[on]
        self.t[going] = (t + h)[on]
        self.x[:, going] = after[:, on]
        self._sign[:count, going] = np.sign(value[:, on])
        self._fresh[:count, going] = False
        self._runs[going] = (left > self._step)[on] & np.isfinite(after[:, on]).all(axis=0)
        for j in np.unique(first[~on]):
            hit = first == j
            part = (h * theta)[hit]
            self.t[members[hit]] = t[hit] + part
            self.x[:, members[hit]] = _step(mode.derivative, t[hit], x[:, hit], part)
            self._pass_guard(mode.guards[j], members[hit])

    def _first_guard(
        self, mode: HybridMode, members: Members, start: tuple[State, State, Array], value: Array
    ) -> tuple[Members, State]:
        """Number of the first guard crossed in a step, -1 for none, and the fraction, (k,)."""
        t, x, h = start
        first = np.full(members.size, -1)
        theta = np.ones(members.size, dtype=x.dtype)
        for j, guard in enumerate(mode.guards):
            sign, fresh = self._sign[j, members], self._fresh[j, members]
            at = np.flatnonzero((value[j] * sign <= 0.0) & (sign == -guard.direction))
            if not at.size:
                continue
            zero = _fraction_of_zero(
                guard, mode.derivative, t[at], x[:, at], h[at], sign[at], fresh[at]
            )
            sooner = (first[at] < 0) | (zero.real < theta[at].real)
            first[at[sooner]] = j
            theta[at[sooner]] = zero[sooner]
        return first, theta

    def _pass_guard(self, guard: Guard, members: Members) -> None:
        """Take members at a guard's zero on."""
        self._events[members] += 1
        if guard.reset is not None:
            transition = guard.reset(self.t[members], self.x[:, members])
            self.x[:, members] = transition.state
            self._mode[members] = self._index[transition.mode]
        self.arrived[members] = guard.name == self._target
        goes_on = guard.name != self._target and guard.reset is not None
        self._runs[members] = goes_on & (self._events[members] < _MOST_EVENTS)
        self._arm(members[self._runs[members]])


def _step(rate: Rate, t: State, x: State, h: State) -> State:
    """States (n, k) after a step h (k,) [s] of every member from x at times t (k,)."""
    K = np.empty((len(_C), *x.shape), dtype=np.result_type(x, h))
    part = (lambda z: z) if np.iscomplexobj(K) else np.real  # parameters may be complex
    K[0] = part(rate(t, x))
    for s in range(1, len(_C)):
        K[s] = part(rate(t + _C[s] * h, x + h * _weighted(_A[s, :s], K[:s])))
    return np.asarray(x + h * _weighted(_B, K))


def _weighted(weights: Array, K: State) -> State:
    """Sum of stages by real weights: complex stages as pairs, or BLAS would make all complex."""
    pairs = weights @ K.reshape(len(weights), -1).view(np.float64)
    return np.asarray(pairs.view(K.dtype).reshape(K.shape[1:]))


def _value_and_slope(guard: Guard, rate: Rate, t: Array, x: Array) -> tuple[Array, Array]:
    """Values of a guard of real members and their rates of change along the motion, (k,) each."""
    along = guard.value(t + 1j * STEP, x + 1j * STEP * rate(t, x))
    along = np.broadcast_to(along, t.shape)
    return np.real(along), np.imag(along) / STEP


def _fraction_of_zero(
    guard: Guard, rate: Rate, t: State, x: State, h: Array, sign: Array, fresh: Array
) -> State:
    """Return the fraction of the step at which each member's guard is zero; complex with x.

    The step is taken again with each fraction tried. sign (k,): of the value at the beginning, the
    value at the end has the other one. fresh (k,) bool: the value at the beginning is zero, too,
    and another zero is wanted: that of value/fraction. The root is found of real parts, by Newton's
    method inside a bracket; a last correction makes it the analytic function of complex states.
    """
    theta = np.full(h.shape, 0.5)
    ends = np.zeros(h.shape), np.ones(h.shape)
    open_ = np.arange(h.size)
    for _ in range(_MOST):
        tried = theta[open_]
        value, slope = _at_fraction(guard, rate, t[open_].real, x[:, open_].real, h[open_] * tried)
        slope = slope * h[open_]
        divisor = np.where(fresh[open_], tried, 1.0)
        value, slope = value / divisor, (slope - (divisor < 1.0) * value / divisor) / divisor
        before = value * sign[open_] > 0.0
        ends[0][open_[before]] = tried[before]
        ends[1][open_[~before]] = tried[~before]
        low, high = ends[0][open_], ends[1][open_]
        with np.errstate(divide="ignore", invalid="ignore"):
            new = tried - value / slope
        new = np.where((new > low) & (new <= high), new, 0.5 * (low + high))
        theta[open_] = new
        open_ = open_[np.abs(new - tried) > _CLOSE]
        if not open_.size:
            break
    return _refined(guard, rate, t, x, h, theta)


def _at_fraction(guard: Guard, rate: Rate, t: Array, x: Array, h: Array) -> tuple[Array, Array]:
    return _value_and_slope(guard, rate, t + h, _step(rate, t, x, h))


def _refined(guard: Guard, rate: Rate, t: State, x: State, h: Array, theta: Array) -> State:
    """One more correction by Newton's method, whose imaginary part is exact to first order."""
    then = _step(rate, t, x, h * theta)
    _, slope = _value_and_slope(guard, rate, (t + h * theta).real, then.real)
    with np.errstate(divide="ignore", invalid="ignore"):
        change = -guard.value(t + h * theta, then) / (slope * h)
    change = np.where(np.isfinite(change), change, 0.0)
    # where the guard is grazed its slope is rounding, and so would the real correction be
    real = theta + np.clip(np.real(change), -_CLOSE, _CLOSE)
    return np.asarray(real + 1j * np.imag(change)) if np.iscomplexobj(x) else real


def _check(
    system: HybridSystem, mode: str, x0: State, guard: str, most_time: float, step: float
) -> None:
    """Refuse what cannot be simulated."""
    if not (step > 0.0 and most_time > 0.0):
        raise ValueError(f"step and most_time must be positive, got {step} and {most_time}")
    if mode not in system.modes:
        raise ValueError(f"no mode '{mode}': there are {', '.join(system.modes)}")
    known = {each.name for one in system.modes.values() for each in one.guards}
    if guard not in known:
        raise ValueError(f"no guard '{guard}': there are {', '.join(sorted(known))}")
    if x0.ndim != 2 or x0.shape[0] != len(system.components):
        raise ValueError(f"states must be of shape ({len(system.components)}, k), got {x0.shape}")
