"""PASIBOT: its numbers with their sources, its links, and one leg seen from its hip.

Hip frame as complex numbers z = x + j y in units of the crank, l8: x to the rear, y downwards, the
motor's axis A at 0, the rocker's pivot B at `base`, the leg's pivot D below B. Angles turn from x
to y, which is counter-clockwise for somebody who sees the machine walk to the right.

Links: 1 foot, 2 tibia, 3 femur, 4 lower tendon, 5 knee plate, 6 upper tendon, 7 connecting rod, 8
crank, 9 rocker, 10 stabiliser, 11 and 12 bars along femur and tibia, 13 hip. Points, with what they
join: P crank and rod, M rod and rocker, C rod, femur and stabiliser, F femur and upper tendon, K
femur, tibia and knee plate, G tibia and lower tendon, E tibia and foot, D both tendons and hip, S
the stabiliser's end in the slot of the hip. U, W, X, Y, which the document does not name: ends of
the bars, 11 from U on the stabiliser to W on the knee plate, 12 from X there to Y on the foot.

The document prints the lengths in units of l8 and, in the text alone, a few results. Lost are its
tables of masses, l8 itself, the foot, all figures and (3) to (11), which follow from the lengths.
A leg's three loops are solved one after the other and have two assemblies each. That of the rod is
the one whose point C passes along the slot; knee and end of the slot are left to choose.

A leg has the links 1 to 7 and 9 to 12; the crank 8 and the hip 13 are common. The supporting leg's
are named by their number, the other's by the number with a prime. (18) goes through the links in
the order of LINKS, and "j < i" in it means j before i there. 23 links without the supporting foot,
16 revolute pairs a leg and the motor's axis, a slot a leg: 23 * 3 = 69 = 33 * 2 + 2 + 1. Where
three links share one axis (C, K) or a leg's two tendons meet the hip (D), which two make a pair is
lost with figure 9: at C the rod carries femur and stabiliser, at K the femur carries tibia and knee
plate, at D the hip carries each tendon [assumed].

Source: E. Corral, J. Meneses, J. C. Garcia-Prada: Forward and inverse dynamics and quasi-static
analysis of mechanizes with MATLAB, InTech 2016, doi 10.5772/63372, section 3.
"""

import math
from dataclasses import dataclass, field, fields, replace
from typing import Literal, NamedTuple, get_args

import numpy as np

from footfall.arrays import Array
from footfall.machines.pasibot.closed_form.jets import (
    Jet,
    constant,
    square_root,
    squared_length,
    turning,
)

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
        refuse_open_loops(self)

    @property
    def knee_sign(self) -> float:
        """1 for a knee that bends forward, -1 to the rear."""
        return 1.0 if self.knee == "forward" else -1.0

    @property
    def end_sign(self) -> float:
        """1 for a stabiliser whose end in the slot is behind C, -1 ahead of it."""
        return 1.0 if self.slot_end == "behind" else -1.0

    @property
    def femur(self) -> float:
        """C to K [l8], which the amplification asks for."""
        return self.femur_part * (1.0 + self.amplification)

    @property
    def tibia(self) -> float:
        """K to E [l8], which the amplification asks for."""
        return self.l6 * (1.0 + self.amplification)

    @property
    def lower_tendon(self) -> float:
        """D to G [l8], the side of a parallelogram opposite to F and K."""
        return self.femur_part * self.amplification


_POSITIVE = (
    *("l8", "density", "g", "base", "l7", "l9", "l6", "femur_part", "drop", "amplification"),
    *("l10", "slot", "femur_bar", "tibia_bar", "foot_length"),
)
_NOT_NEGATIVE = ("hip_share", "hip_load", "ankle_height", "mu_s", "mu_k")


def sources() -> dict[str, Source]:
    """Source of every field of `PasibotParameters` by its name."""
    return {each.name: each.metadata["source"] for each in fields(PasibotParameters)}


OWN = (1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12)  # of each leg
SHARED = (8, 13)
LINKS = (*(str(i) for i in range(1, 14)), *(f"{i}'" for i in OWN))
LINK_INDEX = {name: index for index, name in enumerate(LINKS)}


class Pair(NamedTuple):
    """Two links that share a point, the first before the second in LINKS; leg 1 supports.

    The unknown is f_ij, the force of link i = first on link j = second. sliding: of the two slots,
    whose force has one component, across the slot.
    """

    first: str
    second: str
    point: str
    leg: int
    sliding: bool = False

    @property
    def name(self) -> str:
        """f_ij as the document writes it, with a bar between the numbers."""
        return f"f{self.first}|{self.second}"


