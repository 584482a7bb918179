"""Heights over uneven ground of what is measured over its plane.

Frames: W world, T terrain, C the point of a contact.
"""

from dataclasses import dataclass

import numpy as np
import xarray as xr
from pydrake.math import RigidTransform

from footfall.arrays import Array, Flags, Indices
from footfall.plants.contacts import ContactSet
from footfall.plants.loading.load import Model
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
