"""Functions of time made of polynomials, one after the other, each in its own local time."""

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.polynomial.polynomial import polyval
from scipy.optimize import brentq

from footfall.arrays import Array
from footfall.checked import FINITE, Checked

Number = Any  # a number or an array, real or complex

# s: far above what rounding leaves of a time, so that whoever stops at an end of a segment can tell
# it from the next one
_SHORTEST = 1e-9


@dataclass(frozen=True)
class Segment(Checked):
    """A polynomial a0 + a1 s + a2 s^2 + ... of the local time s = t - start, from start to end.

    start, end [s]; coefficients (a0, a1, ...), in the unit of the function per second to the power
    of their place. Raises ValueError, one line, for an end less than 1 ns after the start, for no
    coefficients, and for numbers that are not finite, the values within the segment included.
    """

    start: float = field(metadata=FINITE)
    end: float = field(metadata=FINITE)
    coefficients: tuple[float, ...] = field(metadata=FINITE)

    def __post_init__(self) -> None:
        """Refuse what is no function on an interval."""
        super().__post_init__()
        if not self.end > self.start:
            raise ValueError(
                f"it starts at {self.start:g} s and ends at {self.end:g} s: let it end later than "
                "it starts"
            )
        if not self.end - self.start >= _SHORTEST:
            raise ValueError(
                f"it lasts {self.end - self.start:.3g} s from {self.start:g} s on: let it last "
                f"{_SHORTEST:g} s at least, or leave it out"
            )
        if not self.coefficients:
            raise ValueError("it has no coefficients: give [a0, a1, ...], or [0.0] for zero")
        if not np.isfinite(self._over_whole()).all():
            raise ValueError("its values overflow before its end: give smaller coefficients")

    def value(self, time: Number) -> Number:
        """Value at times [s] of any shape, real or complex, within the segment or not."""
        s = time - self.start
        total = self.coefficients[-1] + 0.0 * s
        for coefficient in self.coefficients[-2::-1]:
            total = total * s + coefficient
        return total

    def derivative(self) -> "Segment":
        """Rate of change, on the same interval."""
        slopes = [power * a for power, a in enumerate(self.coefficients)][1:]
        return Segment(self.start, self.end, tuple(slopes) or (0.0,))

    def mean(self, begin: float, end: float) -> float:
        """Mean over a time from begin to end [s], within the segment or not.

        The integral of s^k over [p, q] is (q - p) (p^k + p^(k-1) q + ... + q^k)/(k + 1): nothing
        cancels, however short the time is.
        """
        p, q = begin - self.start, end - self.start
        total, powers, last = 0.0, 0.0, 1.0
        for power, coefficient in enumerate(self.coefficients):
            powers = powers * p + last  # p^k + p^(k-1) q + ... + q^k
            last *= q
            total += coefficient * powers / (power + 1)
        return total

    def extremes(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """(time, value) of the lowest and of the highest value, both ends counted in."""
        places = _turning_places(self._over_whole())
        length = self.end - self.start
        times = [self.start, *(self.start + share * length for share in places), self.end]
        values = [(float(self.value(time)), time) for time in times]
        (lowest, at_lowest), (highest, at_highest) = min(values), max(values)
        return (at_lowest, lowest), (at_highest, highest)

    def _over_whole(self) -> Array:
        """Coefficients in the part of the segment that is over, from 0 to 1."""
        with np.errstate(over="ignore", under="ignore"):
            return np.array(self.coefficients) * (self.end - self.start) ** np.arange(
                len(self.coefficients), dtype=np.float64
            )


@dataclass(frozen=True)
class Piecewise:
    """Segments one after the other from time 0 on, right-continuous where they meet.

    Raises ValueError, one line, for a first segment that does not start at 0, for gaps and for
    overlaps. No segments at all are allowed.
    """

    segments: tuple[Segment, ...]

    def __post_init__(self) -> None:
        """Refuse segments that leave times without a value, or give two."""
        due = 0.0
        for k, segment in enumerate(self.segments):
            if segment.start != due:
                raise ValueError(_misfit(k, segment.start, due))
            due = segment.end

    @cached_property
    def breaks(self) -> tuple[float, ...]:
        """Times [s] at which a segment ends, increasing; the last is the end of the function."""
        return tuple(segment.end for segment in self.segments)

    def piece(self, time: float) -> int:
        """Number of the segment in force at a time [s]; one past the last from its end on."""
        return bisect_right(self.breaks, time)


def _turning_places(coefficients: Array) -> list[float]:
    """Places from 0 to 1, ends left out, where a polynomial may turn, growing.

    coefficients (a0, a1, ...). Between two places at which the rate of change itself may turn it is
    monotone, so that a change of its sign there is one root. A matrix whose eigenvalues are the
    roots would lose them where the last coefficient is small.
    """
    rates = np.arange(1, len(coefficients)) * coefficients[1:]
    if len(rates) < 2:
        return []
    bends = _turning_places(rates)
    roots = []
    for begin, end in pairwise([0.0, *bends, 1.0]):
        signs = np.sign(polyval([begin, end], rates))
        if signs[0] * signs[1] < 0.0:
            roots.append(float(brentq(polyval, begin, end, args=(rates,))))
    return sorted([*bends, *roots])


def _misfit(k: int, start: float, due: float) -> str:
    """Return what is wrong with the start of segment k."""
    if k == 0:
        return f"segment 0 starts at {start!r} s: let the first one start at 0"
    wrong = "leaves a gap" if start > due else "overlaps it"
    return (
        f"segment {k} starts at {start!r} s, segment {k - 1} ends at {due!r} s, so that it "
        f"{wrong}: let it start at {due!r}"
    )
