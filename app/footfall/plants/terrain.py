"""The ground: an inclined half-space with dry friction, what stands on it, its frame, its looks.

Frames: W world (z up), T terrain (origin of W, z the outward normal of the ground, x up the slope
when the angle is positive).
"""

import math
from dataclasses import dataclass

from pydrake.geometry import (
    AddContactMaterial,
    Box,
    HalfSpace,
    ProximityProperties,
)
from pydrake.math import RigidTransform, RotationMatrix
from pydrake.multibody.plant import CoulombFriction, MultibodyPlant
from pydrake.multibody.tree import FixedOffsetFrame

from footfall.errors import ScenarioError
from footfall.plants.drake_warnings import silence_answered_warnings
from footfall.plants.surface import Surface

FRAME_NAME = "terrain"
SURFACE = "terrain::surface"
"""Model and link that hold the pieces of uneven ground."""

# far beyond any surface; beyond it mu |u_T| drowns u_n in the arithmetic that judges a solution
LARGEST_FRICTION = 1e4
_SLAB_SIZE = (200.0, 6.0, 0.02)  # m: longer than a walk of a minute, thin enough to see beneath
_SLAB_RGBA = (0.82, 0.82, 0.80, 1.0)
SURFACE_RGBA = (0.72, 0.70, 0.64, 1.0)


@dataclass
class Ground:
    """An inclined plane through the origin of the world, and what may stand on it.

    Raises ScenarioError for NaN, |slope_deg| >= 90 and negative friction.
    """

    # Inclination in the x-z plane, degrees: positive rises towards +x, -5 falls towards +x.
    slope_deg: float = 0.0
    # Coulomb coefficient of the ground; a pair gets 2 a b / (a + b) with that of the other body.
    friction: float = 1.0
    # The same for what does not slide, combined likewise; absent: as friction.
    static_friction: float | None = None
    # Whether animations show it: a slab with marks across. False where a model brings a ground to
    # look at.
    visible: bool = True

    def __post_init__(self) -> None:
        if not (math.isfinite(self.slope_deg) and abs(self.slope_deg) < 90.0):
            raise ScenarioError(
                f"terrain.slope_deg is {self.slope_deg}: give an angle between -90 and 90 degrees."
            )
        check_friction("terrain.friction", self.friction)
        if self.static_friction is not None and not (
            self.friction <= self.static_friction <= LARGEST_FRICTION
        ):
            raise ScenarioError(
                f"terrain.static_friction is {self.static_friction}: give a number from "
                f"terrain.friction, {self.friction:g}, to {LARGEST_FRICTION:g}."
            )

    def X_WTerrain(self) -> RigidTransform:
        """Pose of the terrain frame in the world."""
        return RigidTransform(RotationMatrix.MakeYRotation(-math.radians(self.slope_deg)))

    @property
    def title(self) -> str:
        """The ground in some words; empty for the plane."""
        return ""

    def surface(self) -> Surface | None:
        """Return what makes the ground uneven; None for the plane itself."""
        return None


@dataclass
class Terrain(Ground):
    """An inclined plane through the origin of the world."""


def check_friction(name: str, value: float) -> None:
    """Raise ScenarioError unless a coefficient of friction is one that a solver can judge."""
    if not 0.0 <= value <= LARGEST_FRICTION:
        raise ScenarioError(f"{name} is {value}: give a number from 0 to {LARGEST_FRICTION:g}.")


def add_terrain(plant: MultibodyPlant, terrain: Ground) -> None:
    """Add the frame, the collision half-space and the visible slab of the ground to a plant.

    The plant must be registered with a SceneGraph and not be finalized. The frame and the
    collision geometry are both named "terrain"; they belong to the world body.
    """
    terrain.__post_init__()  # Drake's YAML reader fills fields in after they were checked
    silence_answered_warnings()
    X_WT = terrain.X_WTerrain()
    plant.AddFrame(FixedOffsetFrame(FRAME_NAME, plant.world_frame(), X_WT))
    properties = ProximityProperties()
    static = terrain.friction if terrain.static_friction is None else terrain.static_friction
    AddContactMaterial(friction=CoulombFriction(static, terrain.friction), properties=properties)
    plant.RegisterCollisionGeometry(plant.world_body(), X_WT, HalfSpace(), FRAME_NAME, properties)
    if terrain.visible:
        _add_slab(plant, X_WT)
    surface = terrain.surface()
    if surface is not None and surface.pieces:
        _add_surface(plant, X_WT, surface, properties, visible=terrain.visible)


def _add_surface(
    plant: MultibodyPlant,
    X_WT: RigidTransform,
    surface: Surface,
    properties: ProximityProperties,
    *,
    visible: bool,
) -> None:
    """Add a link that is fixed to the world with the pieces of uneven ground.

    They must not be the world's own: with the box around the half-space, which has no end, Drake's
    tree of boxes degenerates, and it crashes in balancing it from some seventy shapes on.
    """
    of_model, _, called = SURFACE.partition("::")
    link = plant.AddRigidBody(called, plant.AddModelInstance(of_model))
    plant.WeldFrames(plant.world_frame(), link.body_frame(), X_WT)
    for k, piece in enumerate(surface.pieces):
        name = f"{called}#{k}"
        shape, X_TPiece = piece.shape(surface.bottom, name)
        plant.RegisterCollisionGeometry(link, X_TPiece, shape, name, properties)
    if visible:
        look = list(SURFACE_RGBA)
        plant.RegisterVisualGeometry(link, RigidTransform(), surface.mesh(), "surface_visual", look)


def _add_slab(plant: MultibodyPlant, X_WT: RigidTransform) -> None:
    """Register a box whose upper face is the plane of the ground."""
    X_TSlab = RigidTransform([0.0, 0.0, -0.5 * _SLAB_SIZE[2]])
    plant.RegisterVisualGeometry(
        plant.world_body(), X_WT @ X_TSlab, Box(*_SLAB_SIZE), "terrain_visual", list(_SLAB_RGBA)
    )
