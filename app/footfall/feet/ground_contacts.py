"""Contacts of a robot's links with the ground and with scenery that is fixed to the world.

Over uneven ground, heights are those over its surface, and not over its plane.

Frames: W world, T terrain, C the point of a contact.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import xarray as xr
from pydrake.math import RigidTransform
from pydrake.multibody.plant import MultibodyPlant

from footfall.arrays import Array, Flags, Indices
from footfall.plants.contacts import ContactSet
from footfall.plants.loading.load import Model
from footfall.plants.names import require_frames
from footfall.plants.terrain import Surface


@dataclass(frozen=True)
class UnevenGround:
    """Uneven ground, and which of the reported contacts (n,) are points over its plane."""

    surface: Surface
    X_WT: RigidTransform
    over_plane: Flags

    def heights(self, p_WC: Array) -> Array:
        """Height (k,) of the ground over its plane at points (k, 3) in W, along its normal [m]."""
        p_TC = self.X_WT.inverse().multiply(p_WC.T).T
        return self.surface.heights(p_TC)

    def gaps(self, data: xr.Dataset, contacts: Indices) -> Array:
        """Recorded gaps (N, k) [m] of some contacts, over the plane straight to the surface."""
        gap: Array = data["gap"].isel(contact=contacts).to_numpy().copy()
        places = data["contact_point"].isel(contact=contacts).to_numpy()
        for k in np.flatnonzero(self.over_plane[contacts]):
            known = np.isfinite(places[:, k]).all(axis=1)
            gap[known, k] -= self.heights(places[known, k])
        return gap


def uneven_ground(model: Model, contacts: ContactSet) -> UnevenGround | None:
    """Return the ground of a model, None if it is a plane."""
    if model.surface is None:
        return None
    over_plane = np.zeros(len(contacts.names), dtype=np.bool_)
    over_plane[contacts.reported_as[: contacts.num_ground]] = True
    return UnevenGround(model.surface, model.spec.terrain.X_WTerrain(), over_plane)


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
    largest = np.zeros(len(contacts.names))
    np.maximum.at(largest, contacts.reported_as, values)
    return largest
