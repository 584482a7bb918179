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
from footfall.contact.coefficients import E_N, E_T, MU, MU_STATIC, PRELOAD, SIDE
from footfall.contact.friction import break_away, catch_reversed, friction_at_start
from footfall.contact.modes import mode_of
from footfall.engines.ask import CHAIN, DENSE, IMPACT, ask
from footfall.engines.factored import (
    along_rows,
    by_rows,
    gram,
    half_rows,
    hold_rows,
    use_ancestors,
    work_of_holding,
)
from footfall.engines.impacts import (
    NEWTON,
    SolverOptions,
    status_of,
)
from footfall.engines.record import IMPULSE, MODE, VELOCITY, WORK, Begun
from footfall.jit import njit, scratch_njit
from footfall.plants.contacts.axes import axes_about
from footfall.plants.flat.dynamics import Scratch
from footfall.plants.flat.factor import solve
from footfall.plants.flat.held import hold_velocity
from footfall.plants.flat.tree import Tree
from footfall.solvers.compact import (
    DRY,
    STOP,
    SURFACE,
    CompactScratch,
    compact_scratch,
    solve_on_rows,
)
from footfall.solvers.problem import NONE, NOT_SOLVED, SOLVED

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
    (3, 3): of the terrain. column (k, 2), sign (k,): row, velocity and entry of joint limits, as
    many as stops says, and of dry joints. laws (n, columns of ``contact.coefficients``). planar:
    whether s has no row.
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
    """Memory for one contact problem of up to so many rows (columns of J).

    address (1,): where steps ask; answer (6,): residual, stage, iterations, status, work of the
    contacts, and what their laws gave, as far as it was asked for.
    """

    J: Array
    Y: Array
    W: Array
    rows: Array  # (9, rows)
    contacts: Array  # (5, contacts)
    first: Indices
    kind: Indices
    caught: Flags
    used: Flags
    axes: Array
    along: Array
    vectors: Array  # (6, nv)
    solver: CompactScratch
    address: Indices
    answer: Array


Q, R, U, GAMMA_A, GAMMA_I, GAMMA_E, GAMMA_FREE, STRUCK, LAST = range(9)
MU_NOW, _KINETIC, _STATIC, BOUND, _WORK = range(5)


@njit
def group_of(nv: int, held: int, rows: int, contacts: int, dim: int) -> Group:
    """Return memory for problems of up to so many rows and contacts; held: bilateral rows."""
    return Group(
        np.zeros((nv, rows)),
        np.zeros((nv, rows)),
        np.zeros((rows, rows)),
        np.zeros((9, rows)),
        np.zeros((5, contacts)),
        np.zeros(contacts + 1, dtype=np.int64),
        np.zeros(contacts, dtype=np.int64),
        np.zeros(contacts, dtype=np.bool_),
        np.zeros(nv, dtype=np.bool_),
        np.zeros((3, 3)),
        np.zeros((held, rows)),
        np.zeros((6, nv)),
        compact_scratch(rows, contacts, dim),
        np.zeros(1, dtype=np.int64),
        np.zeros(6),
    )


@njit
def fill_axes(n_W: Array, R_WT: Array, planar: bool, axes: Array) -> None:
    """Fill the axes about a normal; see ``axes_about``."""
    axes[:] = axes_about(n_W, R_WT, planar)


@scratch_njit
def contact_rows(
    s: Surfaces,
    tree: Tree,
    work: Scratch,
    normals: Array,
    c: int,
    row: int,
    side: float,
    full: bool,
    p_W: Array,
    axes: Array,
    used: Flags,
    J: Array,
) -> None:
    """Fill the rows of contact c, from `row` on, in columns of J (nv, rows), which hold zeros.

    full: whether joints have all rows, too. used: gets the velocities with entries.
    """
    links, column, depth, path = s.links, s.column, tree.depth, tree.path
    pose, twist, dim = work.pose, work.twist, s.dim
    if c >= links.shape[0]:
        joint = c - links.shape[0]
        J[column[joint, 1], row + (column[joint, 0] if full else 0)] = s.sign[joint]
        used[column[joint, 1]] = True
        return
    along = s.ground
    if s.pair_of[c] >= 0:
        fill_axes(normals[s.pair_of[c]], s.R_WT, s.planar, axes)
        along = axes
    for end in range(2):
        link = links[c, end]
        v_last = tree.last[link]
        if v_last < 0:
            continue
        o = tree.reference[link]
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


