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
    units = units_by_name(plant)
    positions, velocities, efforts = (units[group] for group in units)
    return Layout(
        position=tuple(positions),
        velocity=tuple(velocities),
        position_units=tuple(positions.values()),
        velocity_units=tuple(velocities.values()),
        actuator=tuple(efforts),
        actuator_units=tuple(efforts.values()),
        contact=contacts.names,
        contact_units=_contact_units(contacts, tuple(positions.values())),
        sensor=tuple(readings),
        sensor_units=tuple(readings.values()),
    )


def units_by_name(plant: MultibodyPlant) -> dict[str, dict[str, str]]:
    """Units of a machine's positions, velocities and efforts, by the names of each."""
    joints = [actuator.joint() for actuator in actuators_of(plant)]
    efforts = ["N" if joint.type_name() == "prismatic" else "N m" for joint in joints]
    positions, velocities = zip(coordinate_names(plant), coordinate_units(plant), strict=True)
    every = {"positions": positions, "velocities": velocities}
    every["efforts"] = actuator_names(plant), efforts
    return {group: dict(zip(*of, strict=True)) for group, of in every.items()}


def _contact_units(contacts: ContactSet, q_units: Sequence[str]) -> tuple[str, ...]:
    """Units of the gaps: metres, those of the coordinate at a joint limit, none in a dry joint."""
    joints = [q_units[limit.position] for limit in contacts.limits]
    joints += ["1"] * len(contacts.frictions)
    return ("m",) * (len(contacts.names) - len(joints)) + tuple(joints)
