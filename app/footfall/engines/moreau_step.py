"""A Moreau step, compiled as a whole, and rollouts of many: from [q; v] to the next [q; v].

    q_M = q_A + dt/2 N(q_A) v_A
    M_M (v_E - v_A) = (h(q_M, v_A) + B tau + f) dt + J_M^T Lambda + G^T lambda
    q_E = q_M + dt/2 N(q_M) v_E

with dampers, springs and drives beside M, and h of the mean velocity for what spins in free flight.
"""

import math

import numpy as np

from footfall.arrays import Array, Indices
from footfall.contact import Mode
from footfall.engines.factored import factor, solve, solve_transposed, times_mass
from footfall.engines.held import hold, keep_held, work_of_holding
from footfall.engines.ports import DIVERGED
from footfall.engines.record import (
    COLUMNS,
    CONSTRAINT_WORK,
    ENERGY_GAIN,
    ENERGY_RESIDUAL,
    ITERATIONS,
    MODE,
    RESIDUAL,
    STAGE,
    TAIL,
    begin_record,
)
from footfall.engines.tables import Feet, Handle, Machine, Memory
from footfall.engines.velocities import (
    EXTRA,
    FORCE,
    FREE,
    GAIN,
    MIDDLE,
    SCRATCH,
    V_FREE,
    V_I,
    solve_contacts,
)
from footfall.jit import merged, njit
from footfall.plants.constraints import loop_rows
from footfall.plants.contacts.gaps import measure_gaps
from footfall.plants.contacts.swing_foot_filter import off_after_step
from footfall.plants.flat.dynamics import advance, inward_force, mass_and_force, outward
from footfall.solvers.problem import SOLVED

_OPEN = float(Mode.OPEN)
_FLIGHT_ITERATIONS, _SAME_VELOCITY = 10, 1e-12
_SLOW_SPIN = 1e-3  # rad/s: a free body that spins slower has next to no gyroscopic torque
_SWITCHES = 20  # times that drives may come to their limits or leave them in a step

DONE, UNSOLVED, TOO_MANY, APART, FAR, COINCIDENT = range(6)
"""How a step ended: as it should; with a contact problem that is not solved; with more contacts
than its record has rows; with M that is not definite; with a velocity that is no number or huge;
with a Distance whose points coincide."""

KNOWS_DYNAMICS, KNOWS_GAPS, VELOCITIES_ALONE = 1, 2, 4
"""What a caller has done of a step: poses, M and h; gaps; all but the velocities, with M by depth in
the memory and all forces in place of h. Then feet do not take turns either."""


@merged
def _step(
    m: Machine,
    w: Memory,
    known: int,
    q: Array,
    v: Array,
    applied: Array,
    off: Array,
    last: Array,
    record: Array,
    q_e: Array,
    v_e: Array,
) -> tuple[int, Array]:
    """Make a step from q, v with the torques in w.tau; see ``roll``."""
    rules, tree, begun, none = m.rules, m.tree, w.begun, np.zeros(0)
    nv, dt, q_m = v.size, rules.dt, w.q_m
    kind, first = tree.kind, tree.velocity
    if known & KNOWS_DYNAMICS == 0:
        advance(kind, tree.position, first, q, v, 0.5 * dt, q_m)
        mass_and_force(tree, w.work, q_m, v)
    if known & KNOWS_GAPS == 0:
        measure_gaps(
            m.ground, m.joints, m.pairs, w.gaps, w.work.pose, q_m, w.gap, w.place, w.normals
        )
    count = begin_record(
        w.gap, w.place, m.surfaces.pair_of, m.surfaces.ground[0], w.normals, last, rules.touching,
        rules.still_touching, record, begun.active, begun.places, begun.guess, begun.before,
        begun.more,
    )  # fmt: skip
    if count < 0:
        return TOO_MANY, none
    if off.size > 0:
        count = _leave_out_feet(m.feet, off, count, begun.active, begun.places, begun.guess, begun.before)
    w.counts[0] = count
    if m.loops.whole.shape[0] > 0 and known & VELOCITIES_ALONE == 0:
        coincident = loop_rows(
            m.loops.whole, m.loops.X, m.loops.numbers, q_m, w.work.pose, w.work.twist, w.residual,
            w.G,
        )  # fmt: skip
        if coincident >= 0:
            return COINCIDENT, none
        for k in range(nv):
            for i in range(w.residual.size):
                w.held.G[k, i] = w.G[i, k]
    if known & VELOCITIES_ALONE == 0:
        _by_depth(tree.depth, tree.path, m.depth, m.path, w.work.H, m.added, w.mass)
    flies = m.spins.size > 0 and known & KNOWS_DYNAMICS == 0 and _flying(m, w, count, v)
    status, failure = _driven(m, w, count, flies, v, applied, v_e, record)
    if status != DONE:
        return status, failure
    for k in range(nv):
        if not abs(v_e[k]) < DIVERGED:  # nor where it is NaN
            return FAR, none
    if off.size > 0 and known & VELOCITIES_ALONE == 0:
        _turn_feet(m.feet, off, w.gap, w.place, count, begun.active, begun.places, record)
    if known & VELOCITIES_ALONE == 0:
        advance(kind, tree.position, first, q_m, v_e, 0.5 * dt, q_e)
    return DONE, none


