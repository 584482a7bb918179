"""Accumulation of events: infinitely many of one guard before a finite time (Zeno).

Intervals between events that shrink like a geometric series, D_k+1 = r D_k, end at

    t_inf = t_k + D_k r / (1 - r),    x_inf = x_k + (x_k - x_k-1) r / (1 - r)

(Aitken's extrapolation), exactly for a ball that bounces on resting ground, where r = e, and up to
the square of the intervals otherwise. The limit is believed when the time left is short.
"""

from collections import deque
from itertools import pairwise
from typing import NamedTuple

from footfall.arrays import Array

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
        found = _limit(seen, ratio)
        return found if found.time - time <= self._left else None

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
