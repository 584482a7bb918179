"""Places of all links while PASIBOT stands on one foot, and derivatives by the crank's angle.

Ground frame as complex numbers x + j y: x ahead along the floor, y up, the origin on the floor
below the ankle of the supporting foot, which does not move. A point z of the hip frame (`linkage`)
is

    w = -l8 (z - E) conj(e1) + j h,   h = height of the ankle, E and e1 of the supporting leg,

a turn by half a turn and by the tilt of the hip, so that angles keep their sense. They keep the
document's zero too, which is to the rear: (11) takes them to the ground by theta_i - theta_1.

The crank of the other leg is half a turn further, (10). A step is th8 from pi/2 to 3 pi/2, (12)
following; then the legs change their parts, which is a jump of th8 back by pi. All functions of th8
go on beyond a step, as if the same foot stayed on the floor.

Source: the document of `linkage`, sections 3 and 6; its (9) to (11), (13) to (17) and (20) to (25)
are lost.
"""

import math
from typing import NamedTuple

import numpy as np

from footfall.arrays import Array
from footfall.machines.pasibot.closed_form.jets import Jet, angle, constant, stacked
from footfall.machines.pasibot.closed_form.linkage import (
    LINKS,
    PAIRS,
    Leg,
    PasibotParameters,
    leg,
    pivots,
)

STEP_BEGINS, STEP_ENDS = 0.5 * math.pi, 1.5 * math.pi
_SMOOTH = 1e-9  # m and rad (per radian): what an exchange may differ from a smooth one by rounding


class LinkagePose(NamedTuple):
    """Links and joints in the ground frame, jets in th8; their last axes are those of th8.

    centres: mass centres in the order of LINKS, (24, ...) complex [m]; angles of the links, (24,
    ...) [rad], as the document counts them; joints: points of PAIRS, (35, ...) complex [m]; slot:
    the direction across the slot, of length 1 and upwards.
    """

    centres: Jet
    angles: Jet
    joints: Jet
    slot: Jet


def legs(parameters: PasibotParameters, th8: float | Array) -> tuple[Leg, Leg]:
    """Supporting and other leg in the hip frame [l8]."""
    th8 = np.asarray(th8, dtype=float)
    return leg(parameters, th8), leg(parameters, th8 + math.pi)


def pose(parameters: PasibotParameters, th8: float | Array) -> LinkagePose:
    """Links and joints at angles th8 [rad] of the supporting leg's crank, of any shape."""
    th8 = np.asarray(th8, dtype=float)
    both = legs(parameters, th8)

    def ground(point: Jet) -> Jet:
        return _to_ground(parameters, both[0], point)

    tilt = angle(both[0].e1, 1.0)
    centres, angles = {}, {}
    for at, prime in zip(both, ("", "'"), strict=True):
        for number, (centre, direction) in _links(parameters, at).items():
            name = f"{number}{prime}"
            centres[name] = centre
            angles[name] = angle(direction, 1j) - tilt
    centres["8"], angles["8"] = constant(0.0), Jet(th8, 1.0, 0.0) - tilt
    centres["13"] = constant(complex(parameters.hip_rear, parameters.hip_down))
    angles["13"] = -tilt
    points = [_points(parameters, at) for at in both]
    return LinkagePose(
        stacked([ground(centres[name]) for name in LINKS], th8.shape),
        stacked([angles[name] for name in LINKS], th8.shape),
        stacked([ground(points[pair.leg - 1][pair.point]) for pair in PAIRS], th8.shape),
        1j * both[0].e1.conj(),
    )


def soles(parameters: PasibotParameters, th8: float | Array) -> Jet:
    """Heel and toe of both feet in the ground frame, complex (2, 2, ...) [m].

    The first axis is the foot, the supporting one first, the second its end, the heel first. The
    other foot's may be below the floor, which no equation here knows.
    """
    th8 = np.asarray(th8, dtype=float)
    both = legs(parameters, th8)
    half = 0.5 * parameters.foot_length
    ends = []
    for at in both:
        for along in (-half, half):
            end = complex(-parameters.foot_ahead - along, parameters.ankle_height)
            ends.append(_to_ground(parameters, both[0], at.E + end * at.e1))
    rows = stacked(ends, th8.shape)
    shape = (2, 2, *th8.shape)
    return Jet(*(x.reshape(shape) for x in (rows.value, rows.first, rows.second)))


