"""Judges a finalized plant: can it be accelerated, are its joints driven, are names plain."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import Joint, ModelInstanceIndex, RigidBody

from footfall.errors import ModelError
from footfall.plants.coordinates import bodies_of, full_name, joints_of
from footfall.plants.messages import listed
from footfall.plants.names import require_joints

# A subtree counts as massless about a joint when its radius of gyration is below a micrometre.
_SMALLEST_GYRATION_SQUARED = 1e-12  # m^2
_SMALLEST_EIGENVALUE = 1e-12  # of the mass matrix scaled to a unit diagonal
_LIMIT_SLACK = 1e-6  # rad or m: a limit written with a few digits
_FREE = 6  # velocities of a body that is attached to nothing
_SEED = 20  # of the configuration in which the mass matrix is tried


def check_plant(plant: MultibodyPlant, expected_actuators: Sequence[str] = ()) -> None:
    """Raise ModelError if a joint starts nowhere, moves no mass, or misses its actuator.

    plant: finalized. expected_actuators: names of joints, plain or `model::joint`. The mass matrix
    is tried at a random configuration; at special ones it may be singular all the same: whoever
    starts there asks `check_mass_matrix`.
    """
    _check_start(plant)
    _check_actuators(plant, expected_actuators)
    check_mass_matrix(plant, _random_positions(plant))


def require_plain_names(plant: MultibodyPlant) -> None:
    """Raise ModelError for a link or joint whose name has the sign between a model and its part."""
    for kind, indices, get in (
        ("link", plant.GetBodyIndices, plant.get_body),
        ("joint", plant.GetJointIndices, plant.get_joint),
    ):
        for instance in range(plant.num_model_instances()):
            for index in indices(ModelInstanceIndex(instance)):
                name = get(index).name()
                if "::" in name:
                    model = plant.GetModelInstanceName(ModelInstanceIndex(instance))
                    raise ModelError(
                        f"{kind} '{name}' of model '{model}': '::' stands between the names of a "
                        f"model and its part; write another name, such as "
                        f"'{name.replace('::', '_')}'."
                    )


def check_mass_matrix(plant: MultibodyPlant, q: npt.NDArray[np.float64]) -> None:
    """Raise ModelError if the mass matrix is not positive definite at positions q (nq,)."""
    if plant.num_velocities() == 0:
        return
    context = plant.CreateDefaultContext()
    plant.SetPositions(context, q)
    M = plant.CalcMassMatrix(context)
    diagonal = np.diag(M)
    guilty = diagonal <= _SMALLEST_GYRATION_SQUARED * _moved_mass(plant)
    if not guilty.any():
        scale = 1.0 / np.sqrt(diagonal)
        eigenvalues, vectors = np.linalg.eigh(scale[:, None] * M * scale)
        guilty = (np.abs(vectors[:, 0]) > 0.1) & (eigenvalues[0] <= _SMALLEST_EIGENVALUE)
    if guilty.any():
        raise ModelError(_explain_massless(plant, _joints_of(plant, guilty)))


def _check_start(plant: MultibodyPlant) -> None:
    """The default configuration must consist of numbers."""
    start = plant.GetDefaultPositions()
    for joint in joints_of(plant):
        q = start[joint.position_start() :][: joint.num_positions()]
        if not np.isfinite(q).all():
            raise ModelError(
                f"joint '{full_name(plant, joint)}' starts at {q}, which is no position; "
                "correct its default position."
            )
    context = plant.CreateDefaultContext()
    for body in bodies_of(plant):
        if not np.isfinite(plant.EvalBodyPoseInWorld(context, body).GetAsMatrix34()).all():
            raise ModelError(
                f"link '{body.scoped_name().get_full()}' has no finite pose; "
                "correct the transform by which it is attached."
            )


def starts_on_limits(plant: MultibodyPlant) -> dict[str, list[float]]:
    """Return positions for joints that start outside their limits: on the nearest limit.

    By full name, ``model::joint``, with a value for each coordinate [m or rad]; empty if all start
    inside.
    """
    start = plant.GetDefaultPositions()
    starts = {}
    for joint in joints_of(plant):
        q = start[joint.position_start() :][: joint.num_positions()]
        inside = np.clip(q, joint.position_lower_limits(), joint.position_upper_limits())
        if (np.abs(q - inside) > _LIMIT_SLACK).any():
            starts[full_name(plant, joint)] = inside.tolist()
    return starts


def _check_actuators(plant: MultibodyPlant, expected: Sequence[str]) -> None:
    driven = {
        int(plant.get_joint_actuator(index).joint().index())
        for index in plant.GetJointActuatorIndices()
    }
    for joint in require_joints(plant, expected):
        if int(joint.index()) not in driven:
            raise ModelError(
                f"joint '{full_name(plant, joint)}' is to be driven but has no actuator; in URDF "
                "add a <transmission> with an <actuator> for it, in SDF an effort limit, and let "
                "the effort limit not be 0."
            )


def _random_positions(plant: MultibodyPlant) -> npt.NDArray[np.float64]:
    """A configuration (nq,) within the joint limits, the same on every call."""
    random = np.random.default_rng(_SEED)
    q = plant.GetDefaultPositions()
    for joint in joints_of(plant):
        size = joint.num_positions()
        if size == joint.num_velocities():  # no quaternion; turning the whole changes no inertia
            q[joint.position_start() :][:size] = np.clip(
                random.uniform(-1.0, 1.0, size),
                joint.position_lower_limits(),
                joint.position_upper_limits(),
            )
    return q


def _joints_of(plant: MultibodyPlant, velocities: npt.NDArray[np.bool_]) -> list[Joint]:
    """Joints that a selection (nv,) of the generalized velocities belongs to."""
    return [
        joint
        for joint in joints_of(plant)
        if velocities[joint.velocity_start() :][: joint.num_velocities()].any()
    ]


def _moved_mass(plant: MultibodyPlant) -> npt.NDArray[np.float64]:
    """Mass (nv,) in kg that each generalized velocity moves."""
    mass = np.zeros(plant.num_velocities())
    for joint in joints_of(plant):
        moved = sum(body.default_mass() for body in _bodies_moved_by(plant, joint))
        mass[joint.velocity_start() :][: joint.num_velocities()] = moved
    return mass


def _explain_massless(plant: MultibodyPlant, joints: Sequence[Joint]) -> str:
    free = [joint.child_body() for joint in joints if joint.num_velocities() == _FREE]
    if free:
        name = free[0].scoped_name().get_full()
        return (
            f"link '{name}' is attached to nothing and has no mass or no inertia of its own; "
            f"attach it (add_weld: {{parent: terrain, child: {name}}}) or give it both."
        )
    names = listed(f"'{full_name(plant, joint)}'" for joint in joints)
    beyond = listed({body.name() for joint in joints for body in _bodies_moved_by(plant, joint)})
    if len(joints) == 1:
        return (
            f"joint {names} moves no mass and no inertia; "
            f"give mass (or, on its axis, inertia) to one of the links that it moves: {beyond}."
        )
    return (
        f"joints {names} can move together without moving any mass; "
        f"give mass and inertia to the links between them (of {beyond})."
    )


def _bodies_moved_by(plant: MultibodyPlant, joint: Joint) -> list[RigidBody]:
    indices = plant.GetBodiesKinematicallyAffectedBy([joint.index()])
    return [plant.get_body(index) for index in indices]
