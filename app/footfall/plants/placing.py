"""Poses of the links of a plant from its positions.

Frames: W world; A the inner link of a joint, B the outer one, F the joint's frame on A.
"""

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.jit import njit

Indices = npt.NDArray[np.int64]


@njit
def place_links(
    q: Array,
    parent: Indices,
    position: Indices,
    free: npt.NDArray[np.bool_],
    shape: Array,
    poses: Array,
) -> None:
    """Fill the poses of links on joints whose positions start at position >= 0, inner ones first.

    X_AB = (rotation by q about the axis, slide q) X_AB(0), about the joint's place p_AF; or, for a
    free joint, (rotation by the quaternion q[:4], slide q[4:]) X_AB(0).
    """
    R_WA_turn, turn, slide = np.empty((3, 3)), np.empty((3, 3)), np.empty(3)
    for link in range(1, poses.shape[0]):
        if position[link] < 0:
            continue
        inner, first = parent[link], position[link]
        if free[link]:
            _rotate_by_quaternion(q[first : first + 4], turn)
            slide[:] = q[first + 4 : first + 7]
        else:
            _rotate(shape[link, 0], shape[link, 1], shape[link, 2], q[first], turn)
            slide[:] = shape[link, 3:6] * q[first]
        for i in range(3):
            p_W = poses[inner, i, 3]
            for j in range(3):
                turned = 0.0
                for k in range(3):
                    turned += poses[inner, i, k] * turn[k, j]
                slid = shape[link, 6 + j] + slide[j]
                p_W += poses[inner, i, j] * slid + turned * shape[link, 9 + j]
                R_WA_turn[i, j] = turned
            poses[link, i, 3] = p_W
        _multiply(R_WA_turn, shape[link, 12:], poses[link])


@njit
def _multiply(R: Array, other: Array, product: Array) -> None:
    """Fill in a rotation times another one, whose nine entries come row by row."""
    for i in range(3):
        for j in range(3):
            product[i, j] = 0.0
            for k in range(3):
                product[i, j] += R[i, k] * other[3 * k + j]


@njit
def _rotate_by_quaternion(e: Array, R: Array) -> None:
    """Fill in the rotation of a quaternion [w, x, y, z] of any length but zero."""
    w, x, y, z = e[0], e[1], e[2], e[3]
    s = 2.0 / (w * w + x * x + y * y + z * z)
    R[0, 0], R[1, 1] = 1.0 - s * (y * y + z * z), 1.0 - s * (x * x + z * z)
    R[2, 2] = 1.0 - s * (x * x + y * y)
    R[0, 1], R[1, 0] = s * (x * y - w * z), s * (x * y + w * z)
    R[2, 0], R[0, 2] = s * (x * z - w * y), s * (x * z + w * y)
    R[1, 2], R[2, 1] = s * (y * z - w * x), s * (y * z + w * x)


@njit
def _rotate(x: float, y: float, z: float, angle: float, R: Array) -> None:
    """Fill in the rotation by an angle [rad] about a unit axis, or none about (0, 0, 0)."""
    sine, versine = np.sin(angle), 1.0 - np.cos(angle)
    rest = 1.0 - versine * (x * x + y * y + z * z)
    R[0, 0], R[1, 1] = rest + versine * x * x, rest + versine * y * y
    R[2, 2] = rest + versine * z * z
    R[0, 1], R[1, 0] = versine * x * y - sine * z, versine * x * y + sine * z
    R[2, 0], R[0, 2] = versine * x * z - sine * y, versine * x * z + sine * y
    R[1, 2], R[2, 1] = versine * y * z - sine * x, versine * y * z + sine * x
