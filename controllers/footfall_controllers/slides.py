"""Joints along which a mass slides, driven by acceleration: the keeper's and the guided ball's."""

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import Joint

from footfall.arrays import Array
from footfall.plants.coordinates import actuators_of

PERIOD = 1e-3
"""Sampling time of laws that need one where the engine has no steps [s]."""


def slide_of(plant: MultibodyPlant, name: str) -> Joint:
    """Prismatic joint by ``model::name``; raises ValueError, one line, where there is none."""
    model, _, plain = name.partition("::")
    try:
        joint = plant.GetJointByName(plain, plant.GetModelInstanceByName(model))
    except RuntimeError as error:
        raise ValueError(f"the machine has no joint {name}") from error
    if joint.type_name() != "prismatic":
        raise ValueError(f"joint {name} is {joint.type_name()}, where a prismatic one is needed")
    return joint


def unit_push(plant: MultibodyPlant, joint: Joint) -> Array:
    """Actuation (num_actuators,) that gives a joint the acceleration 1 m/s^2: its mass [kg].

    For a joint whose mass depends on nothing and moves with no other. Raises ValueError, one line,
    for a joint without an actuator.
    """
    joints = [actuator.joint().index() for actuator in actuators_of(plant)]
    if joint.index() not in joints:
        raise ValueError(f"joint '{joint.name()}' has no actuator: give it one")
    mass = plant.CalcMassMatrix(plant.CreateDefaultContext())
    push = np.zeros(len(joints))
    push[joints.index(joint.index())] = mass[joint.velocity_start(), joint.velocity_start()]
    return push
