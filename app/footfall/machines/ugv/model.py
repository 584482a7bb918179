"""The half vehicle read off its plant, what makes a model this machine, and its drive.

Frames: T terrain, x ahead, z up. Letters as in `closed_form`.
"""

from dataclasses import dataclass

import numpy as np
from pydrake.geometry import Role, Sphere
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import RigidBody

from footfall.arrays import Array
from footfall.errors import ModelError
from footfall.machines.ugv.closed_form.position import Complex, UgvParameters
from footfall.plants.contacts import ContactSet
from footfall.plants.coordinates import actuators_of, coordinate_names
from footfall.plants.loading.load import Model
from footfall.plants.terrain import level_gravity
from footfall_controllers.controller import Controller, Wiring
from footfall_controllers.wheel_leg_drive import (
    BASE,
    JOINTS,
    WheelLegDriveParameters,
    WheelLegDriveSystem,
)

COORDINATES = (*BASE, *JOINTS)
"""x and z [m] of the middle between the hips, pitch [rad], angles [rad] of hips and axles."""

WHEELS = ("ugv::rear_wheel", "ugv::front_wheel")
BELLY = tuple(f"ugv::belly_{k}" for k in range(1, 5))
POINTS = (*BELLY, *WHEELS)

_SAME = 1e-9  # relative, of lengths and masses
_DIGITS = 12  # of a parameter, the others are rounding


def parameters_of(model: Model, contacts: ContactSet) -> UgvParameters:
    """Read the parameters off a model on level ground, with a track or without.

    Raises ModelError, one line, for a model that is not the half vehicle.
    """
    plant = model.plant
    _require_names(plant, contacts)
    bodies = {name: plant.GetBodyByName(name) for name in _BODIES}
    lengths = _lengths(plant)
    masses = {name: body.default_mass() for name, body in bodies.items()}
    radii = _radii(model)
    _require_alike("hips' places on the body", -lengths["rear_hip"], lengths["front_hip"])
    _require_alike("legs' lengths", lengths["rear_axle"], -lengths["front_axle"])
    _require_alike("legs' masses", masses["rear_leg"], masses["front_leg"])
    _require_alike("wheels' masses", masses["rear_wheel"], masses["front_wheel"])
    _require_alike("wheels' radii", radii[WHEELS[0]], radii[WHEELS[1]])
    _require_middles(bodies, lengths)
    read = {
        "L": 2.0 * lengths["front_hip"],
        "l": lengths["rear_axle"],
        "r": radii[WHEELS[0]],
        "m_w": masses["rear_wheel"],
        "m_b": masses["body"],
        "m_l": masses["rear_leg"],
        "g": level_gravity(
            plant,
            "the UGV drives on level ground with a track on it",
            "the UGV stands on its wheels by its weight",
        ),
        "half_height": max(radii[name] for name in BELLY),
    }
    try:
        return UgvParameters(**{name: float(f"{x:.{_DIGITS}g}") for name, x in read.items()})
    except ValueError as error:
        raise ModelError(f"the model is no UGV that can stand: {error}.") from error


def wheel_contacts(contacts: ContactSet) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names of the contacts of the rear and of the front wheel, with the ground and with tracks."""
    rear, front = (
        tuple(name for name in contacts.names if wheel in name.split("|")) for wheel in WHEELS
    )
    return rear, front


def wheel_centres(parameters: UgvParameters, q: Array) -> tuple[Complex, Complex]:
    """Centres x + 1j z [m] of the rear and of the front wheel, arrays of the shape of a row of q.

    q (7, ...): x, z, pitch, rear hip, rear axle, front hip, front axle, as `COORDINATES`.
    """
    given, (x, z, pitch, rear, _, front, _) = parameters, q
    along = np.exp(1j * pitch)
    middle = x + 1j * z
    return (
        middle + along * (-0.5 * given.L + given.l * np.exp(-1j * rear)),
        middle + along * (0.5 * given.L - given.l * np.exp(1j * front)),
    )


def rows_of(model: Model) -> list[int]:
    """Places of `COORDINATES` among the plant's positions and, since all are alike, velocities."""
    names = coordinate_names(model.plant)[0]
    return [names.index(name) for name in COORDINATES]


