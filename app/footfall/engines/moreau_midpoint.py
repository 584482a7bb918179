"""The implicit midpoint rule with contact: a step of second order between impacts.

    q_M = q_A + dt/2 N(q_M) w,   q_E = q_A + dt N(q_M) w,   w = (v_A + v_E) / 2 + M^-1 G^T mu
    M (v_E - v_A) = (h(q_M, (v_A + v_E) / 2) + B tau + f) dt + J^T Lambda + G^T lambda

with M and G at q_M. The multipliers mu keep loops closed, g(q_E) = 0; lambda keeps G v = 0 at the
end of the step and not in its middle, and so do impulses of contacts that stay closed: what begins
in the tangent space ends in it. Without impact and friction the step read backwards is the same
step, so that energy has no trend. Velocities of free bodies are those of
`footfall.plants.flat.midpoint`. Solved by iteration, with dampers, springs and drives beside M.

Where the contacts have several answers, which take turns as the iteration goes on, the step ends
with one of them, as that of first order does.

Contacts have J as at q_A + dt/2 N(q_A) v_A, where they are measured, as in Moreau's step; f is the
generalized force there. Those between two bodies, and those that close in the step, have their law
at the velocity of its end alone.

Source: M. Jean, Computer Methods in Applied Mechanics and Engineering 177 (1999) 235-257, for
theta = 1/2; E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration (2006), section
VII.1, for constraints.
"""

import numpy as np

from footfall.arrays import Array
from footfall.contact import Mode
from footfall.engines.factored import times_mass
from footfall.engines.ports import DIVERGED
from footfall.engines.tables import (
    APART,
    COINCIDENT,
    DONE,
    EXTRA,
    FAR,
    FORCE,
    GAINS,
    NO_END,
    SCRATCH,
    VECTORS,
    Machine,
    Memory,
)
from footfall.engines.touching import begin, contact_row
from footfall.engines.velocities import end_velocity
from footfall.jit import scratch_njit
from footfall.plants.constraints import loop_rows
from footfall.plants.contacts.gaps import measure_simple
from footfall.plants.flat.dynamics import Scratch, mass_and_force, place_links
from footfall.plants.flat.factor import factor_of
from footfall.plants.flat.held import change_least
from footfall.plants.flat.midpoint import middle_and_end, seen_from, turning

_OPEN, _STICK = int(Mode.OPEN), int(Mode.STICK)
_ITERATIONS = 100
_PATIENCE = 20  # iterations, after which each goes half as far: so it settles what would circle
_SAME, _SLOW = 1e-10, 1e-11  # of the velocities, and m/s or rad/s: a change that counts as none
# of the velocities: what may be left of a free motion, where rounding is all that changes; and with
# contacts, whose problem may have several answers that take turns
_ALMOST, _ALMOST_TOUCHING = 1e-6, 0.05
_STALLED = 8  # iterations that come no nearer by so much
_NEARER = 0.7

# rows of ``Memory.vectors``: v_A and v_E as seen from the middle, their mean and w; mu's part of w;
# v_E as far as it is known; what keeps rows at v_A and v_E; the velocity that the step starts from
_FROM_A, _FROM_E, _MEAN, _WAY, _CLOSING, _KNOWN, _AT_A, _AT_E, _CLOSES, _START = range(
    GAINS + 1, VECTORS
)


