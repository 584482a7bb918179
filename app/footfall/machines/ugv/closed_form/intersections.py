"""Intersection of two spans of the curve of centres: a wheel touches two places there."""

import math
from functools import partial

import numpy as np
from scipy.optimize import brentq, root

from footfall.arrays import Array
from footfall.machines.ugv.closed_form.offsets import Span

SAME = 1e-7
"""Nearer places are one [m]; angles that differ by less are one [rad]."""

_POINTS = 1001
_BESIDE = 20  # points, by which straight lines between samples may miss a crossing


def intersection(one: Span, p1: float, two: Span, p0: float) -> tuple[float, float] | None:
    """Parameters at which two spans have the same centre, near given ones; None without such.

    The wheel leaves the first span there and goes on along the second, whose contact angle is
    larger. (Where a hollow is hardly tighter than the wheel, spans touch each other beside their
    meeting, and are one curve there: that is none.)
    """
    found = _polished(one, p1, two, p0)
    if _leads_on(one, two, found):
        return found
    near = _crossing(one, p1, two, p0)
    if near is None:  # they go on from each other without a corner, maybe
        return found if _leads_on(one, two, found, least=-SAME) else None
    found = _polished(one, near[0], two, near[1])
    return found if _leads_on(one, two, found) else near


def _polished(one: Span, p1: float, two: Span, p0: float) -> tuple[float, float]:
    """Newton's method in both parameters."""

    def apart(p: Array) -> list[float]:
        a, b = one.touch(p[:1]), two.touch(p[1:])
        return [float(a.s[0] - b.s[0]), float(a.z[0] - b.z[0])]

    def slopes(p: Array) -> list[list[float]]:
        a, b = one.touch(p[:1]), two.touch(p[1:])
        rise = a.rate * np.tan(a.beta), b.rate * np.tan(b.beta)
        return [[float(a.rate[0]), -float(b.rate[0])], [float(rise[0][0]), -float(rise[1][0])]]

    found = root(apart, [p1, p0], jac=slopes, options={"xtol": 1e-14})
    return float(found.x[0]), float(found.x[1])


def _leads_on(one: Span, two: Span, p: tuple[float, float], least: float = SAME) -> bool:
    """Return whether a wheel goes over from one span to the other at these parameters."""
    a, b = one.touch(np.array(p[:1])), two.touch(np.array(p[1:]))
    inside = one.begin - SAME <= p[0] <= one.end + SAME and (
        two.begin - SAME <= p[1] <= two.end + SAME
    )
    same = math.hypot(a.s[0] - b.s[0], a.z[0] - b.z[0]) <= SAME
    ahead = a.rate[0] > 0.0 and b.rate[0] > 0.0
    return bool(inside and same and ahead and b.beta[0] - a.beta[0] > least)


def _crossing(one: Span, p1: float, two: Span, p0: float) -> tuple[float, float] | None:
    """The same by where the heights of both curves over s cross, next to given parameters."""
    q1, q2 = _ahead(one, p1), _ahead(two, p0)
    at1, at2 = one.touch(q1), two.touch(q2)
    low, high = max(at1.s[0], at2.s[0]), min(at1.s[-1], at2.s[-1])
    if abs(high - low) <= SAME and low == at2.s[0] and high == at1.s[-1]:
        return float(q1[-1]), float(q2[0])  # one ends where the other begins
    if not low < high:
        return None

    def above(s: float) -> float:
        a, b = _at(one, q1, at1.s, s), _at(two, q2, at2.s, s)
        return float(two.touch(np.array([b])).z[0] - one.touch(np.array([a])).z[0])

    s = np.linspace(low, high, 2 * _POINTS)
    over = np.interp(s, at2.s, at2.z) >= np.interp(s, at1.s, at1.z)
    rises = np.flatnonzero(~over[:-1] & over[1:])
    if rises.size == 0:
        return None
    wanted = 0.5 * float(one.touch(np.array([p1])).s[0] + two.touch(np.array([p0])).s[0])
    k = rises[np.abs(s[rises] - wanted).argmin()]
    a, b = float(s[max(k - _BESIDE, 0)]), float(s[min(k + 1 + _BESIDE, len(s) - 1)])
    if not above(a) < 0.0 < above(b):
        return None
    met = float(brentq(above, a, b, xtol=1e-15))
    return _at(one, q1, at1.s, met), _at(two, q2, at2.s, met)


def _at(span: Span, q: Array, at: Array, s: float) -> float:
    """The parameter of a centre at s among q, at which the centres `at` go ahead."""
    k = int(np.clip(np.searchsorted(at, s), 1, len(q) - 1))
    if not at[k - 1] < s < at[k]:
        return float(q[k - 1] if s <= at[k - 1] else q[k])
    away = partial(_away, span, s)
    return float(brentq(away, q[k - 1], q[k], xtol=1e-16))


def _away(span: Span, s: float, p: float) -> float:
    return float(span.touch(np.array([p])).s[0] - s)


def _ahead(span: Span, p: float) -> Array:
    """Parameters around p, no farther than a wheel reaches, between which the centre goes ahead."""
    reach = 2.0 * span.r
    low, high = max(span.begin, p - reach), min(span.end, p + reach)
    q = np.unique(np.concatenate((np.linspace(low, p, _POINTS), np.linspace(p, high, _POINTS))))
    stops = span.touch(q).rate <= 0.0
    k = int(np.searchsorted(q, p))
    before, behind = np.flatnonzero(stops[:k]), np.flatnonzero(stops[k + 1 :])
    first = before[-1] + 1 if before.size else 0
    last = k + behind[0] if behind.size else len(q) - 1
    return q[first : last + 1]
