"""Names and units of the rows of a machine's trajectory."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from pydrake.multibody.plant import MultibodyPlant

from footfall.plants.contacts import ContactSet
from footfall.plants.coordinates import (
    actuator_names,
    actuators_of,
    coordinate_names,
    coordinate_units,
)
from footfall.trajectory import Layout

NO_READINGS: Mapping[str, str] = MappingProxyType({})


def layout_of(
    plant: MultibodyPlant, contacts: ContactSet, readings: Mapping[str, str] = NO_READINGS
) -> Layout:
    """Names and units of a machine's trajectory; readings: units of those of sensors by name."""
    positions, velocities = coordinate_names(plant)
    q_units, v_units = coordinate_units(plant)
    return Layout(
        position=tuple(positions),
        velocity=tuple(velocities),
        position_units=tuple(q_units),
        velocity_units=tuple(v_units),
        actuator=tuple(actuator_names(plant)),
        actuator_units=actuator_units(plant),
        contact=contacts.names,
        contact_units=_contact_units(contacts, q_units),
        sensor=tuple(readings),
        sensor_units=tuple(readings.values()),
    )


def actuator_units(plant: MultibodyPlant) -> tuple[str, ...]:
    """Units of the efforts of actuators, in their order."""
    joints = [actuator.joint() for actuator in actuators_of(plant)]
    return tuple("N" if joint.type_name() == "prismatic" else "N m" for joint in joints)


def _contact_units(contacts: ContactSet, q_units: Sequence[str]) -> tuple[str, ...]:
    """Units of the gaps: metres, those of the coordinate at a joint limit, none in a dry joint."""
    joints = [q_units[limit.position] for limit in contacts.limits]
    joints += ["1"] * len(contacts.frictions)
    return ("m",) * (len(contacts.names) - len(joints)) + tuple(joints)
