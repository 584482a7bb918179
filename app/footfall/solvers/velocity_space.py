"""Contact problems solved for the velocities of the bodies, where contacts outnumber them.

With W = H H^T and r the impulses, x = H^T r is the change of velocity that they leave (in units in
which the mass matrix is one), and u = H x + q. W is never formed; all Newton matrices are
I + H^T C H, which has a block for each tree of bodies and for each two that touch. A good guess is
improved by the method of multipliers. Where that does not get on, or where there is none, an
interior-point method finds one, in fewer steps than the multipliers make from a poor guess; where
that fails as well, sweeps of Gauss-Seidel come nearer, and at last the multipliers begin from
nothing.

``solve_factored`` takes a dense W apart for it.
"""

from __future__ import annotations

import math

import numpy as np

from footfall.arrays import Array
from footfall.jit import njit
from footfall.solvers.gauss_seidel import solve_by_modes
from footfall.solvers.interior_point import from_inside, middle
from footfall.solvers.multipliers import POLISHED, iterate
from footfall.solvers.natural_map import scaled_residual, velocity
from footfall.solvers.network import (
    Network,
    NewtonMatrix,
    ScaledProblem,
    judged,
    largest_eigenvalue,
    matrix_of,
    newton_matrix,
    scaled_problem,
    sweep,
)
from footfall.solvers.newton import solve_newton

GOOD = 1e-3  # residual of a guess that is improved before another one is sought
_WARM_STEPS = 60  # then the guess is given up
_STARTS = ((1.0, 1.0), (10.0, 0.1), (100.0, 0.01))  # sizes of y and z in the middle of the cones
_CLOSE = 1e-6  # residual from which the multipliers are tried, and then only at the end
_INSIDE_STEPS, _POLISHING_STEPS = 60, 25
_SWEEPS = (50, 100, 200, 400)
MOST_ROWS = 800  # of a matrix W that is formed


@njit
def solve_in_velocities(
    network: Network, q: Array, mu: Array, tolerance: float, cap: int, r: Array
) -> tuple[float, int]:
    """Improve r (k*dim,) from the guess that it holds, until the natural map accepts.

    q (k*dim,), mu (k,): as in a contact problem. cap: bound on the Newton steps. Returns the
    residual and the Newton steps; r receives the best impulses.
    """
    problem = scaled_problem(network, q, mu)
    dry = False
    for i in range(mu.size):
        if not math.isnan(network.given[i]):
            r[i * network.rows.shape[2]] = network.given[i]
            dry = True
    c = r / problem.d
    best = judged(problem, c)[0]
    if best <= POLISHED * tolerance:
        return best, 0
    matrix, guess, steps = newton_matrix(network), c.copy(), 0
    good = dry or best <= GOOD
    if good:
        best, steps = iterate(problem, matrix, tolerance, min(cap, _WARM_STEPS), c, best, r)
    if not dry:  # their impulses are not in a cone
        for start in _STARTS:
            if best > tolerance and steps < cap:
                best, more = _from_inside(problem, matrix, tolerance, cap - steps, start, best, r)
                steps += more
            if best > tolerance and start == _STARTS[0] and r.size <= MOST_ROWS:
                best, more = _by_modes(problem, tolerance, guess, best, r)
                steps += more
        if best > tolerance and steps < cap and not good and np.any(c != 0.0):
            warm = min(cap - steps, _WARM_STEPS)
            best, more = iterate(problem, matrix, tolerance, warm, c, best, r)
            steps += more
        if best > tolerance and steps < cap:
            best, more = _by_sweeps(problem, matrix, tolerance, cap - steps, best, r)
            steps += more
    if best > tolerance and steps < cap:
        c[:] = 0.0
        best, more = iterate(problem, matrix, tolerance, cap - steps, c, best, r)
        steps += more
    return best, steps


