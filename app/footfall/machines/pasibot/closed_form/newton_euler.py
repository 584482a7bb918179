"""The 69 equations of Newton and Euler for PASIBOT, link by link: (18), (19) and (26) to (30).

For each of the 23 links i without the supporting foot, in the order of `bodies.LINKS`,

    sum_{j<i} f_ji - sum_{k>i} f_ik = m_i (a_i + j g)
    T_i + sum_{j<i} r_ij x f_ji - sum_{k>i} r_ik x f_ik = I_i alpha_i

with f_ij the force of link i on link j, r_ij from the mass centre of i to the joint. The unknowns
are those of `bodies.unknowns`: 33 forces of two components, two forces of the slots, which act
across them [assumed: no friction], and the motor's torque T8, which turns the crank and with -T8
the hip. (19) and (28) to (31) are lost; they are rebuilt from (18) and the text.

Everything is in the ground frame of `motion`, forces as complex numbers x + j y [N].
"""

from typing import NamedTuple

import numpy as np

from footfall.arrays import Array
from footfall.machines.pasibot.closed_form.linkage import (
    LINK_INDEX,
    LINKS,
    PAIRS,
    Body,
    PasibotParameters,
    bodies,
)
from footfall.machines.pasibot.closed_form.motion import LinkagePose, pose

SIZE = 69
_TORQUE = SIZE - 1


class LinkForces(NamedTuple):
    """Forces between links and floor; last axes are those of th8.

    torque: T8 [N m] of the hip on the crank, along th8; acceleration: th8'' [rad/s^2]; joints:
    force of the first link of each of PAIRS on the second, complex (35, ...) [N]; floor: that of
    the floor on the supporting foot, f01 complex [N]; zmp: zero-moment point, where f01 acts, ahead
    of the ankle [m].
    """

    torque: Array
    acceleration: Array
    joints: Array
    floor: Array
    zmp: Array


def coefficients(at: LinkagePose) -> Array:
    """Matrix A of (19), (..., 69, 69): of forces 1, of moments m, of T8 1."""
    shape = at.joints.value.shape[1:]
    A = np.zeros((*shape, SIZE, SIZE))
    across = at.slot.value
    column = 0
    for index, pair in enumerate(PAIRS):
        # a force of the slot has one direction, that of a joint two
        for direction in (across,) if pair.sliding else (1.0, 1j):
            for link, sign in ((pair.first, -1.0), (pair.second, 1.0)):
                if link == "1":
                    continue
                row = row_of(link)
                arm = at.joints.value[index] - at.centres.value[LINK_INDEX[link]]
                A[..., row, column] = sign * np.real(direction)
                A[..., row + 1, column] = sign * np.imag(direction)
                A[..., row + 2, column] = sign * _cross(arm, direction)
            column += 1
    A[..., row_of("8") + 2, _TORQUE] = 1.0
    A[..., row_of("13") + 2, _TORQUE] = -1.0
    return A


def inverse(
    parameters: PasibotParameters,
    th8: float | Array,
    rate: float | Array,
    acceleration: float | Array,
) -> LinkForces:
    """Torque and all forces of a given motion, (19): th8 [rad], rate th8', acceleration th8''."""
    th8, rate, acceleration = broadcast(th8, rate, acceleration)
    at = pose(parameters, th8)
    known, slope = right_side(parameters, at, rate)
    solution = solve(coefficients(at), known + slope * acceleration[..., None])
    return _read(parameters, at, solution, solution[..., _TORQUE], acceleration)


def forward(
    parameters: PasibotParameters,
    th8: float | Array,
    rate: float | Array,
    torque: float | Array,
) -> LinkForces:
    """Acceleration th8'' and all forces under a given torque T8 [N m], (28).

    The column of T8 makes room for that of th8'', and T8 goes to the right.
    """
    th8, rate, torque = broadcast(th8, rate, torque)
    at = pose(parameters, th8)
    known, slope = right_side(parameters, at, rate)
    A = coefficients(at)
    known = known - A[..., _TORQUE] * torque[..., None]
    A[..., _TORQUE] = -slope
    solution = solve(A, known)
    return _read(parameters, at, solution, torque, solution[..., _TORQUE])


def right_side(parameters: PasibotParameters, at: LinkagePose, rate: Array) -> tuple[Array, Array]:
    """Right side of (18) without th8'', and what multiplies th8'' in it: (..., 69) each."""
    square, of = np.asarray(rate) ** 2, bodies(parameters)
    known = np.zeros((*np.shape(rate), SIZE))
    slope = np.zeros_like(known)
    for link in LINKS[1:]:
        row, index, body = row_of(link), LINK_INDEX[link], of[link]
        convected = at.centres.second[index] * square + 1j * parameters.g
        driven = at.centres.first[index]
        for side, force, moment in (
            (known, convected, at.angles.second[index] * square),
            (slope, driven, at.angles.first[index]),
        ):
            side[..., row] = body.mass * np.real(force)
            side[..., row + 1] = body.mass * np.imag(force)
            side[..., row + 2] = body.inertia * moment
    return known, slope


def _read(
    parameters: PasibotParameters,
    at: LinkagePose,
    solution: Array,
    torque: Array,
    acceleration: Array,
) -> LinkForces:
    """The unknowns by what they are, and the supporting foot's equations, (29) and (30)."""
    joints = joint_forces(at, solution)
    floor, zmp = support(at, bodies(parameters)["1"], parameters.g, joints)
    return LinkForces(torque, acceleration, joints, floor, zmp)


def joint_forces(at: LinkagePose, solution: Array) -> Array:
    """Forces of PAIRS out of a solution (..., n) that begins with them, complex (35, ...) [N]."""
    joints, column = [], 0
    for pair in PAIRS:
        if pair.sliding:
            joints.append(solution[..., column] * at.slot.value)
            column += 1
        else:
            joints.append(solution[..., column] + 1j * solution[..., column + 1])
            column += 2
    return np.array(joints)


def support(
    at: LinkagePose, foot: Body, g: float, joints: Array, sliding: float | Array = 0.0
) -> tuple[Array, Array]:
    """Force of the floor on the foot, (29), and where it acts, (30).

    sliding: acceleration x1'' of the foot along the floor [m/s^2]; it never turns.
    """
    centre = at.centres.value[LINK_INDEX["1"]]
    mine = [index for index, pair in enumerate(PAIRS) if pair.first == "1"]
    floor = foot.mass * (sliding + 1j * g) + sum(joints[index] for index in mine)
    moment = sum(_cross(at.joints.value[index] - centre, joints[index]) for index in mine)
    # (x - centre) x floor = moment, on the floor
    zmp = np.real(centre) + (moment - np.imag(centre) * np.real(floor)) / np.imag(floor)
    return np.asarray(floor), np.asarray(zmp)


def solve(A: Array, b: Array) -> Array:
    """A x = b; one correction takes back what elimination lost."""
    solution = np.linalg.solve(A, b[..., None])
    lost = b[..., None] - A @ solution
    corrected: Array = (solution + np.linalg.solve(A, lost))[..., 0]
    return corrected


def row_of(link: str) -> int:
    """First of the three rows of a link."""
    return 3 * (LINK_INDEX[link] - 1)


def _cross(arm: Array, force: complex | Array) -> Array:
    """Moment of a force at an arm, counter-clockwise."""
    return np.imag(np.conj(arm) * force)


def broadcast(*values: float | Array) -> list[Array]:
    """Values as arrays of one shape."""
    return list(np.broadcast_arrays(*(np.asarray(value, dtype=float) for value in values)))
