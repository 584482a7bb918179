"""The one judge of every solver: the natural map of the contact problem, scaled.

The laws of Signorini and Coulomb hold for (r, u) if and only if, for each contact, for one and then
for every rho > 0, ``r = P_K(r - rho (u + mu |u_T| n))`` with P_K the Euclidean projection on the
Coulomb cone K = {r_n >= 0, |r_T| <= mu r_n} (de Saxce and Feng, Math. Comput. Modelling 28, 1998).
"""

from __future__ import annotations

import math

import numpy as np

from footfall.arrays import Array
from footfall.jit import njit

FARTHEST = 1e4  # impulses beyond this multiple of |q|/|W| are judged as if they were there
LOST = 1e10  # and beyond this one not at all
_LARGE = 12  # rows of a matrix whose norm is found by power iteration
_NOTHING = 1e-150  # beside entries of one, and its square is a number yet
POWER_STEPS, SETTLED = 30, 1e-3  # of that; it ends where the norm grows by less


@njit
def project_cone(x: Array, start: int, dim: int, mu: float) -> None:
    """Replace ``x[start:start+dim]`` by its nearest point in the Coulomb cone, in place."""
    normal = x[start]
    tangent = abs(x[start + 1]) if dim == 2 else math.hypot(x[start + 1], x[start + 2])
    # the polar cone first: with mu = 0 and no tangent both tests hold for a pulling normal
    if mu * tangent <= -normal:
        for k in range(dim):
            x[start + k] = 0.0
        return
    if tangent <= mu * normal:
        return
    projected = (normal + mu * tangent) / (1.0 + mu * mu)
    shrink = mu * projected / tangent
    x[start] = projected
    for k in range(1, dim):
        x[start + k] *= shrink


@njit
def spectral_norm(W: Array) -> float:
    """The largest singular value |W|_2 of a square matrix, to about 1e-13 relative.

    Of a large one it is a lower bound, near it by a thousandth as a rule: with less the natural map
    is stricter.
    """
    n = W.shape[0]
    if n > _LARGE:
        return _norm_from_below(W)
    if n == 2:
        return 0.5 * (
            math.hypot(W[0, 0] + W[1, 1], W[1, 0] - W[0, 1])
            + math.hypot(W[0, 0] - W[1, 1], W[1, 0] + W[0, 1])
        )
    largest = 0.0
    for i in range(n):
        for j in range(n):
            largest = max(largest, abs(W[i, j]))
    if largest * largest == 0.0:  # of zeros, or so small that the squares are
        return largest
    gram = np.zeros((n, n))
    for k in range(n):
        for i in range(n):
            factor = W[k, i] / (largest * largest)
            if factor != 0.0:
                for j in range(n):
                    gram[i, j] += factor * W[k, j]
    return largest * math.sqrt(_largest_eigenvalue(gram))


@njit
def power_start(count: int) -> Array:
    """Vector to begin with: not at right angles to any one that a symmetry would favour."""
    x = np.ones(count)
    for k in range(count):
        x[k] += 0.1 * ((7 * k) % 11)
    return x


@njit
def _norm_from_below(W: Array) -> float:
    """|W x| / |x| after some steps of power iteration with W^T W."""
    n = W.shape[0]
    x, y = power_start(n), np.empty(n)
    norm = 0.0
    for _ in range(POWER_STEPS):
        length = math.sqrt((x * x).sum())
        if length == 0.0:
            break
        square = 0.0
        for i in range(n):
            y[i] = 0.0
            for j in range(n):
                y[i] += W[i, j] * (x[j] / length)
            square += y[i] * y[i]
        last, norm = norm, max(norm, math.sqrt(square))
        if norm - last <= SETTLED * norm:
            break
        for j in range(n):
            x[j] = 0.0
        for i in range(n):
            for j in range(n):
                x[j] += W[i, j] * y[i]
    return norm


@njit
def _largest_eigenvalue(A: Array) -> float:
    """The largest eigenvalue of a symmetric positive semidefinite A (destroyed).

    Householder's reduction to tridiagonal form, then bisection by Sturm's count.
    """
    n = A.shape[0]
    square = np.zeros(n)
    v = np.empty(n)
    p = np.empty(n)
    for k in range(n - 2):
        length, aside = A[k + 1, k] * A[k + 1, k], 0.0
        for i in range(k + 2, n):
            length += A[i, k] * A[i, k]
            aside = max(aside, abs(A[i, k]))
        square[k + 1] = length
        if aside <= _NOTHING:
            continue
        for i in range(k + 1, n):
            v[i] = A[i, k]
        v[k + 1] += math.copysign(math.sqrt(length), v[k + 1])
        beta = 0.0
        for i in range(k + 1, n):
            beta += v[i] * v[i]
        beta = 2.0 / beta
        half = 0.0
        for i in range(k + 1, n):
            s = 0.0
            for j in range(k + 1, n):
                s += A[i, j] * v[j]
            p[i] = beta * s
            half += p[i] * v[i]
        half *= 0.5 * beta
        for i in range(k + 1, n):
            p[i] -= half * v[i]
        for i in range(k + 1, n):
            for j in range(k + 1, n):
                A[i, j] -= v[i] * p[j] + p[i] * v[j]
    if n > 1:
        square[n - 1] = A[n - 1, n - 2] * A[n - 1, n - 2]
    low = 0.0
    high = 0.0
    for i in range(n):
        low = max(low, A[i, i])
        beyond = math.sqrt(square[i + 1]) if i + 1 < n else 0.0
        high = max(high, A[i, i] + math.sqrt(square[i]) + beyond)
    while high - low > 1e-13 * high:
        middle = 0.5 * (low + high)
        pivot = A[0, 0] - middle
        i = 1
        while i < n and pivot < 0.0:
            pivot = A[i, i] - middle - square[i] / pivot
            i += 1
        if pivot < 0.0:
            high = middle
        else:
            low = middle
    return high


