"""The contact part of a Moreau step: impulses of some contacts, and what they do to the velocities.

    M_M (v_E - v_A) = (h_M + B tau) dt + J_M^T Lambda + G^T lambda
    xi_n = gamma_En + e_n gamma_An >= 0,  Lambda_n >= 0,  xi_n Lambda_n = 0
    |Lambda_t| <= mu Lambda_n, against xi_t = gamma_Et + e_t gamma_At where that is not 0
    G v_E = 0 for bilateral constraints

after Moreau (1988) as given by Leine & Glocker (2003); gamma = J_M v, so that the approach velocity
gamma_A is taken at the midpoint, as in the listing of the biped report. Other impact laws than
Newton's change v_A first (``footfall.engines.impacts``); the forces then act with e_n = e_t = 0.

A contact of surfaces has the rows n, t and, in space, s; a joint limit its row n alone, a dry joint
its row t alone.
"""

import math
from typing import NamedTuple

import numpy as np

from footfall.arrays import Array, Flags, Indices
from footfall.contact import Mode
from footfall.contact.coefficients import COLUMNS, E_N, E_T, MU, MU_STATIC, PRELOAD, SIDE
from footfall.contact.friction import break_away, catch_reversed, friction_at_start
from footfall.contact.modes import mode_of
from footfall.engines.factored import along_rows, by_rows, gram, half_rows, solve
from footfall.engines.held import Held, keep_held, project_rows, work_of_holding
from footfall.engines.impacts import (
    NEWTON,
    Solved,
    SolverOptions,
    impact,
    numbers_of_failure,
    solved,
    status_of,
)
from footfall.engines.record import Begun, IMPULSE, MODE, VELOCITY, WORK
from footfall.jit import merged, njit
from footfall.plants.contacts.axes import axes_about
from footfall.plants.flat.dynamics import Scratch
from footfall.plants.flat.tree import Tree
from footfall.solvers.compact import DRY, STOP, SURFACE, CompactScratch, expand, solve_compact
from footfall.solvers.problem import SOLVED

# what a mode takes for zero: a share of the largest impulse, and a share of this speed [m/s]
MODE_TOLERANCE = 1e-8
MODE_SPEED = 1.0
REST = MODE_TOLERANCE * MODE_SPEED
# of the speed that the step's forces give: an approach that is slower is rounding, and no impact
_SLIGHT = 1e-9
_OPEN, _STICK = int(Mode.OPEN), int(Mode.STICK)
# of the largest entry on the diagonal of W: what an entry is less than when it is rounding
RIGID = 1e-24


class Surfaces(NamedTuple):
    """Contacts of surfaces (m), then joint limits and dry joints, with their laws.

    links (m, 2): of a and b, 0 for what rests. pair_of (m,): the pair, -1 for the ground. R_WT
    (3, 3): of the terrain. column, sign: velocity of each joint row, and its entry. num_stops.
    laws (n, columns of ``contact.coefficients``). planar: whether s has no row.
    """

    links: Indices
    pair_of: Indices
    R_WT: Array
    ground: Array
    column: Indices
    sign: Array
    laws: Array
    stops: int
    dim: int
    planar: bool


class Group(NamedTuple):
    """Memory for one contact problem of up to so many rows (columns of J)."""

    J: Array
    Y: Array
    W: Array
    rows: Array  # (12, rows)
    contacts: Array  # (columns, contacts)
    first: Indices
    kind: Indices
    caught: Flags
    used: Flags
    axes: Array
    x: Array
    z: Array
    solver: CompactScratch


Q, R, U, GAMMA_A, GAMMA_I, GAMMA_E, GAMMA_FREE, STRUCK, LAST = range(9)
_MU, _KINETIC, _STATIC, _BOUND, _WORK, _E_N, _E_T = range(7)


