"""The end of a step moved onto closed loops, by the smallest change in the metric of M.

Where gaps are recovered, closed contacts are moved out of their penetration, and pressed ones back
to each other as well, by the same change.
"""

import math

from footfall.arrays import Array
from footfall.engines.factored import times_mass
from footfall.engines.record import COLUMNS, CONSTRAINT_GAP, TAIL, is_pressed
from footfall.engines.tables import COINCIDENT, DONE, SCRATCH, Machine, Memory
from footfall.engines.touching import contact_row, measure
from footfall.jit import scratch_njit
from footfall.plants.constraints import loop_rows
from footfall.plants.flat.dynamics import advance, mass_and_force, place_links
from footfall.plants.flat.factor import factor_of
from footfall.plants.flat.held import change_least
from footfall.plants.flat.tree import Kind

# m or rad: a recovery by less changes the kinetic energy by no more than such a share; the share
# that a larger one may give to it; and the part of a recovery that is not worth the while
_SLIGHT_MOVE, _GIVEN, _LEAST_SHARE = 1e-4, 1e-3, 2.0**-6
_QUATERNION = int(Kind.QUATERNION)
_STEPS = 4  # Newton steps at most; one or two do
_ROUNDING = 1e-13  # m or rad: of positions


@scratch_njit
def recover(m: Machine, w: Memory, count: int, record: Array, q: Array, v: Array) -> int:
    """Close loops at positions q (nq,), in place, and recover gaps as far as that gives no energy.

    count: of the contacts that took part in the step, whose record gets what is left, m or rad. The
    memory holds the factor of M, unless drives stand beside it.

    M changes with the positions while v stays. Where a light link can turn far out of a small
    penetration, on a hinge that carries a heavy one, they would give all that there is. What is
    left is recovered in the steps that follow. Returns how the step ends.
    """
    if m.motors.follows:
        factor_of(m.depth, m.path, w.mass, w.L)
    moved = w.q_other
    for i in range(q.size):
        moved[i] = q[i]
    left = _project(m, w, count if m.rules.recover_gaps else 0, record, moved)
    if m.rules.recover_gaps and left >= 0.0 and _is_far(q, moved):
        most, share = (1.0 + _GIVEN) * _kinetic_energy(m, w, q, v), 1.0
        while _kinetic_energy(m, w, moved, v) > most:
            share *= 0.5
            _go_between(m, q, share if share > _LEAST_SHARE else 0.0, moved)
            left = _project(m, w, 0, record, moved)
            if left < 0.0 or share <= _LEAST_SHARE:
                break
    if left < 0.0:
        return COINCIDENT
    for i in range(q.size):
        q[i] = moved[i]
    record[CONSTRAINT_GAP] = left
    return DONE


@scratch_njit
def _project(m: Machine, w: Memory, count: int, record: Array, q: Array) -> float:
    """Move q onto the loops, and so many contacts of the step to gap zero.

    Returns the largest residual [m or rad] before the last change; -1 where the points of a
    Distance coincide.
    """
    tree, held, work, begun, change = m.tree, w.held, w.work, w.begun, w.vectors[SCRATCH]
    rows = record[: record.size - TAIL].reshape(-1, COLUMNS)
    left = 0.0
    for _ in range(_STEPS):
        place_links(tree, work, q)
        if loop_rows(m.loops, q, work, held.residual, held.rows) >= 0:
            return -1.0
        n = m.equations
        if count > 0:
            measure(m, w, q)
        for i in range(count):
            c = begun.active[i]
            gap = w.gap[c]
            if gap < 0.0 or (0.0 < gap < math.inf and is_pressed(rows[begun.places[i]])):
                held.residual[n] = gap
                contact_row(m, w, work, c, 0, w.place, held.rows[n])
                n += 1
        left = 0.0
        for i in range(n):
            held.right[i] = held.residual[i]
            if not abs(held.residual[i]) <= left:  # nor where it is NaN
                left = abs(held.residual[i])
        if left < _ROUNDING:
            break
        change_least(m.depth, m.path, w.L, held, n, change)
        advance(tree.kind, tree.position, tree.velocity, q, change, -1.0, q)
    return left


@scratch_njit
def _is_far(q: Array, moved: Array) -> bool:
    for i in range(q.size):  # noqa: SIM110 (a kernel knows no generators)
        if abs(moved[i] - q[i]) > _SLIGHT_MOVE:
            return True
    return False


@scratch_njit
def _kinetic_energy(m: Machine, w: Memory, q: Array, v: Array) -> float:
    """T = 1/2 v^T M(q) v [J]."""
    mass_and_force(m.tree, w.work, q, v)
    momentum, energy = w.vectors[SCRATCH], 0.0
    times_mass(m.tree.depth, m.tree.path, w.work.H, v, momentum)
    for k in range(v.size):
        energy += 0.5 * v[k] * momentum[k]
    return energy


@scratch_njit
def _go_between(m: Machine, q: Array, share: float, moved: Array) -> None:
    """Leave a share of the way from q to positions, in place."""
    for i in range(q.size):
        moved[i] = q[i] + share * (moved[i] - q[i]) if share > 0.0 else q[i]
    for link in range(1, m.tree.kind.size):
        if m.tree.kind[link] == _QUATERNION and share > 0.0:
            first = m.tree.position[link]
            square = 0.0
            for i in range(first, first + 4):
                square += moved[i] * moved[i]
            for i in range(first, first + 4):
                moved[i] /= math.sqrt(square)