@scratch_njit
def contact_velocity(
    s: Surfaces,
    tree: Tree,
    work: Scratch,
    normals: Array,
    c: int,
    p_W: Array,
    axes: Array,
    v: Array,
    out: Array,
) -> None:
    """Fill the velocity [n, t, s] of a contact of surfaces at velocities v (nv,) [m/s]."""
    depth, path, pose, twist = tree.depth, tree.path, work.pose, work.twist
    along = s.ground
    if s.pair_of[c] >= 0:
        fill_axes(normals[s.pair_of[c]], s.R_WT, s.planar, axes)
        along = axes
    x0 = x1 = x2 = 0.0
    for end in range(2):
        v_last = tree.last[s.links[c, end]]
        if v_last < 0:
            continue
        o = tree.reference[s.links[c, end]]
        x, y, z = p_W[0] - pose[o, 0, 3], p_W[1] - pose[o, 1, 3], p_W[2] - pose[o, 2, 3]
        for d in range(depth[v_last] + 1):
            k = path[v_last, d]
            speed = v[k] if end == 0 else -v[k]
            x0 += speed * (twist[k, 3] + twist[k, 1] * z - twist[k, 2] * y)
            x1 += speed * (twist[k, 4] + twist[k, 2] * x - twist[k, 0] * z)
            x2 += speed * (twist[k, 5] + twist[k, 0] * y - twist[k, 1] * x)
    for d in range(3):
        out[d] = along[d, 0] * x0 + along[d, 1] * x1 + along[d, 2] * x2


@scratch_njit
def clear_rigid_rows(
    count: int, first: Indices, used: Flags, J: Array, Y: Array, W: Array, n: int
) -> None:
    """Clear rows along which nothing can move, so that only rounding is left of them.

    A pair of links about one hinge has such directions. Their impulse is zero with a diagonal of
    their own, and W stays regular.
    """
    most = 0.0
    for k in range(n):
        most = max(most, W[k, k])
    for i in range(count):
        largest = 0.0
        for k in range(first[i], first[i + 1]):
            if W[k, k] > RIGID * most:
                largest = max(largest, W[k, k])
        for k in range(first[i], first[i + 1]):
            if W[k, k] > RIGID * most:
                continue
            for j in range(used.size):
                if used[j]:
                    J[j, k] = Y[j, k] = 0.0
            for j in range(n):
                W[j, k] = W[k, j] = 0.0
            W[k, k] = largest if largest > 0.0 else 1.0


@scratch_njit
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


@scratch_njit
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
    """Solution of the problem of a group of contacts, as far as a step has to know it.

    works: of all contacts, as far as impulses of this step did them [J]; gain: by the laws alone.
    """

    residual: float
    stage: int
    iterations: int
    status: int
    works: float
    gain: float
    constraint_work: float


