"""Contacts that a whole-body controller stands on: corners of a link in a friction pyramid."""

from dataclasses import dataclass, field

import numpy as np

from footfall.arrays import Array
from footfall.errors import ScenarioError


@dataclass
class Contact:
    """Corners of a link that bear on the ground: one is a point, two a line, more a patch."""

    # The link.
    link: str = ""
    # Its corners, in the link's frame [m].
    corners: list[list[float]] = field(default_factory=list)
    # Friction coefficient that forces stay below; absent: the controller's.
    friction: float | None = None
    # Largest normal force that it is loaded with [N]; absent: three weights of the robot.
    largest_force: float | None = None
    # Name by which targets open and close it, where a link has several; empty: the link's.
    name: str = ""

    @property
    def label(self) -> str:
        """Its name, or that of its link."""
        return self.name or self.link

    def __post_init__(self) -> None:
        """Refuse corners that are no points, and numbers that are not positive."""
        where = f"the contact of '{self.link}'"
        if not all(len(p) == 3 and np.isfinite(p).all() for p in self.corners):
            raise ScenarioError(f"{where}: give corners as [[x, y, z], ...] [m].")
        for name in ("friction", "largest_force"):
            value = getattr(self, name)
            if value is not None and not 0.0 < value < np.inf:
                raise ScenarioError(f"{where}: {name} is {value}: give a positive number.")


def friction_edges(mu: float) -> Array:
    """Return the edges of the pyramid inside the friction cone of mu about z, columns (3, 4).

    A force within it is a sum of edges with multipliers that are not negative, whose sum is the
    normal force.
    """
    side = mu / np.sqrt(2.0)
    return np.array([[side, side, -side, -side], [side, -side, side, -side], [1.0, 1.0, 1.0, 1.0]])
