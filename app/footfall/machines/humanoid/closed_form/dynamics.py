"""Accelerations and reactions of a phase, from its Newton-Euler equations.

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
from footfall.machines.humanoid.closed_form.chain import cross
from footfall.machines.humanoid.closed_form.newton_euler import NUM_EQUATIONS, Equations

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
