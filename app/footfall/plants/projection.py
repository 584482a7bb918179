"""Positions and velocities moved onto closed loops, by the smallest change in the metric of M.

Where gaps are recovered, closed contacts are moved out of their penetration, and pressed ones back
to each other as well, by the same change.
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.linalg import null_space

from footfall.arrays import Array, Indices
from footfall.errors import ModelError
from footfall.jit import njit, scratch_njit
from footfall.plants.constraints import COINCIDE, BilateralRows, LoopTable, equations_of, loop_rows
from footfall.plants.contacts.gaps import JointTable, measure_simple
from footfall.plants.contacts.ground import GroundTable
from footfall.plants.contacts.measure import ContactMeasure
from footfall.plants.flat.dynamics import (
    Scratch,
    advance,
    count_of,
    mass_and_force,
    place,
    scratch_of,
    shared,
    twists,
    unit_velocity,
)
from footfall.plants.flat.factor import by_depth, factor, solve
from footfall.plants.flat.held import REDUNDANT, hold
from footfall.plants.flat.tree import Kind, Tree

_ROUNDING = 1e-9
# m or rad: a recovery by less changes the kinetic energy by no more than such a share; the share
# that a larger one may give to it; and the part of a recovery that is not worth the while
SLIGHT_MOVE, GIVEN, LEAST_SHARE = 1e-4, 1e-3, 2.0**-6
_QUATERNION = int(Kind.QUATERNION)
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


@scratch_njit
def change_least(
    depth: Indices,
    path: Indices,
    L: Array,
    count: int,
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
    """Fill in the dq (nv,) that meets the first of G dq = g and is smallest in the metric of M.

    L: M = L^T L by depth. rows to change: as of ``Equations``. With y = L dq the equations are
    those of G L^-1; of redundant ones those that have most to say count, and the others get what
    they ask for as far as the equations agree.
    """
    nv = depth.size
    for i in range(count):
        right[i] = residual[i]
    rank = hold(depth, path, L, rows, count, half, right, basis, answer, size, product)
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
    change_least(depth, path, L, rows.shape[0], rows, residual, *memory[2:])
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
    # equations that only fixed ones can meet
    alone = null_space(rows[:, ~fixed].T, rcond=REDUNDANT).T
    # redundant equations leave rounding alone
    alone = alone[np.abs(alone @ rows[:, fixed]).max(axis=1, initial=0.0) > REDUNDANT]
    if len(alone) and np.abs(alone @ residual).max() > _ROUNDING:
        held = mass[np.ix_(fixed, fixed)]
        step[fixed] = smallest_change(alone @ rows[:, fixed], held, alone @ residual)
    if not fixed.all():
        free = mass[np.ix_(~fixed, ~fixed)]
        step[~fixed] = smallest_change(rows[:, ~fixed], free, residual - rows @ step)
    return step


class Touching(NamedTuple):
    """Contacts of which some are brought to gap zero, as ``footfall.plants.contacts`` has them.

    links (m, 2), pair_of (m,): the links of those of surfaces, and their pair, -1 for the ground.
    normals (pairs, 3): in W. columns: as of ``Surfaces``. gap (n,), place (n, 3): scratch.
    """

    ground: GroundTable
    joints: JointTable
    links: Indices
    pair_of: Indices
    normals: Array
    columns: Indices
    gap: Array
    place: Array


def touching_of(measure: ContactMeasure) -> Touching:
    """Return all contacts of a set."""
    (ground, joints, _), surfaces, count = measure.gap_tables, measure.surfaces, len(measure)
    of_surfaces = surfaces.links, surfaces.pair_of, surfaces.normals, surfaces.columns
    scratch = np.full(count, np.inf), np.full((count, 3), np.nan)
    return Touching(ground, joints, *of_surfaces, *scratch)


@scratch_njit
def project(
    tree: Tree,
    loops: LoopTable,
    touching: Touching,
    active: Indices,
    pressed: npt.NDArray[np.bool_],
    q: Array,
    L: Array,
    pose: Array,
    twist: Array,
    memory: Equations,
) -> tuple[float, int]:
    """Move q (nq,), in place, by changes that are smallest in the metric of M.

    active, pressed (k,): contacts to be brought out of their penetration, and whether also to each
    other; none is a pair's. L: M = L^T L by depth. pose, twist: of the links, left where they were
    last. memory: for the loops' equations and k. Returns the largest residual [m or rad] before the
    last change, and the Distance whose points coincide, or -1.
    """
    residual, rows = memory.residual, memory.rows
    gap, left, loops_count = touching.gap, 0.0, equations_of(loops)
    for _ in range(STEPS):
        _place(tree, q, pose, twist)
        none = loop_rows(loops.whole, loops.X, loops.numbers, q, pose, twist, residual, rows)
        if none >= 0:
            return left, none
        count = loops_count
        if active.size > 0:
            measure_simple(touching.ground, touching.joints, pose, q, gap, touching.place)
        for i in range(active.size):
            c = active[i]
            if gap[c] < 0.0 or (pressed[i] and 0.0 < gap[c] < math.inf):
                residual[count] = gap[c]
                _normal_row(tree, touching, c, pose, twist, rows[count])
                count += 1
        left = 0.0
        for i in range(count):
            if not abs(residual[i]) <= left:  # nor where it is NaN
                left = abs(residual[i])
        if left < PROJECTED:
            break
        change_least(tree.depth, tree.path, L, count, rows, residual, *memory[2:])
        advance(tree.kind, tree.position, tree.velocity, q, memory.change, -1.0, q)
    return left, -1


@scratch_njit
def _place(tree: Tree, q: Array, pose: Array, twist: Array) -> None:
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


@scratch_njit
def _normal_row(
    tree: Tree, touching: Touching, c: int, pose: Array, twist: Array, row: Array
) -> None:
    """Fill in the row (nv,) of a contact's normal velocity."""
    for k in range(row.size):
        row[k] = 0.0
    first = touching.links.shape[0]
    if c >= first:
        row[touching.columns[c - first, 1]] = touching.joints.bounds[c - first, 0]
        return
    pair, plane, n = touching.pair_of[c], touching.ground.plane, touching.normals
    a, b, d = (n[pair, 0], n[pair, 1], n[pair, 2]) if pair >= 0 else (plane[0], plane[1], plane[2])
    last, reference, depth, path = tree.last, tree.reference, tree.depth, tree.path
    x, y, z = touching.place[c, 0], touching.place[c, 1], touching.place[c, 2]
    alike = shared(touching.links[c, 0], touching.links[c, 1], last, depth, path)
    for side, sign in ((0, 1.0), (1, -1.0)):
        link = touching.links[c, side]
        for step in range(alike, count_of(link, last, depth)):
            k = path[last[link], step]
            u, v, w = unit_velocity(twist, pose, reference[link], k, x, y, z)
            row[k] = sign * (a * u + b * v + d * w)