@njit
def group_of(nv: int, rows: int, contacts: int, dim: int) -> Group:
    """Return memory for problems of up to so many rows and contacts."""
    size = max(rows, contacts * dim)
    return Group(
        np.zeros((nv, rows)),
        np.zeros((nv, rows)),
        np.zeros((rows, rows)),
        np.zeros((9, rows)),
        np.zeros((7, contacts)),
        np.zeros(contacts + 1, dtype=np.int64),
        np.zeros(contacts, dtype=np.int64),
        np.zeros(contacts, dtype=np.bool_),
        np.zeros(nv, dtype=np.bool_),
        np.zeros((3, 3)),
        np.zeros(nv),
        np.zeros(nv),
        CompactScratch(
            np.zeros((rows, rows)), np.zeros((8, size)), np.zeros((4, size), dtype=np.int64)
        ),
    )


@njit
def contact_rows(
    c: int,
    row: int,
    links: Indices,
    pair_of: Indices,
    normals: Array,
    R_WT: Array,
    ground: Array,
    column: Indices,
    sign: Array,
    side: float,
    dim: int,
    planar: bool,
    full: bool,
    reference: Indices,
    last: Indices,
    depth: Indices,
    path: Indices,
    pose: Array,
    twist: Array,
    p_W: Array,
    axes: Array,
    used: Flags,
    J: Array,
) -> None:
    """Fill the rows of contact c, from `row` on, in columns of J (nv, rows), which hold zeros.

    full: whether joints have all rows, too. used: gets the velocities with entries.
    """
    if c >= links.shape[0]:
        joint = c - links.shape[0]
        J[column[joint, 1], row + (column[joint, 0] if full else 0)] = sign[joint]
        used[column[joint, 1]] = True
        return
    along = ground
    if pair_of[c] >= 0:
        axes[:] = axes_about(normals[pair_of[c]], R_WT, planar)
        along = axes
    for end in range(2):
        link = links[c, end]
        v_last = last[link]
        if v_last < 0:
            continue
        o = reference[link]
        x, y, z = p_W[0] - pose[o, 0, 3], p_W[1] - pose[o, 1, 3], p_W[2] - pose[o, 2, 3]
        way = 1.0 if end == 0 else -1.0
        for d in range(depth[v_last] + 1):
            k = path[v_last, d]
            u0 = way * (twist[k, 3] + twist[k, 1] * z - twist[k, 2] * y)
            u1 = way * (twist[k, 4] + twist[k, 2] * x - twist[k, 0] * z)
            u2 = way * (twist[k, 5] + twist[k, 0] * y - twist[k, 1] * x)
            used[k] = True
            J[k, row] += along[0, 0] * u0 + along[0, 1] * u1 + along[0, 2] * u2
            J[k, row + 1] += along[1, 0] * u0 + along[1, 1] * u1 + along[1, 2] * u2
            if dim == 3:
                stretched = along[2, 0] * u0 + along[2, 1] * u1 + along[2, 2] * u2
                J[k, row + 2] += side * stretched


@njit
def contact_velocity(
    c: int,
    links: Indices,
    pair_of: Indices,
    normals: Array,
    R_WT: Array,
    ground: Array,
    planar: bool,
    reference: Indices,
    last: Indices,
    depth: Indices,
    path: Indices,
    pose: Array,
    twist: Array,
    p_W: Array,
    axes: Array,
    v: Array,
    out: Array,
) -> None:
    """Fill the velocity [n, t, s] of a contact of surfaces at velocities v (nv,) [m/s]."""
    along = ground
    if pair_of[c] >= 0:
        axes[:] = axes_about(normals[pair_of[c]], R_WT, planar)
        along = axes
    x0 = x1 = x2 = 0.0
    for end in range(2):
        v_last = last[links[c, end]]
        if v_last < 0:
            continue
        o = reference[links[c, end]]
        x, y, z = p_W[0] - pose[o, 0, 3], p_W[1] - pose[o, 1, 3], p_W[2] - pose[o, 2, 3]
        for d in range(depth[v_last] + 1):
            k = path[v_last, d]
            speed = v[k] if end == 0 else -v[k]
            x0 += speed * (twist[k, 3] + twist[k, 1] * z - twist[k, 2] * y)
            x1 += speed * (twist[k, 4] + twist[k, 2] * x - twist[k, 0] * z)
            x2 += speed * (twist[k, 5] + twist[k, 0] * y - twist[k, 1] * x)
    for d in range(3):
        out[d] = along[d, 0] * x0 + along[d, 1] * x1 + along[d, 2] * x2