@scratch_njit
def solve_group(
    s: Surfaces,
    tree: Tree,
    depth: Indices,
    path: Indices,
    work: Scratch,
    basis: Array,
    rank: int,
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
) -> Outcome:
    """Solve for the impulses of some contacts; adds what they do to v_e, fills their rows.

    group (count,): which of the active contacts. basis, rank: of the rows that hold. free: v_A +
    M^-1 f dt; v_free: with G v = 0; v_e holds v_free before, of the velocities that these contacts
    move. v_from: gets the velocities from which the force acts where an impact comes before.
    """
    dim, laws, full = s.dim, s.laws, impact_law != NEWTON
    used, J, Y, W, x = g.used, g.J, g.Y, g.W, g.vectors[0]
    rows, first, contacts = g.rows, g.first, g.contacts
    static_friction, bounces = _pose(
        s, tree, work, g, begun, dt, full, count, group, normals, place, rank
    )
    n = first[count]
    use_ancestors(depth, path, used)
    half_rows(depth, path, L, used, J, n, Y)
    if rank > 0:
        hold_rows(basis, rank, n, Y, g.along)
    gram(used, Y, n, W)
    clear_rigid_rows(count, first, used, J, Y, W, n)
    along_rows(used, J, n, v_a, rows[GAMMA_A])
    if static_friction:
        friction_at_start(
            contacts[_KINETIC], contacts[_STATIC], rows[GAMMA_A], first[: count + 1], REST,
            contacts[MU_NOW],
        )  # fmt: skip
    v_i, impact_work, hit = v_a, 0.0, False
    spent_residual, spent = 0.0, 0
    if full and _strikes(used, J, n, first, count, v_a, free, rows[GAMMA_A], g.vectors[1], rows[U]):
        v_i = g.vectors[2]
        for k in range(v_a.size):
            v_i[k] = v_a[k]
        if rank > 0:
            hold_velocity(depth, path, L, basis, rank, v_i, g.vectors[3], g.vectors[4])
        along_rows(used, J, n, v_i, rows[GAMMA_I])
        answer = g.answer
        if ask(g.address[0], IMPACT, count, n) != 0:
            return Outcome(np.inf, 0, 0, NOT_SOLVED, 0.0, 0.0, 0.0)
        spent_residual, stage, spent, status = (
            answer[0], int(answer[1]), int(answer[2]), int(answer[3]),
        )  # fmt: skip
        if status != SOLVED:
            return Outcome(spent_residual, stage, spent, status, 0.0, 0.0, 0.0)
        by_rows(used, Y, n, rows[STRUCK], x)
        solve(depth, path, L, x)
        for k in range(x.size):
            v_i[k] += x[k]
            # the forces act from v_i on
            v_free[k] = free[k] + v_i[k] - v_a[k]
        for k in range(n):
            hit = hit or rows[STRUCK, k] != 0.0
        impact_work = work_of_holding(
            depth, path, L, basis, rank, g.along, n, rows[STRUCK], v_a, v_a, v_i, g.vectors[3],
            g.vectors[4], g.vectors[5],
        )  # fmt: skip
        if rank > 0:
            hold_velocity(depth, path, L, basis, rank, v_free, g.vectors[3], g.vectors[4])
        for k in range(x.size):
            if rank > 0 or x[k] != 0.0:
                v_e[k], v_from[k] = v_free[k], v_i[k]
    along_rows(used, J, n, v_free, rows[GAMMA_FREE])
    along_rows(used, J, n, v_i, rows[GAMMA_I])
    for k in range(n):
        rows[Q, k], rows[LAST, k] = rows[GAMMA_FREE, k], rows[R, k]
    if full:
        _give_bounds(count, first, g.kind, contacts[BOUND], W, rows[Q], dim)
    elif bounces:
        _bounce(count, first, g.kind, laws, begun.active, group, rows[GAMMA_A], rows[Q])
    residual, stage, iterations = _with_friction(count, g, dim, full, static_friction, options)
    status = status_of(residual, options.tolerance)
    residual, iterations = max(residual, spent_residual), iterations + spent
    if status != SOLVED:
        return Outcome(residual, stage, iterations, status, 0.0, 0.0, 0.0)
    by_rows(used, Y, n, rows[R], x)
    solve(depth, path, L, x)
    for k in range(x.size):
        v_e[k] += x[k]
    along_rows(used, J, n, v_e, rows[GAMMA_E])
    works, gain = _works(count, g, full, hit, laws, begun.active, begun.before, group)
    constraint_work = impact_work
    if rank > 0:
        for k in range(x.size):
            g.vectors[1, k] = free[k] + v_i[k] - v_a[k]
        constraint_work += work_of_holding(
            depth, path, L, basis, rank, g.along, n, rows[R], g.vectors[1], v_i, v_e, g.vectors[3],
            g.vectors[4], g.vectors[5],
        )  # fmt: skip
    for k in range(n):
        rows[R, k] += rows[STRUCK, k]
    write_rows(
        count, first, g.kind, full, contacts[MU_NOW], contacts[BOUND], contacts[_WORK], group,
        begun.active, begun.places, laws, rows[R], rows[GAMMA_E], after,
    )  # fmt: skip
    return Outcome(residual, stage, iterations, status, works, min(gain, works), constraint_work)


@scratch_njit
def _pose(
    s: Surfaces,
    tree: Tree,
    work: Scratch,
    g: Group,
    begun: Begun,
    dt: float,
    full: bool,
    count: int,
    group: Indices,
    normals: Array,
    place: Array,
    rank: int,
) -> tuple[bool, bool]:
    """Lay out the rows of some contacts; says if any has mu_s > mu, and if any has restitution."""
    first, kind, used, J, r = g.first, g.kind, g.used, g.J, g.rows[R]
    active, guess, contacts, touching = begun.active, begun.guess, g.contacts, s.links.shape[0]
    n = 0
    for i in range(count):
        c = active[group[i]]
        kind[i] = SURFACE if c < touching else STOP if c < touching + s.stops else DRY
        first[i] = n
        n += s.dim if full or kind[i] == SURFACE else 1
    first[count] = n
    for k in range(used.size):
        used[k] = rank > 0
        for i in range(n):
            J[k, i] = 0.0
    bounces = static_friction = False
    for i in range(count):
        c, row = active[group[i]], first[i]
        side, mu = s.laws[c, SIDE], s.laws[c, MU]
        contact_rows(s, tree, work, normals, c, row, side, full, place[c], g.axes, used, J)
        contacts[_KINETIC, i], contacts[_STATIC, i] = mu, s.laws[c, MU_STATIC]
        contacts[MU_NOW, i], contacts[BOUND, i] = mu, s.laws[c, PRELOAD] * dt
        bounces = bounces or s.laws[c, E_N] != 0.0 or s.laws[c, E_T] != 0.0
        static_friction = static_friction or s.laws[c, MU_STATIC] > mu
        if kind[i] == DRY and not full:
            contacts[BOUND, i] *= mu
            r[row] = guess[group[i], 1]
        else:
            for d in range(first[i + 1] - row):
                r[row + d] = guess[group[i], d] / (side if d == 2 else 1.0)
    for k in range(n):
        g.rows[STRUCK, k] = 0.0
    return static_friction, bounces


