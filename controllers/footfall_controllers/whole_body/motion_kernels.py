"""Compiled rows of tasks and contacts: what links, centre of mass and corners do as J v' + bias.

Tables have an entry a task, a contact or a corner; links are numbered in the order of
`RobotTerms.stack`. Without loops in Python a tick costs tens of microseconds less.
"""

# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import math
from typing import Any, NamedTuple, Self

import numpy as np
from numba import types
from numba.experimental import structref

from footfall.arrays import Array, Flags, Indices
from footfall.jit import njit
from footfall.plants.flat.dynamics import Scratch
from footfall.plants.flat.motion import FrameMotions, move
from footfall.plants.flat.tree import Tree


@structref.register
class _HeldType(types.StructRef):
    def preprocess_fields(self, fields: Any) -> Any:  # noqa: ANN401 (numba has no types)
        return tuple((name, types.unliteral(of)) for name, of in fields)


class Held(structref.StructRefProxy):
    """Tables in an object of numba, which a kernel takes at once; of a tuple it unpacks them."""

    tables: Any

    def __new__(cls, tables: Any) -> Self:  # noqa: ANN401
        """Hold them."""
        return structref.StructRefProxy.__new__(cls, tables)


structref.define_proxy(Held, _HeldType, ["tables"])


@njit
def hold(tables: Any) -> Held:  # noqa: ANN401
    """Put tables into one object."""
    return Held(tables)


COM, MOMENTUM, ORIENTATION, PLACE = 0, 1, 2, 3
NO_LINK = -1


class Whole(NamedTuple):
    """Motion of the robot as a whole: centre of mass, and angular momentum about it.

    com (3, 3): place, velocity and bias of the centre of mass, J (3, nv) its Jacobian. momentum
    (2, 3): angular momentum and its bias, A (3, nv) of velocities.
    """

    com: Array
    J: Array
    momentum: Array
    A: Array


class RobotTable(NamedTuple):
    """A robot that is free in space.

    tree, work: of its plant, and frames on links of it as ``footfall.plants.flat.motion.Fixed`` has
    them. base: first velocity of the free joint, whose frames F, turned by R_WF in W, and M, the
    last frame but one, give the moment about M's origin and the force in F's axes. mass, gravity
    (3,): of the whole. drive_inertia (nv,): what drives add to the diagonal of M; damping (nv,).
    """

    tree: Tree
    work: Scratch
    owner: Indices
    R_LF: Array
    p_LF: Array
    base: int
    R_WF: Array
    mass: float
    gravity: Array
    drive_inertia: Array
    damping: Array


@njit
def robot_motion(
    held: Held,
    known: bool,
    q: Array,
    v: Array,
    M: Array,
    h: Array,
    links: FrameMotions,
    whole: Whole,
) -> None:
    """Fill M, h (nv,) with damping, the motion of frames and that of the whole robot.

    known: M, h and the frames are as ``footfall.plants.flat.motion.move`` fills them already.
    """
    r = held.tables
    if not known:
        move(
            *(r.tree, r.work, q, v, r.owner, r.R_LF, r.p_LF, M, h),
            *(links.J, links.R, links.p, links.V, links.bias),
        )
    base, R, mass, gravity = r.base, r.R_WF, r.mass, r.gravity
    com, J, momentum, A, nv = whole.com, whole.J, whole.momentum, whole.A, v.size
    for k in range(nv):
        M[k, k] += r.drive_inertia[k]
    # M[linear, rot] = -m [r]x with r from M's origin to the centre of mass, in F's axes
    a, b, c = (
        M[base + 4, base + 2] / mass,
        M[base + 5, base] / mass,
        M[base + 3, base + 1] / mass,
    )
    to_com = times(R, np.array([a, b, c]))
    com[:] = 0.0
    momentum[:] = 0.0
    for i in range(3):
        com[0, i] = links.p[-2, i] + to_com[i]
        com[2, i] = gravity[i]
        for j in range(3):
            com[2, i] += R[i, j] * h[base + 3 + j] / mass
            momentum[1, i] += R[i, j] * h[base + j]
        for k in range(nv):
            linear = turning = 0.0
            for j in range(3):
                linear += R[i, j] * M[base + 3 + j, k]
                turning += R[i, j] * M[base + j, k]
            J[i, k] = linear / mass
            A[i, k] = turning
            com[1, i] += J[i, k] * v[k]
    momentum[1] -= cross(to_com, mass * (com[2] - gravity))
    for k in range(nv):
        h[k] += r.damping[k] * v[k]
        A[:, k] -= cross(to_com, mass * J[:, k])
        for i in range(3):
            momentum[0, i] += A[i, k] * v[k]


