"""Contacts with the ground that bore a load, and their sums by foot.

Frames: W world, T terrain; contact axes [n, t, s] as in ``footfall.plants.contacts.axes``.
"""

from dataclasses import dataclass

import numpy as np
import xarray as xr

from footfall.arrays import Array
from footfall.contact import Mode
from footfall.feet.gait import Flags
from footfall.feet.ground_contacts import GroundContacts, Indices
from footfall.plants.contacts.axes import axes_in_terrain
from footfall.trajectory.sparse_array import bore_ever


@dataclass(frozen=True)
class Loads:
    """One entry for every step and contact with an impulse, in the order of the steps.

    row, contact (k,): of the trajectory. force_W (k, 3): mean over the step, on the robot [N].
    normal (k,): its part along the contact's normal [N]. friction_W (k, 3): the rest, with what
    lies along s over the side coefficient [N]; bound (k,): what friction may be at most [N].
    place_W (k, 3) [m]. slip (k,): speed along the ground at the end of the step [m/s].
    """

    row: Indices
    contact: Indices
    force_W: Array
    normal: Array
    friction_W: Array
    bound: Array
    place_W: Array
    slip: Array

    def only(self, kept: Indices) -> "Loads":
        """The entries at some places."""
        return Loads(**{name: getattr(self, name)[kept] for name in self.__dataclass_fields__})


def loads_of(data: xr.Dataset, ground: GroundContacts, bearing: Flags, R_WT: Array) -> Loads:
    """Collect what bore on the ground in a trajectory.

    bearing (n,): contacts that count. R_WT (3, 3): of the terrain.
    """
    columns = np.flatnonzero(bearing & bore_ever(data))  # few of a robot of many corners
    data = data.isel(contact=columns)
    impulse = data["impulse"].to_numpy()
    steps = np.diff(data["time"].to_numpy(), prepend=np.nan)
    acts = np.isfinite(impulse).all(axis=2) & impulse.any(axis=2) & (steps > 0.0)[:, None]
    row, column = np.nonzero(acts)
    contact = columns[column]
    forces = impulse[row, column] / steps[row, None]
    n_W = data["contact_normal"].to_numpy()[row, column]
    known = np.isfinite(n_W).all(axis=1, keepdims=True)
    axes_W = axes_in_terrain(np.where(known, n_W, R_WT[:, 2]), R_WT)
    velocity = data["contact_velocity"].to_numpy()[row, column]
    ratio = np.stack((np.zeros(len(row)), np.ones(len(row)), 1.0 / ground.side[contact]), axis=1)
    mu = ground.mu[contact]
    if data.attrs.get("engine") == "moreau":  # the other engines know no static friction
        sticks = data["mode"].to_numpy()[row, column] == Mode.STICK
        mu = np.where(sticks, ground.mu_static[contact], mu)
    sign = ground.sign[contact, None]
    return Loads(
        row=row,
        contact=contact,
        force_W=sign * np.einsum("kij,kj->ki", axes_W, forces),
        normal=forces[:, 0],
        friction_W=sign * np.einsum("kij,kj->ki", axes_W, ratio * forces),
        bound=mu * forces[:, 0],
        place_W=data["contact_point"].to_numpy()[row, column],
        slip=np.linalg.norm(velocity[:, 1:], axis=1),
    )


def summed(values: Array, row: Indices, group: Indices, shape: tuple[int, int]) -> Array:
    """Sum values (k,) or (k, d) by row and group into an array of a shape (rows, groups[, d])."""
    place = row * shape[1] + group
    total = np.zeros((shape[0] * shape[1], *values.shape[1:]))
    np.add.at(total, place, values)
    return total.reshape(*shape, *values.shape[1:])
