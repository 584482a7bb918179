"""Supports of a robot: bodies that the ground holds and joints that are locked, in one phase.

With the velocities v of a plant that is free in space they are rows J v = 0 and J v' + bias = 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from pydrake.math import RigidTransform
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import Frame, JacobianWrtVariable, RigidBody
from pydrake.systems.framework import Context

from footfall.arrays import Array
from footfall.plants.plant_check import require_frames, require_joints

CUT = 1e-2
"""Singular values of equations of supports below this are taken for zero [1 and m]."""


@dataclass(frozen=True)
class Support:
    """Bodies (or frames) that the ground holds as if welded to it, joints that do not move."""

    held: tuple[str, ...] = ()
    locked: tuple[str, ...] = ()


class SupportRows:
    """Equations of a support of a plant: six for a body that is held, one for a locked joint.

    A body's rows are its angular velocity and the velocity of its frame's origin in the world.
    """

    def __init__(self, plant: MultibodyPlant, support: Support) -> None:
        """Resolve names; raises ModelError for what the plant does not have."""
        self._plant = plant
        self.frames: list[Frame] = require_frames(plant, support.held)
        joints = require_joints(plant, support.locked)
        self._locked = [joint.velocity_start() for joint in joints]
        self.size = 6 * len(self.frames) + len(joints)

    def jacobian(self, context: Context) -> Array:
        """Return J (size, nv) at the state of a context."""
        plant, world = self._plant, self._plant.world_frame()
        J = np.zeros((self.size, plant.num_velocities()))
        for k, frame in enumerate(self.frames):
            J[6 * k : 6 * k + 6] = plant.CalcJacobianSpatialVelocity(
                context, JacobianWrtVariable.kV, frame, np.zeros(3), world, world
            )
        for k, column in enumerate(self._locked, start=6 * len(self.frames)):
            J[k, column] = 1.0
        return J

    def bias(self, context: Context) -> Array:
        """Return what the rows' derivatives are while v' = 0, (size,)."""
        plant, world = self._plant, self._plant.world_frame()
        found = np.zeros(self.size)
        for k, frame in enumerate(self.frames):
            moving = plant.CalcBiasSpatialAcceleration(
                context, JacobianWrtVariable.kV, frame, np.zeros(3), world, world
            )
            found[6 * k : 6 * k + 3] = moving.rotational()
            found[6 * k + 3 : 6 * k + 6] = moving.translational()
        return found


def free_motions(J: Array) -> Array:
    """Orthonormal basis (nv, n) of the velocities that satisfy J v = 0, but for what is cut."""
    _, values, rows = np.linalg.svd(J)
    return np.ascontiguousarray(rows[int((values > CUT).sum()) :].T)


class Partition:
    """Velocities of a plant as free ones and those that a support makes of them."""

    def __init__(self, num_velocities: int, free: Sequence[int]) -> None:
        """Take the indices of the free velocities."""
        self.free = np.array(free, dtype=np.int64)
        self._dependent = np.setdiff1d(np.arange(num_velocities), self.free)

    def dependent_on(self, J: Array) -> "Dependence":
        """Solve J v = 0 for the dependent velocities."""
        return Dependence(
            self.free, self._dependent, J[:, self.free], pseudo_inverse(J[:, self._dependent])
        )


class Dependence(NamedTuple):
    """Dependent velocities by free ones.

    free (k,), dependent (d,): indices; J_free (m, k); inverse (d, m): pseudo-inverse of the other
    columns of J.
    """

    free: npt.NDArray[np.int64]
    dependent: npt.NDArray[np.int64]
    J_free: Array
    inverse: Array

    def directions(self) -> Array:
        """Velocities (nv, k) that belong to unit values of the free ones."""
        found = np.zeros((len(self.free) + len(self.dependent), len(self.free)))
        found[self.free, np.arange(len(self.free))] = 1.0
        found[self.dependent] = -self.inverse @ self.J_free
        return found

    def completed(self, bias: Array, given: Array) -> Array:
        """Accelerations (nv,) with J a + bias = 0 of which the free ones are given.

        Directions that the equations hardly tell, with singular values below CUT, stay at rest.
        """
        a = np.zeros(len(self.free) + len(self.dependent))
        a[self.free] = given
        a[self.dependent] = self.inverse @ (-bias - self.J_free @ given)
        return a


def pseudo_inverse(A: Array) -> Array:
    """Pseudo-inverse of a matrix, singular values below CUT taken for zero."""
    if A.shape[0] == A.shape[1]:
        try:
            inverse = np.linalg.inv(A)
        except np.linalg.LinAlgError:
            inverse = np.full(A.shape, np.inf)
        # the smallest singular value is not below 1 over this norm
        if np.linalg.norm(inverse) * CUT < 1.0:
            return np.asarray(inverse)
    U, values, rows = np.linalg.svd(A, full_matrices=False)
    kept = values > CUT
    return np.asarray((rows[kept].T / values[kept]) @ U[:, kept].T)


def stand_on(plant: MultibodyPlant, context: Context, frame: Frame, X_WF: RigidTransform) -> None:
    """Move a robot that is free in space so that a frame of it comes to a pose; joints stay."""
    root = floating_root(plant, frame.body())
    if root is None:
        return
    X_WF_now = frame.CalcPoseInWorld(context)
    X_WB = plant.EvalBodyPoseInWorld(context, root)
    plant.SetFreeBodyPose(context, root, X_WF.multiply(X_WF_now.inverse()).multiply(X_WB))


def floating_root(plant: MultibodyPlant, body: RigidBody) -> RigidBody | None:
    """Body of the same model that is free in space, if one is."""
    for index in plant.GetFloatingBaseBodies():
        root = plant.get_body(index)
        if root.model_instance() == body.model_instance():
            return root
    return None
