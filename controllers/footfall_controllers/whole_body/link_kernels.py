"""Motion of frames in one compiled kernel: Jacobians, velocities, and what velocities alone give.

Frames: W world; F a frame that is fixed to a link. Velocities V and accelerations A of links are
about a point that rests in W, as those of `footfall.plants.flat.dynamics`: at an arm r from it

    v_F = V_v + w x r,   v_F' = A_v + w' x r + w x v_F
"""

from __future__ import annotations

import numpy as np

from footfall.arrays import Array, Indices
from footfall.jit import njit
from footfall.plants.flat.dynamics import Scratch, count_of, outward, unit_velocity
from footfall.plants.flat.tree import Tree
from footfall_controllers.whole_body.motion_kernels import Links


@njit
def place_frames(
    tree: Tree, work: Scratch, owner: Indices, R_BF: Array, p_BF: Array, links: Links
) -> None:
    """Fill pose and Jacobian of L frames, in links owner (L,), at R_BF (L, 3, 3), p_BF (L, 3)."""
    pose, twist = work.pose, work.twist
    links.J[:] = 0.0
    for i in range(len(owner)):
        b = owner[i]
        for r in range(3):
            links.p[i, r] = pose[b, r, 3]
            for m in range(3):
                links.p[i, r] += pose[b, r, m] * p_BF[i, m]
                links.R[i, r, m] = 0.0
                for s in range(3):
                    links.R[i, r, m] += pose[b, r, s] * R_BF[i, s, m]
        x, y, z = links.p[i]
        for d in range(count_of(b, tree.last, tree.depth)):
            k = tree.path[tree.last[b], d]
            links.J[i, 0, k], links.J[i, 1, k], links.J[i, 2, k] = twist[k, :3]
            u = unit_velocity(twist, pose, tree.reference[b], k, x, y, z)
            links.J[i, 3, k], links.J[i, 4, k], links.J[i, 5, k] = u


@njit
def accelerate_frames(tree: Tree, work: Scratch, v: Array, owner: Indices, links: Links) -> None:
    """Fill the accelerations that velocities alone give frames whose poses and V are there."""
    V, A, none = work.V, work.A, np.zeros(3)
    outward(tree.kind, tree.parent, tree.velocity, none, work.twist, work.I, v, V, A, work.f)
    for i in range(len(owner)):
        b = owner[i]
        r = links.p[i] - work.pose[tree.reference[b], :, 3]
        turn, across = np.cross(A[b, :3], r), np.cross(links.V[i, :3], links.V[i, 3:])
        for d in range(3):
            links.bias[i, d], links.bias[i, 3 + d] = A[b, d], A[b, 3 + d] + turn[d] + across[d]
