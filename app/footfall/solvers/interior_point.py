"""An interior-point method for contact problems in factored form, where there is no good guess.

With de Saxce's shift s = mu |u_T|, the impulse of a contact and u + s n lie in cones that are dual
to each other, at right angles. Scaled by P = diag(1, mu, mu), z = P^-1 r and y = P u + s n lie in
the same cone, that of Lorentz. Newton's method on

    x = H^T P z,    y = P (H x + q) + s(x) n,    y o z = centre e

goes from the middle of the cones to all their sides at once, so that load finds its way through
many contacts in some tens of steps. The scaling is that of Nesterov and Todd, the corrector that of
Mehrotra; the shift takes part in Newton's matrix (Acary, Armand, Nguyen and Shpakovych, Optim.
Methods Softw. 39, 2024). That makes the problem one without a convex function behind it, in which a
step may get stuck at a side: the next ones then go towards the middle with the shift held.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from footfall.arrays import Array
from footfall.jit import njit
from footfall.solvers.block_elimination import eliminate, substitute
from footfall.solvers.network import (
    NewtonMatrix,
    ScaledProblem,
    fill_blocks,
    gather,
    judged,
    length_of,
    spread,
)

_TO_THE_SIDE = 0.99  # of the way to the side of the first cone
_FARTHEST = 10.0
_SMALL = 1e-300
_STUCK, _FREE = 0.2, 0.5  # lengths of a step


class Point(NamedTuple):
    """The place on the way: x (sum of sizes,); y, z (k*dim,), all of them inside the cones."""

    x: Array
    y: Array
    z: Array


class _Cones(NamedTuple):
    """Scaling of the cones: W^-2 = (2 w w^T - J) / size (k,); lean: ds/du_T."""

    w: Array
    size: Array
    lean: Array


@njit
def from_inside(
    problem: ScaledProblem, matrix: NewtonMatrix, close: float, cap: int, point: Point, r: Array
) -> tuple[float, int]:
    """Go on from a point until the residual is close; returns it and the steps.

    The point is left where the way ends, the best scaled impulses in r (k*dim,).
    """
    dim = problem.network.rows.shape[2]
    best, lean, centring = math.inf, 1.0, 0.0
    for step in range(cap):
        length = _advance(problem, matrix, point, lean, centring)
        if not length > 0.0:
            return best, step + 1
        lean = min(1.0, length / _FREE)
        centring = 0.0 if length > _STUCK else 1.0
        impulses = _times_p(point.z, problem.mu, dim)
        residual = judged(problem, impulses)[0]
        if residual < best:
            best = residual
            r[:] = impulses
        if residual <= close:
            return best, step + 1
    return best, cap


@njit
def middle(problem: ScaledProblem, y_size: float, z_size: float) -> Point:
    """The middle of the cones, at multiples of the largest velocity."""
    dim = problem.network.rows.shape[2]
    y, z = np.zeros(problem.q.size), np.zeros(problem.q.size)
    largest = np.abs(problem.q).max()
    for a in range(0, y.size, dim):
        y[a], z[a] = y_size * largest, z_size * largest
    return Point(np.zeros(problem.network.sizes.sum()), y, z)


@njit
def _advance(
    problem: ScaledProblem, matrix: NewtonMatrix, point: Point, lean: float, centring: float
) -> float:
    """Move the point by a step; the share of it that was made, 0 where there is no step.

    lean: how much of the change of the shifts Newton's matrix holds. centring: of the present
    distance from the sides, how much the step keeps at least.
    """
    network, mu, dim = problem.network, problem.mu, problem.network.rows.shape[2]
    x, y, z = point
    gap = (y * z).sum()
    if not _SMALL < gap < math.inf:
        return 0.0
    u = gather(network, x, problem.q)
    own_y = _scaled_velocities(u, mu, dim) - y
    own_x = spread(network, _times_p(z, mu, dim)) - x
    cones = _cones(u, mu, y, z, lean, gap / z.sum())
    for i in range(mu.size):
        _matrix(cones, mu[i], i, matrix.slope[i])
    fill_blocks(network, matrix.pattern, matrix.slope, matrix.pool)
    if not eliminate(matrix.pattern, matrix.pool, matrix.pivots):
        return 0.0
    # straight to the sides, to see how far that goes
    dx, dy, dz = _direction(problem, matrix, cones, own_x, own_y, -z)
    length = min(1.0, _reach(y, dy, dim), _reach(z, dz, dim))
    share = max(0.0, ((y + length * dy) * (z + length * dz)).sum() / gap)
    centre = max(centring, share**3) * gap / mu.size
    if centring > 0.0:
        dy[:] = 0.0
    corrected = _corrected(cones, y, z, dy, dz, centre)
    dx, dy, dz = _direction(problem, matrix, cones, own_x, own_y, corrected)
    length = min(1.0, _TO_THE_SIDE * min(_reach(y, dy, dim), _reach(z, dz, dim)))
    x += length * dx
    y += length * dy
    z += length * dz
    return length


@njit
def _times_p(v: Array, mu: Array, dim: int) -> Array:
    """P v, (k*dim,)."""
    out = v.copy()
    for i in range(mu.size):
        for k in range(i * dim + 1, (i + 1) * dim):
            out[k] *= mu[i]
    return out


@njit
def _scaled_velocities(u: Array, mu: Array, dim: int) -> Array:
    """P u + s n, (k*dim,)."""
    y = _times_p(u, mu, dim)
    for i in range(mu.size):
        y[i * dim] += mu[i] * length_of(u, i * dim + 1, dim - 1)
    return y


@njit
def _cones(u: Array, mu: Array, y: Array, z: Array, lean: float, rest: float) -> _Cones:
    """Scaling at a point; rest: the slip [m/s] below which the shift changes smoothly."""
    dim = u.size // mu.size
    w, size, leans = np.empty(u.size), np.empty(mu.size), np.zeros(u.size)
    for i in range(mu.size):
        a = i * dim
        length_y, length_z = math.sqrt(_square(y, a, dim)), math.sqrt(_square(z, a, dim))
        product = 0.0
        for k in range(a, a + dim):
            product += y[k] * z[k]
        twice = 2.0 * math.sqrt(0.5 * (1.0 + product / (length_y * length_z)))
        w[a] = (y[a] / length_y + z[a] / length_z) / twice
        slip = length_of(u, a + 1, dim - 1)
        for k in range(a + 1, a + dim):
            w[k] = (z[k] / length_z - y[k] / length_y) / twice
            leans[k] = lean * mu[i] * u[k] / math.sqrt(slip * slip + rest * rest + _SMALL)
        size[i] = length_y / length_z
    return _Cones(w, size, leans)


@njit
def _square(v: Array, a: int, dim: int) -> float:
    """v^T J v of a contact, above zero: v_n^2 - |v_T|^2."""
    tail = length_of(v, a + 1, dim - 1)
    return max((v[a] - tail) * (v[a] + tail), _SMALL)


@njit
def _matrix(cones: _Cones, mu: float, i: int, out: Array) -> None:
    """Write P W^-2 (P + n ds/du) of a contact."""
    dim = out.shape[0]
    a, w = i * dim, cones.w
    for j in range(dim):
        row = 1.0 if j == 0 else mu
        to_normal = 2.0 * w[a + j] * w[a] - (1.0 if j == 0 else 0.0)
        for k in range(dim):
            entry = 2.0 * w[a + j] * w[a + k]
            if j == k:
                entry -= 1.0 if j == 0 else -1.0
            entry *= 1.0 if k == 0 else mu
            out[j, k] = row * (entry + to_normal * cones.lean[a + k]) / cones.size[i]


@njit
def _direction(
    problem: ScaledProblem,
    matrix: NewtonMatrix,
    cones: _Cones,
    own_x: Array,
    own_y: Array,
    p: Array,
) -> tuple[Array, Array, Array]:
    """Step (dx, dy, dz) with dz = p - W^-2 dy that makes up for what x and y lack."""
    network, mu, dim = problem.network, problem.mu, problem.network.rows.shape[2]
    dx = own_x + spread(network, _times_p(p - _inverse_square(cones, own_y, dim), mu, dim))
    substitute(matrix.pattern, matrix.pool, matrix.pivots, dx)
    du = gather(network, dx, np.zeros(p.size))
    dy = own_y + _times_p(du, mu, dim)
    for a in range(0, p.size, dim):
        for k in range(a + 1, a + dim):
            dy[a] += cones.lean[k] * du[k]
    return dx, dy, p - _inverse_square(cones, dy, dim)


@njit
def _inverse_square(cones: _Cones, v: Array, dim: int) -> Array:
    """W^-2 v, (k*dim,)."""
    out = np.empty(v.size)
    for i in range(cones.size.size):
        _reflect(cones.w, v, i * dim, dim, 1.0 / cones.size[i], out)
    return out


@njit
def _reflect(w: Array, v: Array, a: int, dim: int, factor: float, out: Array) -> None:
    """Write factor (2 w w^T - J) v of a contact."""
    product = 0.0
    for k in range(a, a + dim):
        product += w[k] * v[k]
    out[a] = factor * (2.0 * product * w[a] - v[a])
    for k in range(a + 1, a + dim):
        out[k] = factor * (2.0 * product * w[k] + v[k])


@njit
def _reach(v: Array, dv: Array, dim: int) -> float:
    """The multiple of dv at which v + s dv leaves the first of its cones, at most _FARTHEST."""
    reach = _FARTHEST
    for a in range(0, v.size, dim):
        # inside + 2 s mixed + s^2 square = 0
        square, mixed, inside = dv[a] ** 2, v[a] * dv[a], _square(v, a, dim)
        for k in range(a + 1, a + dim):
            square -= dv[k] ** 2
            mixed -= v[k] * dv[k]
        root = mixed * mixed - square * inside
        if mixed < 0.0 and root >= 0.0:
            reach = min(reach, inside / (-mixed + math.sqrt(root)))
        elif square < 0.0:
            reach = min(reach, (-mixed - math.sqrt(root)) / square)
        if dv[a] < 0.0:
            reach = min(reach, -v[a] / dv[a])
    return reach


@njit
def _corrected(cones: _Cones, y: Array, z: Array, dy: Array, dz: Array, centre: float) -> Array:
    """P = W^-1 v, lambda o v = centre e - lambda o lambda - (W^-1 dy) o (W dz), lambda = W z."""
    dim = y.size // cones.size.size
    p, half, back = np.empty(y.size), np.empty(dim), np.empty(dim)
    lam, first, second, left = np.empty(dim), np.empty(dim), np.empty(dim), np.empty(dim)
    for i in range(cones.size.size):
        a, root = i * dim, math.sqrt(cones.size[i])
        # W^-1 = (2 half half^T - J) / root, W = root (2 back back^T - J)
        scale = 1.0 / math.sqrt(2.0 * (cones.w[a] + 1.0))
        half[0] = back[0] = (cones.w[a] + 1.0) * scale
        for k in range(1, dim):
            half[k], back[k] = cones.w[a + k] * scale, -cones.w[a + k] * scale
        here = slice(a, a + dim)
        _reflect(back, z[here], 0, dim, root, lam)
        _reflect(half, dy[here], 0, dim, 1.0 / root, first)
        _reflect(back, dz[here], 0, dim, root, second)
        left[0] = centre - (lam * lam).sum() - (first * second).sum()
        for k in range(1, dim):
            left[k] = -2.0 * lam[0] * lam[k] - first[0] * second[k] - second[0] * first[k]
        _divide(lam, left)
        _reflect(half, left, 0, dim, 1.0 / root, p[here])
    return p


@njit
def _divide(lam: Array, d: Array) -> None:
    """Replace d by the v with lam o v = d."""
    mixed = 0.0
    for k in range(1, d.size):
        mixed += lam[k] * d[k]
    d[0] = (lam[0] * d[0] - mixed) / _square(lam, 0, d.size)
    for k in range(1, d.size):
        d[k] = (d[k] - d[0] * lam[k]) / lam[0]
