"""Velocities at the end of a step, under all that take part: by islands, and by few points.

Trees of links that contacts join are islands, which are solved apart; what nothing touches moves
freely. A small island has its contact problem set up densely; one with many rows is solved for the
velocities of its trees, whose matrix has blocks where trees touch. Bilateral rows may join any
trees: with them all is one problem.
"""

import numpy as np

from footfall.arrays import Array
from footfall.contact.coefficients import E_N
from footfall.engines.ask import NETWORK, ask
from footfall.engines.contact_part import contact_velocity, solve_group
from footfall.engines.factored import solve_both, times_mass, work_of_holding
from footfall.engines.few_points import are_more, begin_with, mark_approaching
from footfall.engines.flight import in_flight
from footfall.engines.impacts import NEWTON, SolverOptions
from footfall.engines.islands import mark_islands
from footfall.engines.record import (
    COLUMNS,
    CONSTRAINT_WORK,
    ENERGY_GAIN,
    ENERGY_RESIDUAL,
    IMPULSE,
    ITERATIONS,
    RESIDUAL,
    STAGE,
    TAIL,
    VELOCITY,
)
from footfall.engines.tables import (
    APART,
    DONE,
    EXTRA,
    FORCE,
    FREE,
    MIDDLE,
    NO_ROOM,
    SCRATCH,
    UNSOLVED,
    V_FREE,
    V_I,
    Machine,
    Memory,
)
from footfall.jit import scratch_njit
from footfall.plants.flat.factor import factor_of
from footfall.plants.flat.held import hold, hold_velocity
from footfall.solvers.kernels import FALLBACK_CHAIN
from footfall.solvers.problem import NEWTON as NEWTONS_METHOD
from footfall.solvers.problem import NOT_SOLVED, SOLVED

# rows of an island, beyond which it is solved for velocities; of one tree alone, which has fewer
# blocks to gain by
MANY_ROWS, MANY_OF_A_TREE = 36, 60
NEWTON_ROWS, _NEWTON_STEPS = 60, 15  # up to so many, a few steps of Newton's method come first
MOST_ROWS = 600  # of one that is tried densely where that fails; it takes seconds
_DENSE, _FEW_STEPS, _NETWORK = range(3)  # ways to solve an island
TOO_LARGE = 2  # beside SOLVED and NOT_SOLVED: a problem for which the memory has no room


@scratch_njit
def end_velocity(
    m: Machine, w: Memory, count: int, flies: bool, v: Array, v_e: Array, record: Array
) -> int:
    """Find the end velocity from v under the force in the memory; fills the record.

    The memory gets L of M with all that stands beside it.
    """
    nv, dt, depth, path, held, counts = v.size, m.rules.dt, m.depth, m.path, w.held, w.counts
    force, extra, x = w.vectors[FORCE], w.vectors[EXTRA], w.vectors[SCRATCH]
    free, v_free, v_i = w.vectors[FREE], w.vectors[V_FREE], w.vectors[V_I]
    for k in range(nv):
        w.mass[k, depth[k]] += extra[k]
    if not factor_of(depth, path, w.mass, w.L):
        return APART
    counts[1] = 0
    if m.equations > 0:
        for i in range(m.equations):
            held.right[i] = 0.0
        counts[1] = hold(depth, path, w.L, held, m.equations)
    if flies:
        in_flight(m, w, v)
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
def solve_contacts(
    m: Machine, w: Memory, count: int, v_a: Array, v_e: Array, after: Array
) -> tuple[float, int, int, int, float, float, float]:
    """Fill v_E under the contacts that take part, count of them, and their rows of ``after``.

    The memory holds L, the rows that are held, force, the velocity that it leaves and the one that
    holds G v = 0; it gets the velocities from which the force acts. Returns residual, stage,
    iterations and status, the work of constraints and of all contacts, what the laws of contact
    gave [J]. Of a problem that is not solved the memory keeps all.
    """
    rules, begun, tree, dt = m.rules, w.begun, m.tree, m.rules.dt
    active, dim, options = begun.active, m.surfaces.dim, m.rules.options
    touching = m.surfaces.links.shape[0]
    free, v_free, v_i = w.vectors[FREE], w.vectors[V_FREE], w.vectors[V_I]
    chosen, some = w.chosen, w.some
    more = rules.impact_law == NEWTON and are_more(m.face, active, count)
    for i in range(count):
        chosen[i] = True
    if more:
        begin_with(m.face, count, active, begun.places, begun.guess, after, chosen)
    of_tree, of_contact, islands, rank = w.of_tree, w.of_contact, 1, w.counts[1]
    if not rules.one:
        islands = mark_islands(
            count, active, m.surfaces.links, m.surfaces.column, tree.last, tree.tree, of_tree,
            of_contact,
        )  # fmt: skip
    while True:
        worst, stage, iterations = -1.0, 0, 0
        constraint_work = works = gain = 0.0
        for k in range(v_e.size):
            v_e[k], v_i[k] = v_free[k], v_a[k]
        for number in range(islands):
            size = rows = 0
            for i in range(count):
                if chosen[i] and (rules.one or of_contact[i] == number):
                    some[size] = i
                    size += 1
                    rows += dim if active[i] < touching else 1
            if size == 0:
                continue
            most = rules.most_rows
            if not rules.one:
                trees = 0
                for tree_number in range(of_tree.size):
                    trees += of_tree[tree_number] == number
                most = MANY_OF_A_TREE if trees == 1 else MANY_ROWS
            plain = rules.impact_law == NEWTON and options.method == FALLBACK_CHAIN
            attempt = _DENSE
            if rows > most and plain:
                attempt = _FEW_STEPS if rows <= NEWTON_ROWS else _NETWORK
            by_network, final = np.inf, False
            while True:
                if attempt != _NETWORK:
                    g = w.group
                    needed = dim * size if rules.impact_law != NEWTON else rows
                    if needed > g.W.shape[0] or size > g.kind.size:
                        w.counts[2], w.counts[3] = max(needed, g.W.shape[0]), max(size, g.kind.size)
                        return 0.0, 0, 0, TOO_LARGE, 0.0, 0.0, 0.0
                    method = options
                    if attempt == _FEW_STEPS:
                        method = SolverOptions(
                            NEWTONS_METHOD, options.tolerance, options.prox_parameter, _NEWTON_STEPS
                        )
                    out = solve_group(
                        m.surfaces, tree, m.depth, m.path, w.work, w.held.basis, rank, g, begun,
                        method, rules.impact_law, dt, w.L, size, some, w.normals, w.place, v_a,
                        free, v_free, v_i, v_e, after,
                    )  # fmt: skip
                    residual, status = out.residual, out.status
                    used, at, found = out.iterations, out.stage, out.works
                    gave, held_work = out.gain, out.constraint_work
                else:
                    held_work = 0.0
                    residual, status, used, at, found, gave = _as_network(
                        w, size, number, v_e, after
                    )
                if attempt == _DENSE:
                    if not np.isfinite(by_network) or residual <= by_network:
                        break
                    attempt, final = _NETWORK, True
                elif attempt == _FEW_STEPS:
                    if residual <= options.tolerance:
                        break
                    attempt = _NETWORK
                else:
                    if final or residual <= options.tolerance or dim * size > MOST_ROWS:
                        break
                    by_network, attempt = residual, _DENSE
                for k in range(v_e.size):
                    if rules.one or of_tree[tree.tree[k]] == number:
                        v_e[k] = v_free[k]
            iterations += used
            if status != SOLVED:
                w.counts[4], w.counts[5] = size, number if attempt == _NETWORK else -1
                return residual, at, iterations, status, 0.0, 0.0, 0.0
            if residual >= worst:
                worst, stage = residual, at
            constraint_work, works, gain = constraint_work + held_work, works + found, gain + gave
        if not more:
            break
        if not _mark_more(m, w, count, v_a, v_e, after):
            break
    return max(worst, 0.0), stage, iterations, SOLVED, constraint_work, works, gain


