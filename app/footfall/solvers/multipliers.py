"""The method of multipliers for contact problems in factored form.

The projection of c - (u + s n) / alpha on the cone of each contact, where c are the last impulses
and s = mu |u_T| the last shift that turns Coulomb's law into a projection (de Saxce and Feng, Math.
Comput. Modelling 28, 1998; Acary, Cadoux, Lemarechal and Malick, ZAMM 91, 2011), makes the impulses
r a function of the velocities u = H x + q. Given c and s,

    x = H^T r(H x + q)

is the minimum of a convex function, which a Newton method with a line search finds from anywhere.
Then c and s follow. Near the answer Alart and Curnier's map, which lets the bound of friction
follow r_n within the Newton method, takes its place (Comput. Methods Appl. Mech. Eng. 92, 1991).
Where c moves on by the same amount again and again, it leaps to where a contact begins to slip.
Contacts that could share a load in many ways do no harm: what alpha leaves of them lies near the
guess.
"""

from __future__ import annotations

import math

import numpy as np

from footfall.arrays import Array
from footfall.jit import njit
from footfall.solvers.block_elimination import eliminate, substitute
from footfall.solvers.network import (
    Network,
    NewtonMatrix,
    ScaledProblem,
    fill_blocks,
    gather,
    judged,
    length_of,
    spread,
)

POLISHED = 1e-4  # of the tolerance: an answer that is only just accepted gets a little better
_MORE = 5  # Newton steps of that
_FIRST, _LEAST = 1e-2, 1e-3  # alpha, over the size of a contact's own block of W
_FALL = 0.3
_NEAR, _SLOW, _LEAST_NEAR = 1e-6, 0.2, 1e-6  # where nothing slips any more and c creeps
_FAR = 1e-3  # a residual beyond which the convex problem comes first
_CONVEX_STEPS, _BOUNDED_STEPS = 20, 12
_LOOSE = 1e-3  # of the first error of the convex problem: what its Newton method leaves
_ROUNDING = 1e-11
_ARMIJO, _SHORTEST_CONVEX, _SHORTEST_BOUNDED = 1e-4, 1e-4, 1e-2
_SAME, _FARTHEST = 0.1, 1e6


@njit
def iterate(
    problem: ScaledProblem,
    matrix: NewtonMatrix,
    tolerance: float,
    cap: int,
    c: Array,
    best: float,
    impulses: Array,
) -> tuple[float, int]:
    """Let the impulses c follow from the maps; impulses receives the best, unscaled."""
    residual, u = judged(problem, c)
    alpha, steps, accepted = _FIRST, 0, cap
    change = np.zeros(c.size)
    while steps < cap:
        before, moved_before = c.copy(), change
        converged = False
        if residual <= _FAR:
            converged, used = _solve_bounded(problem, matrix, alpha, c)
            steps += max(used, 1)  # so that what stays as it is ends as well
        if not converged:
            c[:] = before
            steps += max(_minimise(problem, matrix, alpha, c, u), 1)
        last = residual
        residual, u = judged(problem, c)
        if residual < best:
            best = residual
            impulses[:] = problem.d * c
        if best <= tolerance:
            accepted = min(accepted, steps)
        if best <= POLISHED * tolerance or steps >= accepted + _MORE:
            break
        change = c - before
        if ((change - moved_before) ** 2).sum() < _SAME**2 * (change**2).sum():
            share = _room(problem, c, change)
            if 1.0 < share < _FARTHEST:  # the load creeps from contact to contact
                c += share * change
                residual, u = judged(problem, c)
                change[:] = 0.0
        creeps = _SLOW * last < residual < _NEAR
        alpha = max(_FALL * alpha, _LEAST_NEAR if creeps else _LEAST)
    return best, steps