@merged
def _driven(
    m: Machine,
    w: Memory,
    count: int,
    flies: bool,
    v: Array,
    applied: Array,
    v_e: Array,
    record: Array,
) -> tuple[int, Array]:
    """Find the end velocity at which every drive follows its joint, or is at its limit."""
    motors, nv, dt = m.motors, v.size, m.rules.dt
    tau, held, follows = w.tau, w.held_tau, w.follows
    force, extra, none = w.vectors[FORCE], w.vectors[EXTRA], np.zeros(0)
    for a in range(tau.size):
        if motors.follows:
            tau[a] -= motors.of_start[a] * v[motors.velocity[a]]
        held[a] = tau[a]
        follows[a] = motors.follows
    status, failure = DONE, none
    for _ in range(_SWITCHES if motors.follows else 1):
        for k in range(nv):
            force[k], extra[k] = w.work.h[k] + applied[k], 0.0
        for a in range(tau.size):
            k = motors.velocity[a]
            if follows[a]:
                force[k] += tau[a]
                extra[k] += dt * motors.slope[a]
            else:
                force[k] += min(max(held[a], -motors.limit[a]), motors.limit[a])
        status, failure = _velocities(m, w, count, flies, v, v_e, record)
        if status != DONE or not motors.follows:
            break
        settled = True
        for a in range(tau.size):
            k = motors.velocity[a]
            linear = tau[a] - motors.slope[a] * (v_e[k] - v[k])
            limited = min(max(linear, -motors.limit[a]), motors.limit[a])
            within = limited == linear
            if within != follows[a] or (not within and limited != held[a]):
                settled = False
            follows[a], held[a] = within, limited
        if settled:
            break
    return status, failure


