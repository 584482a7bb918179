"""The law of `footfall_controllers.stand` in compiled code, for its system and compiled runs."""

import math
from typing import NamedTuple

import numpy as np

from footfall.arrays import Array, Indices
from footfall.jit import njit
from footfall.plants.flat.dynamics import Scratch
from footfall.plants.flat.motion import Fixed, motion_at
from footfall.plants.flat.tree import Tree
from footfall.solvers.dual_active_set import SOLVED, solve_dual


class StandLaw(NamedTuple):
    """Gains, posture q_d (nu,), and what does not depend on the state.

    position (nu,), velocity (nu + 6,): places in q and v of joints, and of the trunk, angular
    before linear, whose velocities are along the axes base (3, 3) in W. normal (3,): of the ground.
    edges (3, 4): forces of unit multipliers at a point. driven, free: velocities with and without
    motors; efforts_of (nu, driven): efforts of generalized forces.
    """

    kp: float
    kd: float
    q_d: Array
    position: Indices
    velocity: Indices
    base: Array
    normal: Array
    edges: Array
    driven: Indices
    free: Indices
    efforts_of: Array


class Standing(NamedTuple):
    """The law with the frames of the robot that it looks at: points that stand, then the trunk."""

    law: StandLaw
    frames: Fixed


@njit
def stand(
    tree: Tree, work: Scratch, law: StandLaw, frames: Fixed, q: Array, v: Array, tau: Array
) -> bool:
    """Do as `standing_torque` by the flat arrays of a plant alone; work is used up."""
    M, force, found = motion_at(tree, work, frames, q, v)
    return standing_torque(law, q, v, M, force, found.J, found.R, found.bias, tau)


_EVEN = 1e-3  # root of the price of a multiplier's square: makes the forces even
_CAP = 400  # iterations; some tens do


@njit
def standing_torque(
    law: StandLaw,
    q: Array,
    v: Array,
    M: Array,
    force: Array,
    J: Array,
    R: Array,
    bias: Array,
    tau: Array,
) -> bool:
    """Fill the torques (nu,) at a state; False where there are none, as for NaN.

    M v' + force is what acts beside gravity. J, R, bias: of frames as `motion.FrameMotions`, the
    points that stand before the trunk.
    """
    nv, points = v.size, len(R) - 1
    asked = np.zeros(nv)
    _ask(law.kp, law.kd, law.position, law.q_d, law.velocity, law.base, law.normal, R, q, v, asked)
    feet, still = J[:points, 3:], bias[:points, 3:]
    if law.velocity.size < nv or not nearest(feet, still, law.kd, v, asked):
        _by_singular_values(feet, still, law.kd, v, law.velocity, asked)
    needed, by_edges = np.empty(nv), np.empty((nv, 4 * points))
    for i in range(nv):
        needed[i] = force[i]
        for k in range(nv):
            needed[i] += M[i, k] * asked[k]
        for n in range(points):
            for e in range(4):
                by_edges[i, 4 * n + e] = 0.0
                for d in range(3):
                    by_edges[i, 4 * n + e] += feet[n, d, i] * law.edges[d, e]
    x = np.zeros(4 * points)
    solved = push(by_edges[law.free], needed[law.free], x)
    left = needed - _times(by_edges, x)
    tau[:] = _times(law.efforts_of, left[law.driven])
    return solved


@njit
def _factor(P: Array, some: Indices) -> Array:
    """Cholesky's factor of some rows and columns of a positive definite matrix."""
    L = np.zeros((some.size, some.size))
    for i in range(some.size):
        for j in range(i + 1):
            total = P[some[i], some[j]]
            for k in range(j):
                total -= L[i, k] * L[j, k]
            L[i, j] = math.sqrt(total) if i == j else total / L[j, j]
    return L


@njit
def _add_solution(L: Array, some: Indices, left: Array, x: Array) -> None:
    """Add the solution y of L L' y = left[some] to x[some]."""
    y = left[some]
    for i in range(y.size):
        for k in range(i):
            y[i] -= L[i, k] * y[k]
        y[i] /= L[i, i]
    for i in range(y.size - 1, -1, -1):
        for k in range(i + 1, y.size):
            y[i] -= L[k, i] * y[k]
        y[i] /= L[i, i]
        x[some[i]] += y[i]


