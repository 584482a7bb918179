"""Mass matrix and forces of a tree of links, M v' = h + ..., compiled and without allocation.

All is written in axes of W about points that rest: of every tree of links the origin of its
heaviest one, where that is at the instant. So twists and inertias of links add without transforms:
M by composite rigid bodies, h by the recursive Newton-Euler algorithm (R. Featherstone, Rigid Body
Dynamics Algorithms, Springer 2008, sections 5.3 and 6.2). A twist is [w, v] with the velocity v of
the link at that point; a wrench [moment about it, force].

M is kept by velocity and depth, H[k, d] = M[k, j] with j the velocity at depth d on the way to k:
all that M has besides is zero. Scalars stand for vectors of three, since a small array costs more
to make than all that is done with it.
"""

import math
from typing import NamedTuple

import numpy as np

from footfall.arrays import Array, Indices
from footfall.jit import njit, scratch_njit
from footfall.plants.flat.tree import Kind, Tree

_ONE, _QUATERNION, _ANGLES, _BALL, _ = (int(kind) for kind in Kind)


class Scratch(NamedTuple):
    """Memory of the kernels; n links, the world first.

    pose (n, 3, 4): [R, p] of the links in W. twist (nv, 6): of unit velocities. V, A, f
    (n, 6): velocities, accelerations less gravity at v' = 0, and the wrenches that they take. I, Ic
    (n, 10): inertias (mass, moment of mass, xx yy zz xy xz yz), and those with all that is further
    out. H (nv, depths), h (nv,): M and h.
    """

    pose: Array
    twist: Array
    V: Array
    A: Array
    f: Array
    I: Array
    Ic: Array
    H: Array
    h: Array


def scratch_of(tree: Tree) -> Scratch:
    """Return memory for a tree, in which all links are where the world is."""
    n, nv = len(tree.kind), len(tree.depth)
    sizes = (n, 3, 4), (nv, 6), (n, 6), (n, 6), (n, 6), (n, 10), (n, 10), tree.path.shape, (nv,)
    scratch = Scratch(*(np.zeros(size) for size in sizes))
    scratch.pose[:] = np.eye(3, 4)
    return scratch


Three = tuple[float, float, float]


@scratch_njit
def cross(a: float, b: float, c: float, x: float, y: float, z: float) -> Three:
    """Cross product of two vectors."""
    return b * z - c * y, c * x - a * z, a * y - b * x


@scratch_njit
def _turned(pose: Array, link: int, x: float, y: float, z: float) -> Three:
    """A vector of a link in axes of W."""
    return (
        pose[link, 0, 0] * x + pose[link, 0, 1] * y + pose[link, 0, 2] * z,
        pose[link, 1, 0] * x + pose[link, 1, 1] * y + pose[link, 1, 2] * z,
        pose[link, 2, 0] * x + pose[link, 2, 1] * y + pose[link, 2, 2] * z,
    )


@scratch_njit
def place(
    kind: Indices,
    parent: Indices,
    position: Indices,
    E: Array,
    p: Array,
    turn: Array,
    slide: Array,
    q: Array,
    pose: Array,
) -> None:
    """Place the links at positions q (nq,)."""
    for link in range(1, kind.size):
        inner, first = parent[link], position[link]
        x, y, z = _turned(pose, inner, p[link, 0], p[link, 1], p[link, 2])
        x, y, z = x + pose[inner, 0, 3], y + pose[inner, 1, 3], z + pose[inner, 2, 3]
        if kind[link] == _ONE:
            s, c = math.sin(turn[link] * q[first]), math.cos(turn[link] * q[first])
            for k, (a, b) in enumerate(((c, s), (-s, c))):
                e0 = a * E[link, 0, 0] + b * E[link, 0, 1]
                e1 = a * E[link, 1, 0] + b * E[link, 1, 1]
                e2 = a * E[link, 2, 0] + b * E[link, 2, 1]
                column = _turned(pose, inner, e0, e1, e2)
                pose[link, 0, k], pose[link, 1, k], pose[link, 2, k] = column
            axis = _turned(pose, inner, E[link, 0, 2], E[link, 1, 2], E[link, 2, 2])
            pose[link, 0, 2], pose[link, 1, 2], pose[link, 2, 2] = axis
            way = slide[link] * q[first]
            pose[link, 0, 3], pose[link, 1, 3] = x + way * axis[0], y + way * axis[1]
            pose[link, 2, 3] = z + way * axis[2]
            continue
        for k in range(3):
            column = _turned(pose, inner, E[link, 0, k], E[link, 1, k], E[link, 2, k])
            pose[link, 0, k], pose[link, 1, k], pose[link, 2, k] = column
        places = first + (4 if kind[link] == _QUATERNION else 3)
        if kind[link] != _BALL:
            way = _turned(pose, link, q[places], q[places + 1], q[places + 2])
            x, y, z = x + way[0], y + way[1], z + way[2]
        if kind[link] == _QUATERNION:
            m = by_quaternion(q[first], q[first + 1], q[first + 2], q[first + 3])
        else:
            m = _by_angles(q[first], q[first + 1], q[first + 2])
        for i in range(3):
            a, b, c = pose[link, i, 0], pose[link, i, 1], pose[link, i, 2]
            pose[link, i, 0] = a * m[0] + b * m[3] + c * m[6]
            pose[link, i, 1] = a * m[1] + b * m[4] + c * m[7]
            pose[link, i, 2] = a * m[2] + b * m[5] + c * m[8]
        pose[link, 0, 3], pose[link, 1, 3], pose[link, 2, 3] = x, y, z