@njit
def _room(problem: ScaledProblem, c: Array, change: Array) -> float:
    """Multiple of a change at which the first of the impulses inside its cone meets its side."""
    dim, share = problem.network.rows.shape[2], math.inf
    for i in range(problem.mu.size):
        a, mu = i * dim, problem.mu[i]
        square, mixed, inside = 0.0, 0.0, 0.0
        for k in range(1, dim):
            square += change[a + k] ** 2
            mixed += change[a + k] * c[a + k]
            inside += c[a + k] ** 2
        bound = mu * c[a]
        if not (c[a] > 0.0 and math.sqrt(inside) < (1.0 - 1e-9) * bound):
            continue
        # |c_T + s dc_T|^2 = mu^2 (c_n + s dc_n)^2
        square -= (mu * change[a]) ** 2
        mixed -= mu * bound * change[a]
        inside -= bound**2
        root = mixed**2 - square * inside
        if square == 0.0 or root < 0.0:
            continue
        for sign in (1.0, -1.0):
            found = (-mixed + sign * math.sqrt(root)) / square
            if found > 0.0:
                share = min(share, found)
    return share


@njit
def _minimise(
    problem: ScaledProblem, matrix: NewtonMatrix, alpha: float, c: Array, u: Array
) -> int:
    """Replace the impulses c by those of the convex problem around them; Newton steps made.

    u: the velocities that belong to c, which give the shift.
    """
    network, q, dim = problem.network, problem.q, problem.network.rows.shape[2]
    shift = np.empty(problem.mu.size)
    for i in range(shift.size):
        shift[i] = problem.mu[i] * length_of(u, i * dim + 1, dim - 1)
    x = spread(network, c)
    r = np.empty_like(c)
    first, steps = 0.0, 0
    while steps < _CONVEX_STEPS:
        value = _project(problem, alpha, c, shift, gather(network, x, q), r, matrix.slope)
        value += 0.5 * (x * x).sum()
        change = spread(network, r) - x
        error = math.sqrt((change * change).sum())
        first = error if steps == 0 else first
        enough = _ROUNDING * math.sqrt((x * x).sum())
        if error <= enough or (steps > 0 and error <= _LOOSE * first):
            break
        gradient = -change
        if not _newton_step(network, matrix, change):
            break
        steps += 1
        slope = (gradient * change).sum()
        length = 1.0
        while length > _SHORTEST_CONVEX:
            trial = x + length * change
            there = _project(problem, alpha, c, shift, gather(network, trial, q), r, matrix.slope)
            there += 0.5 * (trial * trial).sum()
            if there <= value + _ARMIJO * length * slope + 1e-16 * abs(value):
                break
            length *= 0.5
        x = x + length * change
    c[:] = r
    return steps


@njit
def _solve_bounded(
    problem: ScaledProblem, matrix: NewtonMatrix, alpha: float, c: Array
) -> tuple[bool, int]:
    """Replace c by the impulses around it that Alart and Curnier's map gives.

    Returns whether they were found, and the Newton steps.
    """
    network, q = problem.network, problem.q
    x, r = spread(network, c), np.empty_like(c)
    _bounded(problem, alpha, c, gather(network, x, q), r, matrix.slope)
    change = spread(network, r) - x
    error = math.sqrt((change * change).sum())
    for step in range(_BOUNDED_STEPS):
        if error <= _ROUNDING * math.sqrt((x * x).sum()):
            c[:] = r
            return True, step
        if not _newton_step(network, matrix, change):
            return False, step
        length, direction = 1.0, change
        while True:
            trial = x + length * direction
            _bounded(problem, alpha, c, gather(network, trial, q), r, matrix.slope)
            change = spread(network, r) - trial
            there = math.sqrt((change * change).sum())
            if there < (1.0 - 1e-3 * length) * error or length <= _SHORTEST_BOUNDED:
                break
            length *= 0.5
        x, error = trial, there
    return False, _BOUNDED_STEPS


@njit
def _newton_step(network: Network, matrix: NewtonMatrix, change: Array) -> bool:
    """Solve (I + H^T C H) dx = change in place; False where the matrix is singular."""
    fill_blocks(network, matrix.pattern, matrix.slope, matrix.pool)
    if not eliminate(matrix.pattern, matrix.pool, matrix.pivots):
        return False
    substitute(matrix.pattern, matrix.pool, matrix.pivots, change)
    return True


