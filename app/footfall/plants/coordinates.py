"""Joints and actuators of a plant: their names, and the units, kinds and limits of coordinates."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import (
    BodyIndex,
    Frame,
    Joint,
    JointActuator,
    ModelInstanceIndex,
    PlanarJoint,
    PrismaticJoint,
    QuaternionFloatingJoint,
    RevoluteJoint,
    RigidBody,
    RpyFloatingJoint,
    ScrewJoint,
    UniversalJoint,
)
from pydrake.systems.framework import Context

# by type of joint; joints that are not listed turn
_UNITS = {
    "prismatic": (("m",), ("m/s",)),
    "planar": (("m", "m", "rad"), ("m/s", "m/s", "rad/s")),
    "quaternion_floating": (("1",) * 4 + ("m",) * 3, ("rad/s",) * 3 + ("m/s",) * 3),
    "rpy_floating": (("rad",) * 3 + ("m",) * 3, ("rad/s",) * 3 + ("m/s",) * 3),
    "screw": (("rad",), ("rad/s",)),
}
# joints whose velocities are the rates of their positions
_RATED = (PrismaticJoint, RevoluteJoint, UniversalJoint, PlanarJoint, ScrewJoint)


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


def joints_of(plant: MultibodyPlant) -> list[Joint]:
    """All joints, in the order of their indices."""
    return [plant.get_joint(index) for index in plant.GetJointIndices()]


def bodies_of(plant: MultibodyPlant) -> list[RigidBody]:
    """All bodies in the order of their indices, the world first."""
    return [plant.get_body(BodyIndex(k)) for k in range(plant.num_bodies())]


def simple_joints(plant: MultibodyPlant) -> dict[str, Joint]:
    """Joints with one degree of freedom by full name, ``model::joint``."""
    return {
        full_name(plant, joint): joint for joint in joints_of(plant) if joint.num_velocities() == 1
    }


def fixed_bodies(plant: MultibodyPlant) -> set[BodyIndex]:
    """The world and all bodies that are welded to it."""
    return {body.index() for body in plant.GetBodiesWeldedTo(plant.world_body())}


def moving_mass(plant: MultibodyPlant) -> float:
    """Mass of all bodies that can move [kg]."""
    fixed = fixed_bodies(plant)
    moving = (body for body in bodies_of(plant) if body.index() not in fixed)
    return float(sum(body.default_mass() for body in moving))


def full_name(plant: MultibodyPlant, element: Frame | Joint) -> str:
    """Name with that of its model before it, ``model::joint``."""
    return f"{plant.GetModelInstanceName(element.model_instance())}::{element.name()}"


def short_names(plant: MultibodyPlant, joints: Sequence[Joint]) -> list[str]:
    """Names of some joints; those that two of them share have their model's before them."""
    times = Counter(joint.name() for joint in joints)
    return [
        joint.name() if times[joint.name()] == 1 else full_name(plant, joint) for joint in joints
    ]


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
    limits = []
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
                    limits.append(
                        JointLimit(
                            f"{label}:{end}",
                            start,
                            joint.velocity_start() + k,
                            sign,
                            float(bounds[k]),
                        )
                    )
    return tuple(limits)