class MotionTable(NamedTuple):
    """K tasks: kind, link, the link that it is relative to, and in whose axes (K,); at (K, 3).

    first (K,): first row; mask (K, 3): axes that count. kp, kd (T,): of all tasks, of which the
    last, postures, have a row for each of m joints from the last of first on: task, place among
    positions and among velocities (m,). inertia (3,): by which a row of angular momentum becomes
    one of angular acceleration.
    """

    kind: Indices
    link: Indices
    other: Indices
    axes: Indices
    at: Array
    kp: Array
    kd: Array
    first: Indices
    mask: Flags
    joint_task: Indices
    joint_q: Indices
    joint_v: Indices
    inertia: Array


class Asked(NamedTuple):
    """Demands of tasks: price, its root (T,); value (K, 9), rate, acceleration (K, 3).

    goal (m,): positions of the joints of postures. J, wanted: rows at some places that are given.
    """

    price: Array
    value: Array
    rate: Array
    acceleration: Array
    goal: Array
    places: Indices
    J: Array
    wanted: Array


class CornerTable(NamedTuple):
    """N contacts: link and first corner (N + 1), edges (N, 3, 4) of their pyramids; corners (C, 3).

    patch (N,): holds the orientation of its link; row (N + 1): first row of those that hold it.
    """

    link: Indices
    first: Indices
    edges: Array
    corners: Array
    patch: Flags
    row: Indices


class Bounds(NamedTuple):
    """Bounds of accelerations (nv,), and of torques (nu,) [N m]."""

    slowest: Array
    fastest: Array
    least_torque: Array
    most_torque: Array


class Programme(NamedTuple):
    """Minimise x'Px/2 + c'x with low <= x <= high and least <= G x <= most.

    c is NaN where parts are no numbers. Torques are T x + t (nu,), within their bounds. Of tasks,
    tasks x = wanted is asked. given: accelerations of the passive velocities, of x and 1.
    """

    P: Array
    c: Array
    low: Array
    high: Array
    G: Array
    least: Array
    most: Array
    T: Array
    t: Array
    tasks: Array
    wanted: Array
    given: Array
    driven: Indices
    passive: Indices
    bounds: Bounds

    def accelerations(self, x: Array) -> Array:
        """Accelerations of all velocities (nv,)."""
        accelerations = np.empty(len(self.driven) + len(self.passive))
        accelerations[self.driven] = x[: len(self.driven)]
        accelerations[self.passive] = self.given[:, :-1] @ x + self.given[:, -1]
        return accelerations


