"""A step of one island of many contacts, solved for the velocities of its trees.

The same equations as ``contact_part.solve_group``, for Newton's impact law and without bilateral
constraints; the matrix W of the contact problem is never formed.
"""

from typing import NamedTuple

import numpy as np

from footfall.arrays import Array, Indices
from footfall.contact import add_restitution, break_away, catch_reversed, friction_at_start
from footfall.contact.coefficients import E_N, E_T, MU, MU_STATIC, PRELOAD, SIDE
from footfall.engines.contact_part import REST, RIGID, turning_work, write_rows
from footfall.engines.impacts import Solved, status_of
from footfall.jit import njit
from footfall.plants.contacts.measure import block_velocities
from footfall.solvers.network import Network, gather, matrix_of, spread
from footfall.solvers.problem import SOLVED, VELOCITY_SPACE
from footfall.solvers.velocity_space import solve_in_velocities

_NEWTON_STEPS = 300


class NetworkStep(NamedTuple):
    """A step with k contacts between n trees.

    depth, path, L: M = L^T L by depth; free (nv,): the velocities without contact, v_a (nv,): at
    the start. starts, sizes (n,): of the trees, places_of (n,): in the island's own vectors. blocks
    (k, 2, 3, widest), trees (k, 2): the Jacobian. laws (k, columns): of the contacts; guess (k, 3):
    impulses of the last step; before (k,): modes there. after: rows of the record of this step,
    places (k,): those of the contacts.
    """

    depth: Indices
    path: Indices
    L: Array
    free: Array
    v_a: Array
    dt: float
    starts: Indices
    sizes: Indices
    places_of: Indices
    blocks: Array
    trees: Indices
    laws: Array
    guess: Array
    before: Indices
    after: Array
    places: Indices
    dim: int
    tolerance: float
    max_iterations: int


class PosedProblem(NamedTuple):
    """The contact problem of a step in factored form, and what the step needs besides.

    network, q, mu, guess: the problem. rows: of the Jacobian, as ``blocks``, with s stretched and
    rigid rows cleared. gamma_a, gamma_free: velocities of the contacts.
    """

    network: Network
    q: Array
    mu: Array
    guess: Array
    rows: Array
    gamma_a: Array
    gamma_free: Array


@njit
def posed_problem(step: NetworkStep) -> PosedProblem:
    """Set up the contact problem of a step."""
    dim, laws = step.dim, step.laws
    rows, guess = _stretched(step)
    half = _half_rows(step, rows)
    rigid = _let_rigid_rows_be(rows, half)
    given = _given(laws, step.dt)
    gamma_a, gamma_free = (
        block_velocities(rows, step.trees, step.starts, step.sizes, step.v_a),
        block_velocities(rows, step.trees, step.starts, step.sizes, step.free),
    )
    q = gamma_free.copy()
    add_restitution(q, gamma_a, laws[:, E_N].copy(), laws[:, E_T].copy(), dim)
    for i in range(laws.shape[0]):
        if laws[i, PRELOAD] > 0.0:
            q[i * dim] = -(half[i, :, 1] ** 2).sum() * given[i]
    for k in rigid:
        guess[k] = 0.0
    network = Network(half, step.trees, step.sizes, step.places_of, given)
    mu, first = np.empty(laws.shape[0]), dim * np.arange(laws.shape[0] + 1)
    friction_at_start(laws[:, MU], laws[:, MU_STATIC], gamma_a, first, REST, mu)
    return PosedProblem(network, q, mu, guess, rows, gamma_a, gamma_free)


@njit
def network_step(step: NetworkStep, v_e: Array) -> tuple[Solved, float, float]:
    """Step of the island; writes its part of v_E (nv,) and its rows of ``after``.

    Also returns the work of all contacts and what their laws gave, where they did not take [J].
    The contact problem that comes back has W only where it was not solved.
    """
    dim, laws = step.dim, step.laws
    posed = posed_problem(step)
    network, rows, mu = posed.network, posed.rows, posed.mu
    gamma_a, gamma_free = posed.gamma_a, posed.gamma_free
    solved = _with_friction(step, network, posed.q, mu, gamma_a, posed.guess)
    if solved.status != SOLVED:
        return solved, 0.0, 0.0
    x = spread(network, solved.r)
    for tree in range(step.sizes.size):
        start = step.starts[tree]
        behind = step.places_of[tree] - start
        for k in range(start, start + step.sizes[tree]):
            total, n = x[behind + k], step.depth[k]
            for d in range(n):
                total -= step.L[k, d] * x[behind + step.path[k, d]]
            x[behind + k] = total / step.L[k, n]
            v_e[k] = step.free[k] + x[behind + k]
    gamma_e = block_velocities(rows, step.trees, step.starts, step.sizes, v_e)
    works, gain, total = np.empty(mu.size), 0.0, 0.0
    for i in range(mu.size):
        law = 0.0
        works[i] = 0.0
        n, end, rest = i * dim, (i + 1) * dim, True
        for k in range(n, end):
            works[i] += 0.5 * solved.r[k] * (gamma_a[k] + gamma_e[k])
            law += 0.5 * solved.r[k] * (gamma_free[k] + gamma_e[k])
            rest = rest and (k == n or abs(gamma_e[k]) <= REST)
        if laws[i, PRELOAD] == 0.0:
            gain += law
        total += works[i]
        works[i] -= turning_work(step.before[i], rest, n, end, solved.r, gamma_a, gamma_e)
    each, first = np.arange(mu.size), dim * np.arange(mu.size + 1)
    write_rows(
        mu.size, first, each, True, mu, mu, works, each, each, step.places, laws, solved.r, gamma_e,
        step.after,
    )  # fmt: skip
    return solved, total, min(gain, total)