@scratch_njit
def _bounce(
    count: int,
    first: Indices,
    kind: Indices,
    laws: Array,
    active: Indices,
    group: Indices,
    gamma_a: Array,
    q: Array,
) -> None:
    """Put xi = gamma_E + e gamma_A in the place of gamma_E; see ``add_restitution``."""
    for i in range(count):
        c, row = active[group[i]], first[i]
        if kind[i] == DRY:
            continue
        q[row] += laws[c, E_N] * gamma_a[row]
        for k in range(row + 1, first[i + 1]):
            q[k] += laws[c, E_T] * gamma_a[k]


@scratch_njit
def _with_friction(
    count: int, g: Group, dim: int, full: bool, static_friction: bool, options: SolverOptions
) -> tuple[float, int, int]:
    """Solve the problem, again while contacts come to rest in it or break away."""
    n, first, rows, contacts = g.first[count], g.first, g.rows, g.contacts
    mu, kinetic, static = contacts[MU_NOW], contacts[_KINETIC], contacts[_STATIC]
    for i in range(count):
        g.caught[i] = False
    while True:
        for k in range(n):
            rows[R, k] = rows[LAST, k]
        residual, stage, iterations = np.inf, NONE, 0
        if not full:
            residual, stage, iterations = solve_on_rows(
                count, g.kind, first, dim, mu, contacts[BOUND], g.W, rows[Q], rows[R], rows[U],
                options.method, options.tolerance, options.max_iterations, g.solver.matrix,
                g.solver.vectors, g.solver.indices,
            )  # fmt: skip
        if not residual <= options.tolerance:
            if ask(g.address[0], DENSE if full else CHAIN, count, n) != 0:
                return np.inf, NONE, 0
            residual, stage = g.answer[0], int(g.answer[1])
            iterations += int(g.answer[2])
        if not static_friction or status_of(residual, options.tolerance) != SOLVED:
            return residual, stage, iterations
        own = first[: count + 1]
        if catch_reversed(mu, static, g.caught, rows[GAMMA_I], rows[U], own):
            continue
        if not break_away(mu, kinetic, rows[R], rows[U], own, REST):
            return residual, stage, iterations


@scratch_njit
def _works(
    count: int,
    g: Group,
    full: bool,
    hit: bool,
    laws: Array,
    active: Indices,
    before: Indices,
    group: Indices,
) -> tuple[float, float]:
    """Fill the work of each contact [J]; returns that of all, and what the laws alone gave."""
    first, kind, r, struck = g.first, g.kind, g.rows[R], g.rows[STRUCK]
    gamma_a, gamma_i, gamma_e = g.rows[GAMMA_A], g.rows[GAMMA_I], g.rows[GAMMA_E]
    gamma_free, works, still = g.rows[GAMMA_FREE], g.contacts[_WORK], g.rows[LAST]
    total = gain = 0.0
    for k in range(first[count] if hit else 0):
        still[k] = 0.0
    for i in range(count):
        row, end, rest, by_law = first[i], first[i + 1], True, 0.0
        works[i] = 0.0
        for k in range(row, end):
            of_impact = 0.5 * struck[k] * (gamma_a[k] + gamma_i[k])
            works[i] += of_impact + 0.5 * r[k] * (gamma_i[k] + gamma_e[k])
            by_law += of_impact + 0.5 * r[k] * (gamma_free[k] + gamma_e[k])
            if k > row or (kind[i] == DRY and not full):
                rest = rest and abs(gamma_e[k]) <= REST
        if laws[active[group[i]], PRELOAD] == 0.0:
            gain += by_law
        total += works[i]
        state = before[group[i]]
        if kind[i] == DRY and not full and not (state == _STICK and rest):
            continue
        if hit:
            works[i] -= turning_work(state, rest, row, end, struck, gamma_a, still)
        else:
            works[i] -= turning_work(state, rest, row, end, r, gamma_a, gamma_e)
    return total, gain


@scratch_njit
def _strikes(
    used: Flags,
    J: Array,
    n: int,
    first: Indices,
    count: int,
    v_a: Array,
    free: Array,
    gamma_a: Array,
    change: Array,
    gained: Array,
) -> bool:
    """Return whether a closed contact approaches by more than rounding, as at rest."""
    approach, most = 0.0, 0.0
    for i in range(count):
        approach = min(approach, gamma_a[first[i]])
    if approach >= 0.0:
        return False
    for k in range(v_a.size):
        change[k] = free[k] - v_a[k]
    along_rows(used, J, n, change, gained)
    for i in range(count):
        most = max(most, abs(gained[first[i]]))
    return bool(approach < -_SLIGHT * most)


@scratch_njit
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
