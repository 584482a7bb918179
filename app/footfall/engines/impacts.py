"""Impacts as an event of their own, before the forces of a step act: Poisson, Chatterjee-Ruina.

Newton's law needs no such event: it is part of the step's one contact problem. The other laws speak
of the impulses of an impact alone, in which the step's forces have no part, else a resting contact
would bounce from its own weight.

All take W (n*dim, n*dim) [1/kg] of the closed contacts and their velocities gamma (n*dim,) [m/s]
before the impact.
"""

from typing import NamedTuple

import numpy as np

from footfall.arrays import Array
from footfall.contact import chatterjee_ruina, expansion_problem, total_impulses
from footfall.contact.coefficients import E_N, E_T, PRELOAD
from footfall.jit import njit
from footfall.solvers.compact import Solve
from footfall.solvers.problem import NOT_SOLVED, SOLVED

IMPACT_LAWS = {"newton": 0, "poisson": 1, "chatterjee-ruina": 2}
NEWTON, POISSON, CHATTERJEE_RUINA = IMPACT_LAWS.values()
OWN_LAW = 3
"""Number of a law of the user's, which has no name."""

# collisions one after another: a share of the first approach that counts as stopped, and a bound on
# their number, a contact; what is left of the approach is plastic
_STOPPED = 1e-12
_COLLISIONS = 200
ACCEPTED = 1e-8  # residual of the natural map up to which a step is made, where none asks for more


class SolverOptions(NamedTuple):
    """Arguments of ``solve_kernel`` besides the problem."""

    method: int
    tolerance: float
    prox_parameter: float
    max_iterations: int


class Solved(NamedTuple):
    """The last contact problem of a step, its answer and how it was found."""

    W: Array
    q: Array
    mu: Array
    guess: Array
    r: Array
    u: Array
    residual: float
    stage: int
    iterations: int
    status: int


@njit
def status_of(residual: float, tolerance: float) -> int:
    """Status of an answer, by its residual and the one that was asked for."""
    return SOLVED if residual <= max(tolerance, ACCEPTED) else NOT_SOLVED


def also(problem: Solved, residual: float, iterations: int) -> Solved:
    """Return a problem of several: with the largest residual, and the iterations of all."""
    W, q, mu, guess, r, u, own, stage, used, status = problem
    return Solved(W, q, mu, guess, r, u, max(own, residual), stage, used + iterations, status)


def solved(W: Array, q: Array, mu: Array, guess: Array, solve: Solve, tolerance: float) -> Solved:
    """Solve a contact problem; solved is what comes near enough for a step."""
    r, u, residual, stage, iterations = solve(W, q, mu, guess)
    status = status_of(residual, tolerance)
    return Solved(W, q, mu, guess, r, u, residual, stage, iterations, status)


@njit
def give_normal_impulses(W: Array, q: Array, laws: Array, dt: float, dim: int) -> None:
    """Put rows into the problem that make r_n = preload dt for dry joints, in place.

    A dry joint moves nothing along its normal row, so a row of its own, W_nn r_n - W_nn preload dt
    = 0, gives the normal impulse and leaves the rest of the problem as it is. The side row of a
    spatial problem gets W_ss likewise, for it moves nothing either.
    """
    for i in range(laws.shape[0]):
        if laws[i, PRELOAD] > 0.0:
            n, t = i * dim, i * dim + 1
            W[n, n] = W[t, t]
            q[n] = -W[n, n] * laws[i, PRELOAD] * dt
            if dim == 3:
                W[n + 2, n + 2] = W[t, t]


def impact(
    law: int,
    W: Array,
    gamma: Array,
    mu: Array,
    laws: Array,
    dim: int,
    solve: Solve,
    tolerance: float,
) -> tuple[Array, Solved]:
    """Impulses (n*dim,) [N s] of an impact by a law other than Newton's.

    law: as ``IMPACT_LAWS`` numbers them. The last contact problem that it solved comes back as
    well; a law that solves none has a residual of zero.
    """
    if law == POISSON:
        return poisson(W, gamma, mu, laws, dim, solve, tolerance)
    r = collisions(W, gamma, mu, laws, dim)
    return r, without_problem(W, gamma, mu, r)


def without_problem(W: Array, gamma: Array, mu: Array, r: Array) -> Solved:
    """Return what stands for the last problem of a law that solves none."""
    return Solved(W, gamma, mu, r, r, gamma, 0.0, 0, 0, SOLVED)


def poisson(
    W: Array, gamma: Array, mu: Array, laws: Array, dim: int, solve: Solve, tolerance: float
) -> tuple[Array, Solved]:
    """Impulses (n*dim,) [N s] of an impact by Poisson's law, and the last problem of the two."""
    W_c, q_c = W.copy(), gamma.copy()
    give_normal_impulses(W_c, q_c, laws, 0.0, dim)
    compression = solved(W_c, q_c, mu, np.zeros(gamma.size), solve, tolerance)
    if compression.status != SOLVED:
        return compression.r, compression
    e_n = laws[:, E_N].copy()
    W_e, q_e, mu_e, stored = expansion_problem(W_c, compression.u, compression.r, mu, e_n, dim)
    if stored.size == 0:
        return compression.r, compression
    expansion = solved(W_e, q_e, mu_e, np.zeros(q_e.size), solve, tolerance)
    impulses = total_impulses(compression.r, expansion.r, stored, dim)
    return impulses, also(expansion, compression.residual, compression.iterations)


@njit
def collisions(W: Array, gamma: Array, mu: Array, laws: Array, dim: int) -> Array:
    """Impulses (n*dim,) [N s] of collisions one after another by Chatterjee and Ruina's law.

    The contact that approaches fastest collides next, until none approaches.
    """
    count = mu.size
    r, u = np.zeros(gamma.size), gamma.copy()
    stopped = _STOPPED * -u[::dim].min()
    for _ in range(_COLLISIONS * count):
        i = int(np.argmin(u[::dim]))
        if u[i * dim] >= -stopped:
            break
        block = slice(i * dim, (i + 1) * dim)
        own = np.ascontiguousarray(W[block, block])
        impulse = chatterjee_ruina(own, u[block], mu[i], laws[i, E_N], laws[i, E_T])
        r[block] += impulse
        u += np.ascontiguousarray(W[:, block]) @ impulse
    return r
