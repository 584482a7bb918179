"""A Moreau step, compiled as a whole, and rollouts of many: from [q; v] to the next [q; v].

    q_M = q_A + dt/2 N(q_A) v_A
    M_M (v_E - v_A) = (h(q_M, v_A) + B tau + f) dt + J_M^T Lambda + G^T lambda
    q_E = q_M + dt/2 N(q_M) v_E

with dampers, springs and drives beside M, and h of the mean velocity for what spins in free flight.
"""

import math

from footfall.arrays import Array, Indices
from footfall.contact import Mode
from footfall.engines.contact_part import Outcome, failed_problem
from footfall.engines.factored import solve_both, times_mass, work_of_holding
from footfall.engines.impacts import NEWTON, numbers_of_failure
from footfall.engines.islands import network_of
from footfall.engines.network_step import network_step
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
from footfall.engines.tables import (
    EXTRA,
    FORCE,
    FREE,
    GAIN,
    GAINS,
    MIDDLE,
    SCRATCH,
    V_FREE,
    V_I,
    Feet,
    Handle,
    Machine,
    Memory,
)
from footfall.engines.velocities import TOO_LARGE, solve_contacts
from footfall.jit import njit, scratch_njit
from footfall.plants.constraints import loop_rows
from footfall.plants.contacts.gaps import measure_joints
from footfall.plants.contacts.ground import measure_fixed, measure_hulls_and_round
from footfall.plants.contacts.pairs import measure_pairs
from footfall.plants.contacts.swing_foot_filter import off_after_step
from footfall.plants.flat.dynamics import (
    advance,
    inertias,
    inward_force,
    mass_and_force,
    outward,
)
from footfall.plants.flat.factor import factor
from footfall.plants.flat.held import hold, hold_velocity
from footfall.solvers.problem import SOLVED

_OPEN = float(Mode.OPEN)
_FLIGHT_ITERATIONS, _SAME_VELOCITY = 10, 1e-12
_SLOW_SPIN = 1e-3  # rad/s: a free body that spins slower has next to no gyroscopic torque
_SWITCHES = 20  # times that drives may come to their limits or leave them in a step

DONE, UNSOLVED, TOO_MANY, APART, FAR, COINCIDENT, NO_ROOM = range(7)
"""Ends of a step: as it should; with a contact problem that is not solved; with more contacts
than its record has rows; with M that is not definite; with a velocity that is no number or huge;
with a Distance whose points coincide; with a contact problem for which the memory is too small."""

KNOWS_DYNAMICS, KNOWS_GAPS, VELOCITIES_ALONE = 1, 2, 4
"""Parts of a step that a caller has done: poses, M and h; gaps; all but the velocities, with M by
depth in the memory and all forces in place of h. Then feet do not take turns either."""