def hip_angles(parameters: PasibotParameters, th8: float | Array) -> dict[str, Jet]:
    """Angles theta_i of all links in the hip frame, (6) to (10), by name; jets in th8 [rad]."""
    th8 = np.asarray(th8, dtype=float)
    angles = {}
    for at, prime in zip(legs(parameters, th8), ("", "'"), strict=True):
        for number, (_, direction) in _links(parameters, at).items():
            angles[f"{number}{prime}"] = angle(direction, 1j)
    angles["8"], angles["13"] = Jet(th8, 1.0, 0.0), constant(0.0)
    return {name: angles[name] for name in LINKS}


def exchange(parameters: PasibotParameters) -> dict[str, float]:
    """Return how far the support exchange at th8 = 3 pi/2 is from being smooth.

    step: distance [m] of the ankles; height [m] of the other ankle over the supporting one and its
    tilt [rad]; sliding, rising [m] and turning [rad], its velocities per unit of th8'. All but the
    step vanish for the printed lengths: both feet are flat on the floor and at rest.
    """
    at, other = legs(parameters, STEP_ENDS)
    level = at.e1.conj()
    motion = (at.E - other.E) * level * parameters.l8
    tilt = angle(other.e1 * level, 1.0)
    return {
        "step": float(motion.value.real),
        "height": float(motion.value.imag),
        "tilt": float(tilt.value),
        "sliding": float(motion.first.real),
        "rising": float(motion.first.imag),
        "turning": float(tilt.first),
    }


def refuse_rough_exchange(parameters: PasibotParameters) -> None:
    """Raise ValueError unless both feet are flat and at rest at the support exchange."""
    rough = exchange(parameters)
    del rough["step"]
    worst = max(rough, key=lambda name: abs(rough[name]))
    if abs(rough[worst]) > _SMOOTH:
        raise ValueError(
            f"support exchange is not smooth: {worst} = {rough[worst]:.3g} of the foot that lands; "
            "the printed proportions of Chebyshev's linkage and the slot make it so"
        )


def fold(th8: Array) -> tuple[Array, Array]:
    """Angle of the supporting leg's crank within a step, and the number of steps before, of a walk.

    th8 [rad] goes on counting from pi/2 of the first step; steps backwards are negative.
    """
    steps = np.floor((np.asarray(th8) - STEP_BEGINS) / math.pi)
    return th8 - math.pi * steps, steps.astype(int)


def _to_ground(parameters: PasibotParameters, support: Leg, point: Jet) -> Jet:
    """A point of the hip frame [l8] in the ground frame [m]."""
    turned = (support.E - point) * support.e1.conj()
    return (turned + 1j * parameters.ankle_height) * parameters.l8


def _links(parameters: PasibotParameters, at: Leg) -> dict[int, tuple[Jet, Jet]]:
    """Mass centre and direction of a leg's own links, by number."""
    p, (B, D) = parameters, pivots(parameters)
    end = p.end_sign * at.e1
    plate = 0.5 * max(p.femur_bar, p.tibia_bar)
    middle = 0.5 * max(p.l10, p.femur_bar)
    foot = complex(-p.foot_ahead, 0.5 * p.ankle_height)
    return {
        1: (at.E + foot * at.e1, at.e1),
        2: (0.5 * (at.K + at.E), at.e2),
        3: (0.5 * (at.C + at.K), at.e3),
        4: (0.5 * (at.G + D), at.e3),
        5: (at.K + plate * end, at.e1),
        6: (0.5 * (at.F + D), at.e2),
        7: (at.M, at.e7),
        9: (0.5 * (at.M + B), at.e9),
        10: (at.C + middle * end, at.e1),
        11: (0.5 * (at.U + at.W), at.e3),
        12: (0.5 * (at.X + at.Y), at.e2),
    }


def _points(parameters: PasibotParameters, at: Leg) -> dict[str, Jet]:
    """Joints of a leg by letter, with the hip's pivots."""
    B, D = pivots(parameters)
    return {**at._asdict(), "A": constant(0.0), "B": constant(B), "D": constant(D)}
