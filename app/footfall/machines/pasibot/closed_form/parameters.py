"""Every number of PASIBOT with where it comes from: printed, fitted or assumed.

The document prints the lengths in units of the crank l8 and, in the text alone, a few results. Its
tables of masses, the length l8 itself, the foot and all figures are lost.
"""

import math
from dataclasses import dataclass, field, fields
from typing import Literal, NamedTuple, get_args

from footfall.machines.pasibot.closed_form.linkage import Lengths, refuse_open_loops

Origin = Literal["published", "fitted", "assumed"]
Knee = Literal["forward", "rearward"]
SlotEnd = Literal["behind", "ahead"]


class Source(NamedTuple):
    """Source of a number: unit, origin, and the place in the document or the reason."""

    unit: str
    origin: Origin
    reason: str


def _source(unit: str, origin: Origin, reason: str) -> dict[str, Source]:
    """Metadata of a field."""
    return {"source": Source(unit, origin, reason)}


def _of(default: float, unit: str, origin: Origin, reason: str) -> float:
    """A number with its source."""
    number: float = field(default=default, metadata=_source(unit, origin, reason))
    return number


@dataclass(frozen=True)
class PasibotParameters:
    """Geometry, masses and friction; lengths of links in units of the crank, l8.

    Links are uniform slender bars of one `density`, their mass in proportion to their length; the
    crank reaches to both sides of its axis. The hip weighs `hip_share` of all without the load.
    `sources` says where each number comes from. Raises ValueError for numbers that no machine can
    have, and for loops that do not close all the way round.
    """

    # scales
    l8: float = _of(0.027346, "m", "fitted", "with density: mu = 0.08 at 3 rad/s, section 7.2")
    density: float = _of(1.7339, "kg/m", "fitted", "with l8: 0.84 N m to start, section 6")
    hip_share: float = _of(0.1, "1", "assumed", "share of the hip in the mass; table lost")
    hip_load: float = _of(0.0, "kg", "published", "none unless said; 5, 10, 15 in figure 12")
    g: float = _of(9.81, "m/s^2", "assumed", "the document is silent")
    # Chebyshev
    base: float = _of(2.0, "l8", "published", "lAB, section 3, item 1")
    l7: float = _of(5.0, "l8", "published", "connecting rod, section 3, item 1")
    l9: float = _of(2.5, "l8", "published", "rocker, section 3, item 1")
    # pantograph
    l6: float = _of(6.0, "l8", "published", "tendons l4 = l6, section 3, item 2")
    femur_part: float = _of(3.0, "l8", "published", "lCF, section 3, item 2")
    drop: float = _of(12.0, "l8", "published", "lBD, section 3, item 2")
    amplification: float = _of(2.0, "1", "published", "section 3; gives l2 = 18, l3 = 9, l4")
    # stability
    l10: float = _of(4.2, "l8", "published", "stabilising link, section 3, item 3")
    slot: float = _of(4.0, "l8", "published", "depth of the slot, section 3, item 3")
    femur_bar: float = _of(1.5, "l8", "assumed", "offset of link 11 towards the slot; lost")
    tibia_bar: float = _of(1.5, "l8", "assumed", "offset of link 12 towards the slot; lost")
    knee: Knee = field(default="forward", metadata=_source("", "assumed", "figure 4 lost"))
    slot_end: SlotEnd = field(default="behind", metadata=_source("", "assumed", "figure 8 lost"))
    # bodies without a printed shape
    foot_length: float = _of(12.0, "l8", "assumed", "longer than the step of 8; lost")
    foot_ahead: float = _of(1.0, "l8", "assumed", "middle of the foot ahead of the ankle")
    ankle_height: float = _of(1.0, "l8", "assumed", "ankle over the floor; foot's mass half up")
    hip_rear: float = _of(2.0, "l8", "assumed", "mass centre of the hip behind A: on BD")
    hip_down: float = _of(6.0, "l8", "assumed", "mass centre of the hip below A: middle of BD")
    # friction between foot and floor
    mu_s: float = _of(0.2, "1", "published", "figure 19; static")
    mu_k: float = _of(0.2, "1", "published", "figure 19; kinetic, 0.1 and 0.05 as well")

    def __post_init__(self) -> None:
        """Refuse numbers without meaning, and linkages that jam."""
        for each in fields(self):
            name, unit, value = each.name, each.metadata["source"].unit, getattr(self, each.name)
            if unit and not (isinstance(value, int | float) and math.isfinite(value)):
                raise ValueError(f"{name} must be a finite number, got {value!r}")
            if name in _POSITIVE and value <= 0.0:
                raise ValueError(f"{name} must be positive, got {value}")
            if name in _NOT_NEGATIVE and value < 0.0:
                raise ValueError(f"{name} must not be negative, got {value}")
        if self.hip_share >= 1.0:
            raise ValueError(f"hip_share must be below 1, got {self.hip_share}")
        if self.mu_k > self.mu_s:
            raise ValueError(
                f"mu_k = {self.mu_k} above mu_s = {self.mu_s}: sliding would hold better than rest"
            )
        for name, choices in (("knee", get_args(Knee)), ("slot_end", get_args(SlotEnd))):
            if getattr(self, name) not in choices:
                raise ValueError(f"{name} must be one of {choices}, got {getattr(self, name)!r}")
        refuse_open_loops(self.lengths)

    @property
    def lengths(self) -> Lengths:
        """Return what the loops are made of, in units of l8."""
        return Lengths(
            self.base,
            self.l7,
            self.l9,
            self.femur_part,
            self.l6,
            self.drop,
            self.amplification,
            self.l10,
            self.slot,
            1.0 if self.knee == "forward" else -1.0,
            1.0 if self.slot_end == "behind" else -1.0,
            self.femur_bar,
            self.tibia_bar,
        )


_POSITIVE = (
    *("l8", "density", "g", "base", "l7", "l9", "l6", "femur_part", "drop", "amplification"),
    *("l10", "slot", "femur_bar", "tibia_bar", "foot_length"),
)
_NOT_NEGATIVE = ("hip_share", "hip_load", "ankle_height", "mu_s", "mu_k")


def sources() -> dict[str, Source]:
    """Source of every field of `PasibotParameters` by its name."""
    return {each.name: each.metadata["source"] for each in fields(PasibotParameters)}


TEXT = PasibotParameters()
