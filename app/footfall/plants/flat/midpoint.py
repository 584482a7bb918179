"""The middle and the end of a step that is as good backwards.

A step of length dt goes from q_A along a velocity w, that of its middle:

    q_M = q_A + dt/2 N(q_M) w,   q_E = q_A + dt N(q_M) w

A body that is free in space turns by Cayley's map of w dt. The velocities at both ends are brought
to the middle as the body sees them: its angular velocity turns with it, its centre of mass keeps
its velocity in W. The midpoint rule for velocities seen so keeps the energy and the momentum of a
rigid body to rounding (M. Austin, P. S. Krishnaprasad, L.-S. Wang, Journal of Computational Physics
107 (1993) 105-117), whatever it spins with and wherever its origin is.

Frames: W the frame in which a free body moves, B the body, C its centre of mass.
"""

import numpy as np

from footfall.arrays import Array
from footfall.jit import njit, scratch_njit
from footfall.plants.flat.dynamics import Three, advance, by_quaternion, cross
from footfall.plants.flat.tree import Kind, Tree

_ONE, _QUATERNION, _BALL = int(Kind.ONE), int(Kind.QUATERNION), int(Kind.BALL)


@scratch_njit
def middle_and_end(
    tree: Tree, q: Array, w: Array, dt: float, middle: Array, end: Array, way: Array
) -> None:
    """Fill q_M and q_E of a step from q along w.

    middle (nq,): holds what is known of q_M, at which N is taken. way (nq,): scratch.
    """
    kind, position, velocity = tree.kind, tree.position, tree.velocity
    advance(kind, position, velocity, middle, w, dt, way)
    for i in range(q.size):
        way[i] -= middle[i]
    advance(kind, position, velocity, q, w, 0.5 * dt, middle)
    advance(kind, position, velocity, q, w, dt, end)
    for link in range(1, kind.size):
        i, k = position[link], velocity[link]
        if kind[link] == _QUATERNION:  # whose centre of mass goes straight along w
            start, mid, last = _arm(tree, link, q), _arm(tree, link, middle), _arm(tree, link, end)
            turned = cross(w[k], w[k + 1], w[k + 2], mid[0], mid[1], mid[2])
            for d in range(3):
                moved = dt * (w[k + 3 + d] + turned[d])
                middle[i + 4 + d] = q[i + 4 + d] + 0.5 * moved + start[d] - mid[d]
                end[i + 4 + d] = q[i + 4 + d] + moved + start[d] - last[d]
        elif kind[link] != _ONE:
            for j in range(i, i + (3 if kind[link] == _BALL else 6)):
                middle[j], end[j] = q[j] + 0.5 * way[j], q[j] + way[j]


@scratch_njit
def _arm(tree: Tree, link: int, q: Array) -> Three:
    """Vector in W from the origin of a free body to its centre of mass."""
    i, c = tree.position[link], tree.centre[link]
    R = by_quaternion(q[i], q[i + 1], q[i + 2], q[i + 3])
    return (
        R[0] * c[0] + R[1] * c[1] + R[2] * c[2],
        R[3] * c[0] + R[4] * c[1] + R[5] * c[2],
        R[6] * c[0] + R[7] * c[1] + R[8] * c[2],
    )


@scratch_njit
def seen_from(tree: Tree, there: Array, q: Array, v: Array, seen: Array) -> None:
    """Fill the velocities v at q as they are seen from other positions."""
    for k in range(v.size):
        seen[k] = v[k]
    for link in range(1, tree.kind.size):
        if tree.kind[link] != _QUATERNION:
            continue
        i, k = tree.position[link], tree.velocity[link]
        a, b, c = v[k], v[k + 1], v[k + 2]
        R = by_quaternion(q[i], q[i + 1], q[i + 2], q[i + 3])
        S = by_quaternion(there[i], there[i + 1], there[i + 2], there[i + 3])
        x = R[0] * a + R[3] * b + R[6] * c
        y = R[1] * a + R[4] * b + R[7] * c
        z = R[2] * a + R[5] * b + R[8] * c
        d, e, f = (
            S[0] * x + S[1] * y + S[2] * z,
            S[3] * x + S[4] * y + S[5] * z,
            S[6] * x + S[7] * y + S[8] * z,
        )
        here, away = _arm(tree, link, q), _arm(tree, link, there)
        before = cross(a, b, c, here[0], here[1], here[2])
        after = cross(d, e, f, away[0], away[1], away[2])
        seen[k], seen[k + 1], seen[k + 2] = d, e, f
        for j in range(3):
            seen[k + 3 + j] = v[k + 3 + j] + before[j] - after[j]


@scratch_njit
def turning(tree: Tree, q: Array, v: Array, rate: Array) -> None:
    """Fill the acceleration of free bodies' origins, (nv,), whose centres keep their velocity.

    That is what a rate of velocities seen from the middle leaves out.
    """
    for k in range(v.size):
        rate[k] = 0.0
    for link in range(1, tree.kind.size):
        if tree.kind[link] == _QUATERNION:
            k, arm = tree.velocity[link], _arm(tree, link, q)
            x, y, z = cross(v[k], v[k + 1], v[k + 2], arm[0], arm[1], arm[2])
            x, y, z = cross(v[k], v[k + 1], v[k + 2], x, y, z)
            rate[k + 3], rate[k + 4], rate[k + 5] = -x, -y, -z


@njit
def middle_of(
    tree: Tree, before: Array, after: Array, dt: float, iterations: int
) -> tuple[Array, Array]:
    """Return the middle [q; v] of a step between two states [q; v], and the mean rate of v there.

    Each iteration comes nearer by dt times a rate of the machine.
    """
    nv = tree.depth.size
    nq = before.size - nv
    middle, rate, ends = before.copy(), np.empty(nv), np.empty((2, nv))
    q, v, end, way = middle[:nq], middle[nq:], np.empty(nq), np.empty(nq)
    for k in range(nv):
        v[k] = 0.5 * (before[nq + k] + after[nq + k])
    for _ in range(iterations):
        middle_and_end(tree, before[:nq], v, dt, q, end, way)
        seen_from(tree, q, before[:nq], before[nq:], ends[0])
        seen_from(tree, q, after[:nq], after[nq:], ends[1])
        for k in range(nv):
            v[k] = 0.5 * (ends[0, k] + ends[1, k])
    turning(tree, q, v, rate)
    for k in range(nv):
        rate[k] += (ends[1, k] - ends[0, k]) / dt
    return middle, rate
