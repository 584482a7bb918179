"""Velocities at the end of a step, under all contacts that take part: by islands, and by few points.

Trees of links that contacts join are islands, which are solved apart; what nothing touches moves
freely. A small island has its contact problem set up densely; one with many rows is solved for the
velocities of its trees, whose matrix has blocks where trees touch. Bilateral rows may join any
trees: with them all is one problem.
"""

import numpy as np

from footfall.arrays import Array
from footfall.contact.coefficients import E_N
from footfall.engines.contact_part import contact_velocity, group_of, solve_group
from footfall.engines.few_points import are_more, begin_with, mark_approaching
from footfall.engines.impacts import NEWTON, SolverOptions, numbers_of_failure
from footfall.engines.islands import islands_of, network_of, touched_trees
from footfall.engines.network_step import network_step
from footfall.engines.record import IMPULSE, VELOCITY
from footfall.engines.tables import Machine, Memory
from footfall.jit import merged
from footfall.solvers.kernels import FALLBACK_CHAIN
from footfall.solvers.problem import NEWTON as NEWTONS_METHOD
from footfall.solvers.problem import SOLVED

# rows of an island, beyond which it is solved for velocities; of one tree alone, which has fewer
# blocks to gain by
MANY_ROWS, MANY_OF_A_TREE = 36, 60
NEWTON_ROWS, _NEWTON_STEPS = 60, 15  # up to so many, a few steps of Newton's method come first
MOST_ROWS = 600  # of one that is tried densely where that fails; it takes seconds
FORCE, FREE, V_FREE, V_I, SCRATCH, GAIN, MIDDLE, EXTRA = range(8)
"""Rows of ``Memory.vectors``."""
_DENSE, _FEW_STEPS, _NETWORK = range(3)


@merged
def solve_contacts(
    m: Machine, w: Memory, count: int, v_a: Array, v_e: Array, after: Array
) -> tuple[float, int, int, int, float, float, float, Array]:
    """Fill v_E under the contacts that take part, count of them, and their rows of ``after``.

    The memory holds L, the rows that are held, force, the velocity that it leaves and the one that
    holds G v = 0; it gets the velocities from which the force acts. Returns residual, stage,
    iterations and status, the work of constraints and of all contacts, what the laws of contact
    gave [J], and the numbers of a problem that is not solved.
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
    of_tree, of_contact, islands = some, some, 1
    if not rules.one:
        touched = touched_trees(
            count, active, m.surfaces.links, m.surfaces.column, tree.last, tree.tree
        )
        of_tree, of_contact = islands_of(touched, tree.tree.max() + 1)
        islands = of_contact.max() + 1
    none = np.zeros(0)
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
                most = MANY_OF_A_TREE if (of_tree == number).sum() == 1 else MANY_ROWS
            plain = rules.impact_law == NEWTON and options.method == FALLBACK_CHAIN
            attempt = _DENSE
            if rows > most and plain:
                attempt = _FEW_STEPS if rows <= NEWTON_ROWS else _NETWORK
            by_network, final = np.inf, False
            while True:
                if attempt != _NETWORK:
                    g = w.group
                    needed = dim * size
                    if needed > g.W.shape[0]:
                        g = group_of(v_e.size, needed, size, dim)
                    method = options
                    if attempt == _FEW_STEPS:
                        method = SolverOptions(
                            NEWTONS_METHOD, options.tolerance, options.prox_parameter, _NEWTON_STEPS
                        )
                    out, failure = solve_group(
                        m.surfaces, tree, m.depth, m.path, w.work, w.held, g, begun, method,
                        rules.impact_law, dt, w.L, size, some, w.normals, w.place, v_a, free,
                        v_free, v_i, v_e, after,
                    )  # fmt: skip
                    residual, status = out.residual, out.status
                    used, at, found = out.iterations, out.stage, out.works
                    gave, held_work = out.gain, out.constraint_work
                else:
                    network = network_of(
                        size, some, of_tree, number, tree.tree, m.depth, m.path, w.mass,
                        m.surfaces, w.normals, tree.reference, tree.last, tree.depth, tree.path,
                        w.work.pose, w.work.twist, w.place, w.group.used, w.group.axes, w.group.J,
                        active, begun.places,
                        begun.guess, begun.before, w.vectors[FORCE], v_a, after, dt,
                        options.tolerance, options.max_iterations,
                    )  # fmt: skip
                    solved, found, gave = network_step(network, v_e)
                    residual, status, held_work = solved.residual, solved.status, 0.0
                    used, at, failure = solved.iterations, solved.stage, none
                    if status != SOLVED:
                        failure = numbers_of_failure(solved)
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
                return residual, at, iterations, status, 0.0, 0.0, 0.0, failure
            if residual >= worst:
                worst, stage = residual, at
            constraint_work, works, gain = constraint_work + held_work, works + found, gain + gave
        if not more:
            break
        if not _mark_more(m, w, count, v_a, v_e, after):
            break
    return max(worst, 0.0), stage, iterations, SOLVED, constraint_work, works, gain, none


@merged
def _mark_more(m: Machine, w: Memory, count: int, v_a: Array, v_e: Array, after: Array) -> bool:
    """Let the worst point of each face take part that approaches without it; say if any does.

    Those that took part begin with their impulses; the rows of the others get their velocities.
    """
    begun, s, tree, chosen = w.begun, m.surfaces, m.tree, w.chosen
    active, places, guess = begun.active, begun.places, begun.guess
    xi, fastest = np.zeros(count), 0.0
    for value in v_a:
        fastest = max(fastest, abs(value))
    g = w.group
    for i in range(count):
        if chosen[i]:
            continue
        c = active[i]
        contact_velocity(
            c, s.links, s.pair_of, w.normals, s.R_WT, s.ground, s.planar, tree.reference,
            tree.last, tree.depth, tree.path, w.work.pose, w.work.twist, w.place[c], g.axes, v_a,
            g.rows[0],
        )  # fmt: skip
        xi[i] = s.laws[c, E_N] * g.rows[0, 0]
        contact_velocity(
            c, s.links, s.pair_of, w.normals, s.R_WT, s.ground, s.planar, tree.reference,
            tree.last, tree.depth, tree.path, w.work.pose, w.work.twist, w.place[c], g.axes, v_e,
            g.rows[0],
        )  # fmt: skip
        xi[i] += g.rows[0, 0]
        for d in range(s.dim):
            after[places[i], VELOCITY + d] = g.rows[0, d]
    for i in range(count):
        if chosen[i]:
            for d in range(3):
                guess[i, d] = after[places[i], IMPULSE + d]
    return mark_approaching(m.face, count, active, xi, fastest, chosen)