@njit
def _from_inside(
    problem: ScaledProblem,
    matrix: NewtonMatrix,
    tolerance: float,
    cap: int,
    start: tuple[float, float],
    best: float,
    impulses: Array,
) -> tuple[float, int]:
    """Find impulses from the middle of the cones; impulses receives the best, unscaled."""
    point = middle(problem, start[0], start[1])
    steps, c = 0, np.zeros(impulses.size)
    for close in (_CLOSE, 0.1 * tolerance):
        most = min(cap - steps, _INSIDE_STEPS)
        residual, used = from_inside(problem, matrix, close, most, point, c)
        steps += used
        if residual < best:
            best = residual
            impulses[:] = problem.d * c
        polishing = min(_POLISHING_STEPS, max(cap - steps, 1))
        best, used = iterate(problem, matrix, tolerance, polishing, c, best, impulses)
        steps += used
        if best <= tolerance or steps >= cap:
            break
    return best, steps


@njit
def _by_modes(
    problem: ScaledProblem, tolerance: float, guess: Array, best: float, impulses: Array
) -> tuple[float, int]:
    """Improve a scaled guess with W formed; impulses receives the best, unscaled."""
    network, q, mu = problem.network, problem.q, problem.mu
    W, dim = matrix_of(network), network.rows.shape[2]
    norm, r = largest_eigenvalue(network), guess.copy()
    steps = _POLISHING_STEPS
    residual, used = solve_newton(W, q, mu, dim, norm, tolerance, steps, r)
    if residual > tolerance:
        _, more = solve_by_modes(W, q, mu, dim, norm, tolerance, _SWEEPS[-1], r)
        used += more
    residual = judged(problem, r)[0]
    if residual < best:
        best = residual
        impulses[:] = problem.d * r
    return best, used


@njit
def _by_sweeps(
    problem: ScaledProblem,
    matrix: NewtonMatrix,
    tolerance: float,
    cap: int,
    best: float,
    impulses: Array,
) -> tuple[float, int]:
    """Improve the best impulses so far, which are unscaled, by bursts of sweeps."""
    r, steps = impulses / problem.d, 0
    for count in _SWEEPS:
        if steps >= cap:
            break
        sweep(problem.network, problem.q, problem.mu, count, r)
        polishing = min(_POLISHING_STEPS, cap - steps)
        best, used = iterate(problem, matrix, tolerance, polishing, r.copy(), best, impulses)
        steps += used
        if best <= tolerance:
            break
    return best, steps


_RANK = 1e-12  # of the largest eigenvalue
_SYMMETRIC = 1e-10  # of the largest entry


@njit
def solve_factored(
    W: Array, q: Array, mu: Array, dim: int, norm: float, tolerance: float, cap: int, r: Array
) -> tuple[float, int]:
    """Find impulses without a guess, in at most so many Newton steps.

    Returns the residual, infinite where W is not symmetric and positive semidefinite, and the
    steps; r receives the impulses.
    """
    if np.abs(W - W.T).max() > _SYMMETRIC * np.abs(W).max():
        return math.inf, 0
    values, vectors = np.linalg.eigh(W)
    if values[0] < -_SYMMETRIC * values[-1]:
        return math.inf, 0
    first = np.searchsorted(values, _RANK * values[-1])
    rank = values.size - first
    rows = np.zeros((mu.size, 2, dim, rank))
    for i in range(mu.size):
        for k in range(dim):
            rows[i, 0, k] = vectors[i * dim + k, first:] * np.sqrt(values[first:])
    trees = np.full((mu.size, 2), -1, dtype=np.int64)
    trees[:, 0] = 0
    sizes, starts = np.array([rank]), np.array([0])
    network = Network(rows, trees, sizes, starts, np.full(mu.size, math.nan))
    r[:] = 0.0
    _, steps = solve_in_velocities(network, q, mu, tolerance, cap, r)
    u = np.empty(q.size)
    velocity(W, q, r, u)
    return scaled_residual(q, mu, dim, norm, r, u), steps
