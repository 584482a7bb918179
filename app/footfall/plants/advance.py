"""Positions moved along velocities, and the middle and the end of a step that is as good backwards.

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
from pydrake.multibody.plant import MultibodyPlant

from footfall.arrays import Array, Indices
from footfall.jit import njit
from footfall.plants.flat.dynamics import by_quaternion
from footfall.plants.flat.tree import Kind
from footfall.plants.kinematics import Kinematics


class Midpoint:
    """Moves the positions of a plant through a step, and its velocities to other places of it."""

    def __init__(self, plant: MultibodyPlant) -> None:
        """Find the bodies that are free in space, and their centres of mass."""
        self._kinematics = Kinematics(plant)
        tree = self._kinematics.tree
        free = tree.kind == Kind.QUATERNION
        self._starts = np.column_stack((tree.position, tree.velocity))[free]
        self._p_BC = tree.centre[free]
        # positions whose rates depend on positions, those of quaternions aside
        self._turning = np.ones(plant.num_positions(), dtype=np.bool_)
        self._turning[tree.position[1:][tree.kind[1:] == Kind.ONE]] = False
        for first, _ in self._starts:
            self._turning[first : first + 7] = False

    def positions(self, q: Array, w: Array, dt: float, middle: Array) -> tuple[Array, Array]:
        """Return q_M and q_E of a step from q along w; middle: what is known of q_M."""
        ends = [self._along(q, w, share * dt, middle) for share in (0.5, 1.0)]
        if len(self._starts) > 0:
            _keep_centres(q, w, dt, ends[0], ends[1], self._starts, self._p_BC)
        return ends[0], ends[1]

    def _along(self, q: Array, v: Array, dt: float, where: Array) -> Array:
        """Return q + dt N v with N as it is at other positions; quaternions turn from q on."""
        moved = self._kinematics.advanced(q, v, dt)
        if self._turning.any():
            way = self._kinematics.advanced(where, v, dt) - where
            moved[self._turning] = (q + way)[self._turning]
        return moved

    def seen_from(self, there: Array, q: Array, v: Array) -> Array:
        """Return the velocities v at q as they are seen from other positions, of the same size."""
        if len(self._starts) == 0:
            return v
        return _seen_from(there, q, v, self._starts, self._p_BC)

    def turning(self, q: Array, v: Array) -> Array:
        """Acceleration of the free bodies' origins, (nv,), while their centres keep their velocity.

        That is what a rate of velocities seen from the middle leaves out.
        """
        turning = np.zeros(len(v))
        if len(self._starts) > 0:
            _turning(q, v, self._starts, self._p_BC, turning)
        return turning


@njit
def _rotation(q: Array, i: int) -> Array:
    """Rotation matrix of the quaternion that begins at a place of q."""
    return np.array(by_quaternion(q[i], q[i + 1], q[i + 2], q[i + 3])).reshape(3, 3)


@njit
def _added_cross(a: Array, b: Array, factor: float, out: Array) -> None:
    """Add factor a x b to a vector."""
    out[0] += factor * (a[1] * b[2] - a[2] * b[1])
    out[1] += factor * (a[2] * b[0] - a[0] * b[2])
    out[2] += factor * (a[0] * b[1] - a[1] * b[0])


@njit
def _keep_centres(
    q: Array, w: Array, dt: float, q_m: Array, q_e: Array, starts: Indices, p_BC: Array
) -> None:
    """Move the origins of free bodies so that their centres go straight along w, in place."""
    for k in range(starts.shape[0]):
        i, j = starts[k]
        before, middle = _rotation(q, i) @ p_BC[k], _rotation(q_m, i) @ p_BC[k]
        velocity = w[j + 3 : j + 6].copy()
        _added_cross(w[j : j + 3], middle, 1.0, velocity)
        q_m[i + 4 : i + 7] = q[i + 4 : i + 7] + 0.5 * dt * velocity + before - middle
        after = _rotation(q_e, i) @ p_BC[k]
        q_e[i + 4 : i + 7] = q[i + 4 : i + 7] + dt * velocity + before - after


@njit
def _seen_from(there: Array, q: Array, v: Array, starts: Indices, p_BC: Array) -> Array:
    """See ``Midpoint.seen_from``."""
    seen = v.copy()
    for k in range(starts.shape[0]):
        i, j = starts[k]
        R, R_there = _rotation(q, i), _rotation(there, i)
        spin, linear = seen[j : j + 3], seen[j + 3 : j + 6]
        _added_cross(v[j : j + 3], R @ p_BC[k], 1.0, linear)
        spin[:] = R_there @ (R.T @ v[j : j + 3])
        _added_cross(spin, R_there @ p_BC[k], -1.0, linear)
    return seen


@njit
def _turning(q: Array, v: Array, starts: Indices, p_BC: Array, turning: Array) -> None:
    """See ``Midpoint.turning``."""
    for k in range(starts.shape[0]):
        i, j = starts[k]
        spin, across = v[j : j + 3], np.zeros(3)
        _added_cross(spin, _rotation(q, i) @ p_BC[k], 1.0, across)
        _added_cross(spin, across, -1.0, turning[j + 3 : j + 6])