@scratch_njit
def _as_network(
    w: Memory, count: int, number: int, v_e: Array, after: Array
) -> tuple[float, int, int, int, float, float]:
    """Have an island solved as a network, from V_I on; gets its part of v_E and of the record.

    Returns residual, status, iterations and stage; the work of its contacts, and what their laws
    gave [J].
    """
    own, answer = w.vectors[SCRATCH], w.group.answer
    for k in range(v_e.size):
        own[k] = v_e[k]
    for i in range(after.shape[0]):
        for k in range(after.shape[1]):
            w.after[i, k] = after[i, k]
    if ask(w.group.address[0], NETWORK, count, number) != 0:
        return np.inf, NOT_SOLVED, 0, 0, 0.0, 0.0
    for k in range(v_e.size):
        v_e[k] = own[k]
    for i in range(after.shape[0]):
        for k in range(after.shape[1]):
            after[i, k] = w.after[i, k]
    return answer[0], int(answer[3]), int(answer[2]), int(answer[1]), answer[4], answer[5]


@scratch_njit
def _mark_more(m: Machine, w: Memory, count: int, v_a: Array, v_e: Array, after: Array) -> bool:
    """Let the worst point of each face take part that approaches without it; say if any does.

    Those that took part begin with their impulses; the rows of the others get their velocities.
    """
    begun, s, tree, chosen = w.begun, m.surfaces, m.tree, w.chosen
    active, places, guess = begun.active, begun.places, begun.guess
    xi, fastest = w.xi, 0.0
    for i in range(count):
        xi[i] = 0.0
    for value in v_a:
        fastest = max(fastest, abs(value))
    g = w.group
    for i in range(count):
        if chosen[i]:
            continue
        c = active[i]
        contact_velocity(s, tree, w.work, w.normals, c, w.place[c], g.axes, v_a, g.rows[0])
        xi[i] = s.laws[c, E_N] * g.rows[0, 0]
        contact_velocity(s, tree, w.work, w.normals, c, w.place[c], g.axes, v_e, g.rows[0])
        xi[i] += g.rows[0, 0]
        for d in range(s.dim):
            after[places[i], VELOCITY + d] = g.rows[0, d]
    for i in range(count):
        if chosen[i]:
            for d in range(3):
                guess[i, d] = after[places[i], IMPULSE + d]
    return mark_approaching(m.face, count, active, xi, fastest, chosen)
