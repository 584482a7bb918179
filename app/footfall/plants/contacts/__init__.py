"""Contacts of a plant: with the ground, between bodies, at joint limits, in dry joints."""

from footfall.plants.contacts.collect import collect_contacts, terrain_of
from footfall.plants.contacts.contact_set import (
    BodyPair,
    ContactSet,
    GroundShape,
    JointFriction,
)
from footfall.plants.contacts.material import ContactMaterial
from footfall.plants.contacts.rules import PairRule
from footfall.plants.contacts.shapes import ShapePoints
from footfall.plants.contacts.swing_foot_filter import SwingFeet, SwingFootFilter

__all__ = [
    "BodyPair",
    "ContactMaterial",
    "ContactSet",
    "GroundShape",
    "JointFriction",
    "PairRule",
    "ShapePoints",
    "SwingFeet",
    "SwingFootFilter",
    "collect_contacts",
    "terrain_of",
]