@scratch_njit
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
) -> int:
    """Make a step from q, v with the torques in w.tau; see ``roll``."""
    rules, tree, begun = m.rules, m.tree, w.begun
    nv, dt, q_m = v.size, rules.dt, w.q_m
    kind, first = tree.kind, tree.velocity
    if known & KNOWS_DYNAMICS == 0:
        advance(kind, tree.position, first, q, v, 0.5 * dt, q_m)
        mass_and_force(tree, w.work, q_m, v)
    if known & KNOWS_GAPS == 0:
        pose = w.work.pose
        ground, joints = m.ground, m.joints
        measure_fixed(ground.links, ground.points, ground.plane, ground.spans, pose, w.gap, w.place)
        measure_joints(joints.position, joints.bounds, q_m, w.gap)
        if ground.hulls.shape[0] + ground.moving.shape[0] > 0:
            measure_hulls_and_round(ground, pose, w.gap, w.place)
        if m.pairs.rows.shape[0] > 0:
            measure_pairs(m.pairs, w.gaps, pose, w.gap, w.place, w.normals)
    count = begin_record(
        w.gap, w.place, m.surfaces.pair_of, m.surfaces.ground[0], w.normals, last, rules.touching,
        rules.still_touching, record, begun.active, begun.places, begun.guess, begun.before,
        begun.more,
    )  # fmt: skip
    if count < 0:
        return TOO_MANY
    if off.size > 0:
        count = _leave_out_feet(
            m.feet, off, count, begun.active, begun.places, begun.guess, begun.before
        )
    w.counts[0] = count
    if m.loops.whole.shape[0] > 0 and known & VELOCITIES_ALONE == 0:
        coincident = loop_rows(
            m.loops.whole, m.loops.X, m.loops.numbers, q_m, w.work.pose, w.work.twist,
            w.held.residual, w.held.rows,
        )  # fmt: skip
        if coincident >= 0:
            return COINCIDENT
    if known & VELOCITIES_ALONE == 0:
        _by_depth(tree.depth, tree.path, m.depth, m.path, w.work.H, m.added, w.mass)
    flies = m.spins.size > 0 and known & VELOCITIES_ALONE == 0 and _flying(m, w, count, v)
    if flies and known & KNOWS_DYNAMICS != 0:
        inertias(tree.reference, tree.mass, tree.centre, tree.inertia, w.work.pose, w.work.I)
    status = _driven(m, w, count, flies, v, applied, v_e, record)
    if status != DONE:
        return status
    for k in range(nv):
        if not abs(v_e[k]) < DIVERGED:  # nor where it is NaN
            return FAR
    if off.size > 0 and known & VELOCITIES_ALONE == 0:
        _turn_feet(m.feet, off, w.gap, w.place, count, begun.active, begun.places, record)
    if known & VELOCITIES_ALONE == 0:
        advance(kind, tree.position, first, q_m, v_e, 0.5 * dt, q_e)
    return DONE


@scratch_njit
def _driven(
    m: Machine,
    w: Memory,
    count: int,
    flies: bool,
    v: Array,
    applied: Array,
    v_e: Array,
    record: Array,
) -> int:
    """Find the end velocity at which every drive follows its joint, or is at its limit."""
    motors, nv, dt = m.motors, v.size, m.rules.dt
    tau, held, follows = w.tau, w.held_tau, w.follows
    force, extra = w.vectors[FORCE], w.vectors[EXTRA]
    for a in range(tau.size):
        if motors.follows:
            tau[a] -= motors.of_start[a] * v[motors.velocity[a]]
        held[a] = tau[a]
        follows[a] = motors.follows
    status = DONE
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
        status = _velocities(m, w, count, flies, v, v_e, record)
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
    return status


@scratch_njit
def _velocities(
    m: Machine, w: Memory, count: int, flies: bool, v: Array, v_e: Array, record: Array
) -> int:
    """Find the end velocity under the force in the memory; fills the record."""
    nv, dt, depth, path, held, counts = v.size, m.rules.dt, m.depth, m.path, w.held, w.counts
    force, extra, x = w.vectors[FORCE], w.vectors[EXTRA], w.vectors[SCRATCH]
    free, v_free, v_i = w.vectors[FREE], w.vectors[V_FREE], w.vectors[V_I]
    for k in range(nv):
        w.mass[k, depth[k]] += extra[k]
        for d in range(depth[k] + 1):
            w.L[k, d] = w.mass[k, d]
    if not factor(depth, path, w.L):
        return APART
    counts[1] = 0
    if m.equations > 0:
        for i in range(m.equations):
            held.right[i] = 0.0
        counts[1] = hold(
            depth, path, w.L, held.rows, m.equations, held.half, held.right, held.basis,
            held.answer, held.size, held.product,
        )  # fmt: skip
    if flies:
        _in_flight(m, w, v)
    for k in range(nv):
        x[k] = force[k]
    solve_both(depth, path, w.L, x)
    for k in range(nv):
        free[k] = v_free[k] = v[k] + dt * x[k]
    if counts[1] > 0:
        hold_velocity(depth, path, w.L, held.basis, counts[1], v_free, x, w.vectors[MIDDLE])
    after = record[: record.size - TAIL].reshape(-1, COLUMNS)
    if count > 0:
        residual, stage, iterations, solved, constraint_work, works, gain = solve_contacts(
            m, w, count, v, v_e, after
        )
        if solved == TOO_LARGE:
            return NO_ROOM
        record[RESIDUAL], record[ITERATIONS], record[STAGE] = residual, iterations, stage
        if solved != SOLVED:
            return UNSOLVED
    else:
        for k in range(nv):
            v_e[k], v_i[k] = v_free[k], v[k]
        constraint_work = work_of_holding(
            depth, path, w.L, held.basis, counts[1], w.group.along, 0, force, free, v, v_e, x,
            w.vectors[MIDDLE], w.group.vectors[0],
        )  # fmt: skip
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
    return DONE