@scratch_njit
def step_by_midpoint(
    m: Machine,
    w: Memory,
    count: int,
    q: Array,
    v: Array,
    applied: Array,
    off: Array,
    last: Array,
    record: Array,
    q_e: Array,
    v_e: Array,
) -> int:
    """Make a step from q, v to q_e, v_e; returns how it ends.

    count: of the contacts that take part. The memory holds the links and the contacts at the middle
    as it was foreseen, and torques, of drives those at a velocity that stays.
    """
    tree, dt, x, vectors = m.tree, m.rules.dt, w.vectors[SCRATCH], w.vectors
    from_a, from_e, mean, way = vectors[_FROM_A], vectors[_FROM_E], vectors[_MEAN], vectors[_WAY]
    closing, closes, found = vectors[_CLOSING], vectors[_CLOSES], vectors[_KNOWN]
    rows = _steady_rows(m, w, w.work, w.place, w.held.rows)
    almost = _ALMOST_TOUCHING if count > 0 else _ALMOST
    least, stalled, enough = np.inf, 0, False
    for i in range(q.size):
        w.q_m[i] = q[i]
    for k in range(v.size):
        found[k], way[k], closing[k] = v[k], v[k], 0.0
    for iteration in range(_ITERATIONS):
        for k in range(v.size):
            x[k] = way[k] + closing[k]
        middle_and_end(tree, q, x, dt, w.q_m, q_e, w.q_other)
        seen_from(tree, w.q_m, q, v, from_a)
        seen_from(tree, w.q_m, q_e, found, from_e)
        for k in range(v.size):
            mean[k] = 0.5 * (from_a[k] + from_e[k])
        status = _velocity(m, w, rows, v, applied, off, last, record, q_e, v_e)
        if status != DONE:
            return status
        seen_from(tree, q_e, w.q_m, from_e, v_e)
        change = scale = 0.0
        share = 0.5 ** (iteration // _PATIENCE)
        for k in range(v.size):
            change = max(change, abs(v_e[k] - found[k]), abs(closes[k]))
            scale = max(scale, abs(v_e[k]))
            found[k] += share * (v_e[k] - found[k])
            closing[k] += share * closes[k]
        seen_from(tree, w.q_m, q_e, found, x)
        for k in range(v.size):
            way[k] = 0.5 * (from_a[k] + x[k])
        stalled = 0 if change <= _NEARER * least else stalled + 1
        least = min(least, change)
        enough = change <= almost * scale + _SLOW
        if change <= _SAME * scale + _SLOW or (stalled >= _STALLED and enough):
            break
        if not scale < DIVERGED:
            break
    # the contacts' laws hold for what was found, and not for a mean of it and what was before
    for k in range(v.size):
        x[k] = 0.5 * (from_a[k] + from_e[k]) + closing[k]
    middle_and_end(tree, q, x, dt, w.q_m, q_e, w.q_other)
    return DONE if enough else NO_END


@scratch_njit
def _velocity(
    m: Machine,
    w: Memory,
    rows: int,
    v: Array,
    applied: Array,
    off: Array,
    last: Array,
    record: Array,
    q_e: Array,
    v_e: Array,
) -> int:
    """Find v_E as seen from a middle, where and as v_A and v_E are known in the memory.

    rows: of loops and steady contacts; what they take from w to meet g(q_E) = 0 is closes.
    """
    tree, dt, held, end, vectors = m.tree, m.rules.dt, w.held, w.later, w.vectors
    at = end.links
    from_a, from_e, mean, x = vectors[_FROM_A], vectors[_FROM_E], vectors[_MEAN], vectors[SCRATCH]
    at_a, at_e, closes, start = vectors[_AT_A], vectors[_AT_E], vectors[_CLOSES], vectors[_START]
    force = vectors[FORCE]
    if rows > 0:
        place_links(tree, at, q_e)
        if loop_rows(m.loops, q_e, at, end.residual, end.rows) >= 0:
            return COINCIDENT
        if rows > m.equations:
            measure_simple(m.ground, m.joints, at.pose, q_e, end.gap, end.place)
            _steady_rows(m, w, at, end.place, end.rows)
    mass_and_force(tree, at, w.q_m, mean)
    if loop_rows(m.loops, w.q_m, at, held.residual, held.rows) >= 0:
        return COINCIDENT
    _set_force(m, w, v, applied)
    if not factor_of(m.depth, m.path, w.mass, w.L):
        return APART
    for r in range(rows):
        held.right[r] = -_along(held.rows[r], from_a)
    change_least(m.depth, m.path, w.L, held, rows, at_a)
    for r in range(rows):
        held.right[r] = _along(end.rows[r], vectors[_KNOWN]) - _along(held.rows[r], from_e)
    change_least(m.depth, m.path, w.L, held, rows, at_e)
    for r in range(rows):
        held.right[r] = -end.residual[r] / dt if r < m.equations else 0.0
    change_least(m.depth, m.path, w.L, held, rows, closes)
    for k in range(v.size):
        start[k] = at_e[k] - at_a[k]
    times_mass(m.depth, m.path, w.mass, start, x)
    for k in range(v.size):
        force[k] += x[k] / dt
        start[k] = from_a[k] + at_a[k]
    count = begin(m, w, off, last, record)
    status = end_velocity(m, w, count, False, start, v_e, record)
    for k in range(v.size):
        from_e[k] = v_e[k] - at_e[k]
        if status == DONE and not abs(v_e[k]) < DIVERGED:  # nor where it is NaN
            status = FAR
    return status


@scratch_njit
def _set_force(m: Machine, w: Memory, v: Array, applied: Array) -> None:
    """Fill force and M of a middle, with all that stands beside it."""
    at, motors, dt, vectors = w.later.links, m.motors, m.rules.dt, w.vectors
    force, extra, x = vectors[FORCE], vectors[EXTRA], vectors[SCRATCH]
    for k in range(v.size):
        force[k], extra[k] = at.h[k] + applied[k], m.added[k, m.depth[k]]
        for d in range(m.depth[k] + 1):
            w.mass[k, d] = at.H[k, d]
    for a in range(w.tau.size):
        k = motors.velocity[a]
        linear = w.tau[a] - motors.slope[a] * (vectors[_KNOWN, k] - v[k])
        limited = min(max(linear, -motors.limit[a]), motors.limit[a])
        force[k] += limited
        if motors.follows and limited == linear:
            extra[k] += dt * motors.slope[a]
    turning(m.tree, w.q_m, vectors[_MEAN], vectors[_START])
    times_mass(m.depth, m.path, w.mass, vectors[_START], x)
    for k in range(v.size):
        force[k] += extra[k] * (vectors[_FROM_E, k] - vectors[_FROM_A, k]) / dt - x[k]
        w.mass[k, m.depth[k]] += extra[k]
        extra[k] = 0.0


@scratch_njit
def _steady_rows(m: Machine, w: Memory, links: Scratch, place: Array, rows: Array) -> int:
    """Fill the rows that steady contacts keep at rest behind those of loops; count both.

    Steady are contacts with the ground or in joints that were closed in the last step already: they
    keep the row of the normal, and all rows if they stuck. links, place: where they are.
    """
    s, begun, n = m.surfaces, w.begun, m.equations
    for i in range(w.counts[0]):
        c, before = begun.active[i], begun.before[i]
        if before == _OPEN or (c < s.pair_of.size and s.pair_of[c] >= 0):
            continue
        for d in range(s.dim if before == _STICK else 1):
            contact_row(m, w, links, c, d, place, rows[n])
            n += 1
    return n


@scratch_njit
def _along(row: Array, v: Array) -> float:
    total = 0.0
    for k in range(row.size):
        total += row[k] * v[k]
    return total
