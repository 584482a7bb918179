"""Masses of PASIBOT's links, which links are joined where, and the document's order of both.

A leg has the links 1 to 7 and 9 to 12; the crank 8 and the hip 13 are common. The supporting leg's
are named by their number, the other's by the number with a prime. (18) goes through the links in
the order of LINKS, and "j < i" in it means j before i there.

23 links without the supporting foot, 16 revolute pairs a leg and the motor's axis, a slot a leg:
23 * 3 = 69 = 33 * 2 + 2 + 1. Where three links share one axis (C, K) or a leg's two tendons meet
the hip (D), which two make a pair is lost with figure 9: at C the rod carries femur and stabiliser,
at K the femur carries tibia and knee plate, at D the hip carries each tendon [assumed].
"""

from dataclasses import replace
from typing import NamedTuple

from footfall.machines.pasibot.closed_form.parameters import PasibotParameters

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
    p, l = parameters, parameters.lengths
    return {
        1: p.foot_length,
        2: l.tibia,
        3: l.femur,
        4: l.lower_tendon,
        5: max(l.femur_bar, l.tibia_bar),
        6: l.tendon,
        7: l.rod,
        8: 2.0,
        9: l.rocker,
        10: max(l.stabiliser, l.femur_bar),
        11: l.femur,
        12: l.tibia,
    }


def _bar(p: PasibotParameters, length: float) -> Body:
    """A uniform slender bar of a length in units of l8."""
    metres = length * p.l8
    mass = p.density * metres
    return Body(mass, metres, mass * metres * metres / 12.0)
