"""Fixed-step simulation of a batch of states, each in its mode and at its own time."""

from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.hybrid.batch_step import fraction_of_zero, step_batch, value_and_slope
from footfall.hybrid.model import EITHER, Guard, HybridMode, HybridSystem, State

_ZERO = 1e-9  # of a guard's change over a step: a segment that begins closer begins on the guard
_APART = 1e-8  # of a step: zeros of a guard that lie closer together are not told apart
_MOST_EVENTS = 1000  # of a member: events that accumulate would never let it end

Members = npt.NDArray[np.intp]


class BatchEnding(IntEnum):
    """Reason for the end of a member of a batch."""

    ARRIVED = 0
    TERMINAL = 1  # at a guard without a reset
    OUT_OF_TIME = 2
    ACCUMULATING = 3  # events follow each other faster than can be told apart, or without end
    NOT_FINITE = 4


class BatchSimulation:
    """Members under way: their times, states and modes, and the signs of the guards ahead of them.

    x, before (n, k), t, guard, ended (k,): as in BatchPassage, ended is negative under way; mode
    (k,): numbers of modes in the order of the system. time: at the beginning, and the most [s].
    """

    def __init__(
        self,
        system: HybridSystem,
        mode: str,
        x0: State,
        guard: str,
        time: tuple[float, float],
        step: float,
    ) -> None:
        k = x0.shape[1]
        self._modes: tuple[HybridMode, ...] = tuple(system.modes.values())
        self._index = {one.name: i for i, one in enumerate(self._modes)}
        self._target, self._step = guard, step
        self._until = time[0] + time[1]
        self.x, self.before = x0.copy(), x0.copy()
        self.t = np.full(k, time[0], dtype=x0.dtype)
        self.mode = np.full(k, self._index[mode])
        self._events = np.zeros(k, dtype=np.intp)
        self.guard: npt.NDArray[Any] = np.full(k, "", dtype=object)
        self.ended = np.full(k, -1, dtype=np.int8)
        most = max(len(one.guards) for one in self._modes)
        self._sign = np.zeros((most, k))
        self._fresh = np.zeros((most, k), dtype=np.bool_)

    def run(self) -> None:
        """Simulate until every member has ended."""
        with np.errstate(over="ignore", invalid="ignore"):
            self._arm(np.arange(self.t.size))
            while (running := np.flatnonzero(self.ended < 0)).size:
                modes = self.mode[running]  # as they are before any of these members changes it
                for index in np.unique(modes):
                    self._advance(self._modes[index], running[modes == index])

    def _arm(self, members: Members) -> None:
        """Note the signs of the guards at the beginning of a segment.

        A value of zero up to rounding has the sign that it is about to take.
        """
        for index in np.unique(self.mode[members]):
            mode, here = self._modes[index], members[self.mode[members] == index]
            t, x = self.t[here].real, self.x[:, here].real
            for j, guard in enumerate(mode.guards):
                value, slope = value_and_slope(guard, mode.derivative, t, x)
                zero = np.abs(value) <= _ZERO * self._step * np.abs(slope)
                self._fresh[j, here] = zero
                self._sign[j, here] = np.sign(np.where(zero, slope, value))

    def _advance(self, mode: HybridMode, members: Members) -> None:
        """One step of members in one mode, up to an event where there is one."""
        t, x = self.t[members], self.x[:, members]
        left = self._until - t.real
        h = np.minimum(self._step, left)
        after = step_batch(mode.derivative, t, x, h)
        count = len(mode.guards)
        value = np.empty((count, members.size))
        for j, guard in enumerate(mode.guards):
            value[j] = np.real(guard.value(t + h, after))
        first, theta = self._first_guard(mode, members, (t, x, h), value)
        on = first < 0
        going = members[on]
        self.t[going] = (t + h)[on]
        self.x[:, going] = self.before[:, going] = after[:, on]
        self._sign[:count, going] = np.sign(value[:, on])
        self._fresh[:count, going] = False
        self.ended[going[(left <= self._step)[on]]] = BatchEnding.OUT_OF_TIME
        self.ended[going[~np.isfinite(after[:, on]).all(axis=0)]] = BatchEnding.NOT_FINITE
        for j in np.unique(first[~on]):
            hit = first == j
            part = (h * theta)[hit]
            there = step_batch(mode.derivative, t[hit], x[:, hit], part)
            clear = self._is_clear(mode, int(j), members[hit], (t[hit], there, part))
            self._pass_guard(mode.guards[j], members[hit], (t[hit] + part, there), clear)

    def _first_guard(
        self, mode: HybridMode, members: Members, start: tuple[State, State, Array], value: Array
    ) -> tuple[npt.NDArray[np.intp], State]:
        """Number of the first guard crossed in a step, -1 for none, and the fraction, (k,)."""
        t, x, h = start
        first = np.full(members.size, -1)
        theta = np.ones(members.size, dtype=x.dtype)
        for j, guard in enumerate(mode.guards):
            sign, fresh = self._sign[j, members], self._fresh[j, members]
            crossed = (value[j] * sign <= 0.0) & (sign != 0.0)
            if guard.direction != EITHER:
                crossed &= sign == -guard.direction
            at = np.flatnonzero(crossed)
            if not at.size:
                continue
            zero = fraction_of_zero(
                guard, mode.derivative, t[at], x[:, at], h[at], sign[at], fresh[at]
            )
            sooner = (first[at] < 0) | (zero.real < theta[at].real)
            first[at[sooner]] = j
            theta[at[sooner]] = zero[sooner]
        return first, theta

    def _is_clear(
        self, mode: HybridMode, j: int, members: Members, end: tuple[State, State, State]
    ) -> npt.NDArray[np.bool_]:
        """Mask of the members whose guard j goes through a zero at the end, not the first zero.

        end: time at the beginning of the step, state and duration at its end.
        """
        t, x, part = end[0].real, end[1].real, end[2].real
        _, slope = value_and_slope(mode.guards[j], mode.derivative, t + part, x)
        through = slope * self._sign[j, members] < 0.0
        return ~self._fresh[j, members] | (through & (part > _APART * self._step))

    def _pass_guard(
        self, guard: Guard, members: Members, at: tuple[State, State], clear: npt.NDArray[np.bool_]
    ) -> None:
        """Take members to a guard's zero, times (k,) and states (n, k), and the clear ones on."""
        self.t[members] = at[0]
        self.x[:, members] = self.before[:, members] = at[1]
        self.ended[members[~clear]] = BatchEnding.ACCUMULATING
        members, t, x = members[clear], at[0][clear], at[1][:, clear]
        if not members.size:
            return
        self.guard[members] = guard.name
        self._events[members] += 1
        if guard.reset is not None:
            transition = guard.reset(t, x)
            self.x[:, members] = transition.state
            self.mode[members] = self._index[transition.mode]
        if guard.name == self._target:
            self.ended[members] = BatchEnding.ARRIVED
        elif guard.reset is None:
            self.ended[members] = BatchEnding.TERMINAL
        else:
            self.ended[members[self._events[members] >= _MOST_EVENTS]] = BatchEnding.ACCUMULATING
            self._arm(members[self.ended[members] < 0])
