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
from pydrake.multibody.tree import QuaternionFloatingJoint

from footfall.arrays import Array, Indices
from footfall.jit import njit
from footfall.plants.coordinates import (
    normalise_quaternions,
    quaternion_joints,
    quaternion_places,
    somewhere,
)
from footfall.plants.kinematics import rotate_by_quaternion

_SAME = 1e-12  # positions of the size of one, by the kernel and by Drake


class Advance:
    """Moves the positions of a plant; quaternions are brought back to length one.

    The kernel knows quaternions and coordinates with q' = v. Whether a plant has no others is tried
    out when it is taken; where it has, Drake is asked for N(q) v at every call.
    """

    def __init__(self, plant: MultibodyPlant) -> None:
        """Look at the joints of a plant, and try the kernel at a few states."""
        self._plant = plant
        self._places = quaternion_places(plant)
        joints = quaternion_joints(plant)
        starts = [(joint.position_start(), joint.velocity_start()) for joint in joints]
        self._quaternions = np.array(starts, dtype=np.int64).reshape(-1, 2)
        contexts = somewhere(plant)
        self._context = contexts[0]
        self._rated = np.argwhere(plant.MakeVelocityToQDotMap(self._context).toarray() == 1.0)
        v = np.linspace(-1.0, 1.0, plant.num_velocities())
        self._known = all(
            np.allclose(self._by_kernel(q, v, 0.1), self._by_drake(q, v, 0.1), rtol=0.0, atol=_SAME)
            for q in (plant.GetPositions(context) for context in contexts)
        )

    def __call__(self, q: Array, v: Array, dt: float) -> Array:
        """Return q + dt N(q) v."""
        return self._by_kernel(q, v, dt) if self._known else self._by_drake(q, v, dt)

    def along(self, q: Array, v: Array, dt: float, where: Array) -> Array:
        """Return q + dt N v with N as it is at other positions; quaternions are those of a call."""
        by_kernel = self._by_kernel(q, v, dt)
        if self._known:
            return by_kernel
        self._plant.SetPositions(self._context, where)
        moved: Array = q + dt * self._plant.MapVelocityToQDot(self._context, v)
        for quaternion in self._places:
            moved[quaternion] = by_kernel[quaternion]
        return moved

    def _by_kernel(self, q: Array, v: Array, dt: float) -> Array:
        return _advance(q, v, dt, self._quaternions, self._rated)

    def _by_drake(self, q: Array, v: Array, dt: float) -> Array:
        self._plant.SetPositions(self._context, q)
        moved: Array = q + dt * self._plant.MapVelocityToQDot(self._context, v)
        normalise_quaternions(moved, self._places)
        return moved


@njit
def _advance(q: Array, v: Array, dt: float, quaternions: Indices, rated: Indices) -> Array:
    """See ``Advance``; a quaternion e turns by e' = (0, w) e / 2, with w in the parent's axes."""
    moved = q.copy()
    for k in range(rated.shape[0]):
        moved[rated[k, 0]] += dt * v[rated[k, 1]]
    for k in range(quaternions.shape[0]):
        i, j = quaternions[k]
        w, x, y, z = q[i], q[i + 1], q[i + 2], q[i + 3]
        a, b, c = 0.5 * dt * v[j], 0.5 * dt * v[j + 1], 0.5 * dt * v[j + 2]
        w, x, y, z = (
            w - a * x - b * y - c * z,
            x + a * w + b * z - c * y,
            y + b * w + c * x - a * z,
            z + c * w + a * y - b * x,
        )
        length = np.sqrt(w * w + x * x + y * y + z * z)
        moved[i], moved[i + 1], moved[i + 2], moved[i + 3] = (
            w / length,
            x / length,
            y / length,
            z / length,
        )
    return moved


class Midpoint:
    """Moves the positions of a plant through a step, and its velocities to other places of it."""

    def __init__(self, plant: MultibodyPlant) -> None:
        """Find the bodies that are free in space, and their centres of mass."""
        self._advance = Advance(plant)
        joints = quaternion_joints(plant)
        starts = [(joint.position_start(), joint.velocity_start()) for joint in joints]
        self._starts = np.array(starts, dtype=np.int64).reshape(-1, 2)
        centres = [_centre(plant, joint) for joint in joints]
        self._p_BC = np.array(centres).reshape(-1, 3)

    def positions(self, q: Array, w: Array, dt: float, middle: Array) -> tuple[Array, Array]:
        """Return q_M and q_E of a step from q along w; middle: what is known of q_M."""
        ends = [self._advance.along(q, w, share * dt, middle) for share in (0.5, 1.0)]
        if len(self._starts) > 0:
            _keep_centres(q, w, dt, ends[0], ends[1], self._starts, self._p_BC)
        return ends[0], ends[1]

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


def _centre(plant: MultibodyPlant, joint: QuaternionFloatingJoint) -> Array:
    """Centre of mass of a free body and what is welded to it, in the frame that its joint moves."""
    context = plant.CreateDefaultContext()
    welded = [body.index() for body in plant.GetBodiesWeldedTo(joint.child_body())]
    mass, moment = 0.0, np.zeros(3)
    for index in welded:
        body = plant.get_body(index)
        X_MB = plant.CalcRelativeTransform(context, joint.frame_on_child(), body.body_frame())
        p_MC = X_MB.multiply(body.CalcCenterOfMassInBodyFrame(context))
        mass += body.get_mass(context)
        moment += body.get_mass(context) * p_MC
    centre: Array = moment / mass if mass > 0.0 else moment
    return centre


@njit
def _rotation(q: Array, i: int) -> Array:
    """Rotation matrix of the quaternion that begins at a place of q."""
    R = np.empty((3, 3))
    rotate_by_quaternion(q[i : i + 4], R)
    return R


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