@scratch_njit
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


@scratch_njit
def _leave_out_feet(
    feet: Feet,
    off: Array,
    count: int,
    active: Indices,
    places: Indices,
    guess: Array,
    before: Indices,
) -> int:
    """Leave out the points of feet that are off; returns how many contacts take part."""
    kept = 0
    for i in range(count):
        c = active[i]
        is_off = False
        for k in range(feet.first.size if off[0] > 0.0 else 0):
            is_off = is_off or feet.first[k] == c
        for k in range(feet.second.size if off[1] > 0.0 else 0):
            is_off = is_off or feet.second[k] == c
        if is_off:
            continue
        active[kept], places[kept], before[kept] = c, places[i], before[i]
        for d in range(3):
            guess[kept, d] = guess[i, d]
        kept += 1
    return kept


@scratch_njit
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
    first = _foot(feet.first, feet.ahead_W, gap, place, count, active, places, rows)
    second = _foot(feet.second, feet.ahead_W, gap, place, count, active, places, rows)
    landed = (
        first[2] or (off[0] == 0.0 and first[0] < feet.landed),
        second[2] or (off[1] == 0.0 and second[0] < feet.landed),
    )
    after = off_after_step(
        (off[0] > 0.0, off[1] > 0.0), (first[0], second[0]), (first[1], second[1]), landed
    )
    off[0], off[1] = after


@scratch_njit
def _foot(
    points: Indices,
    ahead_W: Array,
    gap: Array,
    place: Array,
    count: int,
    active: Indices,
    places: Indices,
    rows: Array,
) -> tuple[float, float, bool]:
    """Gap of a foot's lowest point, how far ahead its middle is, and whether it is closed."""
    lowest, ahead, closed = math.inf, 0.0, False
    for k in range(points.size):
        c = points[k]
        lowest = min(lowest, gap[c])
        for d in range(3):
            ahead += place[c, d] * ahead_W[d] / points.size
        for i in range(count):
            closed = closed or (active[i] == c and rows[places[i], MODE] != _OPEN)
    return lowest, ahead, closed


@scratch_njit
def _flying(m: Machine, w: Memory, count: int, v: Array) -> bool:
    """Mark the velocities of trees that spin and touch nothing by a 1; say if there are any."""
    tree, s, active, marked = m.tree, m.surfaces, w.begun.active, w.vectors[GAIN]
    found = False
    for k in range(v.size):
        marked[k] = 0.0
    for k in m.spins:
        if not abs(v[k]) > _SLOW_SPIN or marked[k] > 0.0:
            continue
        if _is_touched(tree.tree[k], count, active, s.links, s.column, tree.last, tree.tree):
            continue
        found = True
        for j in range(v.size):
            if tree.tree[j] == tree.tree[k]:
                marked[j] = 1.0
    return found


@scratch_njit
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


