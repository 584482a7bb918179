"""Programmes of whole-body control: solved, or solved without what contradicts the rest.

First by the dual active-set method of `footfall.solvers.dual_active_set`; where rounding stops
that, by PIQP, an interior-point method (R. Schwan, Y. Jiang, D. Kuhn, C. N. Jones, PIQP: a proximal
interior-point quadratic programming solver, IEEE CDC 2023). `footfall.solvers.optimality` judges
both answers.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt
import piqp

from footfall.arrays import Array
from footfall.jit import njit
from footfall.solvers.dual_active_set import SOLVED, STUCK, solve_dual
from footfall.solvers.optimality import is_optimal
from footfall_controllers.whole_body.motion_kernels import Programme

_TOLERANCE = 1e-9  # of PIQP's residuals and of its duality gap
_ITERATIONS = 60  # of it; ten to fifteen do
_SINGLE = 4  # conflicts of a kind that are taken one by one, before the whole kind gives way
_ACTIVE = 1e-12  # of the largest multiplier

_Dual = Callable[
    [Array, Array, Array, Array, Array, Array, Array, int], tuple[int, Array, Array, int]
]
_dual: _Dual = solve_dual
_judge: Callable[..., bool] = is_optimal


# kinds of constraints, in the order in which they give way to those after them
HARD_TASK, JOINT_LIMIT, TORQUE_LIMIT, GROUND = 0, 1, 2, 3


class Outcome(IntEnum):
    """Outcome of a tick: solved, or what had to be left out for a solution, at most.

    FALLEN: nothing was solved, as the robot had fallen.
    """

    SOLVED = 0
    WITHOUT_HARD_TASKS = 1
    WITHOUT_JOINT_LIMITS = 2
    WITHOUT_TORQUE_LIMITS = 3
    FALLBACK = 4
    FALLEN = 5


_WITHOUT = {
    HARD_TASK: Outcome.WITHOUT_HARD_TASKS,
    JOINT_LIMIT: Outcome.WITHOUT_JOINT_LIMITS,
    TORQUE_LIMIT: Outcome.WITHOUT_TORQUE_LIMITS,
}


@dataclass(frozen=True, eq=False)
class Solution:
    """Solution x (n,), finite, and how it was found.

    active (n + m,): constraints that hold x. conflict (n + m,): shares, from 0 to 1, in which
    constraints contradicted each other before some were left out.
    """

    x: Array
    outcome: Outcome
    active: npt.NDArray[np.bool_]
    conflict: Array


class Solver:
    """Solves programmes whose constraints are of known kinds; keeps nothing of those before.

    cap: of iterations of the dual method; some tens do.
    """

    cap = 400

    def __init__(self, kind: npt.NDArray[np.int64]) -> None:
        """Take the kinds of the constraints, bounds before rows, (n + m,)."""
        self._kind = kind

    def solve(self, programme: Programme) -> Solution:
        """Return the solution.

        Where constraints contradict each other, those among them that are hard tasks give way
        first, then limits of joints, then those of torques, which the caller cuts. Where even that
        fails, x is that of least squares, cut to its bounds.
        """
        nothing = np.zeros(len(self._kind), dtype=np.bool_)
        conflict, outcome = np.zeros(len(self._kind)), Outcome.SOLVED
        if not np.isfinite(programme.c).all():
            x = np.zeros(len(programme.c))
            return Solution(x, Outcome.FALLBACK, nothing, conflict)
        p = programme
        tries = dict.fromkeys(_WITHOUT, 0)
        while True:
            status, x, multipliers = _solved(p, self.cap)
            if status == SOLVED:
                return Solution(x, outcome, multipliers > 0.0, conflict)
            if status == STUCK:
                break
            involved = multipliers > 0.0
            shares = multipliers * _scale(p)
            conflict = np.maximum(conflict, shares / shares.max())
            kind = next((k for k in _WITHOUT if (involved & (self._kind == k)).any()), None)
            if kind is None:
                break
            tries[kind] += 1
            whole = tries[kind] > _SINGLE
            p = _freed(p, (self._kind == kind) & (True if whole else involved))
            outcome = max(outcome, _WITHOUT[kind])
        x = np.linalg.lstsq(programme.P, -programme.c)[0].astype(np.float64)
        x = np.clip(x, np.minimum(p.low, p.high), p.high)
        x = x if np.isfinite(x).all() else np.zeros(len(x))
        return Solution(x, Outcome.FALLBACK, nothing, conflict)


def _freed(p: Programme, which: npt.NDArray[np.bool_]) -> Programme:
    """Return a programme without some constraints (n + m,)."""
    bound, row = which[: len(p.c)], which[len(p.c) :]
    return p._replace(
        low=np.where(bound, -np.inf, p.low),
        high=np.where(bound, np.inf, p.high),
        least=np.where(row, -np.inf, p.least),
        most=np.where(row, np.inf, p.most),
    )


def _scale(p: Programme) -> Array:
    """Scale of bounds and rows, (n + m,): sqrt(g'P^-1 g) of their normals g.

    Raises LinAlgError where P is not positive definite.
    """
    normals = np.vstack([np.eye(len(p.c)), p.G])
    return np.linalg.norm(np.linalg.solve(np.linalg.cholesky(p.P), normals.T), axis=0)


@njit
def by_constraint(sides: Array, n: int, m: int) -> Array:
    """Multipliers of constraints, (n + m,), out of those of sides; 0 where one is slight."""
    pulls = np.empty(n + m)
    for k in range(n + m):
        below = k if k < n else n + k
        pulls[k] = max(abs(sides[below]), abs(sides[below + (n if k < n else m)]))
    slight = _ACTIVE * pulls.max()
    for k in range(n + m):
        if pulls[k] <= slight:
            pulls[k] = 0.0
    return pulls


def _solved(p: Programme, cap: int) -> tuple[int, Array, Array]:
    """Return status, x and a multiplier of each constraint (n + m,), positive where it is active.

    In a conflict multipliers are those of the constraints that are part of it.
    """
    status, x, sides, _ = _dual(p.P, p.c, p.low, p.high, p.G, p.least, p.most, cap)
    if status == STUCK:
        status, x, sides = _by_interior_points(p)
    return status, x, by_constraint(sides, len(p.c), len(p.least))


def _by_interior_points(p: Programme) -> tuple[int, Array, Array]:
    """Return status, x and multipliers of all sides by PIQP, judged as those of the dual method."""
    x, sides = np.zeros(len(p.c)), np.zeros(2 * (len(p.c) + len(p.least)))
    try:
        scale = _scale(p)
    except np.linalg.LinAlgError:
        return STUCK, x, sides
    equal = p.least == p.most
    some = (np.isfinite(p.least) | np.isfinite(p.most)) & ~equal
    solver = piqp.DenseSolver()
    solver.settings.eps_abs = solver.settings.eps_duality_gap_abs = _TOLERANCE
    solver.settings.max_iter = _ITERATIONS
    solver.setup(
        np.asfortranarray(p.P),
        p.c,
        np.asfortranarray(p.G[equal]),
        p.least[equal],
        np.asfortranarray(p.G[some]),
        p.least[some],
        p.most[some],
        p.low,
        p.high,
    )
    solver.solve()  # whose own verdict nobody needs
    pulls, below, above = solver.result, np.zeros(len(p.least)), np.zeros(len(p.least))
    x = np.array(pulls.x)
    below[equal], below[some], above[some] = -pulls.y, pulls.z_l, pulls.z_u
    sides = np.concatenate([pulls.z_bl, pulls.z_bu, below, above])
    judged = _judge(p.P, p.c, p.low, p.high, p.G, p.least, p.most, scale, x, sides)
    return SOLVED if judged else STUCK, x, sides