@merged
def _velocities(
    m: Machine, w: Memory, count: int, flies: bool, v: Array, v_e: Array, record: Array
) -> tuple[int, Array]:
    """Find the end velocity under the force in the memory; fills the record."""
    nv, dt, depth, path, held = v.size, m.rules.dt, m.depth, m.path, w.held
    force, extra, x = w.vectors[FORCE], w.vectors[EXTRA], w.vectors[SCRATCH]
    free, v_free, v_i = w.vectors[FREE], w.vectors[V_FREE], w.vectors[V_I]
    none = np.zeros(0)
    for k in range(nv):
        w.mass[k, depth[k]] += extra[k]
    if not factor(depth, path, w.mass, w.L):
        return APART, none
    hold(depth, path, w.L, held.G, held.H, held.inverse)
    if flies:
        _in_flight(m, w, v)
    for k in range(nv):
        x[k] = force[k]
    solve_transposed(depth, path, w.L, x)
    solve(depth, path, w.L, x)
    for k in range(nv):
        free[k] = v[k] + dt * x[k]
    keep_held(depth, path, w.L, held.G, held.H, held.inverse, free, v_free)
    after = record[: record.size - TAIL].reshape(-1, COLUMNS)
    if count > 0:
        residual, stage, iterations, solved, constraint_work, works, gain, failure = (
            solve_contacts(m, w, count, v, v_e, after)
        )
        if solved != SOLVED:
            return UNSOLVED, failure
        record[RESIDUAL], record[ITERATIONS], record[STAGE] = residual, iterations, stage
    else:
        for k in range(nv):
            v_e[k], v_i[k] = v_free[k], v[k]
        nothing = np.zeros((held.G.shape[1], 0))
        constraint_work = work_of_holding(held.G, held.inverse, nothing, none, free, v, v_e)
        works = gain = 0.0
    work = constraint_work + works
    for k in range(nv):
        work += 0.5 * dt * force[k] * (v_i[k] + v_e[k])
        free[k] = v_e[k] + v[k]
    times_mass(depth, path, w.mass, free, x)
    gained = 0.0
    for k in range(nv):
        gained += 0.5 * (v_e[k] - v[k]) * x[k]
        w.mass[k, depth[k]] -= extra[k]
    record[CONSTRAINT_WORK], record[ENERGY_GAIN] = constraint_work, gain
    record[ENERGY_RESIDUAL] = gained - work
    return DONE, none


@njit
def _by_depth(
    depth: Indices,
    path: Indices,
    own_depth: Indices,
    own_path: Indices,
    H: Array,
    added: Array,
    mass: Array,
) -> None:
    """Fill M of the tree and what stands beside it, by a depth of its own."""
    dense = own_path.shape[1] != path.shape[1]
    for k in range(depth.size):
        for d in range(own_depth[k] + 1):
            mass[k, d] = added[k, d]
        for d in range(depth[k] + 1):
            mass[k, path[k, d] if dense else d] += H[k, d]


@njit
def _leave_out_feet(
    feet: Feet,
    off: Array,
    count: int,
    active: Indices,
    places: Indices,
    guess: Array,
    before: Indices,
) -> int:
    """Take the points of feet that are off from the contacts that take part; returns how many do."""
    kept = 0
    for i in range(count):
        c = active[i]
        if (off[0] > 0.0 and (feet.first == c).any()) or (off[1] > 0.0 and (feet.second == c).any()):
            continue
        active[kept], places[kept], before[kept] = c, places[i], before[i]
        guess[kept] = guess[i]
        kept += 1
    return kept


@njit
def _turn_feet(
    feet: Feet,
    off: Array,
    gap: Array,
    place: Array,
    count: int,
    active: Indices,
    places: Indices,
    record: Array,
) -> None:
    """Let feet take turns at the end of a step; see ``SwingFootFilter``."""
    rows = record[: record.size - TAIL].reshape(-1, COLUMNS)
    lowest, ahead, closed = np.empty(2), np.zeros(2), np.zeros(2, dtype=np.bool_)
    for foot in range(2):
        points = feet.first if foot == 0 else feet.second
        lowest[foot] = math.inf
        for c in points:
            lowest[foot] = min(lowest[foot], gap[c])
            for d in range(3):
                ahead[foot] += place[c, d] * feet.ahead_W[d] / points.size
            for i in range(count):
                if active[i] == c and rows[places[i], MODE] != _OPEN:
                    closed[foot] = True
        if off[foot] == 0.0 and lowest[foot] < feet.landed:
            closed[foot] = True
    after = off_after_step(
        (off[0] > 0.0, off[1] > 0.0),
        (lowest[0], lowest[1]),
        (ahead[0], ahead[1]),
        (closed[0], closed[1]),
    )
    off[0], off[1] = after


@merged
def _flying(m: Machine, w: Memory, count: int, v: Array) -> bool:
    """Mark the trees that spin and touch nothing, whose velocities get a 1; say if there are any."""
    tree, s, active, marked = m.tree, m.surfaces, w.begun.active, w.vectors[GAIN]
    found = False
    for k in range(v.size):
        marked[k] = 0.0
    for k in m.spins:
        if not abs(v[k]) > _SLOW_SPIN or marked[k] > 0.0:
            continue
        if _is_touched(
            tree.tree[k], count, active, s.links, m.joints.columns, tree.last, tree.tree
        ):
            continue
        found = True
        for j in range(v.size):
            if tree.tree[j] == tree.tree[k]:
                marked[j] = 1.0
    return found


