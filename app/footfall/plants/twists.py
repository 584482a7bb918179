"""Motions that the velocities of a plant give its links and their points.

Frames: W world; A the inner link of a joint, B the outer one, O the joint's frame on B.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array, Indices
from footfall.jit import njit


class Moved(NamedTuple):
    """Links as they were placed last, and how joints move them, in a form that kernels take.

    poses (links, 3, 4): X_WB. carries (links, links): whether the joint of one link carries
    another. parent (links,): the inner link. mover (nv,): the link that each velocity moves first.
    origin (links, 3): of the joint's frame O in B. hinge (nv, 6): velocity of O in A, in A's axes,
    at unit velocities, [angular, translational].
    """

    poses: Array
    carries: npt.NDArray[np.bool_]
    parent: Indices
    mover: Indices
    origin: Array
    hinge: Array


@njit
def twists_of(moved: Moved) -> Array:
    """See ``Kinematics.twists``."""
    poses, mover, origin, hinge = moved.poses, moved.mover, moved.origin, moved.hinge
    twists = np.zeros((mover.shape[0], 9))
    for v in range(mover.shape[0]):
        X_WA, X_WB = poses[moved.parent[mover[v]]], poses[mover[v]]
        for i in range(3):
            twists[v, 6 + i] = X_WB[i, 3]
            for k in range(3):
                twists[v, i] += X_WA[i, k] * hinge[v, k]
                twists[v, 3 + i] += X_WA[i, k] * hinge[v, 3 + k]
                twists[v, 6 + i] += X_WB[i, k] * origin[mover[v], k]
    return twists


@njit
def velocity_of(twist: Array, p_W: Array) -> tuple[float, float, float]:
    """Velocity of a point that a twist moves: w, v and the point o with this velocity."""
    x, y, z = p_W[0] - twist[6], p_W[1] - twist[7], p_W[2] - twist[8]
    return (
        twist[3] + twist[1] * z - twist[2] * y,
        twist[4] + twist[2] * x - twist[0] * z,
        twist[5] + twist[0] * y - twist[1] * x,
    )


@njit
def relative_velocities(moved: Moved, links: Indices, p_W: Array, v: Array) -> Array:
    """Velocities (k, 3) in W of points p_W (k, 3) of the first of two links against the second.

    links (k, 2). v (nv,): at the poses placed last.
    """
    twists, carries = twists_of(moved), moved.carries
    velocities = np.zeros(p_W.shape)
    for k in range(p_W.shape[0]):
        for column, mover in enumerate(moved.mover):
            moves_first = carries[mover, links[k, 0]]
            if moves_first == carries[mover, links[k, 1]]:
                continue
            speed = v[column] if moves_first else -v[column]
            unit = velocity_of(twists[column], p_W[k])
            for d in range(3):
                velocities[k, d] += speed * unit[d]
    return velocities
