"""Recursive kinematics of a serial chain of hinges from the ground: (3.2) to (3.60) of the thesis.

A leg from a foot that is flat, on over the pelvis to the other foot; or a leg from its toe's hinge
up to the pelvis. All is resolved in the earth frame E: x ahead, y left, z up.
"""

from typing import NamedTuple

import numpy as np

from footfall.arrays import Array
from footfall.jit import njit
from footfall.machines.humanoid.closed_form.parameters import Numbers


class Links(NamedTuple):
    """Links of a chain of n joints.

    axis (n,): 0 x, 1 y, of a joint in the link before it. sign (n,): whether the joint's angle
    turns the link after it (+1) or the one before (-1). offset (n, 3): place of the joint in the
    frame of the link before [m].
    """

    axis: Array
    sign: Array
    offset: Array


class Motion(NamedTuple):
    """Motion of the links after each of n joints.

    R (n, 3, 3): orientation. o (n, 3): place of the joint [m]. e (n, 3): axis, along which the
    joint's rate adds to the angular velocity. w (n, 3): angular velocity. alpha (n, 3), a (n, 3):
    angular acceleration, and acceleration of the joint's place, of a motion whose joints' second
    derivatives are 0; those add e_j and e_j x (p - o_j) times theta_j'' for every joint before.
    """

    R: Array
    o: Array
    e: Array
    w: Array
    alpha: Array
    a: Array


@njit
def cross(a: Array, b: Array) -> Array:
    """Vector product of (3,) and (3,)."""
    return np.array(
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    )


@njit
def skew(a: Array) -> Array:
    """Matrix of the vector product, a x b = skew(a) b."""
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


@njit
def product(A: Array, B: Array) -> Array:
    """Product of a matrix (3, 3) and one (3, m), which is quicker written out than called for."""
    C = np.empty((3, B.shape[1]))
    for i in range(3):
        for j in range(B.shape[1]):
            C[i, j] = A[i, 0] * B[0, j] + A[i, 1] * B[1, j] + A[i, 2] * B[2, j]
    return C


@njit
def rotation(axis: int, angle: float) -> Array:
    """Rotation about x (0) or y (1), exp(u~ angle)."""
    c, s = np.cos(angle), np.sin(angle)
    if axis == 0:
        return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])
    return np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])


@njit
def chain_motion(links: Links, base: Array, angle: Array, rate: Array) -> Motion:
    """Motion of a chain whose ground link is level and has its origin at base (3,) [m]."""
    n = len(angle)
    motion = Motion(
        np.empty((n, 3, 3)),
        np.empty((n, 3)),
        np.empty((n, 3)),
        np.empty((n, 3)),
        np.empty((n, 3)),
        np.empty((n, 3)),
    )
    R, o = np.eye(3), base.copy()
    w, alpha, a = np.zeros(3), np.zeros(3), np.zeros(3)
    for k in range(n):
        r = R @ links.offset[k]
        o = o + r
        a = a + cross(alpha, r) + cross(w, cross(w, r))
        axis, sign = int(links.axis[k]), links.sign[k]
        e = sign * np.ascontiguousarray(R[:, axis])
        alpha = alpha + rate[k] * cross(w, e)
        w = w + rate[k] * e
        R = product(R, rotation(axis, sign * angle[k]))
        motion.R[k], motion.o[k], motion.e[k] = R, o, e
        motion.w[k], motion.alpha[k], motion.a[k] = w, alpha, a
    return motion


@njit
def place(motion: Motion, link: int, p: Array) -> Array:
    """Place of a point p of a link's frame [m]."""
    return motion.o[link] + motion.R[link] @ p


@njit
def drift(motion: Motion, link: int, p: Array) -> Array:
    """Acceleration of a point p of a link's frame while no joint accelerates [m/s^2]."""
    r = motion.R[link] @ p
    w = motion.w[link]
    return motion.a[link] + cross(motion.alpha[link], r) + cross(w, cross(w, r))


@njit
def jacobian(motion: Motion, link: int, p: Array) -> Array:
    """Derivative of a point of a link's frame by the angles, (3, n) [m]."""
    here = place(motion, link, p)
    J = np.zeros((3, motion.o.shape[0]))
    for j in range(link + 1):
        J[:, j] = cross(motion.e[j], here - motion.o[j])
    return J


@njit
def angular_jacobian(motion: Motion, link: int) -> Array:
    """Derivative of a link's angular velocity by the rates, (3, n)."""
    J = np.zeros((3, motion.o.shape[0]))
    for j in range(link + 1):
        J[:, j] = motion.e[j]
    return J


@njit
def leg_from_foot(p: Numbers, side: int) -> Links:
    """A whole walker from its flat foot to the other one: ten joints; base: the ankle."""
    y = 0.5 * p.a1 * (1.0 - 2.0 * side)  # of the flat foot's hip in the pelvis
    axis = np.array([0.0, 1.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0])
    sign = np.array([-1.0, -1.0, -1.0, -1.0, -1.0, 1.0, 1.0, 1.0, 1.0, 1.0])
    offset = np.zeros((10, 3))
    offset[2, 2], offset[3, 2] = p.a6, p.a4
    offset[5, 1] = -2.0 * y
    offset[7, 2], offset[8, 2] = -p.a4, -p.a6
    return Links(axis, sign, offset)


@njit
def leg_from_toe(p: Numbers) -> Links:
    """A leg from its toe to the pelvis: six joints; base: the hinge of the toe."""
    axis = np.array([1.0, 0.0, 1.0, 1.0, 1.0, 0.0])
    sign = -np.ones(6)
    offset = np.zeros((6, 3))
    offset[1, 0], offset[1, 2] = -p.d10, p.a10
    offset[3, 2], offset[4, 2] = p.a6, p.a4
    return Links(axis, sign, offset)
