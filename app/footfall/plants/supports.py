"""Supports of a robot: bodies that the ground holds and joints that are locked, in one phase.

With the velocities v of a plant that is free in space they are rows J v = 0 and J v' + bias = 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from pydrake.math import RigidTransform
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import Frame, JacobianWrtVariable
from pydrake.systems.framework import Context

from footfall.arrays import Array
from footfall.plants.coordinates import floating_joints
from footfall.plants.names import require_frames, require_joints
from footfall.plants.support_motions import CUT, Motions, motions_under


@dataclass(frozen=True)
class Support:
    """Bodies (or frames) that the ground holds as if welded to it, joints that do not move.

    cut: equations of the support with singular values below it are left out [1 and m].
    """

    held: tuple[str, ...] = ()
    locked: tuple[str, ...] = ()
    cut: float = CUT


class SupportRows:
    """Equations of a support of a plant: six for a body that is held, one for a locked joint.

    A body's rows are its angular velocity and the velocity of its frame's origin in the world.
    """

    def __init__(self, plant: MultibodyPlant, support: Support) -> None:
        """Resolve names; raises ModelError for what the plant does not have."""
        self._plant = plant
        self.frames: list[Frame] = require_frames(plant, support.held)
        joints = require_joints(plant, support.locked)
        self.cut = support.cut
        self.locked = [joint.velocity_start() for joint in joints]
        self.size = 6 * len(self.frames) + len(joints)

    def jacobian(self, context: Context) -> Array:
        """Return J (size, nv) at the state of a context."""
        plant, world = self._plant, self._plant.world_frame()
        J = np.zeros((self.size, plant.num_velocities()))
        for k, frame in enumerate(self.frames):
            J[6 * k : 6 * k + 6] = plant.CalcJacobianSpatialVelocity(
                context, JacobianWrtVariable.kV, frame, np.zeros(3), world, world
            )
        for k, column in enumerate(self.locked, start=6 * len(self.frames)):
            J[k, column] = 1.0
        return J

    def bias(self, context: Context) -> Array:
        """Return what the rows' derivatives are while v' = 0, (size,)."""
        plant, world = self._plant, self._plant.world_frame()
        bias = np.zeros(self.size)
        for k, frame in enumerate(self.frames):
            moving = plant.CalcBiasSpatialAcceleration(
                context, JacobianWrtVariable.kV, frame, np.zeros(3), world, world
            )
            bias[6 * k : 6 * k + 3] = moving.rotational()
            bias[6 * k + 3 : 6 * k + 6] = moving.translational()
        return bias


class FreeVelocities:
    """Velocities of a plant that are chosen; those of a support follow from them."""

    def __init__(self, num_velocities: int, free: Sequence[int]) -> None:
        """Take the indices of the free velocities."""
        self.free = np.array(free, dtype=np.int64)
        self.others = np.setdiff1d(np.arange(num_velocities), self.free)

    def under(self, J: Array, cut: float = CUT) -> Motions:
        """Solve J v = 0 for the others, or for the nearest that the support allows at all."""
        return motions_under(J, self.free, self.others, cut)


def stand_on(plant: MultibodyPlant, context: Context, frame: Frame, X_WF: RigidTransform) -> None:
    """Move a robot that is free in space so that a frame of it comes to a pose; joints stay."""
    for joint in floating_joints(plant).values():
        if joint.model_instance() == frame.model_instance():
            X_WP, X_WM = (
                end.CalcPoseInWorld(context)
                for end in (joint.frame_on_parent(), joint.frame_on_child())
            )
            X_WF_now = frame.CalcPoseInWorld(context)
            X_WM_then = X_WF @ X_WF_now.inverse() @ X_WM
            joint.SetPose(context, X_WP.inverse() @ X_WM_then)
            return