@njit
def velocity(W: Array, q: Array, r: Array, u: Array) -> None:
    """Write ``u = W r + q``."""
    n = q.shape[0]
    for i in range(n):
        total = q[i]
        for j in range(n):
            total += W[i, j] * r[j]
        u[i] = total


@njit
def length_of(vector: Array) -> float:
    """Euclidean length, in a loop that suits a few dozen numbers."""
    square = 0.0
    for value in vector:
        square += value * value
    return math.sqrt(square)


@njit
def ran_away(q: Array, r: Array, norm: float) -> bool:
    """Return whether a solver diverges: impulses so large that q counts for little beside W r."""
    return not length_of(r) * norm <= FARTHEST * length_of(q)


@njit
def impulse_scale(q: Array, r: Array, norm: float) -> float:
    """The impulse (N s) that residuals are measured against.

    ``max(|r|, |q|/|W|)``, but never beyond 1e4 |q|/|W|: beside impulses that run off to infinity
    q would count for nothing, and a problem without a solution would be accepted. It is 0, so that
    nothing passes, beyond 1e10 |q|/|W|, where rounding leaves too little of q to be judged. W = 0
    counts as 1; where q = 0 the scale is |r|.
    """
    size_r = length_of(r)
    size_q = length_of(q)
    if size_q == 0.0:
        return size_r
    natural = size_q / (norm if norm > 0.0 else 1.0)
    if not size_r <= LOST * natural:
        return 0.0
    return min(max(size_r, natural), FARTHEST * natural)


@njit
def scaled_residual(q: Array, mu: Array, dim: int, norm: float, r: Array, u: Array) -> float:
    """The natural map with rho = 1/|W|, its largest contact block over :func:`impulse_scale`.

    ``u`` must be W r + q. Where W = 0, rho is 1; where nothing moves (r = q = 0) the answer is 0.
    Infinite for a NaN, and for impulses so large that rounding hides q.
    """
    scale = impulse_scale(q, r, norm)
    if scale == 0.0:  # all zero, or lost
        return math.inf if np.any(r != 0.0) else 0.0
    return _largest_block(mu, dim, norm, r, u) / scale


@njit
def unbounded_residual(q: Array, mu: Array, dim: int, norm: float, r: Array, u: Array) -> float:
    """The same over max(|r|, |q|/|W|), for contacts of very different bodies.

    Beside a gram a tonne has impulses that ran away as it seems; whether they did says the residual
    of the problem whose contacts are scaled alike.
    """
    natural = length_of(q) / (norm if norm > 0.0 else 1.0)
    return _largest_block(mu, dim, norm, r, u) / max(length_of(r), natural)


@njit
def _largest_block(mu: Array, dim: int, norm: float, r: Array, u: Array) -> float:
    """Largest distance (N s) of a contact's impulse to its projection; infinite for a NaN."""
    rho = 1.0 / norm if norm > 0.0 else 1.0
    z = np.empty(dim)
    worst = 0.0
    for i in range(mu.shape[0]):
        a = i * dim
        slip = abs(u[a + 1]) if dim == 2 else math.hypot(u[a + 1], u[a + 2])
        z[0] = r[a] - rho * (u[a] + mu[i] * slip)
        for k in range(1, dim):
            z[k] = r[a + k] - rho * u[a + k]
        project_cone(z, 0, dim, mu[i])
        error = 0.0
        for k in range(dim):
            error += (r[a + k] - z[k]) ** 2
        if not math.isfinite(error):
            return math.inf
        worst = max(worst, error)
    return math.sqrt(worst)


@njit
def natural_map_residual(W: Array, q: Array, mu: Array, dim: int, r: Array) -> float:
    """Return the distance of impulses ``r`` to a solution of (W, q, mu): 1e-10 is accepted.

    ``max_i |r_i - P_K(r_i - rho (u_i + mu |u_T| n))| / max(|r|, |q|/|W|_2)``, rho = 1/|W|_2, with
    the scale bounded as in :func:`impulse_scale`; shapes as in
    :class:`~footfall.solvers.contact_problem.ContactProblem`.
    """
    u = np.empty(q.shape[0])
    velocity(W, q, r, u)
    return scaled_residual(q, mu, dim, spectral_norm(W), r, u)