@scratch_njit
def _in_flight(m: Machine, w: Memory, v: Array) -> None:
    """Let h of trees that spin and touch nothing be that of their mean velocity in the step.

    Dampers are beside M and stay; where bilateral rows hold, G v_E = 0 is known here as well.
    """
    tree, work, nv, dt = m.tree, w.work, v.size, m.rules.dt
    kind, parent, first = tree.kind, tree.parent, tree.velocity
    force, flies = w.vectors[FORCE], w.vectors[GAIN]
    x, middle, ends = w.vectors[SCRATCH], w.vectors[MIDDLE], w.vectors[FREE]
    start, now, gains = w.vectors[V_FREE], w.vectors[V_I], w.vectors[GAINS]
    y, z = w.group.vectors[0], w.group.vectors[1]
    outward(kind, parent, first, tree.gravity, work.twist, work.I, v, work.V, work.A, work.f)
    inward_force(kind, parent, first, work.twist, work.f, start)
    for k in range(nv):
        middle[k], gains[k] = v[k], 0.0
    for _ in range(_FLIGHT_ITERATIONS):
        for k in range(nv):
            x[k] = force[k] + gains[k]
        solve_both(m.depth, m.path, w.L, x)
        for k in range(nv):
            ends[k] = v[k] + dt * x[k]
        if w.counts[1] > 0:
            hold_velocity(m.depth, m.path, w.L, w.held.basis, w.counts[1], ends, y, z)
        change = largest = 0.0
        for k in range(nv):
            if flies[k] > 0.0:
                moved = 0.5 * (v[k] + ends[k])
                change = max(change, abs(moved - middle[k]))
                largest = max(largest, abs(moved))
                middle[k] = moved
        if not change < DIVERGED:  # nor where it is NaN
            break
        outward(
            kind, parent, first, tree.gravity, work.twist, work.I, middle, work.V, work.A, work.f
        )
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
) -> tuple[int, int]:
    """Make steps from states[0] to the others; returns how many, and how the last ended.

    states (n + 1, nq + nv); efforts (n, nu): at the port of the actuators in each step, before
    limits; applied (n, nv): generalized force besides; off (2,) or (0,): which of two feet that
    take turns are off, kept up to date; records (n + 1, size): the first that of the step before.
    known: what the memory holds of the first step already. A step that does not end leaves its rows
    unfinished; of a problem that is not solved the memory keeps all.
    """
    return _roll(handle.machine, handle.memory, known, states, efforts, applied, off, records)


@scratch_njit
def _roll(
    m: Machine,
    w: Memory,
    known: int,
    states: Array,
    efforts: Array,
    applied: Array,
    off: Array,
    records: Array,
) -> tuple[int, int]:
    nq = w.q_m.size
    for k in range(states.shape[0] - 1):
        for a in range(w.tau.size):
            w.tau[a] = efforts[k, a]
        status = _step(
            m, w, known, states[k, :nq], states[k, nq:], applied[k], off, records[k],
            records[k + 1], states[k + 1, :nq], states[k + 1, nq:],
        )  # fmt: skip
        if status != DONE:
            return k, status
        known = 0
    return states.shape[0] - 1, DONE


@njit
def failure_of(handle: Handle, tail: Array) -> Array:
    """Return all numbers of the problem that a step left unsolved; see ``numbers_of_failure``.

    tail: of its record. One that was solved as a network is `failure_of_network`'s.
    """
    m, w = handle.machine, handle.memory
    out = Outcome(tail[RESIDUAL], int(tail[STAGE]), int(tail[ITERATIONS]), 1, 0.0, 0.0, 0.0)
    full = m.rules.impact_law != NEWTON
    return failed_problem(w.group, w.counts[4], m.surfaces.dim, full, out)


@njit
def failure_of_network(handle: Handle, record: Array) -> Array:
    """Return all numbers of a network that a step left unsolved, which is set up anew.

    record: of the step.
    """
    m, w = handle.machine, handle.memory
    rows = record[: record.size - TAIL].reshape(-1, COLUMNS)
    network = network_of(m, w, w.counts[4], w.counts[5], w.vectors[V_I], rows)
    solved, _, _ = network_step(network, w.vectors[SCRATCH].copy())
    return numbers_of_failure(solved)