_JOINTS = (
    *((1, 2, "E"), (1, 12, "Y"), (2, 3, "K"), (2, 4, "G"), (3, 5, "K"), (3, 6, "F"), (3, 7, "C")),
    *((4, 13, "D"), (5, 11, "W"), (5, 12, "X"), (6, 13, "D"), (7, 8, "P"), (7, 9, "M")),
    *((7, 10, "C"), (9, 13, "B"), (10, 11, "U"), (10, 13, "S")),
)


def _pairs() -> tuple[Pair, ...]:
    """Pairs in the order of their first, then of their second link [assumed: figure 9 is lost]."""
    pairs = [Pair("8", "13", "A", 1)]
    for number, prime in ((1, ""), (2, "'")):
        for i, j, point in _JOINTS:
            names = [str(k) if k in SHARED else f"{k}{prime}" for k in (i, j)]
            first, second = sorted(names, key=LINK_INDEX.__getitem__)
            pairs.append(Pair(first, second, point, number, sliding=point == "S"))
    return tuple(sorted(pairs, key=lambda pair: (LINK_INDEX[pair.first], LINK_INDEX[pair.second])))


PAIRS = _pairs()


def joint_index(point: str, leg: int) -> int:
    """Place of a leg's joint among PAIRS, by a point that two links share."""
    return next(k for k, pair in enumerate(PAIRS) if (pair.point, pair.leg) == (point, leg))


def unknowns() -> tuple[str, ...]:
    """Names of the 69 unknowns in the order of the system: forces by pair, then the torque T8."""
    names = []
    for pair in PAIRS:
        names += [pair.name] if pair.sliding else [f"{pair.name}x", f"{pair.name}y"]
    return (*names, "T8")


class Body(NamedTuple):
    """A link: mass [kg], length [m] of the bar, inertia about its mass centre [kg m^2]."""

    mass: float
    length: float
    inertia: float


def bodies(parameters: PasibotParameters) -> dict[str, Body]:
    """Every link by name, in the order of LINKS."""
    p = parameters
    own = {number: _bar(p, length) for number, length in link_lengths(p).items()}
    crank = own.pop(8)
    links = 2.0 * sum(body.mass for body in own.values()) + crank.mass
    bare = links * p.hip_share / (1.0 - p.hip_share)
    drop = p.drop * p.l8
    # the load sits at the hip's mass centre, and does not resist its turning
    hip = Body(bare + p.hip_load, drop, bare * drop * drop / 12.0)
    by_number = {**own, 8: crank, 13: hip}
    return {name: by_number[int(name.rstrip("'"))] for name in LINKS}


def total_mass(parameters: PasibotParameters) -> float:
    """Mass of the whole machine with its load [kg]."""
    return sum(body.mass for body in bodies(parameters).values())


def weighing(parameters: PasibotParameters, mass: float) -> PasibotParameters:
    """The machine of another density, so that it weighs so much [kg] without its hip load."""
    bare = total_mass(replace(parameters, hip_load=0.0))
    return replace(parameters, density=parameters.density * mass / bare)


def link_lengths(parameters: PasibotParameters) -> dict[int, float]:
    """Lengths l_i of all links but the hip, in units of l8: what their masses go by.

    The crank reaches from P to the other leg's P. A knee plate reaches to the further bar.
    """
    p = parameters
    return {
        1: p.foot_length,
        2: p.tibia,
        3: p.femur,
        4: p.lower_tendon,
        5: max(p.femur_bar, p.tibia_bar),
        6: p.l6,
        7: p.l7,
        8: 2.0,
        9: p.l9,
        10: max(p.l10, p.femur_bar),
        11: p.femur,
        12: p.tibia,
    }


def _bar(p: PasibotParameters, length: float) -> Body:
    """A uniform slender bar of a length in units of l8."""
    metres = length * p.l8
    mass = p.density * metres
    return Body(mass, metres, mass * metres * metres / 12.0)


# A loop that closes with less than this to spare, in units of l8, stands in a dead point.
DEAD_POINT = 1e-3


class Leg(NamedTuple):
    """Points of a leg and directions of what turns, complex jets in th8.

    Directions: e8 A to P; e7 P to C; e9 B to M; e3 C to F, K and D to G; e2 K to G, E and F to D;
    e1 of foot, knee plate and stabiliser, 1 where they are level with the hip.
    """

    P: Jet
    M: Jet
    C: Jet
    F: Jet
    K: Jet
    G: Jet
    E: Jet
    S: Jet
    U: Jet
    W: Jet
    X: Jet
    Y: Jet
    e8: Jet
    e7: Jet
    e9: Jet
    e3: Jet
    e2: Jet
    e1: Jet