@scratch_njit
def recover(
    tree: Tree,
    loops: LoopTable,
    touching: Touching,
    active: Indices,
    pressed: npt.NDArray[np.bool_],
    q: Array,
    v: Array,
    L: Array,
    work: Scratch,
    memory: Equations,
    moved: Array,
) -> tuple[float, int]:
    """Fill in positions (nq,) with loops closed and gaps recovered, as far as that gives no energy.

    M changes with the positions while v stays. Where a light link can turn far out of a small
    penetration, on a hinge that carries a heavy one, they would give all that there is. What is
    left is recovered in the steps that follow. Returns what ``project`` does.
    """
    for i in range(q.size):
        moved[i] = q[i]
    at = L, work.pose, work.twist, memory
    left, none = project(tree, loops, touching, active, pressed, moved, *at)
    if none >= 0 or not _is_far(q, moved):
        return left, none
    most, share = (1.0 + GIVEN) * _kinetic_energy(tree, work, q, v), 1.0
    while _kinetic_energy(tree, work, moved, v) > most:
        share *= 0.5
        _go_between(tree, q, share if share > LEAST_SHARE else 0.0, moved)
        left, none = project(tree, loops, touching, active[:0], pressed[:0], moved, *at)
        if none >= 0 or share <= LEAST_SHARE:
            break
    return left, none


