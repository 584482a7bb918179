"""The ground: an inclined half-space with dry friction, uneven pieces on it, gravity along it.

All engines collide with the same convex pieces, which stand on the plane z = 0 of T.

Frames: W world (z up), T terrain (origin of W, z the outward normal of the ground, x up the slope
when the angle is positive).
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from pydrake.common import MemoryFile
from pydrake.geometry import (
    AddContactMaterial,
    Box,
    Convex,
    HalfSpace,
    InMemoryMesh,
    Mesh,
    ProximityProperties,
    Shape,
)
from pydrake.math import RigidTransform, RotationMatrix
from pydrake.multibody.plant import CoulombFriction, MultibodyPlant
from pydrake.multibody.tree import FixedOffsetFrame, Frame

from footfall.arrays import Array
from footfall.checked import Checked, between
from footfall.errors import ModelError, ScenarioError
from footfall.plants.messages import silence_answered_warnings

MOST_PIECES = 2000
"""Of a ground: with more, Drake needs longer to look for contacts than for anything else."""

_DEEP = 0.1  # m: how far pieces reach below the plane at least
_FLAT = 1e-9  # of the size of a grid: heights that lie on one plane
FRAME_NAME = "terrain"
SURFACE = "terrain::surface"
"""Model and link that hold the pieces of uneven ground."""

# far beyond any surface; beyond it mu |u_T| drowns u_n in the arithmetic that judges a solution
LARGEST_FRICTION = 1e4
_SLAB_SIZE = (200.0, 6.0, 0.02)  # m: longer than a walk of a minute, thin enough to see beneath
_SLAB_RGBA = (0.82, 0.82, 0.80, 1.0)
SURFACE_RGBA = (0.72, 0.70, 0.64, 1.0)
_LEVEL = 1e-9  # rad: rounding


@dataclass(frozen=True)
class Piece:
    """A column of ground: the corners of its flat top (k, 3) in T, in order around it."""

    top: Array

    def shape(self, bottom: float, label: str) -> tuple[Shape, RigidTransform]:
        """Its shape down to a height, and the pose of that shape in T; upright boxes are boxes."""
        low, high = self.top.min(axis=0), self.top.max(axis=0)
        level = np.ptp(self.top[:, 2]) == 0.0 and len(self.top) == 4
        if level and np.isin(self.top[:, :2], [low[:2], high[:2]]).all():
            size = np.array([high[0] - low[0], high[1] - low[1], high[2] - bottom])
            middle = 0.5 * (low + high)
            middle[2] = 0.5 * (bottom + high[2])
            return Box(*size), RigidTransform(middle)
        foot = self.top.copy()
        foot[:, 2] = bottom
        return Convex(np.vstack((self.top, foot)).T, label), RigidTransform()

    @cached_property
    def slopes(self) -> tuple[float, float, float]:
        """Coefficients a, b, c of the top's plane, z = a + b x + c y."""
        normal = np.cross(self.top[1] - self.top[0], self.top[2] - self.top[0])
        b, c = -normal[:2] / normal[2]
        corner = self.top[0]
        return float(corner[2] - b * corner[0] - c * corner[1]), float(b), float(c)

    def contains(self, x: Array, y: Array) -> npt.NDArray[np.bool_]:
        """Return which points (n,) lie over the top, its edge included."""
        inside = np.ones(len(x), dtype=bool)
        for start, end in zip(self.top, np.roll(self.top, -1, axis=0), strict=True):
            edge = end - start
            inside &= edge[0] * (y - start[1]) - edge[1] * (x - start[0]) >= 0.0
        return inside


