"""Joints with dry friction: what the model's files say, changed by what a scenario says."""

import math
from collections.abc import Mapping
from fnmatch import fnmatchcase

from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import Joint

from footfall.errors import ScenarioError
from footfall.plants.contacts.contact_set import JointFriction
from footfall.plants.joints import full_name, joints_of, short_names
from footfall.wording import did_you_mean, listed

_WILD = "*?["


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
    effort = {name: value for name, value in of_files.items() if name in joints}
    # saved scenarios have their keys in alphabetical order: which comes first must not matter
    for name in sorted(wanted, key=lambda name: (not _is_pattern(name), len(name), name)):
        if not 0.0 <= wanted[name] < math.inf:
            message = (
                f"joint_friction: '{name}' has {wanted[name]}: give a finite number of N m (or N) "
                "that is not negative."
            )
            raise ScenarioError(message)
        effort |= dict.fromkeys(_fitting(name, joints), wanted[name])
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


def _is_pattern(name: str) -> bool:
    return any(letter in name for letter in _WILD)


def _fitting(name: str, joints: Mapping[str, Joint]) -> list[str]:
    """Full names of the joints that a name or a pattern means."""
    fits = fnmatchcase if _is_pattern(name) else str.__eq__
    found = [full for full, joint in joints.items() if fits(full, name) or fits(joint.name(), name)]
    if not found:
        known = sorted({joint.name() for joint in joints.values()})
        message = (
            f"joint_friction: there is no joint '{name}' with one degree of freedom; "
            f"{did_you_mean(name, known)}"
        )
        raise ScenarioError(message)
    if len(found) > 1 and not _is_pattern(name):
        message = (
            f"joint_friction: several models have a joint '{name}': say which, {listed(found)}."
        )
        raise ScenarioError(message)
    return found
