"""The 69 equations of PASIBOT on a foot that slides, extended as section 7 does: (31) to (36).

A foot that slides has an acceleration x1'' along the floor, which every link shares, (16), (17): a
column of masses m_i, in the rows of Newton's law along x, makes room for it in (19), and a row for
the law of friction

    f01x + mu_k f01y sign(x1') = 0,    f01 = m_1 (x1'' + j g) + f12 + f1|12,

in which the floor's force is that of the foot's own equations, (29). The 70 unknowns are those of
`bodies.unknowns` and x1''; where T8 is given, th8'' takes its place. Without slip the matrices are
those of `newton_euler`. `two_freedoms`, which footfall uses, is the same machine in two equations.

The moment about the foot's mass centre, (30), gives the zero-moment point. (30) to (36) are lost;
they are rebuilt from the text, which says what is added where.
"""

from typing import NamedTuple

import numpy as np

from footfall.arrays import Array
from footfall.machines.pasibot.closed_form.linkage import (
    LINKS,
    PAIRS,
    Body,
    PasibotParameters,
    bodies,
)
from footfall.machines.pasibot.closed_form.motion import LinkagePose, pose
from footfall.machines.pasibot.closed_form.newton_euler import (
    SIZE,
    broadcast,
    coefficients,
    joint_forces,
    right_side,
    row_of,
    solve,
    support,
)
from footfall.machines.pasibot.closed_form.two_freedoms import two_freedoms

_TORQUE, _SLIDING = SIZE - 1, SIZE


class SlidingDynamics(NamedTuple):
    """As `LinkForces`, and sliding: x1'' [m/s^2], the last of the unknowns (..., 70)."""

    torque: Array
    acceleration: Array
    sliding: Array
    joints: Array
    floor: Array
    zmp: Array
    unknowns: Array


def sliding_inverse(
    parameters: PasibotParameters,
    th8: float | Array,
    rate: float | Array,
    acceleration: float | Array,
    friction: float | Array,
) -> SlidingDynamics:
    """Torque, x1'' and all forces of a given motion of the crank, (34).

    th8 [rad], rate th8', acceleration th8''; friction: mu_k with the sign of x1', or of the motion
    that is imminent.
    """
    th8, rate, acceleration, friction = broadcast(th8, rate, acceleration, friction)
    at, of = pose(parameters, th8), bodies(parameters)
    A, known, slope = system(parameters, at, of, rate, friction)
    solution = solve(A, known + slope * acceleration[..., None])
    return _read(parameters, at, solution, solution[..., _TORQUE], acceleration)


def sliding_forward(
    parameters: PasibotParameters,
    th8: float | Array,
    rate: float | Array,
    torque: float | Array,
    friction: float | Array,
) -> SlidingDynamics:
    """Accelerations th8'' and x1'' and all forces under a given torque T8 [N m], (36).

    Raises ValueError beyond Painleve's friction, see `closed_form.two_freedoms`.
    """
    th8, rate, torque, friction = broadcast(th8, rate, torque, friction)
    two_freedoms(parameters, th8).determinant(friction)  # refuses what has no answer
    at, of = pose(parameters, th8), bodies(parameters)
    A, known, slope = system(parameters, at, of, rate, friction)
    known = known - A[..., _TORQUE] * torque[..., None]
    A[..., _TORQUE] = -slope
    solution = solve(A, known)
    return _read(parameters, at, solution, torque, solution[..., _TORQUE])


def system(
    parameters: PasibotParameters,
    at: LinkagePose,
    of: dict[str, Body],
    rate: Array,
    friction: Array,
) -> tuple[Array, Array, Array]:
    """Matrix (..., 70, 70), right side without th8'' and what multiplies th8'' in it, (..., 70)."""
    shape = at.joints.value.shape[1:]
    A = np.zeros((*shape, SIZE + 1, SIZE + 1))
    A[..., :SIZE, :SIZE] = coefficients(at)
    for link in LINKS[1:]:
        A[..., row_of(link), _SLIDING] = -of[link].mass
    column = 0
    for pair in PAIRS:
        if pair.first == "1":
            A[..., SIZE, column] = 1.0
            A[..., SIZE, column + 1] = friction
        column += 1 if pair.sliding else 2
    foot = of["1"].mass
    A[..., SIZE, _SLIDING] = foot
    known, slope = np.zeros((*shape, SIZE + 1)), np.zeros((*shape, SIZE + 1))
    known[..., :SIZE], slope[..., :SIZE] = right_side(parameters, at, rate)
    known[..., SIZE] = -friction * foot * parameters.g
    return A, known, slope


def _read(
    parameters: PasibotParameters,
    at: LinkagePose,
    solution: Array,
    torque: Array,
    acceleration: Array,
) -> SlidingDynamics:
    """The unknowns by what they are, and the supporting foot's equations, (29) and (30)."""
    joints, sliding = joint_forces(at, solution), solution[..., _SLIDING]
    floor, zmp = support(at, bodies(parameters)["1"], parameters.g, joints, sliding)
    return SlidingDynamics(torque, acceleration, sliding, joints, floor, zmp, solution)