@dataclass(frozen=True)
class Surface:
    """Pieces of uneven ground on the plane z = 0, which goes on around them.

    Raises ScenarioError for more than ``MOST_PIECES``.
    """

    pieces: tuple[Piece, ...]

    def __post_init__(self) -> None:
        """Refuse what would take too long."""
        if len(self.pieces) > MOST_PIECES:
            raise ScenarioError(
                f"terrain: the ground has {len(self.pieces)} pieces that are not flat together, "
                f"more than {MOST_PIECES}: make it coarser or smaller."
            )

    @property
    def bottom(self) -> float:
        """Height to which pieces reach down: below the plane, so that none is thin."""
        return -max(_DEEP, self.highest)

    @cached_property
    def highest(self) -> float:
        """Height of the highest point, not below 0."""
        return max((float(piece.top[:, 2].max()) for piece in self.pieces), default=0.0)

    def heights(self, points: Array) -> Array:
        """Height (n,) of the ground straight below or above points, (n, 2) or (n, 3) [m]."""
        x, y = points[:, 0], points[:, 1]
        heights = np.zeros(len(points))
        if not self.pieces or len(points) == 0:
            return heights
        near = self._lows <= np.fmax.reduce(points[:, :2], axis=0)
        near &= self._highs >= np.fmin.reduce(points[:, :2], axis=0)
        for k in np.flatnonzero(near.all(axis=1)):
            low, high, piece = self._lows[k], self._highs[k], self.pieces[k]
            at = np.flatnonzero((x >= low[0]) & (x <= high[0]) & (y >= low[1]) & (y <= high[1]))
            at = at[piece.contains(x[at], y[at])]
            a, b, c = piece.slopes
            heights[at] = np.maximum(heights[at], a + b * x[at] + c * y[at])
        return heights

    @cached_property
    def _lows(self) -> Array:
        return np.array([piece.top[:, :2].min(axis=0) for piece in self.pieces])

    @cached_property
    def _highs(self) -> Array:
        return np.array([piece.top[:, :2].max(axis=0) for piece in self.pieces])

    def mesh(self) -> Mesh:
        """The tops and the walls of the pieces, to look at."""
        lines: list[str] = []
        first = 1
        for piece in self.pieces:
            top, count = piece.top, len(piece.top)
            foot = top.copy()
            foot[:, 2] = 0.0
            normal = np.cross(top[1] - top[0], top[2] - top[0])
            normal = normal / np.linalg.norm(normal)
            lines += [f"v {x:.6g} {y:.6g} {z:.6g}" for x, y, z in (*top, *foot)]
            lines.append("vn {:.6g} {:.6g} {:.6g}".format(*normal))
            lines.append("f " + " ".join(f"{first + k}//-1" for k in range(count)))
            for k in range(count):
                ends = (first + k, first + (k + 1) % count)
                walls = (ends[0], ends[0] + count, ends[1] + count, ends[1])
                out = top[(k + 1) % count] - top[k]
                lines.append(f"vn {out[1]:.6g} {-out[0]:.6g} 0")
                lines.append("f " + " ".join(f"{corner}//-1" for corner in walls))
            first += 2 * count
        text = "\n".join(lines) + "\n"
        return Mesh(InMemoryMesh(mesh_file=MemoryFile(text, ".obj", "terrain")))


def grid_surface(x: Array, y: Array, heights: Array) -> Surface:
    """Return the surface through heights (len(y), len(x)) at points of a grid, x and y rising.

    A cell whose corners lie on one plane is flat, and so are rectangles of such cells; another is
    cut from its corner of least x and y to the opposite one. What lies at 0 is the plane.
    """
    size = max(np.ptp(x), np.ptp(y), np.ptp(heights))
    free = np.ones((len(y) - 1, len(x) - 1), dtype=bool)
    pieces: list[Piece] = []
    for i, j in np.ndindex(*free.shape):
        if not free[i, j]:
            continue
        up, right = _flat_cells(x, y, heights, free, (i, j), _FLAT * size)
        free[i : i + up, j : j + right] = False
        corners = [(i, j), (i, j + right), (i + up, j + right), (i + up, j)]
        top = np.array([[x[b], y[a], heights[a, b]] for a, b in corners])
        halves = [top] if _is_flat(top, _FLAT * size) else [top[[0, 1, 2]], top[[0, 2, 3]]]
        pieces += [Piece(half) for half in halves if half[:, 2].max() > _FLAT * size]
    return Surface(tuple(pieces))


def _is_flat(top: Array, within: float) -> bool:
    return abs(float(top[0, 2] - top[1, 2] + top[2, 2] - top[3, 2])) <= within