@njit
def use_ancestors(depth: Indices, path: Indices, used: Flags) -> None:
    """Mark the velocities on the ways to those that are marked."""
    for k in range(used.size - 1, -1, -1):
        if used[k] and depth[k] > 0:
            used[path[k, depth[k] - 1]] = True


@njit
def clear_rigid_rows(
    count: int, first: Indices, used: Flags, J: Array, Y: Array, W: Array, n: int
) -> bool:
    """Clear rows along which nothing can move, so that only rounding is left of them.

    A pair of links about one hinge has such directions. Their impulse is zero with a diagonal of
    their own, and W stays regular.
    """
    most = 0.0
    for k in range(n):
        most = max(most, W[k, k])
    found = False
    for i in range(count):
        largest = 0.0
        for k in range(first[i], first[i + 1]):
            if W[k, k] > RIGID * most:
                largest = max(largest, W[k, k])
        for k in range(first[i], first[i + 1]):
            if W[k, k] > RIGID * most:
                continue
            found = True
            for j in range(used.size):
                if used[j]:
                    J[j, k] = Y[j, k] = 0.0
            for j in range(n):
                W[j, k] = W[k, j] = 0.0
            W[k, k] = largest if largest > 0.0 else 1.0
    return found


@njit
def write_rows(
    count: int,
    first: Indices,
    kind: Indices,
    full: bool,
    mu: Array,
    bound: Array,
    works: Array,
    group: Indices,
    active: Indices,
    places: Indices,
    laws: Array,
    r: Array,
    u: Array,
    after: Array,
) -> None:
    """Write impulses, velocities, work and modes of some active contacts into their rows."""
    largest = 0.0
    for i in range(count):
        n = first[i]
        largest = max(largest, bound[i] if kind[i] == DRY and not full else r[n])
    for i in range(count):
        at, start, rows = places[group[i]], first[i], first[i + 1] - first[i]
        side = laws[active[group[i]], SIDE]
        begin = 1 if kind[i] == DRY and not full else 0
        for d in range(3):
            after[at, IMPULSE + d] = after[at, VELOCITY + d] = 0.0
        for d in range(rows):
            after[at, IMPULSE + begin + d] = r[start + d]
            after[at, VELOCITY + begin + d] = u[start + d]
        if begin:
            after[at, IMPULSE] = bound[i]
        row = after[at]
        friction = math.hypot(row[IMPULSE + 1], row[IMPULSE + 2])
        slip = math.hypot(row[VELOCITY + 1], row[VELOCITY + 2])
        row[MODE] = mode_of(
            row[IMPULSE], friction, slip, mu[i], largest, MODE_TOLERANCE, MODE_SPEED
        )
        if rows == 3:
            row[IMPULSE + 2] *= side
            row[VELOCITY + 2] /= side
        row[WORK] = works[i]


@njit
def turning_work(before: int, rest: bool, n: int, end: int, r: Array, a: Array, b: Array) -> float:
    """Work of impulses r on a contact that stays closed, as J turns from step to step [J].

    A closed contact does not approach, and one that sticks does not slide: where v_A does so with
    the J of this step and did not with that of the last one, it is the step's error, and no law's.
    a, b: velocities before and after r; rest: whether it does not slide at the end of the step.
    """
    work = 0.0
    if before != _OPEN:
        for k in range(n, end if before == _STICK and rest else n + 1):
            work += 0.5 * r[k] * (a[k] + b[k])
    return work


