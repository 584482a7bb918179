"""Names, units and kinds of a plant's positions and velocities."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import (
    Joint,
    ModelInstanceIndex,
    QuaternionFloatingJoint,
    RpyFloatingJoint,
)
from pydrake.systems.framework import Context

from footfall.plants.joints import fixed_bodies, joints_of

# by type of joint; joints that are not listed turn
_UNITS = {
    "prismatic": (("m",), ("m/s",)),
    "planar": (("m", "m", "rad"), ("m/s", "m/s", "rad/s")),
    "quaternion_floating": (("1",) * 4 + ("m",) * 3, ("rad/s",) * 3 + ("m/s",) * 3),
    "rpy_floating": (("rad",) * 3 + ("m",) * 3, ("rad/s",) * 3 + ("m/s",) * 3),
    "screw": (("rad",), ("rad/s",)),
}


def coordinate_names(plant: MultibodyPlant) -> tuple[list[str], list[str]]:
    """Names of positions and velocities.

    The joint's name where it has one of each, prefixed by the model when several models move.
    """
    instances = [ModelInstanceIndex(i) for i in range(plant.num_model_instances())]
    several = sum(plant.num_velocities(i) > 0 for i in instances) > 1
    return (
        list(plant.GetPositionNames(add_model_instance_prefix=several, always_add_suffix=False)),
        list(plant.GetVelocityNames(add_model_instance_prefix=several, always_add_suffix=False)),
    )


def quaternion_joints(plant: MultibodyPlant) -> list[QuaternionFloatingJoint]:
    """Joints whose first four positions are a quaternion."""
    return [joint for joint in joints_of(plant) if isinstance(joint, QuaternionFloatingJoint)]


def quaternion_places(plant: MultibodyPlant) -> list[slice]:
    """Return the slices of the quaternions among the positions."""
    starts = (joint.position_start() for joint in quaternion_joints(plant))
    return [slice(start, start + 4) for start in starts]


def normalise_quaternions(q: npt.NDArray[np.float64], places: Iterable[slice]) -> None:
    """Bring the quaternions at some places of q (..., nq) to length one, in place."""
    for place in places:
        quaternion = q[..., place]
        quaternion /= np.sqrt(np.vecdot(quaternion, quaternion))[..., None]


def floating_joints(plant: MultibodyPlant) -> dict[str, Joint]:
    """Joints of bodies that are free in space, by the body's full name, ``model::link``.

    They lead from a frame F that is fixed to the world, be it the world's own, to a frame M of the
    body. Their last three positions are M's place in F, and their velocities are M's in F, angular
    ones first, in F's axes. Drake itself calls only bodies without any joint of their file or their
    directive floating. Bodies come in the plant's order.
    """
    fixed = fixed_bodies(plant)
    joints = [
        joint
        for joint in joints_of(plant)
        if isinstance(joint, QuaternionFloatingJoint | RpyFloatingJoint)
        and joint.parent_body().index() in fixed
    ]
    joints.sort(key=lambda joint: joint.child_body().index())
    return {joint.child_body().scoped_name().get_full(): joint for joint in joints}


def joint_damping(plant: MultibodyPlant) -> npt.NDArray[np.float64]:
    """Viscous damping d of every velocity, (nv,), force -d v [N s/m or N m s]."""
    damping = np.zeros(plant.num_velocities())
    for joint in joints_of(plant):
        if joint.num_velocities() > 0:
            start = joint.velocity_start()
            damping[start : start + joint.num_velocities()] = joint.default_damping_vector()
    return damping


def somewhere(plant: MultibodyPlant) -> list[Context]:
    """Three contexts at positions with nothing special about them, the same ones every time."""
    generator = np.random.default_rng(0)
    contexts = []
    for _ in range(3):
        context = plant.CreateDefaultContext()
        velocity = generator.uniform(0.3, 1.0, plant.num_velocities())
        q = plant.GetPositions(context) + plant.MapVelocityToQDot(context, velocity)
        normalise_quaternions(q, quaternion_places(plant))
        plant.SetPositions(context, q)
        contexts.append(context)
    return contexts


def coordinate_units(plant: MultibodyPlant) -> tuple[list[str], list[str]]:
    """Units of positions ("m", "rad" or "1") and velocities ("m/s" or "rad/s")."""
    q_units, v_units = ["rad"] * plant.num_positions(), ["rad/s"] * plant.num_velocities()
    for joint in joints_of(plant):
        if joint.type_name() in _UNITS:
            of_q, of_v = _UNITS[joint.type_name()]
            q_units[joint.position_start() : joint.position_start() + len(of_q)] = of_q
            v_units[joint.velocity_start() : joint.velocity_start() + len(of_v)] = of_v
    return q_units, v_units
