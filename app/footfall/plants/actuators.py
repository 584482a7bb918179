"""The actuators of a plant and what they are called."""

from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import JointActuator


def actuators_of(plant: MultibodyPlant) -> list[JointActuator]:
    """All actuators, in the order of the actuation input."""
    return [plant.get_joint_actuator(index) for index in plant.GetJointActuatorIndices()]


def actuator_names(plant: MultibodyPlant) -> list[str]:
    """Names of the actuators in their order.

    The name of the model stands before them, ``model_actuator``, where two would be called alike.
    """
    plain: list[str] = plant.GetActuatorNames(add_model_instance_prefix=False)
    alike = len(set(plain)) < len(plain)
    return plant.GetActuatorNames(add_model_instance_prefix=True) if alike else plain
