"""Joints with dry friction: what the model's files say, changed by what a scenario says."""

import math
from collections.abc import Mapping

from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import Joint

from footfall.errors import ScenarioError
from footfall.plants.contacts.contact_set import JointFriction
from footfall.plants.joints import full_name, joints_of, short_names
from footfall.plants.patterns import broad_first, fitting


def dry_joints(
    plant: MultibodyPlant, of_files: Mapping[str, float], wanted: Mapping[str, float]
) -> tuple[JointFriction, ...]:
    """Return the joints that have dry friction, in the plant's order.

    of_files: friction [N m or N] by full name, ``model::joint``. wanted: by plain or full name or
    by a pattern such as ``*_knee``; a name beats a pattern, a longer pattern a shorter one, and 0
    takes away what the files say. Raises ScenarioError for a name or pattern that fits no joint
    with one degree of freedom, for a plain name that fits several, and for friction that is
    negative or endless.
    """
    joints = _joints(plant)
    plain = {full: joint.name() for full, joint in joints.items()}
    effort = {name: value for name, value in of_files.items() if name in joints}
    for name in broad_first(wanted):
        if not 0.0 <= wanted[name] < math.inf:
            raise ScenarioError(
                f"joint_friction: '{name}' has {wanted[name]}: give a finite number of N m (or N) "
                "that is not negative."
            )
        found = fitting(name, plain, "joint_friction", "joint", " with one degree of freedom")
        effort |= dict.fromkeys(found, wanted[name])
    names = short_names(plant, list(joints.values()))
    return tuple(
        JointFriction(f"{name}:friction", joint.velocity_start(), effort[full])
        for name, (full, joint) in zip(names, joints.items(), strict=True)
        if effort.get(full, 0.0) > 0.0
    )


def _joints(plant: MultibodyPlant) -> dict[str, Joint]:
    """Joints with one degree of freedom by full name."""
    return {
        full_name(plant, joint): joint for joint in joints_of(plant) if joint.num_velocities() == 1
    }
