"""A tick of whole-body control in one kernel: from rows of tasks to a programme and its torques."""

from typing import NamedTuple

import numpy as np

from footfall.arrays import Array, Indices
from footfall.jit import njit
from footfall.plants.flat.motion import FrameMotions
from footfall.solvers.dual_active_set import SOLVED, STUCK, solve_dual
from footfall_controllers.whole_body.collisions import Capsules, gap_rows
from footfall_controllers.whole_body.inspection import tell
from footfall_controllers.whole_body.limits import Stops, viable_bounds
from footfall_controllers.whole_body.motion_kernels import (
    Asked,
    CornerTable,
    Held,
    MotionTable,
    Programme,
    Whole,
    motion_rows,
    programme_sides,
    reduced_motion,
)
from footfall_controllers.whole_body.solver import by_constraint

_DAMPING = 20.0  # 1/s: brings a contact that moves to rest
_OPEN = 1e-3  # N: what a contact that is open may bear, so that bounds have an inside


class Tables(NamedTuple):
    """Tables that all ticks of a controller share, and the memory of the last one.

    forces: rows of tasks of forces, as `ForceRows` fills them. most (N,): largest normal forces of
    contacts; stance: root of their price; prices: as `programme_sides` takes them. hard, task_of:
    of rows of tasks. number: of the constraints of the programme; told: counts of tasks and
    constraints in `Inspection`. A x = b: all that has a price; x: solution of the programme.
    """

    tasks: MotionTable
    asked: Asked
    forces: tuple[Array, Array, Array]
    corners: CornerTable
    capsules: Capsules
    stops: Stops
    efforts_of: Array
    most: Array
    stance: float
    prices: Array
    hard: Indices
    task_of: Indices
    number: Indices
    told: tuple[int, int]
    A: Array
    b: Array
    x: Array
    programme: Programme


@njit
def solve_tick(
    held: Held,
    links: FrameMotions,
    whole: Whole,
    M: Array,
    h: Array,
    q: Array,
    v: Array,
    activation: Array,
    limits: tuple[Array, Array],
    cap: int,
    torques: Array,
    told: Array,
) -> int:
    """Fill the programme at a state, its solution, torques, and what a tick tells.

    limits: least and largest torques. cap: of iterations. Returns the status of ``solve_dual``;
    where it is not solved torques are left alone, and told has errors of tasks of motion alone.
    """
    t = held.tables
    p, bounds, price = t.programme, t.programme.bounds, t.asked.price
    nd, nt, nv, pairs = p.driven.size, t.task_of.size, v.size, len(t.capsules.pairs)
    J, wanted = np.empty((nt, nv)), np.empty(nt)
    motion_rows(t.tasks, t.asked, links, whole, q, v, J, wanted, told[1 : 1 + price.size])
    viable_bounds(t.stops, q, v, bounds.slowest, bounds.fastest)
    bounds.least_torque[:], bounds.most_torque[:] = limits
    gap_J, gap_least = np.empty((pairs, nv)), np.empty(pairs)
    gap_rows(t.capsules, links, gap_J, gap_least)
    reduced_motion(
        *(M, h, t.efforts_of, t.corners, activation, t.stance, _DAMPING, links, J, wanted),
        *(t.A, t.b, p),
    )
    of_multipliers, of_torques, asked = t.forces
    for k in range(asked.size):
        at = t.b.size - asked.size + k
        t.A[at], t.b[at] = 0.0, asked[k]
        t.A[at, nd : nd + of_multipliers.shape[1]] = of_multipliers[k]
        for a in range(p.t.size):
            t.A[at] += of_torques[k, a] * p.T[a]
            t.b[at] -= of_torques[k, a] * p.t[a]
    programme_sides(
        *(t.A, t.b, t.hard, price[t.task_of] > 0.0, gap_J, gap_least, t.prices, t.corners.first),
        *(t.most * activation + _OPEN, p),
    )
    if not np.isfinite(p.c).all():
        return STUCK
    status, x, sides, _ = solve_dual(p.P, p.c, p.low, p.high, p.G, p.least, p.most, cap)
    if status == SOLVED:
        t.x[:] = x
        active = by_constraint(sides, x.size, p.least.size) > 0.0
        tell(p, x, t.task_of, t.number, active, np.zeros(active.size), t.told, torques, told)
    return status