_BODIES = ("body", "rear_leg", "front_leg", "rear_wheel", "front_wheel")


def _require_names(plant: MultibodyPlant, contacts: ContactSet) -> None:
    """Raise ModelError where the machine's coordinates, links, motors or contacts are missing."""
    names = coordinate_names(plant)[0]
    if sorted(names) != sorted(COORDINATES):
        other = ", ".join(sorted(set(names) ^ set(COORDINATES)))
        raise ModelError(f"the coordinates of the UGV and of this model differ in {other}.")
    links = [name for name in _BODIES if not plant.HasBodyNamed(name)]
    if links:
        raise ModelError(f"the UGV has {', '.join(_BODIES)}, this model no {links[0]}.")
    motors = sorted(actuator.joint().name() for actuator in actuators_of(plant))
    if motors != sorted(JOINTS):
        driven = ", ".join(motors) or "none"
        raise ModelError(f"the UGV drives {', '.join(JOINTS)}, this model drives {driven}.")
    touching = contacts.names[: contacts.num_ground]
    if sorted(touching) != sorted(POINTS):
        raise ModelError(f"the UGV touches the ground with {POINTS}, this model with {touching}.")


def _lengths(plant: MultibodyPlant) -> dict[str, float]:
    """Return the abscissa of each joint on the link before it [m]; none is above or beside it."""
    lengths = {}
    for name in JOINTS:
        frame = plant.GetJointByName(name).frame_on_parent()
        x, *others = frame.GetFixedPoseInBodyFrame().translation()
        if np.abs(others).max() > _SAME:
            raise ModelError(f"joint {name} of this model is not on the axis of its link.")
        lengths[name] = float(x)
    return lengths


def _radii(model: Model) -> dict[str, float]:
    """Radii of the collision spheres [m], by contact; their middles are on x of their links."""
    inspector = model.scene_graph.model_inspector()
    radii: dict[str, float] = {}
    for geometry in inspector.GetAllGeometryIds(Role.kProximity):
        name, shape = inspector.GetName(geometry), inspector.GetShape(geometry)
        if name not in POINTS:
            continue
        if not isinstance(shape, Sphere):
            raise ModelError(f"{name} of the UGV is a sphere, in this model it is another shape.")
        centre = inspector.GetPoseInFrame(geometry).translation()
        if np.abs(centre if name in WHEELS else centre[1:]).max() > _SAME:
            raise ModelError(f"the middle of the sphere {name} is not where the UGV has it.")
        radii[name] = float(shape.radius())
    return radii


def _require_middles(bodies: dict[str, RigidBody], lengths: dict[str, float]) -> None:
    """Raise ModelError where a centre of mass is not in the middle of its link."""
    middles = {
        "body": 0.0,
        "rear_leg": 0.5 * lengths["rear_axle"],
        "front_leg": 0.5 * lengths["front_axle"],
        "rear_wheel": 0.0,
        "front_wheel": 0.0,
    }
    for name, x in middles.items():
        if np.abs(bodies[name].default_com() - [x, 0.0, 0.0]).max() > _SAME:
            raise ModelError(f"the centre of mass of this model's {name} is not in its middle.")


def _require_alike(what: str, rear: float, front: float) -> None:
    if not abs(rear - front) <= _SAME * max(abs(rear), abs(front), 1.0):
        raise ModelError(f"the {what} differ, {rear:g} and {front:g}; the UGV's are alike.")


@dataclass
class WheelLegDrive(WheelLegDriveParameters, Controller):
    """Drive the vehicle at a speed, the same torque on both wheels, and hold its legs' angles.

    A start on_gait puts the vehicle on its track with the front wheel at the first station.
    """

    def system_for(self, wiring: Wiring) -> WheelLegDriveSystem:
        """Return the drive of a vehicle; raises ModelError for another machine."""
        try:
            machine = parameters_of(wiring.model, wiring.contacts)
        except ModelError as error:
            raise ModelError(f"controller WheelLegDrive: {error}") from error
        return WheelLegDriveSystem(wiring.model.plant, machine, self)