class Outcome(NamedTuple):
    """How a group of contacts was solved.

    works: of all contacts, as far as impulses of this step did them [J]; gain: by the laws alone.
    """

    residual: float
    stage: int
    iterations: int
    status: int
    works: float
    gain: float
    constraint_work: float


@merged
def solve_group(
    s: Surfaces,
    tree: Tree,
    depth: Indices,
    path: Indices,
    work: Scratch,
    held: Held,
    g: Group,
    begun: Begun,
    options: SolverOptions,
    impact_law: int,
    dt: float,
    L: Array,
    count: int,
    group: Indices,
    normals: Array,
    place: Array,
    v_a: Array,
    free: Array,
    v_free: Array,
    v_from: Array,
    v_e: Array,
    after: Array,
) -> tuple[Outcome, Array]:
    """Solve for the impulses of some contacts; adds what they do to v_e, fills their rows.

    group (count,): which of the active contacts. free: v_A + M^-1 f dt; v_free: with G v = 0; v_e
    holds v_free before, of the velocities that these contacts move. v_from: gets the velocities
    from which the force acts where an impact comes before. Also returns all numbers of a
    problem that is not solved, none of one that is.
    """
    dim, laws, full = s.dim, s.laws, impact_law != NEWTON
    first, kind, used, J, Y, W = g.first, g.kind, g.used, g.J, g.Y, g.W
    active, guess, before = begun.active, begun.guess, begun.before
    q, r, u = g.rows[Q], g.rows[R], g.rows[U]
    gamma_a, gamma_i, gamma_e = g.rows[GAMMA_A], g.rows[GAMMA_I], g.rows[GAMMA_E]
    gamma_free, struck, last = g.rows[GAMMA_FREE], g.rows[STRUCK], g.rows[LAST]
    mu, kinetic, static = g.contacts[_MU], g.contacts[_KINETIC], g.contacts[_STATIC]
    bound, works = g.contacts[_BOUND], g.contacts[_WORK]
    touching = s.links.shape[0]
    n = 0
    for i in range(count):
        c = active[group[i]]
        kind[i] = SURFACE if c < touching else STOP if c < touching + s.stops else DRY
        first[i] = n
        n += dim if full or kind[i] == SURFACE else 1
    first[count] = n
    for k in range(used.size):
        used[k] = held.G.shape[1] > 0
        for i in range(n):
            J[k, i] = 0.0
    bounces = static_friction = False
    for i in range(count):
        c, row = active[group[i]], first[i]
        side = laws[c, SIDE]
        contact_rows(
            c, row, s.links, s.pair_of, normals, s.R_WT, s.ground, s.column, s.sign, side, dim,
            s.planar, full, tree.reference, tree.last, tree.depth, tree.path, work.pose, work.twist,
            place[c], g.axes, used, J,
        )  # fmt: skip
        kinetic[i], static[i] = laws[c, MU], laws[c, MU_STATIC]
        mu[i], bound[i] = kinetic[i], laws[c, PRELOAD] * dt
        bounces = bounces or laws[c, E_N] != 0.0 or laws[c, E_T] != 0.0
        static_friction = static_friction or static[i] > kinetic[i]
        if kind[i] == DRY and not full:
            bound[i] *= kinetic[i]
            r[row] = guess[group[i], 1]
        else:
            for d in range(first[i + 1] - row):
                r[row + d] = guess[group[i], d] / (side if d == 2 else 1.0)
        for d in range(first[i + 1] - row):
            struck[row + d] = 0.0
    use_ancestors(depth, path, used)
    half_rows(depth, path, L, used, J, n, Y)
    along = np.zeros((0, 0))
    if held.G.shape[1] > 0:
        along = project_rows(held.H, held.inverse, n, Y)
    gram(used, Y, n, W)
    clear_rigid_rows(count, first, used, J, Y, W, n)
    along_rows(used, J, n, v_a, gamma_a)
    if static_friction:
        friction_at_start(kinetic, static, gamma_a, first[: count + 1], REST, mu)

    v_i, x = v_a, g.x
    impact_work, spent_residual, spent, hit = 0.0, 0.0, 0, False
    if full and _strikes(used, J, n, first, count, v_a, free, gamma_a, u):
        of_laws = np.empty((count, COLUMNS))
        for i in range(count):
            of_laws[i] = laws[active[group[i]]]
        keep_held(depth, path, L, held.G, held.H, held.inverse, v_a, g.z)
        along_rows(used, J, n, g.z, gamma_i)
        r_i, problem = impact(
            impact_law, W[:n, :n].copy(), gamma_i[:n].copy(), mu[:count].copy(), of_laws, dim,
            options,
        )  # fmt: skip
        if problem.status != SOLVED:
            return (
                Outcome(problem.residual, problem.stage, problem.iterations, problem.status, 0.0, 0.0, 0.0),
                numbers_of_failure(problem),
            )
        spent_residual, spent, hit = problem.residual, problem.iterations, r_i.any()
        struck[:n] = r_i
        by_rows(used, Y, n, struck, x)
        solve(depth, path, L, x)
        for k in range(x.size):
            g.z[k] += x[k]
        v_i = g.z
        impact_work = work_of_holding(held.G, held.inverse, along, r_i, v_a, v_a, v_i)
        # the forces act from v_i on
        changed = np.empty_like(v_free)
        for k in range(x.size):
            changed[k] = free[k] + v_i[k] - v_a[k]
        keep_held(depth, path, L, held.G, held.H, held.inverse, changed, v_free)
        for k in range(x.size):
            if used[k]:
                v_e[k], v_from[k] = v_free[k], v_i[k]
    along_rows(used, J, n, v_free, gamma_free)
    along_rows(used, J, n, v_i, gamma_i)
    for k in range(n):
        q[k] = gamma_free[k]
    if bounces and not full:
        for i in range(count):
            c, row = active[group[i]], first[i]
            if kind[i] == DRY:
                continue
            q[row] += laws[c, E_N] * gamma_a[row]
            for k in range(row + 1, first[i + 1]):
                q[k] += laws[c, E_T] * gamma_a[k]
    caught = g.caught
    for i in range(count):
        caught[i] = False
    residual, stage, iterations = 0.0, 0, 0
    if full:
        _give_bounds(count, first, kind, bound, W, q, dim)
    for k in range(n):
        last[k] = r[k]
    while True:
        if full:
            as_dense = solved(
                W[:n, :n].copy(), q[:n].copy(), mu[:count].copy(), last[:n].copy(), dim, options
            )
            residual, stage, iterations = as_dense.residual, as_dense.stage, as_dense.iterations
            for k in range(n):
                r[k], u[k] = as_dense.r[k], as_dense.u[k]
        else:
            for k in range(n):
                r[k] = last[k]
            residual, stage, iterations = solve_compact(
                count, kind, first, dim, mu, bound, W, q, r, u, options.method, options.tolerance,
                options.prox_parameter, options.max_iterations, g.solver.matrix, g.solver.vectors,
                g.solver.indices,
            )  # fmt: skip
        if status_of(residual, options.tolerance) != SOLVED or not static_friction:
            break
        rows = first[: count + 1]
        if catch_reversed(mu, static, caught, gamma_i, u, rows):
            continue
        if not break_away(mu, kinetic, r, u, rows, REST):
            break
    status = status_of(residual, options.tolerance)
    residual, iterations = max(residual, spent_residual), iterations + spent
    if status != SOLVED:
        problem = _problem(count, kind, first, dim, mu, bound, W, q, last, r, u, full)
        failure = numbers_of_failure(
            Solved(
                problem[0], problem[1], problem[2], problem[3], problem[4], problem[5], residual,
                stage, iterations, status,
            )
        )  # fmt: skip
        return Outcome(residual, stage, iterations, status, 0.0, 0.0, 0.0), failure
    by_rows(used, Y, n, r, x)
    solve(depth, path, L, x)
    for k in range(x.size):
        v_e[k] += x[k]

    along_rows(used, J, n, v_e, gamma_e)
    total, gain = 0.0, 0.0
    for i in range(count):
        c = active[group[i]]
        work_i = law = 0.0
        rest = True
        for k in range(first[i], first[i + 1]):
            of_impact = 0.5 * struck[k] * (gamma_a[k] + gamma_i[k])
            work_i += of_impact + 0.5 * r[k] * (gamma_i[k] + gamma_e[k])
            law += of_impact + 0.5 * r[k] * (gamma_free[k] + gamma_e[k])
            if k > first[i] or (kind[i] == DRY and not full):
                rest = rest and abs(gamma_e[k]) <= REST
        if laws[c, PRELOAD] == 0.0:
            gain += law
        works[i] = work_i
        total += work_i
        state = before[group[i]]
        if state == _OPEN:
            continue
        row, end = first[i], first[i + 1]
        if kind[i] == DRY and not full and not (state == _STICK and rest):
            continue
        if hit:
            for k in range(n):
                last[k] = 0.0
            works[i] -= turning_work(state, rest, row, end, struck, gamma_a, last)
        else:
            works[i] -= turning_work(state, rest, row, end, r, gamma_a, gamma_e)
    constraint_work = impact_work
    if held.G.shape[1] > 0:
        begin = free
        if full:
            begin = free + v_i - v_a
        constraint_work += work_of_holding(
            held.G, held.inverse, along, r[:n].copy(), begin, v_i, v_e
        )
    for k in range(n):
        r[k] += struck[k]
    write_rows(
        count, first, kind, full, mu, bound, works, group, active, begun.places, laws, r, gamma_e,
        after,
    )  # fmt: skip
    done = Outcome(residual, stage, iterations, status, total, min(gain, total), constraint_work)
    return done, np.zeros(0)