@njit
def _project(
    problem: ScaledProblem, alpha: float, c: Array, shift: Array, u: Array, r: Array, slope: Array
) -> float:
    """Write r(u) and the blocks C of -dr/du; returns the potential whose gradient is -H^T r."""
    mu, given, dim = problem.mu, problem.network.given, problem.network.rows.shape[2]
    potential = 0.0
    for i in range(mu.size):
        a = i * dim
        for k in range(dim):
            r[a + k] = c[a + k] - u[a + k] / alpha
        if not math.isnan(given[i]):
            before = length_of(r, a + 1, dim - 1)
            r[a] = given[i]
            _disc(r, a, dim, mu[i] * max(0.0, given[i]), 0.0, 0.0, alpha, slope[i])
            after = length_of(r, a + 1, dim - 1)
            potential += 0.5 * alpha * (before**2 - (before - after) ** 2)
            continue
        r[a] -= shift[i] / alpha
        _cone(r, a, dim, mu[i], alpha, slope[i])
        for k in range(dim):
            potential += 0.5 * alpha * r[a + k] ** 2
    return potential


@njit
def _cone(z: Array, a: int, dim: int, mu: float, alpha: float, slope: Array) -> None:
    """Project the impulse at a on its cone, in place; slope: the derivative over alpha."""
    slope[:] = 0.0
    length = length_of(z, a + 1, dim - 1)
    if mu * length <= -z[a]:
        for k in range(dim):
            z[a + k] = 0.0
        return
    if length <= mu * z[a]:
        for k in range(dim):
            slope[k, k] = 1.0 / alpha
        return
    normal = (z[a] + mu * length) / (1.0 + mu * mu)
    share = 1.0 / (1.0 + mu * mu) / alpha
    around = mu * normal / length / alpha
    slope[0, 0] = share
    for j in range(1, dim):
        e_j = z[a + j] / length
        slope[0, j] = slope[j, 0] = share * mu * e_j
        for k in range(1, dim):
            e_k = z[a + k] / length
            across = (1.0 if j == k else 0.0) - e_j * e_k
            slope[j, k] = share * mu * mu * e_j * e_k + around * across
    z[a] = normal
    for k in range(1, dim):
        z[a + k] *= mu * normal / length


@njit
def _bounded(
    problem: ScaledProblem, alpha: float, c: Array, u: Array, r: Array, slope: Array
) -> None:
    """Write Alart and Curnier's r(u), friction bounded by mu r_n, and the blocks C of -dr/du."""
    mu, given, dim = problem.mu, problem.network.given, problem.network.rows.shape[2]
    for i in range(mu.size):
        a = i * dim
        for k in range(dim):
            r[a + k] = c[a + k] - u[a + k] / alpha
        moves = 1.0 / alpha
        if not math.isnan(given[i]):
            r[a], moves = given[i], 0.0
        if r[a] <= 0.0:
            slope[i] = 0.0
            for k in range(dim):
                r[a + k] = 0.0
            continue
        _disc(r, a, dim, mu[i] * r[a], mu[i], moves, alpha, slope[i])


@njit
def _disc(
    z: Array, a: int, dim: int, radius: float, mu: float, moves: float, alpha: float, slope: Array
) -> None:
    """Project the friction at a on a disc, in place, whose radius grows with the normal impulse.

    moves: the derivative of the normal impulse, -dr_n/du_n.
    """
    slope[:] = 0.0
    slope[0, 0] = moves
    length = length_of(z, a + 1, dim - 1)
    if length <= radius:
        for k in range(1, dim):
            slope[k, k] = 1.0 / alpha
        return
    for j in range(1, dim):
        e_j = z[a + j] / length
        slope[j, 0] = mu * e_j * moves
        for k in range(1, dim):
            across = (1.0 if j == k else 0.0) - e_j * z[a + k] / length
            slope[j, k] = radius / length * across / alpha
    for k in range(1, dim):
        z[a + k] *= radius / length
