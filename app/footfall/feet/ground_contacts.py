"""Contacts of a robot's links with the ground and with scenery that is fixed to the world."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from pydrake.multibody.plant import MultibodyPlant

from footfall.arrays import Array, Indices
from footfall.plants.contacts import ContactSet
from footfall.plants.names import require_frames


@dataclass(frozen=True)
class GroundContacts:
    """Table of the n contacts that a run reports, in their order.

    body (n,): index of the link that meets the ground or scenery, -1 for every other contact. sign
    (n,): -1 where the reported impulse is the one on the scenery, else 1. mu, mu_static, side (n,):
    coefficients; where the points of a contact differ, the largest.
    """

    body: Indices
    sign: Array
    mu: Array
    mu_static: Array
    side: Array


def ground_contacts(plant: MultibodyPlant, contacts: ContactSet) -> GroundContacts:
    """Find the contacts with the ground and with scenery among all of a contact set."""
    body = np.full(len(contacts.names), -1, dtype=np.int64)
    sign = np.ones(len(contacts.names))
    for shape in contacts.ground:
        places = contacts.reported_as[shape.first : shape.first + len(shape.points)]
        body[places] = int(shape.body.index())
    for pair in contacts.pairs:
        fixed = [plant.IsAnchored(one) for one in (pair.body_a, pair.body_b)]
        if sum(fixed) == 1:
            place = contacts.reported_as[pair.first]
            body[place] = int((pair.body_b if fixed[0] else pair.body_a).index())
            sign[place] = -1.0 if fixed[0] else 1.0
    return GroundContacts(
        body,
        sign,
        _largest(contacts, contacts.mu),
        _largest(contacts, contacts.mu_static),
        _largest(contacts, contacts.side),
    )


def loads_by_link(plant: MultibodyPlant, contacts: ContactSet, links: Sequence[str]) -> Array:
    """Return the rows (links, 3 n) that sum normal impulses of links on ground and scenery."""
    table = ground_contacts(plant, contacts)
    rows = np.zeros((len(links), 3 * len(contacts.names)))
    for k, body in enumerate(require_frames(plant, links)):
        own = np.flatnonzero(table.body == int(body.body().index()))
        rows[k, 3 * own] = 1.0
    return rows


def _largest(contacts: ContactSet, values: Array) -> Array:
    """Largest value of the points of each reported contact, (n,)."""
    found = np.zeros(len(contacts.names))
    np.maximum.at(found, contacts.reported_as, values)
    return found