@njit
def push(E: Array, wanted: Array, x: Array) -> bool:  # noqa: C901 (a kernel is one nest of loops)
    """Fill x >= 0 of least |E x - wanted|^2, and of all such nearly the least; say if it is had."""
    n = x.size
    P, c, none = np.zeros((n, n)), np.zeros(n), np.zeros(0)
    for k in range(n):
        P[k, k] = _EVEN * _EVEN
        for row in range(len(E)):
            c[k] -= E[row, k] * wanted[row]
            for i in range(n):
                P[k, i] += E[row, k] * E[row, i]
    low, high, no_rows = np.zeros(n), np.full(n, np.inf), np.zeros((0, n))
    status, found, sides, _ = solve_dual(P, c, low, high, no_rows, none, none, _CAP)
    if status != SOLVED:
        return False
    some = np.flatnonzero(sides[:n] <= 0.0)
    for at in some:
        x[at] = found[at]
    while True:
        L = _factor(P, some)
        for _ in range(
            2
        ):  # P has the square of E's errors: take out what is left (A. Bjorck, 1987)
            off, left = wanted - _times(E, x), np.zeros(n)
            for k in range(n):
                left[k] = -_EVEN * _EVEN * x[k]
                for row in range(len(E)):
                    left[k] += E[row, k] * off[row]
            _add_solution(L, some, left, x)
        count = some.size
        some = np.flatnonzero(x > 0.0)  # what the programme lets be a little below is 0
        for k in range(n):
            x[k] = max(x[k], 0.0)
        if some.size >= count:
            return True


@njit
def _times(A: Array, x: Array) -> Array:
    found = np.zeros(len(A))
    for i in range(len(A)):
        for k in range(x.size):
            found[i] += A[i, k] * x[k]
    return found


@njit
def _ask(
    kp: float,
    kd: float,
    positions: Indices,
    q_d: Array,
    velocities: Indices,
    base: Array,
    normal: Array,
    R: Array,
    q: Array,
    v: Array,
    asked: Array,
) -> None:
    """Fill the accelerations (nv,) that are asked of joints and trunk, of frame R[-1]."""
    count = q_d.size
    for k in range(count):
        asked[velocities[k]] = kp * (q_d[k] - q[positions[k]]) - kd * v[velocities[k]]
    x, y, z = R[-1, 0, 2], R[-1, 1, 2], R[-1, 2, 2]
    a, b, c = normal[0], normal[1], normal[2]
    # the turn that sets the trunk upright, in the axes of its velocities
    a, b, c = y * c - z * b, z * a - x * c, x * b - y * a
    for i in range(6):
        k = velocities[count + i]
        tilt = base[0, i] * a + base[1, i] * b + base[2, i] * c if i < 3 else 0.0
        asked[k] = kp * tilt - kd * v[k]


_LEAST = 1e-3  # of singular values: smaller ones are cut
_CLEAR = 2e-2  # m, rad: of what a row adds to those before it, where none of them is as small


@njit
def nearest(J: Array, bias: Array, kd: float, v: Array, asked: Array) -> bool:
    """Turn what is asked of v' into the nearest with J v' + bias = -kd J v.

    J (n, 3, nv), bias (n, 3). False, and nothing is done, where rows of J may say the same twice,
    for which singular values have to be looked at.
    """
    nv, count = v.size, 3 * J.shape[0]
    if count > nv:
        return False
    # by the modified Gram-Schmidt algorithm, each row twice: J = L Q with orthonormal rows Q
    Q, y = J.copy().reshape(count, nv), np.zeros(count)
    for r in range(count):
        row = Q[r]
        left = -bias[r // 3, r % 3]
        for i in range(nv):
            left -= row[i] * (kd * v[i] + asked[i])
        for twice in range(2 * r):
            before, part = Q[twice % r], 0.0
            for i in range(nv):
                part += row[i] * before[i]
            for i in range(nv):
                row[i] -= part * before[i]
            left -= part * y[twice % r]
        size = math.sqrt((row * row).sum())
        if size < _CLEAR:
            return False
        row /= size
        y[r] = left / size
    for r in range(count):
        for i in range(nv):
            asked[i] += y[r] * Q[r, i]
    return True


@njit
def _by_singular_values(
    J: Array, bias: Array, kd: float, v: Array, which: Indices, asked: Array
) -> None:
    """Do as `nearest` for rows of any rank, where velocities are asked for that are not all."""
    rows = J.copy().reshape(-1, v.size)
    missing = -bias.copy().reshape(-1) - kd * _times(rows, v)
    held, along, rank = _least(rows, missing, 1.0)
    if rank < v.size:
        free = np.ascontiguousarray(along[rank:].T)
        some, lacks = free[which], (asked - held)[which]
        given, _, _ = _least(some, lacks, 0.0)
        held += _times(free, given)
    asked[:] = held


@njit
def _least(A: Array, b: Array, scale: float) -> tuple[Array, Array, int]:
    """Least x of least |A x - b|^2, right singular vectors of A, and how many are not cut.

    Cut are singular values below a share of the scale; 0: of the largest one.
    """
    U, values, along = np.linalg.svd(A)
    x, rank = np.zeros(A.shape[1]), 0
    cut = _LEAST * (scale if scale > 0.0 else values[0])
    while rank < values.size and values[rank] > cut:
        part = 0.0
        for i in range(b.size):
            part += U[i, rank] * b[i]
        for i in range(x.size):
            x[i] += part / values[rank] * along[rank, i]
        rank += 1
    return x, along, rank
