"""Contacts of a plant: with the ground, between bodies, at joint limits, in dry joints."""

from footfall.plants.contacts.alternation import AlternatingFeet, Alternation
from footfall.plants.contacts.collect import collect_contacts, terrain_of
from footfall.plants.contacts.contact_set import (
    BodyPair,
    ContactSet,
    GroundShape,
    JointFriction,
)
from footfall.plants.contacts.rules import PairRule, check_restitution
from footfall.plants.contacts.shapes import ShapePoints

__all__ = [
    "AlternatingFeet",
    "Alternation",
    "BodyPair",
    "ContactSet",
    "GroundShape",
    "JointFriction",
    "PairRule",
    "ShapePoints",
    "check_restitution",
    "collect_contacts",
    "terrain_of",
]