@njit
def _is_touched(
    number: int,
    count: int,
    active: Indices,
    links: Indices,
    columns: Indices,
    last: Indices,
    tree_of: Indices,
) -> bool:
    for i in range(count):
        c = active[i]
        if c >= links.shape[0]:
            if tree_of[columns[c - links.shape[0], 1]] == number:
                return True
            continue
        for end in range(2):
            if last[links[c, end]] >= 0 and tree_of[last[links[c, end]]] == number:
                return True
    return False


@merged
def _in_flight(m: Machine, w: Memory, v: Array) -> None:
    """Let h of trees that spin and touch nothing be that of their mean velocity in the step.

    Dampers are beside M and stay; where bilateral rows hold, G v_E = 0 is known here as well.
    """
    tree, work, nv, dt = m.tree, w.work, v.size, m.rules.dt
    kind, parent, first = tree.kind, tree.parent, tree.velocity
    force, flies = w.vectors[FORCE], w.vectors[GAIN]
    x, middle, ends = w.vectors[SCRATCH], w.vectors[MIDDLE], w.vectors[FREE]
    start, now = w.vectors[V_FREE], w.vectors[V_I]
    outward(kind, parent, first, tree.gravity, work.twist, work.I, v, work.V, work.A, work.f)
    inward_force(kind, parent, first, work.twist, work.f, start)
    for k in range(nv):
        middle[k] = v[k]
    gains = np.zeros(nv)
    for _ in range(_FLIGHT_ITERATIONS):
        for k in range(nv):
            x[k] = force[k] + gains[k]
        solve_transposed(m.depth, m.path, w.L, x)
        solve(m.depth, m.path, w.L, x)
        for k in range(nv):
            now[k] = v[k] + dt * x[k]
        keep_held(m.depth, m.path, w.L, w.held.G, w.held.H, w.held.inverse, now, ends)
        change = largest = 0.0
        for k in range(nv):
            if flies[k] > 0.0:
                moved = 0.5 * (v[k] + ends[k])
                change = max(change, abs(moved - middle[k]))
                largest = max(largest, abs(moved))
                middle[k] = moved
        if not change < DIVERGED:  # nor where it is NaN
            break
        outward(kind, parent, first, tree.gravity, work.twist, work.I, middle, work.V, work.A, work.f)
        inward_force(kind, parent, first, work.twist, work.f, now)
        for k in range(nv):
            if flies[k] > 0.0:
                gains[k] = now[k] - start[k]
        if change <= _SAME_VELOCITY * largest:
            break
    for k in range(nv):
        force[k] += gains[k]


@njit
def roll(
    handle: Handle,
    known: int,
    states: Array,
    efforts: Array,
    applied: Array,
    off: Array,
    records: Array,
) -> tuple[int, int, Array]:
    """Make steps from states[0] to the others; returns how many, how the last ended, a failure.

    states (n + 1, nq + nv); efforts (n, nu): at the port of the actuators in each step, before
    limits; applied (n, nv): generalized force besides; off (2,) or (0,): which of two feet that
    take turns are off, kept up to date; records (n + 1, size): the first that of the step before.
    known: what the memory holds of the first step already. A step that does not end leaves its rows
    unfinished. The failure has all numbers of a problem that is not solved.
    """
    m, w = handle.machine, handle.memory
    nq = w.q_m.size
    for k in range(states.shape[0] - 1):
        for a in range(w.tau.size):
            w.tau[a] = efforts[k, a]
        status, failure = _step(
            m, w, known, states[k, :nq], states[k, nq:], applied[k], off, records[k],
            records[k + 1], states[k + 1, :nq], states[k + 1, nq:],
        )  # fmt: skip
        if status != DONE:
            return k, status, failure
        known = 0
    return states.shape[0] - 1, DONE, np.zeros(0)
