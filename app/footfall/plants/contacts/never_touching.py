"""Shapes that never touch the ground, because their body's joints keep them at their height.

Frames: W world, T terrain (z its normal).
"""

import numpy as np
from pydrake.math import RigidTransform
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import Joint, PrismaticJoint, RevoluteJoint, RigidBody, WeldJoint
from pydrake.systems.framework import Context

from footfall.plants.contacts.contact_set import GroundShape
from footfall.plants.contacts.ground import GroundPoints
from footfall.plants.joints import joints_of
from footfall.plants.kinematics import Kinematics
from footfall.plants.terrain import FRAME_NAME

_LEVEL = 1e-12  # of a unit vector: rounding


class NeverTouching:
    """Test for shapes of a plant that stay above the ground for ever.

    They do where every joint from the world to their body slides along the ground or turns about
    its normal, and no point of them touches it at the default positions.
    """

    def __init__(self, plant: MultibodyPlant) -> None:
        """Take a finalized plant."""
        self._context = plant.CreateDefaultContext()
        self._kinematics = Kinematics(plant)
        self._kinematics.place(self._context, plant.GetPositions(self._context))
        self._X_WT = plant.GetFrameByName(FRAME_NAME).CalcPoseInWorld(self._context)
        inboard = {joint.child_body().index(): joint for joint in joints_of(plant)}
        self._level = {
            index: _keeps_height(joint, self._context, self._X_WT)
            for index, joint in inboard.items()
        }
        self._inboard = inboard

    def __call__(self, shape: GroundShape) -> bool:
        """Return whether no motion brings a shape to the ground; ``first`` of it is 0."""
        if not self._stays_level(shape.body):
            return False
        points = GroundPoints([shape], self._kinematics, self._X_WT)
        gap, _ = points.measure(self._kinematics.poses, len(shape.points))
        return bool(gap.min() > 0.0)

    def _stays_level(self, body: RigidBody) -> bool:
        while body.index() in self._inboard:
            if not self._level[body.index()]:
                return False
            body = self._inboard[body.index()].parent_body()
        return True


def _keeps_height(joint: Joint, context: Context, X_WT: RigidTransform) -> bool:
    """Return whether a joint moves what it carries along the ground only."""
    if isinstance(joint, WeldJoint):
        return True
    rotation = joint.frame_on_parent().CalcPoseInWorld(context).rotation()
    n_W = X_WT.rotation().matrix()[:, 2]
    if isinstance(joint, PrismaticJoint):
        return abs(float(n_W @ rotation.multiply(joint.translation_axis()))) <= _LEVEL
    if isinstance(joint, RevoluteJoint):
        across = np.cross(n_W, rotation.multiply(joint.revolute_axis()))
        return float(np.linalg.norm(across)) <= _LEVEL
    return False
