"""Residuals and Jacobians of bilateral constraints, worked out in one compiled loop.

Reading them out of Drake costs tens of microseconds a constraint, a millisecond for a machine of a
dozen loops.

Frames: W world; a link is a body with all that is welded to it; A and B the two frames of a
constraint, fixed to links, with the points P and Q in them.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array, Indices
from footfall.jit import njit

BALL, DISTANCE, WELD, COUPLER = range(4)
_SIZES = (3, 1, 6, 1)  # equations of each kind
_NO_ANGLE = 1e-12  # sine of an angle of half a turn, whose axis has to be found otherwise


class LoopTable(NamedTuple):
    """Constraints, k of them.

    kinds (k,); firsts (k,): first equation of each. links (k, 2): of A and B. X (k, 2, 3, 4): poses
    in the frames of these links of A and B, with their origins at P and Q. numbers (k, 2): the
    distance [m], or the gear ratio and offset of a coupler; joints (k, 2, 2): places in q and v of
    its two joints.
    """

    kinds: Indices
    firsts: Indices
    links: Indices
    X: Array
    numbers: Array
    joints: Indices


@njit
def loop_rows(
    table: LoopTable,
    q: Array,
    poses: Array,
    twists: Array,
    mover: Indices,
    carries: npt.NDArray[np.bool_],
    residual: Array,
    rows: Array,
) -> int:
    """Fill residuals (m,) [m or rad] and Jacobian (m, nv); rows holds zeros before.

    poses (links, 3, 4), twists (nv, 9), mover (nv,), carries (links, links): as of ``Kinematics``.
    Returns the constraint, a Distance, whose points coincide, or -1.
    """
    for k in range(table.kinds.size):
        first, kind = table.firsts[k], table.kinds[k]
        if kind == COUPLER:
            joints = table.joints[k]
            residual[first] = q[joints[0, 0]] - table.numbers[k, 0] * q[joints[1, 0]]
            residual[first] -= table.numbers[k, 1]
            rows[first, joints[0, 1]] = 1.0
            rows[first, joints[1, 1]] = -table.numbers[k, 0]
            continue
        X_WA = _placed(poses[table.links[k, 0]], table.X[k, 0])
        X_WB = _placed(poses[table.links[k, 1]], table.X[k, 1])
        apart = X_WA[:, 3] - X_WB[:, 3]
        length = math.sqrt((apart * apart).sum())
        if kind == DISTANCE and length == 0.0:
            return k
        if kind == DISTANCE:
            residual[first] = length - table.numbers[k, 0]
        elif kind == BALL:
            residual[first : first + 3] = apart
        else:
            residual[first : first + 3] = _rotation_vector_W(X_WA, X_WB)
            residual[first + 3 : first + 6] = apart
        at = rows[first : first + _SIZES[kind]]
        for side, sign, X in ((0, 1.0, X_WA), (1, -1.0, X_WB)):
            for v in range(mover.size):
                if carries[mover[v], table.links[k, side]]:
                    _add_column(kind, sign, twists[v], X[:, 3], apart, at[:, v])
    return -1


@njit
def _add_column(
    kind: int, sign: float, twist: Array, p_W: Array, apart: Array, column: Array
) -> None:
    """Add what a velocity does to a constraint by the motion of one of its points."""
    x, y, z = p_W[0] - twist[6], p_W[1] - twist[7], p_W[2] - twist[8]
    u = (
        twist[3] + twist[1] * z - twist[2] * y,
        twist[4] + twist[2] * x - twist[0] * z,
        twist[5] + twist[0] * y - twist[1] * x,
    )
    if kind == DISTANCE:
        length = math.sqrt((apart * apart).sum())
        column[0] += sign * (apart[0] * u[0] + apart[1] * u[1] + apart[2] * u[2]) / length
        return
    first = 0 if kind == BALL else 3
    for d in range(3):
        column[first + d] += sign * u[d]
        if kind == WELD:
            column[d] += sign * twist[d]


@njit
def _placed(X_WL: Array, X_LA: Array) -> Array:
    """X_WA = X_WL X_LA, (3, 4)."""
    X = np.empty((3, 4))
    for i in range(3):
        for j in range(4):
            X[i, j] = X_WL[i, 3] if j == 3 else 0.0
            for m in range(3):
                X[i, j] += X_WL[i, m] * X_LA[m, j]
    return X


@njit
def _rotation_vector_W(X_WA: Array, X_WB: Array) -> Array:
    """Rotation that turns B into A, as a vector in W [rad]."""
    turn = np.empty((3, 3))
    for i in range(3):
        for j in range(3):
            turn[i, j] = 0.0
            for m in range(3):
                turn[i, j] += X_WA[i, m] * X_WB[j, m]
    vector = 0.5 * np.array(
        [turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]]
    )
    sine = math.sqrt((vector * vector).sum())
    cosine = 0.5 * (turn[0, 0] + turn[1, 1] + turn[2, 2] - 1.0)
    if sine > _NO_ANGLE:
        return vector * (math.atan2(sine, cosine) / sine)
    if cosine > 0.0:
        return vector
    # half a turn: R = 2 a a^T - 1
    largest = 0
    for d in range(3):
        if turn[d, d] > turn[largest, largest]:
            largest = d
    axis = turn[:, largest].copy()
    axis[largest] += 1.0
    return axis * (math.pi / math.sqrt((axis * axis).sum()))