def _flat_cells(
    x: Array,
    y: Array,
    heights: Array,
    free: npt.NDArray[np.bool_],
    first: tuple[int, int],
    within: float,
) -> tuple[int, int]:
    """Count the rows and columns from a cell on that lie on its plane: first right, then up."""
    i, j = first
    slope_x = (heights[i, j + 1] - heights[i, j]) / (x[j + 1] - x[j])
    slope_y = (heights[i + 1, j] - heights[i, j]) / (y[i + 1] - y[i])
    plane = heights[i, j] + np.add.outer(slope_y * (y[i:] - y[i]), slope_x * (x[j:] - x[j]))
    on = np.abs(heights[i:, j:] - plane) <= within
    flat = on[:-1, :-1] & on[1:, :-1] & on[:-1, 1:] & on[1:, 1:] & free[i:, j:]
    if not flat[0, 0]:
        return 1, 1
    right = int(np.argmin(np.append(flat[0], False)))
    up = int(np.argmin(np.append(flat[:, :right].all(axis=1), False)))
    return up, right


def box_surface(boxes: Iterable[tuple[Array, Array, float]]) -> Surface:
    """Return the surface of upright boxes: the two ends along x, the two along y, the height."""
    tops = []
    for (x0, x1), (y0, y1), height in boxes:
        tops.append(
            Piece(np.array([[a, b, height] for a, b in [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]]))
        )
    return Surface(tuple(tops))


@dataclass
class Ground(Checked, at="terrain."):
    """An inclined plane through the origin of the world, and what may stand on it.

    Raises ScenarioError for NaN, |slope_deg| >= 90 and negative friction.
    """

    # Inclination in the x-z plane, degrees: positive rises towards +x, -5 falls towards +x.
    slope_deg: float = between(
        0.0, -90.0, 90.0, "give an angle between -90 and 90 degrees", open_low=True, open_high=True
    )
    # Coulomb coefficient of the ground; a pair gets 2 a b / (a + b) with that of the other body.
    friction: float = between(1.0, 0.0, LARGEST_FRICTION)
    # The same for what does not slide, combined likewise; absent: as friction.
    static_friction: float | None = None
    # Whether animations show it: a slab with marks across. False where a model brings a ground to
    # look at.
    visible: bool = True

    def __post_init__(self) -> None:
        """Refuse what is no ground."""
        super().__post_init__()
        if self.static_friction is not None and not (
            self.friction <= self.static_friction <= LARGEST_FRICTION
        ):
            raise self.refusal(
                f"static_friction is {self.static_friction}: give a number from terrain.friction, "
                f"{self.friction:g}, to {LARGEST_FRICTION:g}"
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


def slope_and_gravity(plant: MultibodyPlant) -> tuple[float, float]:
    """Return the angle [rad] by which the terrain falls towards +x, and gravity [m/s^2]."""
    g_T = _gravity_in_terrain(plant)
    return math.atan2(g_T[0], -g_T[2]), float(np.linalg.norm(g_T))


def level_gravity(plant: MultibodyPlant, ground: str, weight: str) -> float:
    """Return gravity [m/s^2] of a machine that is known on level ground only.

    ground, weight: what the machine does on the one and by the other, for the ModelError that a
    slope and a missing gravity raise.
    """
    g_T = _gravity_in_terrain(plant)
    if not abs(g_T[0]) <= _LEVEL * abs(g_T[2]):
        slope = math.degrees(math.atan2(-g_T[0], -g_T[2]))  # as scenarios count it: it rises
        raise ModelError(f"{ground}, this one slopes by {slope:.3g} degrees.")
    if not g_T[2] < 0.0:
        raise ModelError(f"{weight}: set gravity above 0.")
    return float(-g_T[2])


def ground_axes(plant: MultibodyPlant) -> RotationMatrix:
    """Return R_WT; its third column is the normal of the ground."""
    terrain: Frame = plant.GetFrameByName(FRAME_NAME)
    return terrain.CalcRotationMatrixInWorld(plant.CreateDefaultContext())


def _gravity_in_terrain(plant: MultibodyPlant) -> Array:
    field = plant.gravity_field().gravity_vector()
    return np.asarray(ground_axes(plant).inverse().multiply(field))