Nine = tuple[float, float, float, float, float, float, float, float, float]


@scratch_njit
def by_quaternion(w: float, x: float, y: float, z: float) -> Nine:
    """Rotation matrix by rows of a quaternion of any length."""
    s = 2.0 / (w * w + x * x + y * y + z * z)
    return (
        1.0 - s * (y * y + z * z),
        s * (x * y - w * z),
        s * (x * z + w * y),
        s * (x * y + w * z),
        1.0 - s * (x * x + z * z),
        s * (y * z - w * x),
        s * (x * z - w * y),
        s * (y * z + w * x),
        1.0 - s * (x * x + y * y),
    )


@scratch_njit
def _by_angles(roll: float, pitch: float, yaw: float) -> Nine:
    """Rotation matrix by rows of roll, pitch and yaw, about fixed axes in this order."""
    sr, cr = math.sin(roll), math.cos(roll)
    sp, cp = math.sin(pitch), math.cos(pitch)
    sy, cy = math.sin(yaw), math.cos(yaw)
    return (
        cy * cp,
        cy * sp * sr - sy * cr,
        cy * sp * cr + sy * sr,
        sy * cp,
        sy * sp * sr + cy * cr,
        sy * sp * cr - cy * sr,
        -sp,
        cp * sr,
        cp * cr,
    )


@scratch_njit
def twists(
    kind: Indices,
    parent: Indices,
    velocity: Indices,
    reference: Indices,
    E: Array,
    turn: Array,
    slide: Array,
    pose: Array,
    twist: Array,
) -> None:
    """Fill the twists of unit velocities about the reference point of their tree."""
    for link in range(1, kind.size):
        k, o = velocity[link], reference[link]
        x, y, z = (
            pose[o, 0, 3] - pose[link, 0, 3],
            pose[o, 1, 3] - pose[link, 1, 3],
            pose[o, 2, 3] - pose[link, 2, 3],
        )
        if kind[link] == _ONE:
            a, b, c = pose[link, 0, 2], pose[link, 1, 2], pose[link, 2, 2]
            u, v, w = cross(turn[link] * a, turn[link] * b, turn[link] * c, x, y, z)
            s = slide[link]
            twist[k, 0], twist[k, 1], twist[k, 2] = turn[link] * a, turn[link] * b, turn[link] * c
            twist[k, 3], twist[k, 4], twist[k, 5] = u + s * a, v + s * b, w + s * c
            continue
        for i in range(3):
            a, b, c = _turned(pose, parent[link], E[link, 0, i], E[link, 1, i], E[link, 2, i])
            u, v, w = cross(a, b, c, x, y, z)
            twist[k + i, 0], twist[k + i, 1], twist[k + i, 2] = a, b, c
            twist[k + i, 3], twist[k + i, 4], twist[k + i, 5] = u, v, w
            if kind[link] != _BALL:
                slid = k + 3 + i
                twist[slid, 0] = twist[slid, 1] = twist[slid, 2] = 0.0
                twist[slid, 3], twist[slid, 4], twist[slid, 5] = a, b, c


