"""Level ground under a model that has none of its own: where it would stand in a posture.

Frames: W world, C contact. The ground's normal is W's z.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from pydrake.geometry import Box, Cylinder, Meshcat, Rgba, Role, SceneGraph
from pydrake.math import RigidTransform
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import Context

from footfall.arrays import Array
from footfall.errors import ModelError
from footfall.feet.balance import support_polygon
from footfall.plants.contacts.contact_set import GroundShape
from footfall.plants.contacts.ground import GroundPoints
from footfall.plants.contacts.shapes import points_of_shape
from footfall.plants.kinematics import Kinematics

_TOUCHING = 1e-3  # m above the lowest point: what is so near stands on the ground, too
_GROUND, _TOUCHED = Rgba(0.62, 0.66, 0.6, 0.75), Rgba(0.0, 0.62, 0.45)
_SIDE, _THICK = 8.0, 0.02  # of the plate, over the length of an arrow of one weight
_RADIUS, _HIGH = 0.07, 0.02  # of a mark, likewise


@dataclass(frozen=True)
class Standing:
    """Height of the ground in W [m], and where links stand on it, (n, 3) [m] each, by name."""

    height: float
    p_WC: dict[str, Array]


class GroundBelow:
    """Finds the lowest points of all shapes that may collide."""

    def __init__(self, plant: MultibodyPlant, scene_graph: SceneGraph) -> None:
        """Take a model; shapes that cannot stand on a ground, such as another one, are left out."""
        self._plant, self._kinematics = plant, Kinematics(plant)
        shapes = _shapes(plant, scene_graph)
        self._links = [shape.body.name() for shape in shapes for _ in range(len(shape.points))]
        self._points = GroundPoints(shapes, self._kinematics, RigidTransform())

    def at(self, context: Context) -> Standing | None:
        """Return the ground at a context of the plant; None for a model without such shapes."""
        if not self._links:
            return None
        self._kinematics.place(context, self._plant.GetPositions(context))
        height, p_WC = self._points.measure(self._kinematics.poses, len(self._links))
        lowest = float(height.min())
        standing: dict[str, list[Array]] = {}
        for k in np.flatnonzero(height <= lowest + _TOUCHING):
            standing.setdefault(self._links[k], []).append(p_WC[k])
        return Standing(lowest, {link: _corners(points) for link, points in standing.items()})


class GroundPlate:
    """A plate with marks where links stand on it, at a Meshcat path."""

    def __init__(self, meshcat: Meshcat, path: str, length: float) -> None:
        """Take the length of an arrow of one weight [m]; nothing is drawn before ``draw``."""
        self._meshcat, self._path, self._length = meshcat, path, length
        meshcat.Delete(path)

    def draw(self, standing: Standing | None, centre: Array) -> None:
        """Draw it below a centre of mass (3,) in W [m]."""
        if standing is None:
            return
        side, thick = _SIDE * self._length, _THICK * self._length
        plate = f"{self._path}/plate"
        if not self._meshcat.HasPath(plate):
            self._meshcat.SetObject(plate, Box(side, side, thick), _GROUND)
        place = [centre[0], centre[1], standing.height - 0.5 * thick]
        self._meshcat.SetTransform(plate, RigidTransform(place))
        marks = f"{self._path}/marks"
        self._meshcat.Delete(marks)
        disc = Cylinder(_RADIUS * self._length, _HIGH * self._length)
        for k, p_WC in enumerate(np.vstack(list(standing.p_WC.values()))):
            self._meshcat.SetObject(f"{marks}/{k}", disc, _TOUCHED)
            on_top = [p_WC[0], p_WC[1], standing.height]
            self._meshcat.SetTransform(f"{marks}/{k}", RigidTransform(on_top))


def _shapes(plant: MultibodyPlant, scene_graph: SceneGraph) -> list[GroundShape]:
    inspector = scene_graph.model_inspector()
    found: list[GroundShape] = []
    first = 0
    for geometry in inspector.GetAllGeometryIds(Role.kProximity):
        try:
            points = points_of_shape(inspector, geometry)
        except ModelError:
            continue
        body = plant.GetBodyFromFrameId(inspector.GetFrameId(geometry))
        found.append(GroundShape(body, geometry, points, first))
        first += len(points)
    return found


def _corners(points: Sequence[Array]) -> Array:
    """Return the corners (n, 3) of the hull of points (3,), of which a sole may have many."""
    p_WC = np.array(points)
    corners = support_polygon(p_WC[:, :2])
    return np.column_stack((corners, np.full(len(corners), p_WC[:, 2].min())))