@njit
def motion_rows(  # noqa: C901, PLR0912 (a kernel is one nest of loops)
    tasks: MotionTable,
    asked: Asked,
    links: FrameMotions,
    whole: Whole,
    q: Array,
    v: Array,
    J: Array,
    wanted: Array,
    errors: Array,
) -> None:
    """Fill rows J v' = wanted of tasks, times their prices, and errors (T,) of what they lead.

    Rows of a task that does not count are zero; those that are given are as they are given.
    """
    nv = J.shape[1]
    A = np.zeros((3, nv))
    error, rate, bias = np.zeros(3), np.zeros(3), np.zeros(3)
    J[:] = 0.0
    wanted[:] = 0.0
    errors[:] = 0.0
    for r in range(len(tasks.joint_q)):
        k, row, i = tasks.joint_task[r], tasks.first[-1] + r, tasks.joint_v[r]
        off = asked.goal[r] - q[tasks.joint_q[r]]
        J[row, i] = asked.price[k]
        wanted[row] = asked.price[k] * (tasks.kp[k] * off - tasks.kd[k] * v[i])
        errors[k] += off * off
    for k in range(len(tasks.kind)):
        kind, price = tasks.kind[k], asked.price[k]
        row = tasks.first[k]
        if price <= 0.0:
            continue
        if kind <= MOMENTUM:
            _whole(kind, asked.value[k], whole, A, error, rate, bias)
        elif kind == ORIENTATION:
            _turning(tasks, asked, links, k, A, error, rate, bias)
        else:
            _moving(tasks, asked, links, k, A, error, rate, bias)
        goal = (
            tasks.kp[k] * error
            + tasks.kd[k] * (asked.rate[k] - rate)
            + asked.acceleration[k]
            - bias
        )
        if kind == MOMENTUM:
            for axis in range(3):
                A[axis] /= tasks.inertia[axis]
                goal[axis] /= tasks.inertia[axis]
            error[:] = rate
        if tasks.axes[k] != NO_LINK:
            R = links.R[tasks.axes[k]]
            error[:] = times(R.T, error)
            _into(R, A, goal, bias)
        for axis in range(3):
            if tasks.mask[k, axis]:
                for i in range(nv):
                    J[row, i] = price * A[axis, i]
                wanted[row] = price * goal[axis]
                errors[k] += error[axis] * error[axis]
                row += 1
    for k in range(len(errors)):
        errors[k] = math.sqrt(errors[k])
    for k in range(asked.places.size):
        J[asked.places[k]], wanted[asked.places[k]] = asked.J[k], asked.wanted[k]


@njit
def _whole(
    kind: int, value: Array, whole: Whole, A: Array, error: Array, rate: Array, bias: Array
) -> None:
    """Centre of mass, or angular momentum."""
    error[:] = value[:3]
    if kind == COM:
        A[:] = whole.J
        error -= whole.com[0]
        rate[:] = whole.com[1]
        bias[:] = whole.com[2]
    else:
        A[:] = whole.A
        rate[:] = whole.momentum[0]
        bias[:] = whole.momentum[1]


@njit
def _turning(
    tasks: MotionTable,
    asked: Asked,
    links: FrameMotions,
    k: int,
    A: Array,
    error: Array,
    rate: Array,
    bias: Array,
) -> None:
    """Turning of a link, against the world or, in its axes, against another link."""
    link, other = tasks.link[k], tasks.other[k]
    goal = asked.value[k].reshape(3, 3)
    A[:] = links.J[link, :3]
    rate[:] = links.V[link, :3]
    bias[:] = links.bias[link, :3]
    if other == NO_LINK:
        error[:] = turn_between(links.R[link], goal)
        return
    R = links.R[other]
    error[:] = turn_between(product(R.T, links.R[link]), goal)
    w = links.V[other, :3].copy()
    A -= links.J[other, :3]
    rate -= w
    bias -= links.bias[other, :3]
    bias -= cross(w, rate)
    _into(R, A, rate, bias)


