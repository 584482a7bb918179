"""The joints of a plant and what they are called."""

from collections import Counter
from collections.abc import Sequence

from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import BodyIndex, Frame, Joint


def joints_of(plant: MultibodyPlant) -> list[Joint]:
    """All joints, in the order of their indices."""
    return [plant.get_joint(index) for index in plant.GetJointIndices()]


def fixed_bodies(plant: MultibodyPlant) -> set[BodyIndex]:
    """The world and all bodies that are welded to it."""
    return {body.index() for body in plant.GetBodiesWeldedTo(plant.world_body())}


def moving_mass(plant: MultibodyPlant) -> float:
    """Mass of all bodies that can move [kg]."""
    fixed = fixed_bodies(plant)
    bodies = (plant.get_body(BodyIndex(k)) for k in range(plant.num_bodies()))
    return float(sum(body.default_mass() for body in bodies if body.index() not in fixed))


def full_name(plant: MultibodyPlant, element: Frame | Joint) -> str:
    """Name with that of its model before it, ``model::joint``."""
    return f"{plant.GetModelInstanceName(element.model_instance())}::{element.name()}"


def short_names(plant: MultibodyPlant, joints: Sequence[Joint]) -> list[str]:
    """Names of some joints; those that two of them share have their model's before them."""
    times = Counter(joint.name() for joint in joints)
    return [
        joint.name() if times[joint.name()] == 1 else full_name(plant, joint) for joint in joints
    ]
