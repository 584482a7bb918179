"""Arithmetic of intervals: ends that no number of the operands leaves, rounded outwards."""

import math
from dataclasses import dataclass

import numpy as np

from footfall.arrays import Array

_ULPS = 4.0  # by which sines, cosines and arc tangents of libraries may be off
_EPS = float(np.finfo(float).eps)


@dataclass(frozen=True, eq=False)
class Interval:
    """Lower and upper ends, arrays of one shape."""

    lo: Array
    hi: Array

    def __add__(self, other: "Interval | float") -> "Interval":
        """Every sum."""
        b = as_interval(other)
        return _out(self.lo + b.lo, self.hi + b.hi)

    __radd__ = __add__

    def __neg__(self) -> "Interval":
        """Every negative."""
        return Interval(-self.hi, -self.lo)

    def __sub__(self, other: "Interval | float") -> "Interval":
        """Every difference."""
        return self + (-as_interval(other))

    def __rsub__(self, other: "Interval | float") -> "Interval":
        """Every difference, this one taken away."""
        return as_interval(other) - self

    def __mul__(self, other: "Interval | float") -> "Interval":
        """Every product."""
        b = as_interval(other)
        ends = np.array(
            np.broadcast_arrays(*(x * y for x in (self.lo, self.hi) for y in (b.lo, b.hi)))
        )
        return _out(ends.min(axis=0), ends.max(axis=0))

    __rmul__ = __mul__

    def over(self, other: "Interval") -> "Interval":
        """Every quotient by what is positive; all numbers where the divisor may be 0 or less."""
        fine = other.lo > 0.0
        low, high = np.where(fine, other.lo, 1.0), np.where(fine, other.hi, 1.0)
        ends = np.array([self.lo / low, self.lo / high, self.hi / low, self.hi / high])
        found = _out(ends.min(axis=0), ends.max(axis=0))
        return Interval(np.where(fine, found.lo, -np.inf), np.where(fine, found.hi, np.inf))

    def square(self) -> "Interval":
        """Every square."""
        size = self.size()
        return _out(size.lo * size.lo, size.hi * size.hi)

    def root(self) -> "Interval":
        """Every square root of what is not negative."""
        return _out(np.sqrt(np.maximum(self.lo, 0.0)), np.sqrt(np.maximum(self.hi, 0.0)))

    def size(self) -> "Interval":
        """Every absolute value."""
        inside = (self.lo <= 0.0) & (self.hi >= 0.0)
        low, high = np.abs(self.lo), np.abs(self.hi)
        return Interval(np.where(inside, 0.0, np.minimum(low, high)), np.maximum(low, high))

    def larger(self, other: "Interval") -> "Interval":
        """The larger of every pair."""
        return Interval(np.maximum(self.lo, other.lo), np.maximum(self.hi, other.hi))

    def atan(self) -> "Interval":
        """Every arc tangent."""
        return _wide(np.arctan(self.lo), np.arctan(self.hi))

    def cos(self) -> "Interval":
        """Every cosine."""
        a, b = np.cos(self.lo), np.cos(self.hi)
        found = _wide(np.minimum(a, b), np.maximum(a, b))
        turn = 2.0 * math.pi
        # a whole turn, or half a turn more, lies within; a little early rather than late
        top = np.floor((self.hi + 1e-12) / turn) >= np.ceil((self.lo - 1e-12) / turn)
        bottom = np.floor((self.hi + 1e-12) / turn - 0.5) >= np.ceil((self.lo - 1e-12) / turn - 0.5)
        return Interval(np.where(bottom, -1.0, found.lo), np.where(top, 1.0, found.hi))

    def sin(self) -> "Interval":
        """Every sine."""
        return (self - 0.5 * math.pi).cos()


def as_interval(value: "Interval | float | Array") -> Interval:
    """A number as an interval without width."""
    if isinstance(value, Interval):
        return value
    ends = np.asarray(value, dtype=float)
    return Interval(ends, ends)


def _out(low: Array, high: Array) -> Interval:
    return Interval(np.nextafter(low, -np.inf), np.nextafter(high, np.inf))


def _wide(low: Array, high: Array) -> Interval:
    return Interval(low - _ULPS * _EPS * np.abs(low), high + _ULPS * _EPS * np.abs(high))
