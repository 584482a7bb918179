"""Lengths and masses of the half vehicle."""

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class UgvParameters:
    """The half vehicle: a body, two legs, two wheels; the letters are the document's.

    L, l [m]: of the body between its hips, of a leg from hip to axle. r [m]: radius of the wheels.
    m_w, m_b, m_l [kg]: a wheel, the body, a leg. g [m/s^2]. half_height [m]: by how much the belly
    lies below the line of the hips. r, half_height and the places of the centres of mass, which are
    the middles, are assumed, as is that the masses are those of the half vehicle: the document does
    not say. Raises ValueError, one line, for lengths and masses that make no vehicle.
    """

    L: float = 0.83
    l: float = 0.35
    r: float = 0.30
    m_w: float = 50.0
    m_b: float = 300.0
    m_l: float = 20.0
    g: float = 9.81
    half_height: float = 0.10

    def __post_init__(self) -> None:
        """Refuse what is no vehicle."""
        for name in ("L", "l", "r", "m_w", "m_b", "m_l", "g", "half_height"):
            value = getattr(self, name)
            least = 0.0 if name in ("m_w", "m_l", "half_height") else None
            if not math.isfinite(value) or (value <= 0.0 if least is None else value < least):
                wanted = "positive" if least is None else "not negative"
                raise ValueError(f"{name} is {value}: give a finite number that is {wanted}")
        if 2.0 * self.r >= self.L + 2.0 * self.l:
            raise ValueError(
                f"wheels of radius {self.r:g} m touch each other even with both legs stretched"
            )

    @property
    def weight(self) -> float:
        """Weight of the whole [N]."""
        return (2.0 * self.m_w + self.m_b + 2.0 * self.m_l) * self.g