@scratch_njit
def inertias(tree: Tree, work: Scratch) -> None:
    """Fill the inertias of the links about the reference point of their tree, in axes of W."""
    reference, mass, centre, inertia = tree.reference, tree.mass, tree.centre, tree.inertia
    pose, I = work.pose, work.I
    for link in range(1, mass.size):
        o, m = reference[link], mass[link]
        x, y, z = _turned(pose, link, centre[link, 0], centre[link, 1], centre[link, 2])
        x += pose[link, 0, 3] - pose[o, 0, 3]
        y += pose[link, 1, 3] - pose[o, 1, 3]
        z += pose[link, 2, 3] - pose[o, 2, 3]
        xx, yy, zz = inertia[link, 0], inertia[link, 1], inertia[link, 2]
        xy, xz, yz = inertia[link, 3], inertia[link, 4], inertia[link, 5]
        a = _row(pose, link, 0, xx, yy, zz, xy, xz, yz)
        b = _row(pose, link, 1, xx, yy, zz, xy, xz, yz)
        c = _row(pose, link, 2, xx, yy, zz, xy, xz, yz)
        I[link, 0], I[link, 1], I[link, 2], I[link, 3] = m, m * x, m * y, m * z
        I[link, 4] = _along(pose, link, 0, a) + m * (y * y + z * z)
        I[link, 5] = _along(pose, link, 1, b) + m * (x * x + z * z)
        I[link, 6] = _along(pose, link, 2, c) + m * (x * x + y * y)
        I[link, 7] = _along(pose, link, 1, a) - m * x * y
        I[link, 8] = _along(pose, link, 2, a) - m * x * z
        I[link, 9] = _along(pose, link, 2, b) - m * y * z


@scratch_njit
def _row(
    pose: Array,
    link: int,
    at: int,
    xx: float,
    yy: float,
    zz: float,
    xy: float,
    xz: float,
    yz: float,
) -> Three:
    """A row of R times a symmetric matrix."""
    x, y, z = pose[link, at, 0], pose[link, at, 1], pose[link, at, 2]
    return x * xx + y * xy + z * xz, x * xy + y * yy + z * yz, x * xz + y * yz + z * zz


@scratch_njit
def _along(pose: Array, link: int, at: int, a: Three) -> float:
    """A vector along a row of R."""
    return a[0] * pose[link, at, 0] + a[1] * pose[link, at, 1] + a[2] * pose[link, at, 2]


Six = tuple[float, float, float, float, float, float]


@scratch_njit
def _momentum(
    I: Array, link: int, a: float, b: float, c: float, u: float, v: float, w: float
) -> Six:
    """Momentum [about the point, linear] of a link that moves by a twist."""
    m, x, y, z = I[link, 0], I[link, 1], I[link, 2], I[link, 3]
    return (
        I[link, 4] * a + I[link, 7] * b + I[link, 8] * c + y * w - z * v,
        I[link, 7] * a + I[link, 5] * b + I[link, 9] * c + z * u - x * w,
        I[link, 8] * a + I[link, 9] * b + I[link, 6] * c + x * v - y * u,
        m * u - y * c + z * b,
        m * v - z * a + x * c,
        m * w - x * b + y * a,
    )


@scratch_njit
def _count(kind: int) -> int:
    """Count of the velocities of a joint."""
    return 1 if kind == _ONE else 3 if kind == _BALL else 6


@scratch_njit
def outward(tree: Tree, work: Scratch, v: Array) -> None:
    """Fill velocities of the links, accelerations at v' = 0 less gravity, and wrenches for them."""
    kind, parent, velocity, twist, I = tree.kind, tree.parent, tree.velocity, work.twist, work.I
    gravity, V, A, f = tree.gravity, work.V, work.A, work.f
    for i in range(3):
        A[0, 3 + i] = -gravity[i]
    for link in range(1, kind.size):
        inner, first, end = parent[link], velocity[link], velocity[link] + _count(kind[link])
        j0 = j1 = j2 = j3 = j4 = j5 = 0.0
        for k in range(first, min(first + 3, end)):
            j0, j1, j2 = j0 + v[k] * twist[k, 0], j1 + v[k] * twist[k, 1], j2 + v[k] * twist[k, 2]
            j3, j4, j5 = j3 + v[k] * twist[k, 3], j4 + v[k] * twist[k, 4], j5 + v[k] * twist[k, 5]
        e = 0.0, 0.0, 0.0
        if end > first + 3:  # what the link turns about moves in A
            s0 = s1 = s2 = 0.0
            for k in range(first + 3, end):
                s0, s1, s2 = (
                    s0 + v[k] * twist[k, 3],
                    s1 + v[k] * twist[k, 4],
                    s2 + v[k] * twist[k, 5],
                )
            e = cross(s0, s1, s2, j0, j1, j2)
            j3, j4, j5 = j3 + s0, j4 + s1, j5 + s2
        p0, p1, p2, p3, p4, p5 = (
            V[inner, 0],
            V[inner, 1],
            V[inner, 2],
            V[inner, 3],
            V[inner, 4],
            V[inner, 5],
        )
        w0, w1, w2, u0, u1, u2 = p0 + j0, p1 + j1, p2 + j2, p3 + j3, p4 + j4, p5 + j5
        V[link, 0], V[link, 1], V[link, 2], V[link, 3], V[link, 4], V[link, 5] = (
            w0,
            w1,
            w2,
            u0,
            u1,
            u2,
        )
        c0, c1, c2 = cross(p0, p1, p2, j0, j1, j2)
        c3, c4, c5 = cross(p0, p1, p2, j3, j4, j5)
        d0, d1, d2 = cross(p3, p4, p5, j0, j1, j2)
        a0, a1, a2 = A[inner, 0] + c0, A[inner, 1] + c1, A[inner, 2] + c2
        a3, a4 = A[inner, 3] + c3 + d0 + e[0], A[inner, 4] + c4 + d1 + e[1]
        a5 = A[inner, 5] + c5 + d2 + e[2]
        A[link, 0], A[link, 1], A[link, 2], A[link, 3], A[link, 4], A[link, 5] = (
            a0,
            a1,
            a2,
            a3,
            a4,
            a5,
        )
        n0, n1, n2, m0, m1, m2 = _momentum(I, link, w0, w1, w2, u0, u1, u2)
        f0, f1, f2, f3, f4, f5 = _momentum(I, link, a0, a1, a2, a3, a4, a5)
        g0, g1, g2 = cross(w0, w1, w2, n0, n1, n2)
        h0, h1, h2 = cross(u0, u1, u2, m0, m1, m2)
        k0, k1, k2 = cross(w0, w1, w2, m0, m1, m2)
        f[link, 0], f[link, 1], f[link, 2] = f0 + g0 + h0, f1 + g1 + h1, f2 + g2 + h2
        f[link, 3], f[link, 4], f[link, 5] = f3 + k0, f4 + k1, f5 + k2


