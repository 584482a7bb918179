"""Motion of links in one compiled kernel: Jacobians, velocities, and what velocities alone give.

Frames: W world; A the inner link of a joint, B the outer one, O the joint's frame on B; F a frame
that is fixed to a link. Of a joint whose hinge columns are fixed in A, with velocities w_AB, v_AO,

    w_B = w_A + w_AB,  v_O = v_A + w_A x r + v_AO,                           r from A to O
    bias of w_B' = that of A + w_A x w_AB
    bias of v_O' = that of A + w_A' x r + w_A x (w_A x r) + 2 w_A x v_AO
"""

from __future__ import annotations

import numpy as np

from footfall.arrays import Array, Indices
from footfall.jit import njit
from footfall.plants.kinematics import Moved
from footfall_controllers.whole_body.motion_kernels import Links


@njit
def link_motions(
    moved: Moved, v: Array, owner: Indices, R_BF: Array, p_BF: Array, links: Links
) -> None:
    """Fill the motion of L frames, in links owner (L,), at R_BF (L, 3, 3), p_BF (L, 3) in them."""
    count, nv = len(moved.parent), len(v)
    V, bias, hinge, place = (
        np.zeros((count, 6)),
        np.zeros((count, 6)),
        np.zeros((nv, 6)),
        np.zeros((count, 3)),
    )
    scratch = np.zeros((4, 3))
    for b in range(1, count):
        _of_link(moved, v, b, V, bias, hinge, place, scratch)
    for k in range(len(owner)):
        b = owner[k]
        X, arm = moved.poses[b], scratch[0]
        turned(X, p_BF[k], arm)
        for i in range(3):
            links.p[k, i] = X[i, 3] + arm[i]
            for j in range(3):
                links.R[k, i, j] = (
                    X[i, 0] * R_BF[k, 0, j] + X[i, 1] * R_BF[k, 1, j] + X[i, 2] * R_BF[k, 2, j]
                )
        _carried(V[b], bias[b], arm, scratch[1], links.V[k], links.bias[k])
        for i in range(nv):
            mover = moved.mover[i]
            for j in range(6):
                links.J[k, j, i] = 0.0
            if moved.carries[mover, b]:
                x = links.p[k, 0] - place[mover, 0]
                y = links.p[k, 1] - place[mover, 1]
                z = links.p[k, 2] - place[mover, 2]
                h = hinge[i]
                links.J[k, 0, i], links.J[k, 1, i], links.J[k, 2, i] = h[0], h[1], h[2]
                links.J[k, 3, i] = h[3] + h[1] * z - h[2] * y
                links.J[k, 4, i] = h[4] + h[2] * x - h[0] * z
                links.J[k, 5, i] = h[5] + h[0] * y - h[1] * x


@njit
def _of_link(
    moved: Moved,
    v: Array,
    b: int,
    V: Array,
    bias: Array,
    hinge: Array,
    place: Array,
    scratch: Array,
) -> None:
    """Motion of a link's origin out of that of its inner link; hinge columns, and O, in W."""
    a = moved.parent[b]
    X_A, X_B, V_O, bias_O = moved.poses[a], moved.poses[b], np.zeros(6), np.zeros(6)
    from_O, r, swing, v_AO = scratch[0], scratch[1], scratch[2], scratch[3]
    turned(X_B, moved.origin[b], from_O)
    for i in range(3):
        from_O[i] = -from_O[i]
        place[b, i] = X_B[i, 3] - from_O[i]
        r[i] = place[b, i] - X_A[i, 3]
        v_AO[i] = 0.0
    _carried(V[a], bias[a], r, swing, V_O, bias_O)
    for i in range(len(v)):
        if moved.mover[i] == b:
            turned(X_A, moved.hinge[i, :3], hinge[i, :3])
            turned(X_A, moved.hinge[i, 3:], hinge[i, 3:])
            add_cross(v[i], V[a, :3], hinge[i, :3], bias_O[:3])
            for j in range(3):
                V_O[j] += v[i] * hinge[i, j]
                v_AO[j] += v[i] * hinge[i, 3 + j]
    add_cross(2.0, V[a, :3], v_AO, bias_O[3:])
    for j in range(3):
        V_O[3 + j] += v_AO[j]
    _carried(V_O, bias_O, from_O, swing, V[b], bias[b])


@njit
def _carried(
    V: Array, bias: Array, arm: Array, swing: Array, V_there: Array, bias_there: Array
) -> None:
    """Motion of a point at an arm from another one of the same body; swing: scratch."""
    for i in range(6):
        V_there[i], bias_there[i] = V[i], bias[i]
    for i in range(3):
        swing[i] = 0.0
    add_cross(1.0, V[:3], arm, swing)
    for i in range(3):
        V_there[3 + i] += swing[i]
    add_cross(1.0, bias[:3], arm, bias_there[3:])
    add_cross(1.0, V[:3], swing, bias_there[3:])


@njit
def turned(X: Array, a: Array, found: Array) -> None:
    """Put R a into found, of a pose X = [R p] (3, 4)."""
    for i in range(3):
        found[i] = X[i, 0] * a[0] + X[i, 1] * a[1] + X[i, 2] * a[2]


@njit
def add_cross(factor: float, a: Array, b: Array, total: Array) -> None:
    """Add factor a x b to a total, without an array between."""
    total[0] += factor * (a[1] * b[2] - a[2] * b[1])
    total[1] += factor * (a[2] * b[0] - a[0] * b[2])
    total[2] += factor * (a[0] * b[1] - a[1] * b[0])
