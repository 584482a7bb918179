"""Motion of links in one compiled kernel: Jacobians, velocities, and what velocities alone give.

Frames: W world; A the inner link of a joint, B the outer one, O the joint's frame on B; F a frame
that is fixed to a link. Of a joint whose hinge columns are fixed in A, with velocities w_AB, v_AO,

    w_B = w_A + w_AB,  v_O = v_A + w_A x r + v_AO,                           r from A to O
    bias of w_B' = that of A + w_A x w_AB
    bias of v_O' = that of A + w_A' x r + w_A x (w_A x r) + 2 w_A x v_AO
"""

from __future__ import annotations

import numpy as np

from footfall.arrays import Array
from footfall.jit import njit
from footfall.plants.kinematics import Indices, Moved
from footfall_controllers.whole_body.motion_kernels import Links, cross, product, times


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
    for b in range(1, count):
        _of_link(moved, v, b, V, bias, hinge, place)
    for k in range(len(owner)):
        b = owner[k]
        R = moved.poses[b, :, :3].copy()
        arm = times(R, p_BF[k])
        links.R[k] = product(R, R_BF[k])
        links.p[k] = moved.poses[b, :, 3] + arm
        w = V[b, :3].copy()
        swing = cross(w, arm)
        links.V[k, :3] = w
        links.V[k, 3:] = V[b, 3:] + swing
        links.bias[k, :3] = bias[b, :3]
        links.bias[k, 3:] = bias[b, 3:] + cross(bias[b, :3], arm) + cross(w, swing)
        for i in range(nv):
            mover = moved.mover[i]
            if moved.carries[mover, b]:
                links.J[k, :3, i] = hinge[i, :3]
                links.J[k, 3:, i] = hinge[i, 3:] + cross(hinge[i, :3], links.p[k] - place[mover])
            else:
                links.J[k, :, i] = 0.0


@njit
def _of_link(
    moved: Moved, v: Array, b: int, V: Array, bias: Array, hinge: Array, place: Array
) -> None:
    """Motion of a link's origin out of that of its inner link; hinge columns, and O, in W."""
    a = moved.parent[b]
    R_A, R_B = moved.poses[a, :, :3].copy(), moved.poses[b, :, :3].copy()
    from_O = -1.0 * times(R_B, moved.origin[b])
    place[b] = moved.poses[b, :, 3] - from_O
    w_AB, v_AO = np.zeros(3), np.zeros(3)
    for i in range(len(v)):
        if moved.mover[i] == b:
            hinge[i, :3] = times(R_A, moved.hinge[i, :3])
            hinge[i, 3:] = times(R_A, moved.hinge[i, 3:])
            w_AB += v[i] * hinge[i, :3]
            v_AO += v[i] * hinge[i, 3:]
    w_A, r = V[a, :3].copy(), place[b] - moved.poses[a, :, 3]
    w_B = w_A + w_AB
    swing = cross(w_A, r)
    turn = bias[a, :3] + cross(w_A, w_AB)
    V[b, :3] = w_B
    V[b, 3:] = V[a, 3:] + swing + v_AO + cross(w_B, from_O)
    bias[b, :3] = turn
    bias[b, 3:] = bias[a, 3:] + cross(bias[a, :3], r) + cross(w_A, swing)
    bias[b, 3:] += 2.0 * cross(w_A, v_AO)
    bias[b, 3:] += cross(turn, from_O) + cross(w_B, cross(w_B, from_O))
