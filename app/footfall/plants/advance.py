"""Positions moved along velocities, q + dt N(q) v: by a kernel where N is simple enough."""

import numpy as np
from pydrake.multibody.plant import MultibodyPlant

from footfall.arrays import Array, Indices
from footfall.jit import njit
from footfall.plants.coordinates import (
    normalise_quaternions,
    quaternion_joints,
    quaternion_places,
    somewhere,
)

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
