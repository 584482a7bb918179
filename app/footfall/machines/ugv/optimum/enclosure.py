"""Interval enclosure of what the vehicle may need at a position with angles of a cell.

With one wheel's place known, the other's hangs on the wheelbase alone and moves away as it grows,
so that two poses enclose it. Height and contact angle there are read from close samples of the
curve, widened by what it may bend between them, which is measured from the samples; all else is
arithmetic of intervals.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.machines.ugv.closed_form.position import pose
from footfall.machines.ugv.optimum.crossings import crossing
from footfall.machines.ugv.optimum.intervals import Interval
from footfall.machines.ugv.optimum.problem import BESIDE, Problem

_APART = 5e-4  # m: samples of the curve
_SAFE = 2.0  # times the bend that is measured
_ROUNDING = 1e-9  # m: of a place that Newton's method found


class Enclosed(NamedTuple):
    """Torque [N m], required friction, smaller normal force [N] and potential energy [J] of cells.

    Arrays of intervals.
    """

    torque: Interval
    required: Interval
    normal: Interval
    potential: Interval


@dataclass(frozen=True, eq=False)
class Cells:
    """Boxes of angles [rad], arrays (m,)."""

    r: Interval
    f: Interval

    @property
    def middles(self) -> "Cells":
        """Middles of the boxes, boxes without width."""
        a, b = 0.5 * (self.r.lo + self.r.hi), 0.5 * (self.f.lo + self.f.hi)
        return Cells(Interval(a, a), Interval(b, b))

    def at(self, mask: npt.NDArray[np.bool_]) -> "Cells":
        """Some of them."""
        r, f = self.r, self.f
        return Cells(Interval(r.lo[mask], r.hi[mask]), Interval(f.lo[mask], f.hi[mask]))

    def quarters(self) -> "Cells":
        """Each cut in four."""
        r, f, middles = self.r, self.f, self.middles
        a, b = middles.r.lo, middles.f.lo
        return Cells(
            Interval(np.concatenate((r.lo, r.lo, a, a)), np.concatenate((a, a, r.hi, r.hi))),
            Interval(np.concatenate((f.lo, b, f.lo, b)), np.concatenate((b, f.hi, b, f.hi))),
        )


class Enclosure:
    """Enclosures along the curve of a problem."""

    def __init__(self, problem: Problem) -> None:
        """Sample the curve."""
        self._problem, curve = problem, problem.curve
        count = int((curve.end - curve.begin) / _APART) + 2
        s = np.linspace(curve.begin, curve.end, count)
        sides = np.concatenate((curve.nonsmooth_points - BESIDE, curve.nonsmooth_points + BESIDE))
        s = np.unique(np.concatenate((s, sides[(sides > curve.begin) & (sides < curve.end)])))
        at, part = curve.at(s), curve.part_of(s)
        self._s = s
        self._beta, self._z = _Extremes(at.beta, s, part), _Extremes(at.z, s, part)

    def at(self, s: float, cells: Cells, *, rear: bool = False) -> Enclosed:
        """All that is enclosed with the front wheel's centre at a place [m], or the rear one's."""
        given = self._problem.parameters
        own_x, own_z, base = self._base(cells)
        known = self._at(Interval(np.full(base.lo.shape, s), np.full(base.lo.shape, s)))
        other = self._at(self._other(s, base, rear=rear))
        back, front = (known, other) if rear else (other, known)
        d_x, d_z = front.s - back.s, front.z - back.z
        psi = d_z.over(d_x).atan() - own_z.over(own_x).atan()
        hips = given.L * psi.cos() - 2.0 * given.l * (psi - cells.r).cos()
        upper, lower = 0.5 * (given.m_b + given.m_l), 0.5 * given.m_l + given.m_w
        arm = (given.g / given.weight) * (upper * hips + lower * d_x)
        cosine, sine = front.beta.cos(), front.beta.sin()
        along = 2.0 * given.r + (d_x * sine - d_z * cosine)
        across = d_x * cosine + d_z * sine
        apart, slope = front.beta - back.beta, back.beta.sin()
        cosine, sine = apart.cos(), apart.sin()
        determinant = (1.0 + cosine) * across + sine * along
        friction = given.weight * (slope * across + arm * sine).over(determinant)
        normal_f = given.weight * ((1.0 + cosine) * arm - along * slope).over(determinant)
        normal_r = given.weight * back.beta.cos() - friction * sine - normal_f * cosine
        required = friction.size().over(normal_r).larger(friction.size().over(normal_f))
        hips = given.L * psi.sin() - 2.0 * given.l * (psi - cells.r).sin()
        lifted = upper * (2.0 * back.z + hips) + lower * (back.z + front.z)
        normal = -(-normal_r).larger(-normal_f)
        return Enclosed(given.r * friction, required, normal, given.g * lifted)

    def reached(self, rear: float, least: float, most: float) -> Interval:
        """Abscissas of the front wheel [m] with the rear one's centre at a place, of any angles.

        least, most [rad]: of both angles.
        """
        every = box(least, most, 1)
        return self._other(rear, self._base(every)[2], rear=True)

    def _base(self, cells: Cells) -> tuple[Interval, Interval, Interval]:
        """From the rear to the front wheel's centre in the body's axes, and the wheelbase [m]."""
        given = self._problem.parameters
        x = given.L - given.l * (cells.r.cos() + cells.f.cos())
        z = given.l * (cells.r.sin() - cells.f.sin())
        return x, z, (x.square() + z.square()).root()

    def _at(self, s: Interval) -> "_Wheel":
        first = np.maximum(np.searchsorted(self._s, s.lo, side="right") - 1, 0)
        last = np.minimum(np.searchsorted(self._s, s.hi, side="left"), len(self._s) - 1)
        z, beta = self._z.within(first, last), self._beta.within(first, last)
        curve = self._problem.curve
        narrow = (s.hi - s.lo < _APART) & (s.lo >= curve.begin) & (s.hi <= curve.end)
        narrow &= curve.part_of(s.lo) == curve.part_of(s.hi)
        if narrow.any():
            ends = (s.lo[narrow], s.hi[narrow])
            low, high = (curve.at(one) for one in ends)
            for found, read, values in (
                (z, self._z, (low.z, high.z)),
                (beta, self._beta, (low.beta, high.beta)),
            ):
                between = read.between(*values, ends[1] - ends[0])
                found.lo[narrow] = np.maximum(found.lo[narrow], between.lo)
                found.hi[narrow] = np.minimum(found.hi[narrow], between.hi)
        return _Wheel(s, z, beta)

    def _other(self, s: float, base: Interval, *, rear: bool) -> Interval:
        """Abscissas of the other wheel [m], of vehicles whose wheels are apart."""
        problem, given = self._problem, self._problem.parameters
        least = 2.0 * given.r * (1.0 + 1e-12)
        ends = []
        for radius in (np.maximum(base.lo, least), np.maximum(base.hi, least)):
            # equal angles that make this wheelbase
            phi = np.arccos(np.clip((given.L - radius) / (2.0 * given.l), -1.0, 1.0))
            if rear:
                still = np.zeros_like(phi)
                ends.append(crossing(problem, s, s + radius, (phi, still), (phi, still))[0])
            else:
                ends.append(pose(given, problem.curve, s, phi, phi).rear.s)
        low, high = ends if rear else ends[::-1]
        return Interval(low - _ROUNDING, high + _ROUNDING)


class _Wheel(NamedTuple):
    """Centre of a wheel [m] and its contact angle [rad]."""

    s: Interval
    z: Interval
    beta: Interval


class _Extremes:
    """Least and largest values of samples (n,) between any two of them."""

    def __init__(self, values: Array, s: Array, part: npt.NDArray[np.intp]) -> None:
        low, high = [values], [values]
        width = 1
        while 2 * width <= len(values):
            low.append(np.minimum(low[-1][:-width], low[-1][width:]))
            high.append(np.maximum(high[-1][:-width], high[-1][width:]))
            width *= 2
        self._low, self._high = low, high
        same = (
            (part[2:] == part[:-2])
            & (np.diff(s)[1:] > 0.1 * _APART)
            & (np.diff(s)[:-1] > 0.1 * _APART)
        )
        bends = np.diff(np.diff(values) / np.diff(s)) / (0.5 * (s[2:] - s[:-2]))
        most = np.abs(bends[same]).max(initial=0.0)
        self._bend = _SAFE * most
        self._margin = self._bend * _APART**2 / 8.0

    def between(self, first: Array, last: Array, apart: Array) -> Interval:
        """Extremes between places whose values are known, apart [m], with no kink between."""
        off = self._bend * apart**2 / 8.0 + _ROUNDING
        return Interval(np.minimum(first, last) - off, np.maximum(first, last) + off)

    def within(self, first: npt.NDArray[np.intp], last: npt.NDArray[np.intp]) -> Interval:
        """Extremes from the first to the last sample, both included."""
        level = np.floor(np.log2(last - first + 1)).astype(int)
        lo, hi = np.empty(first.shape), np.empty(first.shape)
        for k in np.unique(level):
            here = level == k
            a, b = first[here], last[here] - 2**k + 1
            lo[here] = np.minimum(self._low[k][a], self._low[k][b])
            hi[here] = np.maximum(self._high[k][a], self._high[k][b])
        return Interval(lo - self._margin, hi + self._margin)


def box(least: float, most: float, parts: int) -> Cells:
    """All angles between two ends [rad], in parts times parts cells."""
    ends = np.linspace(least, most, parts + 1)
    r, f = np.divmod(np.arange(parts * parts), parts)
    return Cells(Interval(ends[r], ends[r + 1]), Interval(ends[f], ends[f + 1]))
