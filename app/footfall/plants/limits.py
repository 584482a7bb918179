"""Joint limits of a plant as unilateral constraints without friction."""

from dataclasses import dataclass

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import (
    PlanarJoint,
    PrismaticJoint,
    RevoluteJoint,
    ScrewJoint,
    UniversalJoint,
)

from footfall.plants.joints import joints_of, short_names

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


def collect_limits(plant: MultibodyPlant) -> tuple[JointLimit, ...]:
    """All finite position limits of joints whose velocities are the rates of their positions."""
    found = []
    joints = joints_of(plant)
    for name, joint in zip(short_names(plant, joints), joints, strict=True):
        if not isinstance(joint, _RATED):
            continue
        ends = (
            ("lower", 1.0, joint.position_lower_limits()),
            ("upper", -1.0, joint.position_upper_limits()),
        )
        for k in range(joint.num_positions()):
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