@njit
def _moving(
    tasks: MotionTable,
    asked: Asked,
    links: FrameMotions,
    k: int,
    A: Array,
    error: Array,
    rate: Array,
    bias: Array,
) -> None:
    """Motion of a point of a link, against the world or, in its axes, against another link."""
    link, other = tasks.link[k], tasks.other[k]
    r = times(links.R[link], tasks.at[k])
    w = links.V[link, :3].copy()
    swing = cross(w, r)
    place = links.p[link] + r
    rate[:] = links.V[link, 3:] + swing
    bias[:] = links.bias[link, 3:] + cross(links.bias[link, :3], r) + cross(w, swing)
    _of_point(links.J[link], r, A)
    if other == NO_LINK:
        error[:] = asked.value[k, :3] - place
        return
    # x = R'(p_A - p_B), x' = R'(r' - w x r), x'' = R'(r'' - a x r - 2 w x r' + w x (w x r))
    R, w = links.R[other], links.V[other, :3].copy()
    arm = place - links.p[other]
    error[:] = asked.value[k, :3] - times(R.T, arm)
    rate -= links.V[other, 3:]
    bias -= links.bias[other, 3:] + cross(links.bias[other, :3], arm)
    bias += cross(w, cross(w, arm)) - 2.0 * cross(w, rate)
    rate -= cross(w, arm)
    J = links.J[other]
    for i in range(A.shape[1]):
        A[0, i] -= J[3, i] + J[1, i] * arm[2] - J[2, i] * arm[1]
        A[1, i] -= J[4, i] + J[2, i] * arm[0] - J[0, i] * arm[2]
        A[2, i] -= J[5, i] + J[0, i] * arm[1] - J[1, i] * arm[0]
    _into(R, A, rate, bias)


@njit
def contact_rows(  # noqa: C901 (a kernel is one nest of loops)
    contacts: CornerTable,
    activation: Array,
    price: float,
    damping: float,
    links: FrameMotions,
    push: Array,
    J: Array,
    wanted: Array,
) -> None:
    """Fill forces at the joints of multipliers, push (nv, m), and rows J v' = wanted that hold.

    activation (N,). damping [1/s] brings a contact that moves to rest. What belongs to an open
    contact is zero.
    """
    nv = J.shape[1]
    A = np.zeros((3, nv))
    for c in range(len(contacts.link)):
        link, active = contacts.link[c], activation[c]
        first, end = contacts.first[c], contacts.first[c + 1]
        row = contacts.row[c]
        if active <= 0.0:
            push[:, 4 * first : 4 * end] = 0.0
            J[row : contacts.row[c + 1]] = 0.0
            wanted[row : contacts.row[c + 1]] = 0.0
            continue
        V, bias, scale = links.V[link], links.bias[link], price * active
        if contacts.patch[c]:
            for axis in range(6):
                for i in range(nv):
                    J[row + axis, i] = scale * links.J[link, axis, i]
                wanted[row + axis] = -scale * (damping * V[axis] + bias[axis])
        for corner in range(first, end):
            r = times(links.R[link], contacts.corners[corner])
            _of_point(links.J[link], r, A)
            for edge in range(4):
                e = contacts.edges[c, :, edge]
                for i in range(nv):
                    push[i, 4 * corner + edge] = A[0, i] * e[0] + A[1, i] * e[1] + A[2, i] * e[2]
            if not contacts.patch[c]:
                swing = cross(V[:3], r)
                still = damping * (V[3:] + swing)
                still += bias[3:] + cross(bias[:3], r) + cross(V[:3], swing)
                for axis in range(3):
                    for i in range(nv):
                        J[row, i] = scale * A[axis, i]
                    wanted[row] = -scale * still[axis]
                    row += 1


@njit
def reduced_rows(
    J: Array,
    wanted: Array,
    driven: Indices,
    passive: Indices,
    given: Array,
    rows: Array,
    asked: Array,
) -> None:
    """Fill rows x = asked out of J v' = wanted, (k, nv): x begins with the driven accelerations.

    given (passive, n + 1): the other accelerations, of x and 1.
    """
    nd, n = len(driven), rows.shape[1]
    for k in range(len(wanted)):
        for i in range(n):
            rows[k, i] = 0.0
        for i in range(nd):
            rows[k, i] = J[k, driven[i]]
        asked[k] = wanted[k]
        for j in range(len(passive)):
            factor = J[k, passive[j]]
            if factor != 0.0:
                for i in range(n):
                    rows[k, i] += factor * given[j, i]
                asked[k] -= factor * given[j, n]


