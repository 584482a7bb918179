"""Joint limits of a plant as unilateral constraints without friction."""

from collections import Counter
from dataclasses import dataclass

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import (
    JointIndex,
    PlanarJoint,
    PrismaticJoint,
    RevoluteJoint,
    ScrewJoint,
    UniversalJoint,
)

# joints whose velocities are the rates of their positions
_RATED = (PrismaticJoint, RevoluteJoint, UniversalJoint, PlanarJoint, ScrewJoint)


@dataclass(frozen=True)
class JointLimit:
    """One stop of one coordinate.

    Its gap is sign * (q[position] - bound), sign * v[velocity] its rate.

    name: "joint:lower" or "joint:upper", "model::joint:lower" where two joints are called alike;
    unit of the gap [m or rad], of its impulse [N s or N m s].
    """

    name: str
    position: int
    velocity: int
    sign: float
    bound: float


def _joint_names(plant: MultibodyPlant) -> dict[JointIndex, str]:
    """Names of all joints, with that of the model before them where two are called alike."""
    joints = [plant.get_joint(index) for index in plant.GetJointIndices()]
    times = Counter(joint.name() for joint in joints)
    return {
        joint.index(): joint.name()
        if times[joint.name()] == 1
        else f"{plant.GetModelInstanceName(joint.model_instance())}::{joint.name()}"
        for joint in joints
    }


def collect_limits(plant: MultibodyPlant) -> tuple[JointLimit, ...]:
    """All finite position limits of joints whose velocities are the rates of their positions."""
    found = []
    names = _joint_names(plant)
    for joint in (plant.get_joint(index) for index in plant.GetJointIndices()):
        if not isinstance(joint, _RATED):
            continue
        ends = (
            ("lower", 1.0, joint.position_lower_limits()),
            ("upper", -1.0, joint.position_upper_limits()),
        )
        for k in range(joint.num_positions()):
            name = names[joint.index()]
            label = name if joint.num_positions() == 1 else f"{name}_{k}"
            for end, sign, bounds in ends:
                if np.isfinite(bounds[k]):
                    start = joint.position_start() + k
                    found.append(
                        JointLimit(
                            f"{label}:{end}",
                            start,
                            joint.velocity_start() + k,
                            sign,
                            float(bounds[k]),
                        )
                    )
    return tuple(found)