@scratch_njit
def inward(tree: Tree, work: Scratch) -> None:
    """Fill M by depth, and what the wrenches f are worth as -h; f is added up on the way."""
    kind, parent, velocity, depth, path = (
        tree.kind, tree.parent, tree.velocity, tree.depth, tree.path
    )  # fmt: skip
    twist, I, Ic, f, H, h = work.twist, work.I, work.Ic, work.f, work.H, work.h
    for link in range(1, kind.size):
        for d in range(10):
            Ic[link, d] = I[link, d]
    for link in range(kind.size - 1, 0, -1):
        inner, first = parent[link], velocity[link]
        for k in range(first, first + _count(kind[link])):
            a, b, c = twist[k, 0], twist[k, 1], twist[k, 2]
            u, v, w = twist[k, 3], twist[k, 4], twist[k, 5]
            n0, n1, n2, m0, m1, m2 = _momentum(Ic, link, a, b, c, u, v, w)
            for d in range(depth[k] + 1):
                j = path[k, d]
                H[k, d] = (
                    twist[j, 0] * n0
                    + twist[j, 1] * n1
                    + twist[j, 2] * n2
                    + twist[j, 3] * m0
                    + twist[j, 4] * m1
                    + twist[j, 5] * m2
                )
            h[k] = -(
                a * f[link, 0]
                + b * f[link, 1]
                + c * f[link, 2]
                + u * f[link, 3]
                + v * f[link, 4]
                + w * f[link, 5]
            )
        if inner > 0:
            for d in range(6):
                f[inner, d] += f[link, d]
            for d in range(10):
                Ic[inner, d] += Ic[link, d]


@scratch_njit
def inward_force(tree: Tree, work: Scratch, h: Array) -> None:
    """Fill what the wrenches f are worth as -h; f is added up on the way."""
    kind, parent, velocity, twist, f = tree.kind, tree.parent, tree.velocity, work.twist, work.f
    for link in range(kind.size - 1, 0, -1):
        inner, first = parent[link], velocity[link]
        for k in range(first, first + _count(kind[link])):
            total = 0.0
            for d in range(6):
                total -= twist[k, d] * f[link, d]
            h[k] = total
        if inner > 0:
            for d in range(6):
                f[inner, d] += f[link, d]


@scratch_njit
def place_links(tree: Tree, work: Scratch, q: Array) -> None:
    """Fill poses and twists."""
    kind, parent, reference, E, turn, slide = (
        tree.kind, tree.parent, tree.reference, tree.E, tree.turn, tree.slide
    )  # fmt: skip
    place(kind, parent, tree.position, E, tree.p, turn, slide, q, work.pose)
    twists(kind, parent, tree.velocity, reference, E, turn, slide, work.pose, work.twist)