@njit
def reduced_motion(
    M: Array,
    h: Array,
    efforts_of: Array,
    contacts: CornerTable,
    activation: Array,
    price: float,
    damping: float,
    links: FrameMotions,
    J: Array,
    wanted: Array,
    A: Array,
    b: Array,
    p: Programme,
) -> None:
    """Fill the torques of a programme, and rows A x = b of tasks, J v' = wanted, and of contacts.

    The accelerations of what has no motor, M_pp v_p' + M_pd a + h_p = push_p l, are those of
    x = [a; l; slacks] and 1. price, damping: of contacts. More rows of A and b are left alone.
    """
    driven, passive, given = p.driven, p.passive, p.given
    nv, nd, n = len(h), len(driven), p.T.shape[1]
    m, held, nt = 4 * len(contacts.corners), contacts.row[-1], len(wanted)
    push, stance, still = np.empty((nv, m)), np.empty((held, nv)), np.empty(held)
    contact_rows(contacts, activation, price, damping, links, push, stance, still)
    given[:] = 0.0
    for j in range(len(passive)):
        row = passive[j]
        for i in range(nd):
            given[j, i] = -M[row, driven[i]]
        for i in range(m):
            given[j, nd + i] = push[row, i]
        given[j, n] = -h[row]
    _solve_symmetric(M, passive, given)
    forces, rest = np.empty((nd, n)), np.empty(nd)
    reduced_rows(M[driven], -h[driven], driven, passive, given, forces, rest)
    for i in range(nd):
        for k in range(m):
            forces[i, nd + k] -= push[driven[i], k]
    p.T[:] = np.dot(efforts_of, forces)
    p.t[:] = -np.dot(efforts_of, rest)
    reduced_rows(J, wanted, driven, passive, given, A[:nt], b[:nt])
    reduced_rows(stance, still, driven, passive, given, A[nt : nt + held], b[nt : nt + held])


@njit
def _solve_symmetric(M: Array, which: Indices, x: Array) -> None:  # noqa: C901 (one nest of loops)
    """Solve M[which, which] y = x in place, by Cholesky's factor of the positive definite M."""
    p, n = len(which), x.shape[1]
    L = np.empty((p, p))
    for i in range(p):
        for j in range(i + 1):
            total = M[which[i], which[j]]
            for k in range(j):
                total -= L[i, k] * L[j, k]
            L[i, j] = math.sqrt(total) if i == j else total / L[j, j]
    for i in range(p):
        for k in range(i):
            for c in range(n):
                x[i, c] -= L[i, k] * x[k, c]
        for c in range(n):
            x[i, c] /= L[i, i]
    for i in range(p - 1, -1, -1):
        for k in range(i + 1, p):
            for c in range(n):
                x[i, c] -= L[k, i] * x[k, c]
        for c in range(n):
            x[i, c] /= L[i, i]