@njit
def _stretched(step: NetworkStep) -> tuple[Array, Array]:
    """Blocks of the rows, (k, 2, dim, widest), and the last impulses as a guess (k*dim,).

    Friction that differs along s is isotropic once that axis is stretched; see ``contact_part``.
    """
    dim, count = step.dim, step.laws.shape[0]
    rows, guess = step.blocks[:, :, :dim].copy(), np.empty(count * dim)
    for i in range(count):
        for d in range(dim):
            guess[i * dim + d] = step.guess[i, d]
        if dim == 3:
            rows[i, :, 2] *= step.laws[i, SIDE]
            guess[i * dim + 2] /= step.laws[i, SIDE]
    return rows, guess


@njit
def _half_rows(step: NetworkStep, rows: Array) -> Array:
    """Blocks of J L^-1, of the shape of rows."""
    half = rows.copy()
    for i in range(rows.shape[0]):
        for side in range(2):
            tree = step.trees[i, side]
            if tree < 0:
                continue
            start = step.starts[tree]
            for row in half[i, side]:
                for k in range(start + step.sizes[tree] - 1, start - 1, -1):
                    n = step.depth[k]
                    row[k - start] /= step.L[k, n]
                    for d in range(n):
                        row[step.path[k, d] - start] -= step.L[k, d] * row[k - start]
    return half


@njit
def _let_rigid_rows_be(rows: Array, half: Array) -> Indices:
    """Clear rows along which nothing can move but rounding; returns their numbers."""
    count, dim = rows.shape[0], rows.shape[2]
    sizes = np.zeros(count * dim)
    for i in range(count):
        for d in range(dim):
            for side in range(2):
                for v in range(half.shape[3]):
                    sizes[i * dim + d] += half[i, side, d, v] ** 2
    rigid = np.flatnonzero(sizes <= RIGID * sizes.max())
    for k in rigid:
        rows[k // dim, :, k % dim], half[k // dim, :, k % dim] = 0.0, 0.0
    return rigid


@njit
def _given(laws: Array, dt: float) -> Array:
    """Normal impulses that are known: those of dry joints; NaN for the others."""
    given = np.full(laws.shape[0], np.nan)
    for i in range(given.size):
        if laws[i, PRELOAD] > 0.0:
            given[i] = laws[i, PRELOAD] * dt
    return given


@njit
def _with_friction(
    step: NetworkStep, network: Network, q: Array, mu: Array, gamma: Array, guess: Array
) -> Solved:
    """Solve the problem, again while contacts come to rest in it or break away."""
    dim, laws = step.dim, step.laws
    kinetic, static = laws[:, MU], laws[:, MU_STATIC]
    first = dim * np.arange(laws.shape[0] + 1)
    caught = np.zeros(mu.size, dtype=np.bool_)
    cap = step.max_iterations if step.max_iterations > 0 else _NEWTON_STEPS
    r = guess.copy()
    while True:
        residual, used = solve_in_velocities(network, q, mu, step.tolerance, cap, r)
        u = q + _own_velocities(network, r)
        status = status_of(residual, step.tolerance)
        W = np.zeros((0, 0)) if status == SOLVED else matrix_of(network)
        problem = Solved(W, q, mu, guess, r, u, residual, VELOCITY_SPACE, used, status)
        if status != SOLVED:
            return problem
        if catch_reversed(mu, static, caught, gamma, u, first):
            continue
        if not break_away(mu, kinetic, r, u, first, REST):
            return problem


@njit
def _own_velocities(network: Network, r: Array) -> Array:
    """W r."""
    return gather(network, spread(network, r), np.zeros(r.size))
