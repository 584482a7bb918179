"""Numbers that carry their first and second derivative: exact but for rounding.

A jet is a function of one variable at some places, truncated after its second derivative. Sums,
products, quotients and roots of jets follow the rules of differentiation, so that a formula gives
its derivatives with it. Values are real or complex arrays of any shape; the variable is real.
"""

from dataclasses import dataclass
from typing import Any, Union

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Operand = Union["Jet", complex, Array]


@dataclass(frozen=True, slots=True)
class Jet:
    """A value, its first and its second derivative: arrays of one shape, or that broadcast."""

    value: Any
    first: Any
    second: Any

    # numpy leaves array * jet to the jet
    __array_ufunc__ = None

    def __add__(self, other: Operand) -> "Jet":
        if isinstance(other, Jet):
            return Jet(
                self.value + other.value, self.first + other.first, self.second + other.second
            )
        return Jet(self.value + other, self.first, self.second)

    __radd__ = __add__

    def __neg__(self) -> "Jet":
        return Jet(-self.value, -self.first, -self.second)

    def __sub__(self, other: Operand) -> "Jet":
        if isinstance(other, Jet):
            return Jet(
                self.value - other.value, self.first - other.first, self.second - other.second
            )
        return Jet(self.value - other, self.first, self.second)

    def __rsub__(self, other: complex | Array) -> "Jet":
        return Jet(other - self.value, -self.first, -self.second)

    def __mul__(self, other: Operand) -> "Jet":
        if isinstance(other, Jet):
            return Jet(
                self.value * other.value,
                self.first * other.value + self.value * other.first,
                self.second * other.value
                + 2.0 * self.first * other.first
                + self.value * other.second,
            )
        return Jet(self.value * other, self.first * other, self.second * other)

    __rmul__ = __mul__

    def __truediv__(self, other: Operand) -> "Jet":
        if isinstance(other, Jet):
            value = self.value / other.value
            first = (self.first - value * other.first) / other.value
            second = self.second - 2.0 * first * other.first - value * other.second
            return Jet(value, first, second / other.value)
        return self * (1.0 / other)

    def __rtruediv__(self, other: complex | Array) -> "Jet":
        return constant(other) / self

    def conj(self) -> "Jet":
        """The complex conjugate."""
        return Jet(np.conj(self.value), np.conj(self.first), np.conj(self.second))

    @property
    def real(self) -> "Jet":
        """The real part."""
        return Jet(np.real(self.value), np.real(self.first), np.real(self.second))

    @property
    def imag(self) -> "Jet":
        """The imaginary part."""
        return Jet(np.imag(self.value), np.imag(self.first), np.imag(self.second))

    def velocity(self, rate: float | Array) -> Array:
        """Its rate of change in time while the variable changes at a rate: of (20) to (22)."""
        return np.asarray(self.first * rate)

    def acceleration(self, rate: float | Array, change: float | Array) -> Array:
        """Its second derivative in time, of the variable's rate and that one's change."""
        return np.asarray(self.second * np.square(rate) + self.first * change)


def constant(value: complex | Array) -> Jet:
    """Return what does not depend on the variable."""
    return Jet(value, 0.0, 0.0)


def turning(angle: float | Array) -> Jet:
    """e^(j angle), the angle being the variable."""
    value = np.exp(1j * np.asarray(angle, dtype=float))
    return Jet(value, 1j * value, -value)


def square_root(jet: Jet) -> Jet:
    """Root of a real, positive jet."""
    value = np.sqrt(jet.value)
    first = 0.5 * jet.first / value
    return Jet(value, first, (0.5 * jet.second - first * first) / value)


def squared_length(jet: Jet) -> Jet:
    """|z|^2 of a complex jet, a real one."""
    return (jet * jet.conj()).real


def angle(direction: Jet, about: complex) -> Jet:
    """Angle [rad] of a complex unit jet, within pi of the direction ``about``."""
    value = np.angle(direction.value / about) + np.angle(about)
    rate = direction.first / direction.value
    return Jet(value, np.imag(rate), np.imag(direction.second / direction.value - rate * rate))


def stacked(jets: list[Jet], shape: tuple[int, ...]) -> Jet:
    """Jets as one, its first axis counting them; each is broadcast to a shape."""
    rows = []
    for name in ("value", "first", "second"):
        parts = [getattr(jet, name) for jet in jets]
        row = np.empty((len(parts), *shape), np.result_type(*parts))
        for index, part in enumerate(parts):
            row[index] = part
        rows.append(row)
    return Jet(*rows)