@njit
def programme_sides(
    A: Array,
    b: Array,
    hard: Indices,
    counts: Flags,
    gap_J: Array,
    gap_least: Array,
    prices: Array,
    first: Indices,
    loads: Array,
    p: Programme,
) -> None:
    """Fill P, c of |A x - b|^2 and prices, the bounds, and the rows of limits of a programme.

    hard: rows of A that are equations, where they count. gap_J v' + slack >= gap_least: of pairs of
    capsules. prices (4,): of torques, accelerations, multipliers and slacks. first: corners of
    contacts, loads: their largest normal forces.
    """
    nd, nu, nc, nh, ns = len(p.driven), len(p.t), len(loads), len(hard), len(gap_least)
    n = len(p.c)
    p.P[:] = np.dot(A.T, A)
    p.c[:] = -np.dot(b, A)
    if prices[0] > 0.0:
        p.P[:] += prices[0] * np.dot(p.T.T, p.T)
        p.c[:] += prices[0] * np.dot(p.t, p.T)
    for i in range(n):
        p.P[i, i] += prices[1 if i < nd else (2 if i < n - ns else 3)]
        p.low[i] = p.bounds.slowest[p.driven[i]] if i < nd else 0.0
        p.high[i] = p.bounds.fastest[p.driven[i]] if i < nd else np.inf
    p.G[:] = 0.0
    p.least[:] = -np.inf
    p.most[:] = np.inf
    p.G[:nu] = p.T
    p.least[:nu] = p.bounds.least_torque - p.t
    p.most[:nu] = p.bounds.most_torque - p.t
    for k in range(nc):
        p.most[nu + k] = loads[k]
        p.G[nu + k, nd + 4 * first[k] : nd + 4 * first[k + 1]] = 1.0
    for k in range(nh):
        at = nu + nc + k
        p.G[at] = A[hard[k]]
        if counts[hard[k]]:
            p.least[at] = p.most[at] = b[hard[k]]
    at = nu + nc + nh
    reduced_rows(gap_J, gap_least, p.driven, p.passive, p.given, p.G[at:], p.least[at:])
    for k in range(ns):
        p.G[at + k, n - ns + k] = 1.0
    if not (np.isfinite(p.P.sum()) and np.isfinite(p.t.sum())):
        p.c[:] = np.nan


@njit
def turn_between(R: Array, R_d: Array) -> Array:
    """Turn from R to R_d as a rotation vector in the world, exact up to half a turn (3,) [rad]."""
    E = product(R_d, R.T)
    axis = 0.5 * np.array([E[2, 1] - E[1, 2], E[0, 2] - E[2, 0], E[1, 0] - E[0, 1]])
    sine = math.sqrt(_dot(axis, axis))
    cosine = 0.5 * (E[0, 0] + E[1, 1] + E[2, 2] - 1.0)
    if sine < 1e-12:
        return axis
    return axis * (math.atan2(sine, cosine) / sine)


@njit
def _of_point(J: Array, r: Array, A: Array) -> None:
    """Rows of the velocity of a point at r from a link's origin."""
    for i in range(A.shape[1]):
        A[0, i] = J[3, i] + J[1, i] * r[2] - J[2, i] * r[1]
        A[1, i] = J[4, i] + J[2, i] * r[0] - J[0, i] * r[2]
        A[2, i] = J[5, i] + J[0, i] * r[1] - J[1, i] * r[0]


@njit
def _into(R: Array, A: Array, rate: Array, bias: Array) -> None:
    """Turn rows, rate and bias into the axes of a link."""
    rate[:] = times(R.T, rate)
    bias[:] = times(R.T, bias)
    for i in range(A.shape[1]):
        x, y, z = A[0, i], A[1, i], A[2, i]
        for axis in range(3):
            A[axis, i] = R[0, axis] * x + R[1, axis] * y + R[2, axis] * z


@njit
def times(R: Array, a: Array) -> Array:
    """Return R a of a matrix (3, 3) and a vector."""
    found = np.empty(3)
    for i in range(3):
        found[i] = R[i, 0] * a[0] + R[i, 1] * a[1] + R[i, 2] * a[2]
    return found


@njit
def product(A: Array, B: Array) -> Array:
    """Return A B of matrices (3, 3)."""
    found = np.empty((3, 3))
    for i in range(3):
        for j in range(3):
            found[i, j] = A[i, 0] * B[0, j] + A[i, 1] * B[1, j] + A[i, 2] * B[2, j]
    return found


@njit
def _dot(a: Array, b: Array) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@njit
def cross(a: Array, b: Array) -> Array:
    """Return a x b of two vectors."""
    found = np.empty(3)
    found[0] = a[1] * b[2] - a[2] * b[1]
    found[1] = a[2] * b[0] - a[0] * b[2]
    found[2] = a[0] * b[1] - a[1] * b[0]
    return found
