"""Walker in one of its phases, in the order of theta2 to theta13: motion, torques, reactions.

Flat on the ground with one foot and straight ahead of it, the six equations that close the loop of
a double support have rank 5: no hip can turn about the vertical, so both legs say the same of it.
`solve_phase` cuts off what lies below a singular value of 0.01 (m or 1). No motion tells then what
both feet give against each other, a moment about the vertical through both legs: the toe is taken
to give none.
"""

from typing import NamedTuple

import numpy as np

from footfall.arrays import Array
from footfall.jit import njit
from footfall.machines.humanoid.closed_form.chain import (
    chain_motion,
    cross,
    jacobian,
    leg_from_foot,
    place,
)
from footfall.machines.humanoid.closed_form.newton_euler import (
    NUM_EQUATIONS,
    Equations,
    double_support,
    single_support,
)
from footfall.machines.humanoid.closed_form.parameters import Numbers
from footfall.machines.humanoid.closed_form.phases import MOVING

CUT = 1e-2
"""Singular values of the loop below this are taken for zero [1 and m]."""


class Solution(NamedTuple):
    """Motion and reactions under given torques.

    acceleration (n,) [rad/s^2]; force (k, 3) [N] and moment (k, 3) [N m] in the earth frame, in
    the order and the direction of tables 3.1 to 3.4; rank: of the equations that close the loop.
    """

    acceleration: Array
    force: Array
    moment: Array
    rank: int


@njit
def solve_phase(equations: Equations, torque: Array, cut: float = CUT) -> Solution:
    """Solve (3.76) or (3.104) for torques (n,) [N m] in the order of the phase's joints."""
    n, size = len(torque), equations.gamma.shape[1]
    matrix = np.zeros((size, size))
    right = np.zeros(size)
    matrix[:NUM_EQUATIONS] = equations.gamma
    right[:NUM_EQUATIONS] = equations.A @ torque - equations.b
    rank = 0
    if size > NUM_EQUATIONS:
        U, values, _ = np.linalg.svd(equations.closure)
        rank = int((values > cut).sum())
        rows = np.ascontiguousarray(U.T)
        matrix[NUM_EQUATIONS : NUM_EQUATIONS + rank, :n] = rows[:rank] @ equations.closure
        right[NUM_EQUATIONS : NUM_EQUATIONS + rank] = -(rows[:rank] @ equations.bias)
        for k in range(rank, 6):
            matrix[NUM_EQUATIONS + k], right[NUM_EQUATIONS + k] = _unseen(
                equations, rows[k], torque
            )
    unknown = np.linalg.solve(matrix, right)
    count = equations.force.shape[0]
    force, moment = np.empty((count, 3)), np.empty((count, 3))
    for k in range(count):
        force[k] = equations.force[k] @ unknown
        moment[k] = equations.moment[k] @ unknown + equations.moment_by_torque[k] @ torque
    return Solution(unknown[:n].astype(np.float64), force, moment, rank)


@njit
def _unseen(equations: Equations, direction: Array, torque: Array) -> tuple[Array, float]:
    """Row of the equation that the ground's wrench on the toe has no part along a direction.

    direction (6,): of moment and force about O1, half a pelvis beside both hips. Reaction 0 is the
    toe's on the ground.
    """
    centre = 0.5 * (equations.point[3] + equations.point[4])
    about = direction[:3].copy()
    along = direction[3:] + cross(about, equations.point[0] - centre)
    row = about @ equations.moment[0] + along @ equations.force[0]
    return row, -(about @ (equations.moment_by_torque[0] @ torque))


class Ground(NamedTuple):
    """Ground under a walker.

    phase: as in `phases.GaitPhase`; ankle (3,): of the flat foot; toe (3,): hinge of the other
    foot's toe, which counts in double support alone [m].
    """

    phase: int
    ankle: Array
    toe: Array


class Accelerations(NamedTuple):
    """Second derivatives (12,) of all angles, and what the ground gives.

    wrench (2, 6): [F; M] on the flat foot at its ankle and on the toe at its hinge [N], [N m].
    """

    angles: Array
    wrench: Array


class Trunk(NamedTuple):
    """Pose and motion of the trunk.

    R (3, 3): orientation; p (3,): O1 [m]; w (3,) [rad/s]; v (3,): of O1 [m/s].
    """

    R: Array
    p: Array
    w: Array
    v: Array


@njit
def accelerations(
    p: Numbers, ground: Ground, angle: Array, rate: Array, torque: Array, cut: float
) -> Accelerations:
    """Accelerations under torques (12,) [N m], by the equations of the phase; cut: of rank."""
    columns = MOVING[ground.phase, : 11 - ground.phase % 2]
    side = ground.phase // 2
    if ground.phase % 2 == 1:
        equations = single_support(p, side, ground.ankle, angle[columns], rate[columns])
        flat, sign = 0, 1.0
    else:
        equations = double_support(p, side, ground.ankle, ground.toe, angle[columns], rate[columns])
        flat, sign = 6, -1.0
    solution = solve_phase(equations, torque[columns], cut)
    result = Accelerations(np.zeros(12), np.zeros((2, 6)))
    result.angles[columns] = solution.acceleration
    result.wrench[0, :3], result.wrench[0, 3:] = solution.force[flat], solution.moment[flat]
    # what the ground gives the flat foot besides, which rests on it
    result.wrench[0, 2] += p.foot_m * p.g
    result.wrench[0, 4] -= p.foot_m * p.g * p.foot_x
    if ground.phase % 2 == 0:
        toe = p.foot_m - p.sole_m
        result.wrench[1, :3], result.wrench[1, 3:] = (
            sign * solution.force[0],
            sign * solution.moment[0],
        )
        result.wrench[1, 2] += toe * p.g
        ahead = p.foot_m * p.foot_x - p.sole_m * p.sole_x - toe * p.d10
        result.wrench[1, 4] -= ahead * p.g
    return result


@njit
def trunk_motion(p: Numbers, ground: Ground, angle: Array, rate: Array) -> Trunk:
    """Pose and velocity of the trunk, over the flat foot."""
    side = ground.phase // 2
    leg = MOVING[2 * side + 1, :5]
    angles, rates = np.zeros(10), np.zeros(10)
    angles[:5], rates[:5] = angle[leg], rate[leg]
    motion = chain_motion(leg_from_foot(p, side), ground.ankle, angles, rates)
    O1 = np.array([0.0, -0.5 * p.a1 * (1.0 - 2.0 * side), 0.0])
    R = motion.R[4].copy()
    here = place(motion, 4, O1)
    return Trunk(R, here, motion.w[4].copy(), jacobian(motion, 4, O1) @ rates)
