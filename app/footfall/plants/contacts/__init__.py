"""Contacts of a plant: with the ground, between bodies, at joint limits, in dry joints."""

from footfall.plants.contacts.alternation import AlternatingFeet, Alternation
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

__all__ = [
    "AlternatingFeet",
    "Alternation",
    "BodyPair",
    "ContactMaterial",
    "ContactSet",
    "GroundShape",
    "JointFriction",
    "PairRule",
    "ShapePoints",
    "collect_contacts",
    "terrain_of",
]
