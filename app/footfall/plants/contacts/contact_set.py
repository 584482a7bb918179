"""All contacts that a machine may have, in a fixed order."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from pydrake.geometry import GeometryId
from pydrake.multibody.tree import RigidBody

from footfall.arrays import Array
from footfall.contact import coefficients
from footfall.plants.contacts.shapes import HULL, MANY, ShapePoints, Solid, most_corners
from footfall.plants.contacts.swing_foot_filter import SwingFootFilter
from footfall.plants.coordinates import JointLimit


@dataclass(frozen=True)
class GroundShape:
    """A shape against the ground; its points are contacts first to first + len(points) - 1."""

    body: RigidBody
    geometry: GeometryId
    points: ShapePoints
    first: int


@dataclass(frozen=True)
class BodyPair:
    """Two shapes of bodies; ``first`` is the first of its contacts.

    Its contacts are the corners of the area in common, so many as there may be; which is which
    changes as the bodies move. solid_a, solid_b: the shapes, in the frames of their bodies.
    on_surface: whether b is a piece of a surface, which is fixed to the world; all pairs of a shape
    and such pieces have one name.
    """

    name: str
    body_a: RigidBody
    body_b: RigidBody
    a: GeometryId
    b: GeometryId
    solid_a: Solid
    solid_b: Solid
    first: int
    on_surface: bool = False

    def __len__(self) -> int:
        """Count the contacts that the pair may have."""
        of_a, of_b = most_corners(self.solid_a), most_corners(self.solid_b)
        if min(of_a, of_b) == 1:
            return 1
        # edges: the ends of what they have in common and their crossing; faces: cutting one outline
        # by another leaves no more corners than both have
        return 3 if min(of_a, of_b) == 2 else of_a + of_b

    @property
    def is_intricate(self) -> bool:
        """Return whether a shape is round, or both together have too many pairs of edges."""
        kinds = max(self.solid_a.kind, self.solid_b.kind)
        return kinds != HULL or len(self.solid_a.edges) * len(self.solid_b.edges) > MANY


@dataclass(frozen=True)
class JointFriction:
    """Dry friction of a joint: at most ``effort`` [N m or N] against the rate v[velocity]."""

    name: str
    velocity: int
    effort: float


@dataclass(frozen=True)
class ContactSet:
    """All contacts of a machine: on the ground, between bodies, at joint limits, in dry joints.

    names: one a contact that is reported; a pair of bodies is one, however many points it has, and
    so is a shape with all pieces of a surface, ``robot::wheel|track::bump``.
    reported_as (n,): the name's index of each of the n points, limits and dry joints that the
    engine knows, which is what ``len`` counts. ``dim`` is 2 when no motion of the plant moves a
    body out of the x-z plane of the terrain (planar machine), else 3.

    All (n,): mu, coefficient of sliding along t; mu_static, of sticking, not below mu; side, the
    coefficients along s over those along t; restitution e_n; tangential_restitution e_t. Joint
    limits have mu = 0, dry joints mu = 1 under a given normal impulse.

    terrain: the geometry of the ground. geometry_friction: coefficient of sliding of each collision
    geometry that may touch, before rules for single pairs. swing_foot_filter: of two feet that take
    turns, if there are such.
    """

    names: tuple[str, ...]
    reported_as: npt.NDArray[np.int64]
    ground: tuple[GroundShape, ...]
    pairs: tuple[BodyPair, ...]
    limits: tuple[JointLimit, ...]
    frictions: tuple[JointFriction, ...]
    mu: Array
    mu_static: Array
    side: Array
    restitution: Array
    tangential_restitution: Array
    dim: int
    terrain: GeometryId
    geometry_friction: Mapping[GeometryId, float]
    swing_foot_filter: SwingFootFilter | None = None

    def __len__(self) -> int:
        """Count the points, limits and dry joints."""
        return len(self.reported_as)

    @cached_property
    def num_ground(self) -> int:
        """Count the points against the ground, which come first."""
        return sum(len(shape.points) for shape in self.ground)

    @cached_property
    def num_touching(self) -> int:
        """Count the contacts of surfaces, which come before joint limits and joint friction."""
        return self.num_ground + sum(len(pair) for pair in self.pairs)

    def coefficients(self) -> Array:
        """Return the coefficients of each point, (n, columns of footfall.contact.coefficients)."""
        table = np.zeros((len(self), coefficients.COLUMNS))
        table[:, coefficients.MU] = self.mu
        table[:, coefficients.MU_STATIC] = self.mu_static
        table[:, coefficients.SIDE] = self.side
        table[:, coefficients.E_N] = self.restitution
        table[:, coefficients.E_T] = self.tangential_restitution
        dry = len(self) - len(self.frictions)
        table[dry:, coefficients.PRELOAD] = [friction.effort for friction in self.frictions]
        return table
