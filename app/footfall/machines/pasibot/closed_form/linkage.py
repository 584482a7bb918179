"""One leg of PASIBOT seen from its hip: three closed loops, solved one after the other.

Hip frame as complex numbers z = x + j y in units of the crank, l8: x to the rear, y downwards, the
motor's axis A at 0, the rocker's pivot B at `base`, the leg's pivot D below B. Angles turn from x
to y, which is counter-clockwise for somebody who sees the machine walk to the right.

Links: 1 foot, 2 tibia, 3 femur, 4 lower tendon, 5 knee plate, 6 upper tendon, 7 connecting rod, 8
crank, 9 rocker, 10 stabiliser, 11 and 12 bars along femur and tibia, 13 hip. Points, with what they
join: P crank and rod, M rod and rocker, C rod, femur and stabiliser, F femur and upper tendon, K
femur, tibia and knee plate, G tibia and lower tendon, E tibia and foot, D both tendons and hip, S
the stabiliser's end in the slot of the hip. U, W, X, Y, which the document does not name: ends of
the bars, 11 from U on the stabiliser to W on the knee plate, 12 from X there to Y on the foot.

Lost in the document are (3) to (11); they follow from the lengths that it prints. The loops have
two assemblies each. That of the rod is the one whose point C passes along the slot; knee and end of
the slot are left to choose, see `Lengths`.

Source: E. Corral, J. Meneses, J. C. Garcia-Prada: Forward and inverse dynamics and quasi-static
analysis of mechanizes with MATLAB, InTech 2016, doi 10.5772/63372, section 3.
"""

import math
from typing import NamedTuple

import numpy as np

from footfall.arrays import Array
from footfall.machines.pasibot.closed_form.jets import (
    Jet,
    constant,
    square_root,
    squared_length,
    turning,
)

# A loop that closes with less than this to spare, in units of l8, stands in a dead point.
DEAD_POINT = 1e-3


class Lengths(NamedTuple):
    """Lengths in the loops, in units of the crank l8.

    base A to B; rod P to C, with M at its middle; rocker B to M; femur_part C to F; tendon D to F,
    which is the upper one; drop B to D; amplification of the pantograph; stabiliser C to S; slot,
    its depth below A. knee: 1 bends forward, -1 to the rear; slot_end: 1 behind C, -1 ahead of it.
    femur_bar and tibia_bar: how far towards S the two bars are from C, K and K, E.
    """

    base: float
    rod: float
    rocker: float
    femur_part: float
    tendon: float
    drop: float
    amplification: float
    stabiliser: float
    slot: float
    knee: float
    slot_end: float
    femur_bar: float
    tibia_bar: float

    @property
    def femur(self) -> float:
        """C to K, which the amplification asks for."""
        return self.femur_part * (1.0 + self.amplification)

    @property
    def tibia(self) -> float:
        """K to E, which the amplification asks for."""
        return self.tendon * (1.0 + self.amplification)

    @property
    def lower_tendon(self) -> float:
        """D to G, the side of a parallelogram opposite to F and K."""
        return self.femur_part * self.amplification


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


def pivots(lengths: Lengths) -> tuple[complex, complex]:
    """B and D in the hip."""
    return complex(lengths.base), complex(lengths.base, lengths.drop)


def leg(lengths: Lengths, th8: float | Array) -> Leg:
    """The leg at angles th8 [rad] of its crank, of any shape; NaN where a loop does not close."""
    l, (B, D) = lengths, pivots(lengths)
    P = e8 = turning(th8)
    M = _corner(P, constant(B), 0.5 * l.rod, l.rocker, 1.0)
    C = 2.0 * M - P
    F = _corner(C, constant(D), l.femur_part, l.tendon, l.knee)
    e3 = (F - C) / l.femur_part
    e2 = (D - F) / l.tendon
    K = C + l.femur * e3
    E = K + l.tibia * e2
    rise = (l.slot - C.imag) * (l.slot_end / l.stabiliser)
    e1 = square_root(1.0 - rise * rise) + 1j * rise
    end = l.slot_end * e1
    femur_bar, tibia_bar = l.femur_bar * end, l.tibia_bar * end
    return Leg(
        *(P, M, C, F, K, D + l.lower_tendon * e3, E, C + l.stabiliser * end),
        *(C + femur_bar, K + femur_bar, K + tibia_bar, E + tibia_bar),
        *(e8, (C - P) / l.rod, (M - B) / l.rocker, e3, e2, e1),
    )


def margins(lengths: Lengths, th8: float | Array) -> LinkageMargins:
    """Margins at angles th8 [rad]; what hangs on a loop that does not close is NaN."""
    l, (B, D) = lengths, pivots(lengths)
    with np.errstate(invalid="ignore", divide="ignore"):
        at = leg(l, th8)
    return LinkageMargins(
        _height(np.abs(at.P.value - B), 0.5 * l.rod, l.rocker),
        _height(np.abs(at.C.value - D), l.femur_part, l.tendon),
        l.stabiliser - np.abs(l.slot - at.C.value.imag),
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


def refuse_open_loops(lengths: Lengths) -> None:
    """Raise ValueError, telling which and where, unless the loops close all the way round.

    720 angles are looked at, and DEAD_POINT is asked for, so that none is missed between them.
    """
    th8 = np.linspace(0.0, 2.0 * np.pi, 721)
    for name, margin in margins(lengths, th8)._asdict().items():
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
