"""Contacts that a whole-body controller stands on: corners of a link in a friction pyramid."""

from dataclasses import dataclass

import numpy as np

from footfall.arrays import Array
from footfall.checked import Checked, positive, vectors


@dataclass
class Contact(Checked, at="the contact of '{self.link}': "):
    """Corners of a link that bear on the ground: one is a point, two a line, more a patch."""

    # The link.
    link: str = ""
    # Its corners, in the link's frame [m].
    corners: list[list[float]] = vectors([])
    # Friction coefficient that forces stay below; absent: the controller's.
    friction: float | None = positive(None)
    # Largest normal force that it is loaded with [N]; absent: three weights of the robot.
    largest_force: float | None = positive(None)
    # Name by which targets open and close it, where a link has several; empty: the link's.
    name: str = ""

    @property
    def label(self) -> str:
        """Its name, or that of its link."""
        return self.name or self.link


def friction_edges(mu: float) -> Array:
    """Return the edges of the pyramid inside the friction cone of mu about z, columns (3, 4).

    A force within it is a sum of edges with multipliers that are not negative, whose sum is the
    normal force.
    """
    side = mu / np.sqrt(2.0)
    return np.array([[side, side, -side, -side], [side, -side, side, -side], [1.0, 1.0, 1.0, 1.0]])
