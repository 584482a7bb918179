"""A Moreau step, compiled as a whole, and rollouts of many: from [q; v] to the next [q; v].

    q_M = q_A + dt/2 N(q_A) v_A
    M_M (v_E - v_A) = (h(q_M, v_A) + B tau + f) dt + J_M^T Lambda + G^T lambda
    q_E = q_M + dt/2 N(q_M) v_E

with dampers, springs and drives beside M, and h of the mean velocity for what spins in free flight.
Steps of second order are those of `footfall.engines.moreau_midpoint`. Then loops are closed and,
where one asks for it, contacts brought to gap zero (`footfall.engines.recovery`).
"""

from footfall.arrays import Array, Indices
from footfall.engines.flight import flying
from footfall.engines.impacts import Solved
from footfall.engines.islands import network_of
from footfall.engines.moreau_midpoint import step_by_midpoint
from footfall.engines.network_step import network_step
from footfall.engines.ports import DIVERGED
from footfall.engines.record import COLUMNS, TAIL
from footfall.engines.recovery import recover
from footfall.engines.tables import (
    COINCIDENT,
    DONE,
    EXTRA,
    FAR,
    FORCE,
    NO_ROOM,
    SCRATCH,
    TOO_MANY,
    V_I,
    Handle,
    Machine,
    Memory,
)
from footfall.engines.touching import begin, measure, turn_feet
from footfall.engines.velocities import end_velocity
from footfall.jit import njit, scratch_njit
from footfall.plants.constraints import loop_rows
from footfall.plants.flat.dynamics import advance, inertias, mass_and_force

_SWITCHES = 20  # times that drives may come to their limits or leave them in a step

KNOWS_DYNAMICS = 1
"""Flag of a step whose poses, M and h are in the memory already."""


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
    rules, tree = m.rules, m.tree
    dt, kind, position, first = rules.dt, tree.kind, tree.position, tree.velocity
    if known & KNOWS_DYNAMICS == 0:
        advance(kind, position, first, q, v, 0.5 * dt, w.q_m)
        mass_and_force(tree, w.work, w.q_m, v)
    measure(m, w, w.q_m)
    count = begin(m, w, off, last, record)
    if count < 0:
        return TOO_MANY
    rows = m.surfaces.dim * count
    if (rules.midpoint or rules.recover_gaps) and m.equations + rows > w.held.right.size:
        w.counts[2], w.counts[3] = max(rows, w.group.W.shape[0]), max(count, w.group.kind.size)
        return NO_ROOM
    if m.motors.follows:
        for a in range(w.tau.size):
            w.tau[a] -= m.motors.of_start[a] * v[m.motors.velocity[a]]
    if rules.midpoint:
        status = step_by_midpoint(m, w, count, q, v, applied, off, last, record, q_e, v_e)
    else:
        if loop_rows(m.loops, w.q_m, w.work, w.held.residual, w.held.rows) >= 0:
            return COINCIDENT
        _by_depth(tree.depth, tree.path, m.depth, m.path, w.work.H, m.added, w.mass)
        flies = m.spins.size > 0 and flying(m, w, count, v)
        if flies and known & KNOWS_DYNAMICS != 0:
            inertias(tree, w.work)
        status = _driven(m, w, count, flies, v, applied, v_e, record)
    if status != DONE:
        return status
    for k in range(v.size):
        if not abs(v_e[k]) < DIVERGED:  # nor where it is NaN
            return FAR
    if off.size > 0:
        turn_feet(m, w, off, count, record)
    if not rules.midpoint:
        advance(kind, position, first, w.q_m, v_e, 0.5 * dt, q_e)
    if m.equations > 0 or rules.recover_gaps:
        return recover(m, w, count, record, q_e, v_e)
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
        status = end_velocity(m, w, count, flies, v, v_e, record)
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
def as_network(
    handle: Handle, count: int, number: int
) -> tuple[float, int, int, int, float, float]:
    """Make the step of an island of so many contacts, from V_I and into SCRATCH of the memory.

    Returns residual, stage, iterations and status; the work of its contacts, and what their laws
    gave [J].
    """
    m, w = handle.machine, handle.memory
    step = network_of(m, w, count, number, w.vectors[V_I], w.after)
    found, works, gain = network_step(step, w.vectors[SCRATCH])
    return found.residual, found.stage, found.iterations, found.status, works, gain


@njit
def failed_network(handle: Handle, record: Array) -> Solved:
    """Return the problem of a network that a step left unsolved, which is set up anew.

    record: of the step.
    """
    m, w = handle.machine, handle.memory
    rows = record[: record.size - TAIL].reshape(-1, COLUMNS)
    network = network_of(m, w, w.counts[4], w.counts[5], w.vectors[V_I], rows)
    return network_step(network, w.vectors[SCRATCH].copy())[0]