@njit
def _strikes(
    used: Flags,
    J: Array,
    n: int,
    first: Indices,
    count: int,
    v_a: Array,
    free: Array,
    gamma_a: Array,
    gained: Array,
) -> bool:
    """Return whether a closed contact approaches by more than rounding, as at rest."""
    approach, most = 0.0, 0.0
    for i in range(count):
        approach = min(approach, gamma_a[first[i]])
    if approach >= 0.0:
        return False
    along_rows(used, J, n, free - v_a, gained)
    for i in range(count):
        most = max(most, abs(gained[first[i]]))
    return bool(approach < -_SLIGHT * most)


@njit
def _give_bounds(
    count: int, first: Indices, kind: Indices, bound: Array, W: Array, q: Array, dim: int
) -> None:
    """Let the rows of dry joints make r_n = preload dt; see ``give_normal_impulses``."""
    for i in range(count):
        if kind[i] == DRY:
            n, t = first[i], first[i] + 1
            W[n, n] = W[t, t]
            q[n] = -W[n, n] * bound[i]
            if dim == 3:
                W[n + 2, n + 2] = W[t, t]


@njit
def _problem(
    count: int,
    kind: Indices,
    first: Indices,
    dim: int,
    mu: Array,
    bound: Array,
    W: Array,
    q: Array,
    guess: Array,
    r: Array,
    u: Array,
    full: bool,
) -> tuple[Array, Array, Array, Array, Array, Array]:
    """Return W, q, mu, guess, r and u with all rows of each contact."""
    n = first[count]
    if full:
        problem = W[:n, :n].copy(), q[:n].copy(), mu[:count].copy(), guess[:n].copy()
    else:
        problem = expand(count, kind, first, dim, mu, bound, W, q, guess)
    impulses, velocities = np.zeros(count * dim), np.zeros(count * dim)
    for i in range(count):
        for k in range(first[i], first[i + 1]):
            at = i * dim + (k - first[i]) + (1 if kind[i] == DRY and not full else 0)
            impulses[at], velocities[at] = r[k], u[k]
    return problem[0], problem[1], problem[2], problem[3], impulses, velocities
