"""Contacts of a plant: with the ground, between bodies, at joint limits, in dry joints."""

from footfall.plants.contacts.collect import collect_contacts, terrain_of
from footfall.plants.contacts.contact_set import (
    BodyPair,
    ContactSet,
)
from footfall.plants.contacts.material import ContactMaterial, PairRule
from footfall.plants.contacts.swing_foot_filter import SwingFeet

__all__ = [
    "BodyPair",
    "ContactMaterial",
    "ContactSet",
    "PairRule",
    "SwingFeet",
    "collect_contacts",
    "terrain_of",
]