class LinkageMargins(NamedTuple):
    """Margins of a leg to positions that it cannot take, in units of l8: above 0 it closes.

    rod, pantograph: height of the triangles P M B and C F D; slot: of that of the stabiliser and
    the slot; femur_bar, tibia_bar: width of the bars' parallelograms per unit of their offset.
    """

    rod: Array
    pantograph: Array
    slot: Array
    femur_bar: Array
    tibia_bar: Array


def pivots(parameters: PasibotParameters) -> tuple[complex, complex]:
    """B and D in the hip."""
    return complex(parameters.base), complex(parameters.base, parameters.drop)


def leg(parameters: PasibotParameters, th8: float | Array) -> Leg:
    """The leg at angles th8 [rad] of its crank, of any shape; NaN where a loop does not close."""
    p, (B, D) = parameters, pivots(parameters)
    P = e8 = turning(th8)
    M = _corner(P, constant(B), 0.5 * p.l7, p.l9, 1.0)
    C = 2.0 * M - P
    F = _corner(C, constant(D), p.femur_part, p.l6, p.knee_sign)
    e3 = (F - C) / p.femur_part
    e2 = (D - F) / p.l6
    K = C + p.femur * e3
    E = K + p.tibia * e2
    rise = (p.slot - C.imag) * (p.end_sign / p.l10)
    e1 = square_root(1.0 - rise * rise) + 1j * rise
    end = p.end_sign * e1
    femur_bar, tibia_bar = p.femur_bar * end, p.tibia_bar * end
    return Leg(
        *(P, M, C, F, K, D + p.lower_tendon * e3, E, C + p.l10 * end),
        *(C + femur_bar, K + femur_bar, K + tibia_bar, E + tibia_bar),
        *(e8, (C - P) / p.l7, (M - B) / p.l9, e3, e2, e1),
    )


def margins(parameters: PasibotParameters, th8: float | Array) -> LinkageMargins:
    """Margins at angles th8 [rad]; what hangs on a loop that does not close is NaN."""
    p, (B, D) = parameters, pivots(parameters)
    with np.errstate(invalid="ignore", divide="ignore"):
        at = leg(p, th8)
    return LinkageMargins(
        _height(np.abs(at.P.value - B), 0.5 * p.l7, p.l9),
        _height(np.abs(at.C.value - D), p.femur_part, p.l6),
        p.l10 - np.abs(p.slot - at.C.value.imag),
        np.abs(np.imag(at.e3.value * np.conj(at.e1.value))),
        np.abs(np.imag(at.e2.value * np.conj(at.e1.value))),
    )


_WHAT = {
    "rod": "the rod l7 and the rocker l9 do not meet over the base AB",
    "pantograph": "the femur part CF and the tendon l6 do not meet between C and D",
    "slot": "the stabiliser l10 does not reach the slot",
    "femur_bar": "the bar along the femur lies on it, and the knee plate may turn over",
    "tibia_bar": "the bar along the tibia lies on it, and the foot may turn over",
}


def image_ratio(original: Array, image: Array) -> float:
    """Ratio k of the way that is nearest to the image, a place less k times the original.

    Both complex, (N,), in one unit; NaN where the original does not move.
    """
    from_mean, image_from_mean = original - original.mean(), image - image.mean()
    square = float(np.vdot(from_mean, from_mean).real)
    return -float(np.vdot(from_mean, image_from_mean).real) / square if square else math.nan


def refuse_open_loops(parameters: PasibotParameters) -> None:
    """Raise ValueError, telling which and where, unless the loops close all the way round.

    720 angles are looked at, and DEAD_POINT is asked for, so that none is missed between them.
    """
    th8 = np.linspace(0.0, 2.0 * np.pi, 721)
    for name, margin in margins(parameters, th8)._asdict().items():
        bad = ~(margin > DEAD_POINT)
        if bad.any():
            first = np.degrees(th8[bad][0])
            raise ValueError(
                f"{_WHAT[name]} at th8 = {first:.1f} degrees: the linkage cannot turn round"
            )


def _corner(p: Jet, q: Jet, a: float, b: float, side: float) -> Jet:
    """The point a from p and b from q; side 1 is where a quarter turn from q - p points to."""
    base = q - p
    square = squared_length(base)
    along = 0.5 * ((a * a - b * b) / square + 1.0)
    across = square_root(a * a / square - along * along)
    return p + base * (along + (1j * side) * across)


def _height(base: Array, a: float, b: float) -> Array:
    """Height of the triangle over its base: NaN or 0 where sides a and b do not meet."""
    along = 0.5 * ((a * a - b * b) / base + base)
    with np.errstate(invalid="ignore"):
        height: Array = np.sqrt(a * a - along * along)
    return height


TEXT = PasibotParameters()
"""The document's machine, as fitted and assumed."""