@scratch_njit
def mass_and_force(tree: Tree, work: Scratch, q: Array, v: Array) -> None:
    """Fill H and h: M with reflected inertia; gravity, gyroscopic terms, springs and dampers.

    As `footfall.plants.dynamics`, whose sign this has.
    """
    H, h = work.H, work.h
    place_links(tree, work, q)
    inertias(tree, work)
    outward(tree, work, v)
    inward(tree, work)
    for k in range(h.size):
        H[k, tree.depth[k]] += tree.rotor[k]
        h[k] -= tree.damping[k] * v[k]
        h[k] -= tree.stiffness[k] * (q[tree.sprung[k]] - tree.slack[k])


@njit
def full_matrix(depth: Indices, path: Indices, H: Array) -> Array:
    """Return M (nv, nv) of what is kept by depth."""
    nv = depth.size
    mass = np.zeros((nv, nv))
    for k in range(nv):
        for d in range(depth[k] + 1):
            mass[k, path[k, d]] = mass[path[k, d], k] = H[k, d]
    return mass


@scratch_njit
def advance(
    kind: Indices,
    position: Indices,
    velocity: Indices,
    q: Array,
    v: Array,
    dt: float,
    moved: Array,
) -> None:
    """Fill q + dt N(q) v, quaternions brought back to length one."""
    for link in range(1, kind.size):
        i, k = position[link], velocity[link]
        if kind[link] == _ONE:
            moved[i] = q[i] + dt * v[k]
            continue
        places = i + 3
        if kind[link] == _QUATERNION:
            places = i + 4
            w, x, y, z = q[i], q[i + 1], q[i + 2], q[i + 3]
            a, b, c = 0.5 * dt * v[k], 0.5 * dt * v[k + 1], 0.5 * dt * v[k + 2]
            w, x, y, z = (
                w - a * x - b * y - c * z,
                x + a * w + b * z - c * y,
                y + b * w + c * x - a * z,
                z + c * w + a * y - b * x,
            )
            s = math.sqrt(w * w + x * x + y * y + z * z)
            moved[i], moved[i + 1], moved[i + 2], moved[i + 3] = w / s, x / s, y / s, z / s
        else:
            sp, cp = math.sin(q[i + 1]), math.cos(q[i + 1])
            sy, cy = math.sin(q[i + 2]), math.cos(q[i + 2])
            t = (cy * v[k] + sy * v[k + 1]) / cp
            moved[i] = q[i] + dt * t
            moved[i + 1] = q[i + 1] + dt * (cy * v[k + 1] - sy * v[k])
            moved[i + 2] = q[i + 2] + dt * (t * sp + v[k + 2])
        if kind[link] != _BALL:
            for d in range(3):
                moved[places + d] = q[places + d] + dt * v[k + 3 + d]


@scratch_njit
def unit_velocity(
    twist: Array, pose: Array, reference: int, k: int, x: float, y: float, z: float
) -> Three:
    """Velocity that unit velocity k gives a point in W of a link that it moves.

    reference: that of the link. twist: as of `Scratch`.
    """
    x, y, z = x - pose[reference, 0, 3], y - pose[reference, 1, 3], z - pose[reference, 2, 3]
    u, v, w = cross(twist[k, 0], twist[k, 1], twist[k, 2], x, y, z)
    return twist[k, 3] + u, twist[k, 4] + v, twist[k, 5] + w


@scratch_njit
def count_of(link: int, last: Indices, depth: Indices) -> int:
    """Count of the velocities that move a link: so many entries of path[last[link]]."""
    return depth[last[link]] + 1 if last[link] >= 0 else 0


@scratch_njit
def shared(a: int, b: int, last: Indices, depth: Indices, path: Indices) -> int:
    """Count of the velocities, the first on the paths of two links, that move both alike."""
    count = min(count_of(a, last, depth), count_of(b, last, depth))
    for d in range(count):
        if path[last[a], d] != path[last[b], d]:
            return d
    return count


@scratch_njit
def add_wrench(
    last: Indices,
    reference: Indices,
    depth: Indices,
    path: Indices,
    twist: Array,
    pose: Array,
    link: int,
    p_W: Array,
    force_W: Array,
    torque_W: Array,
    total: Array,
) -> None:
    """Add the generalized force of a force at a point of a link, and of a torque, to a total."""
    for d in range(count_of(link, last, depth)):
        k = path[last[link], d]
        u, v, w = unit_velocity(twist, pose, reference[link], k, p_W[0], p_W[1], p_W[2])
        total[k] += u * force_W[0] + v * force_W[1] + w * force_W[2]
        total[k] += twist[k, 0] * torque_W[0] + twist[k, 1] * torque_W[1]
        total[k] += twist[k, 2] * torque_W[2]
