"""Coordinates of a plant and of its model in MuJoCo, from one to the other.

Coordinates of joints stand in other places. Those of free bodies differ as well: Drake has
quaternion and place of M in F, and velocities of M in F's axes, angular ones first; MuJoCo has
place and quaternion of M in W, and velocities linear in W's axes, then angular in M's.

Frames: W world; F the frame of a free joint, fixed in W, M its frame on the body.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import Joint, QuaternionFloatingJoint

from footfall.arrays import Array, Indices
from footfall.jit import njit


class Places(NamedTuple):
    """Places of coordinates in a form that kernels take.

    q, v (n, 2): of joints, in the plant and in MuJoCo. free (k, 4): first ones of free bodies, in
    q, v, qpos and qvel. F (k, 3, 4): poses of their frames F in W. turn (k, 4): quaternions of F.
    """

    q: Indices
    v: Indices
    free: Indices
    F: Array
    turn: Array


def places_of(plant: MultibodyPlant, starts: Mapping[Joint, tuple[int, int]]) -> Places:
    """Return the places of joints whose first ones in qpos and qvel are known."""
    context = plant.CreateDefaultContext()
    q, v, free, frames, turns = [], [], [], [], []
    for joint, (in_qpos, in_qvel) in starts.items():
        in_q, in_v = joint.position_start(), joint.velocity_start()
        if isinstance(joint, QuaternionFloatingJoint):
            X_WF = joint.frame_on_parent().CalcPoseInWorld(context)
            free.append((in_q, in_v, in_qpos, in_qvel))
            frames.append(X_WF.GetAsMatrix34())
            turns.append(X_WF.rotation().ToQuaternion().wxyz())
            continue
        q += [(in_q + k, in_qpos + k) for k in range(joint.num_positions())]
        v += [(in_v + k, in_qvel + k) for k in range(joint.num_velocities())]
    whole = (np.array(each, dtype=np.int64) for each in (q, v, free))
    of_q, of_v, of_free = (
        each.reshape(-1, width) for each, width in zip(whole, (2, 2, 4), strict=True)
    )
    F, turn = np.array(frames).reshape(-1, 3, 4), np.array(turns).reshape(-1, 4)
    return Places(of_q, of_v, of_free, F, turn)


@njit
def positions_to_mujoco(table: Places, q: Array, qpos: Array) -> None:
    """Fill qpos."""
    for k in range(table.q.shape[0]):
        qpos[table.q[k, 1]] = q[table.q[k, 0]]
    for k in range(table.free.shape[0]):
        at, to, F = table.free[k, 0], table.free[k, 2], table.F[k]
        for i in range(3):
            qpos[to + i] = F[i, 3]
            for j in range(3):
                qpos[to + i] += F[i, j] * q[at + 4 + j]
        _product(table.turn[k], 1.0, q[at : at + 4], qpos[to + 3 : to + 7])


@njit
def positions_to_plant(table: Places, qpos: Array, q: Array) -> None:
    """Fill q."""
    for k in range(table.q.shape[0]):
        q[table.q[k, 0]] = qpos[table.q[k, 1]]
    for k in range(table.free.shape[0]):
        at, to, F = table.free[k, 0], table.free[k, 2], table.F[k]
        for i in range(3):
            q[at + 4 + i] = 0.0
            for j in range(3):
                q[at + 4 + i] += F[j, i] * (qpos[to + j] - F[j, 3])
        _product(table.turn[k], -1.0, qpos[to + 3 : to + 7], q[at : at + 4])


@njit
def vectors_to_mujoco(table: Places, q: Array, v: Array, out: Array) -> None:
    """Fill velocities (nv,), or generalized forces, which turn alike."""
    for k in range(table.v.shape[0]):
        out[table.v[k, 1]] = v[table.v[k, 0]]
    for k in range(table.free.shape[0]):
        at, to, F = table.free[k, 1], table.free[k, 3], table.F[k]
        for i in range(3):
            out[to + i] = F[i, 0] * v[at + 3] + F[i, 1] * v[at + 4] + F[i, 2] * v[at + 5]
        first = table.free[k, 0]
        _turn(q[first : first + 4], -1.0, v[at : at + 3], out[to + 3 : to + 6])


@njit
def vectors_to_plant(table: Places, qpos: Array, v: Array, out: Array) -> None:
    """Fill velocities (nv,), or generalized forces, the other way round."""
    for k in range(table.v.shape[0]):
        out[table.v[k, 0]] = v[table.v[k, 1]]
    for k in range(table.free.shape[0]):
        at, to, F = table.free[k, 1], table.free[k, 3], table.F[k]
        for i in range(3):
            out[at + 3 + i] = F[0, i] * v[to] + F[1, i] * v[to + 1] + F[2, i] * v[to + 2]
        first, turned = table.free[k, 2] + 3, np.empty(3)
        _turn(qpos[first : first + 4], 1.0, v[to + 3 : to + 6], turned)
        for i in range(3):
            out[at + i] = F[0, i] * turned[0] + F[1, i] * turned[1] + F[2, i] * turned[2]


@njit
def _product(a: Array, sign: float, b: Array, out: Array) -> None:
    """Write the product of two quaternions, of which the first is the other way round for -1."""
    w, x, y, z = a[0], sign * a[1], sign * a[2], sign * a[3]
    out[0] = w * b[0] - x * b[1] - y * b[2] - z * b[3]
    out[1] = w * b[1] + x * b[0] + y * b[3] - z * b[2]
    out[2] = w * b[2] - x * b[3] + y * b[0] + z * b[1]
    out[3] = w * b[3] + x * b[2] - y * b[1] + z * b[0]


@njit
def _turn(quaternion: Array, sign: float, v: Array, out: Array) -> None:
    """Write a vector turned by a quaternion of any length, the other way round for sign -1."""
    w, x, y, z = quaternion[0], sign * quaternion[1], sign * quaternion[2], sign * quaternion[3]
    a = y * v[2] - z * v[1] + w * v[0]
    b = z * v[0] - x * v[2] + w * v[1]
    c = x * v[1] - y * v[0] + w * v[2]
    twice = 2.0 / (w * w + x * x + y * y + z * z)
    out[0] = v[0] + twice * (y * c - z * b)
    out[1] = v[1] + twice * (z * a - x * c)
    out[2] = v[2] + twice * (x * b - y * a)
