"""Status of a guard at an instant: its value, its rate, and the rounding of both."""

from typing import NamedTuple

import numpy as np

from footfall.arrays import Array
from footfall.hybrid.complex_step import STEP, perturbed
from footfall.hybrid.model import EITHER, Guard, HybridMode

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
        direction = was.rate_sign if guard.direction == EITHER else guard.direction
        closing = now.rate_sign != 0 and now.rate_sign == direction
        if guard.name == fired or (guard.name in spent and closing):
            still.add(guard.name)
            continue
        at_zero = max(abs(was.value), abs(now.value)) <= here
        if at_once is None and guard.name in known and at_zero and closing:
            at_once = index
    return Entry(np.array(noise), leaves, at_once, frozenset(still))


def _leaves(guard: Guard, stands: GuardStatus) -> bool:
    """Return whether a guard moves against its direction."""
    return guard.direction != EITHER and stands.rate_sign == -guard.direction
