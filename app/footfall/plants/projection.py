"""Positions and velocities moved onto closed loops, by the smallest change in the metric of M."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.linalg import null_space

from footfall.arrays import Array, Indices
from footfall.errors import ModelError
from footfall.jit import njit
from footfall.plants.constraints import COINCIDE, BilateralRows, LoopTable, loop_rows
from footfall.plants.flat.dynamics import advance, place, twists
from footfall.plants.flat.factor import by_depth, factor, solve
from footfall.plants.flat.held import REDUNDANT, hold
from footfall.plants.flat.tree import Tree

_ROUNDING = 1e-9
STEPS = 4  # Newton steps at most; one or two do
PROJECTED = 1e-13  # m or rad: rounding of positions


class Equations(NamedTuple):
    """Memory for m equations G dq = g of nv velocities.

    rows (m, nv), residual (m,): G and g. half (nv, m), basis (nv, nv), right, product (m,),
    answer (nv,), size (2, m): scratch. change (nv,): dq.
    """

    rows: Array
    residual: Array
    half: Array
    basis: Array
    right: Array
    answer: Array
    size: Array
    product: Array
    change: Array


def memory_for(m: int, nv: int) -> Equations:
    """Return memory for m equations of nv velocities."""
    sizes = (m, nv), m, (nv, m), (nv, nv), m, nv, (2, m), m, nv
    return Equations(*(np.zeros(size) for size in sizes))


@njit
def change_least(
    depth: Indices,
    path: Indices,
    L: Array,
    rows: Array,
    residual: Array,
    half: Array,
    basis: Array,
    right: Array,
    answer: Array,
    size: Array,
    product: Array,
    change: Array,
) -> None:
    """Fill in the dq (nv,) with G dq = g that is smallest in the metric of M = L^T L.

    L: by depth. rows to change: as of ``Equations``. With y = L dq the equations are those of
    G L^-1; of redundant ones those that have most to say count, and the others get what they ask
    for as far as the equations agree.
    """
    count, nv = rows.shape
    for i in range(count):
        right[i] = residual[i]
    rank = hold(depth, path, L, rows, half, right, basis, answer, size, product)
    for j in range(nv):
        change[j] = 0.0
    for k in range(rank):
        for j in range(nv):
            change[j] += answer[k] * basis[k, j]
    solve(depth, path, L, change)


@njit
def _smallest_change(rows: Array, mass: Array, residual: Array, memory: Equations) -> bool:
    nv = rows.shape[1]
    depth, path, L = np.arange(nv), np.empty((nv, nv), dtype=np.int64), mass.copy()
    for k in range(nv):
        path[k] = depth
    if not factor(depth, path, L):
        return False
    change_least(depth, path, L, rows, residual, *memory[2:])
    return True


def smallest_change(rows: Array, mass: Array, residual: Array) -> Array:
    """The dq (nv,) with G dq = g that is smallest in the metric of M.

    rows: G (m, nv). mass: M (nv, nv). residual: g (m,). Of redundant rows those that have most to
    say count; the others get what they ask for as far as the equations agree.
    """
    memory, M = memory_for(len(rows), len(mass)), np.ascontiguousarray(mass)
    G, g = np.ascontiguousarray(rows), np.ascontiguousarray(residual)
    if not _smallest_change(G, M, g, memory):
        raise np.linalg.LinAlgError("the mass matrix is not positive definite")
    return memory.change


def least_change(rows: Array, mass: Array, residual: Array, fixed: npt.NDArray[np.bool_]) -> Array:
    """The dv (nv,) with G dv = g in which fixed ones (nv,) change only by what others cannot do.

    rows, mass, residual: as of `smallest_change`, whose metric measures fixed ones and the others,
    one after the other.
    """
    step = np.zeros(len(mass))
    alone = null_space(
        rows[:, ~fixed].T, rcond=REDUNDANT
    ).T  # equations that only fixed ones can meet
    # redundant equations leave rounding alone
    alone = alone[np.abs(alone @ rows[:, fixed]).max(axis=1, initial=0.0) > REDUNDANT]
    if len(alone) and np.abs(alone @ residual).max() > _ROUNDING:
        held = mass[np.ix_(fixed, fixed)]
        step[fixed] = smallest_change(alone @ rows[:, fixed], held, alone @ residual)
    if not fixed.all():
        free = mass[np.ix_(~fixed, ~fixed)]
        step[~fixed] = smallest_change(rows[:, ~fixed], free, residual - rows @ step)
    return step


@njit
def project(
    tree: Tree, loops: LoopTable, q: Array, L: Array, pose: Array, twist: Array, memory: Equations
) -> tuple[float, int]:
    """Move q (nq,), in place, onto closed loops by changes that are smallest in the metric of M.

    L: M = L^T L by depth. pose, twist: of the links, left where they were last. Returns the largest
    residual [m or rad] before the last change, and the Distance whose points coincide, or -1.
    """
    residual, rows = memory.residual, memory.rows
    left = 0.0
    for _ in range(STEPS):
        place(tree.kind, tree.parent, tree.position, tree.E, tree.p, tree.turn, tree.slide, q, pose)
        twists(
            tree.kind,
            tree.parent,
            tree.velocity,
            tree.reference,
            tree.E,
            tree.turn,
            tree.slide,
            pose,
            twist,
        )
        none = loop_rows(loops.whole, loops.X, loops.numbers, q, pose, twist, residual, rows)
        if none >= 0:
            return left, none
        left = 0.0
        for each in residual:
            if not abs(each) <= left:  # nor where it is NaN
                left = abs(each)
        if left < PROJECTED:
            break
        change_least(tree.depth, tree.path, L, rows, residual, *memory[2:])
        advance(tree.kind, tree.position, tree.velocity, q, memory.change, -1.0, q)
    return left, -1


class Projection:
    """Moves positions of a plant onto its closed loops."""

    def __init__(self, tree: Tree, loops: LoopTable, equations: int) -> None:
        """Take the links, and the loops between them with so many equations."""
        self._tree, self._loops = tree, loops
        self._L = np.zeros(tree.path.shape)
        self._pose = np.tile(np.eye(3, 4), (len(tree.kind), 1, 1))
        self._twist = np.zeros((len(tree.depth), 6))
        self._memory = memory_for(equations, len(tree.depth))

    def __call__(self, q: Array, mass: Array) -> tuple[Array, float]:
        """Return positions on the loops near q, and the largest residual that is left [m or rad].

        mass: M (nv, nv), in whose metric the change is smallest.
        """
        tree, moved = self._tree, q.copy()
        by_depth(tree.depth, tree.path, mass, self._L)
        factor(tree.depth, tree.path, self._L)
        where = self._L, self._pose, self._twist
        left, coincide = project(tree, self._loops, moved, *where, self._memory)
        if coincide >= 0:
            raise ModelError(COINCIDE)
        return moved, left


def projection_onto(loops: BilateralRows) -> Projection | None:
    """Return what moves a plant onto its loops; None without any, or where it is not flat."""
    if not loops or not loops.kinematics.links.holds_motion:
        return None
    return Projection(loops.kinematics.tree, loops.table, len(loops))