@scratch_njit
def _is_far(q: Array, moved: Array) -> bool:
    for i in range(q.size):  # noqa: SIM110 (a kernel knows no generators)
        if abs(moved[i] - q[i]) > SLIGHT_MOVE:
            return True
    return False


@scratch_njit
def _kinetic_energy(tree: Tree, work: Scratch, q: Array, v: Array) -> float:
    """T = 1/2 v^T M(q) v [J]."""
    mass_and_force(tree, work, q, v)
    energy = 0.0
    for k in range(v.size):
        n = tree.depth[k]
        momentum = 0.5 * work.H[k, n] * v[k]
        for d in range(n):
            momentum += work.H[k, d] * v[tree.path[k, d]]
        energy += momentum * v[k]
    return energy


@scratch_njit
def _go_between(tree: Tree, q: Array, share: float, moved: Array) -> None:
    """Leave a share of the way from q to positions, in place."""
    for i in range(q.size):
        moved[i] = q[i] + share * (moved[i] - q[i]) if share > 0.0 else q[i]
    for link in range(1, tree.kind.size):
        if tree.kind[link] == _QUATERNION and share > 0.0:
            first = tree.position[link]
            square = 0.0
            for i in range(first, first + 4):
                square += moved[i] * moved[i]
            for i in range(first, first + 4):
                moved[i] /= math.sqrt(square)


class Projection:
    """Moves positions of a plant onto its closed loops, and contacts to gap zero."""

    def __init__(self, loops: BilateralRows, touching: Touching) -> None:
        """Take the loops and the contacts."""
        self._tree, self._loops, self._count = loops.kinematics.tree, loops.table, len(loops)
        self._touching = touching
        self._L, self._work = np.zeros(self._tree.path.shape), scratch_of(self._tree)
        self._memory = memory_for(self._count, len(self._tree.depth))

    def knows(self, active: Indices) -> bool:
        """Say whether some contacts are with the ground or in joints, and none between bodies."""
        pair_of = self._touching.pair_of
        return not (pair_of[active[active < len(pair_of)]] >= 0).any()

    def onto_loops(self, q: Array, mass: Array) -> tuple[Array, float]:
        """Return positions on the loops near q, and the largest residual that is left [m or rad].

        mass: M (nv, nv), in whose metric the change is smallest.
        """
        self._factor(mass)
        moved, none = q.copy(), np.zeros(0, dtype=np.bool_)
        contacts = self._touching, np.zeros(0, dtype=np.int64), none
        pose, twist, memory = self._work.pose, self._work.twist, self._memory
        left, coincide = project(
            self._tree, self._loops, *contacts, moved, self._L, pose, twist, memory
        )
        return _checked(moved, left, coincide)

    def recover(
        self,
        q: Array,
        v: Array,
        mass: Array,
        active: Indices,
        pressed: npt.NDArray[np.bool_],
    ) -> tuple[Array, float]:
        """The same with contacts (k,) that touch, and whether each is pressed, brought to gap zero.

        As far as that gives no energy to the motion with velocities v.
        """
        self._factor(mass)
        if len(self._memory.residual) < self._count + len(active):
            self._memory = memory_for(self._count + 2 * len(active), len(self._tree.depth))
        moved = np.empty_like(q)
        contacts, work = (self._touching, active, pressed), (self._L, self._work, self._memory)
        left, coincide = recover(self._tree, self._loops, *contacts, q, v, *work, moved)
        return _checked(moved, left, coincide)

    def _factor(self, mass: Array) -> None:
        by_depth(self._tree.depth, self._tree.path, mass, self._L)
        factor(self._tree.depth, self._tree.path, self._L)


def _checked(moved: Array, left: float, coincide: int) -> tuple[Array, float]:
    if coincide >= 0:
        raise ModelError(COINCIDE)
    return moved, left
