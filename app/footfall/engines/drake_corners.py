"""Points by which shapes meet the ground in Drake's plant, as they do in the rigid engine.

Drake's point contact gives two shapes one point. A box that lies flat then rests on a point that
wanders, and tips about it. So small spheres are put where the rigid engine lets a shape touch. They
meet planes, boxes and hulls that are fixed to the world, and nothing else. The shape itself meets
all the rest, and what its points may miss: the corners of fixed boxes, and the plane with the rim
of a cylinder.

Frames: B body, G geometry, C contact point.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from pydrake.geometry import (
    Box,
    CollisionFilterDeclaration,
    Convex,
    Cylinder,
    GeometryId,
    GeometrySet,
    Mesh,
    ProximityProperties,
    Role,
    SceneGraph,
    SceneGraphInspector,
    Sphere,
)
from pydrake.math import RigidTransform
from pydrake.multibody.plant import MultibodyPlant

from footfall.arrays import Array
from footfall.plants.contacts import ContactSet
from footfall.plants.contacts.shapes import points_of_shape
from footfall.plants.loading.load import Model

_RIM = 8  # points of an end of a cylinder
# of the radius: a cylinder that rolls on its side does not run over the points of its rims
_WITHIN_RIM = 0.99


@dataclass
class Corners:
    """Spheres at points of shapes.

    of_shape: the engine's geometries by the oracle's shape, in the order of its points.
    """

    oracle: Model
    contacts: ContactSet
    of_shape: dict[GeometryId, tuple[GeometryId, ...]] = field(default_factory=dict)

    def register(self, plant: MultibodyPlant) -> None:
        """Add the spheres to a plant that is not finalized, with the materials of the shapes."""
        inspector = self.oracle.scene_graph.model_inspector()
        for geometry in self._partners:
            points, radius = _points(inspector, geometry)
            if len(points) < 2:
                continue
            frame = inspector.GetFrameId(geometry)
            body = plant.get_body(self.oracle.plant.GetBodyFromFrameId(frame).index())
            name = inspector.GetName(geometry).rpartition("::")[2]
            properties = ProximityProperties(inspector.GetProximityProperties(geometry))
            self.of_shape[geometry] = tuple(
                plant.RegisterCollisionGeometry(
                    body, RigidTransform(p_BC), Sphere(radius), f"{name}/corner_{k}", properties
                )
                for k, p_BC in enumerate(points)
            )

    def filter(self, scene_graph: SceneGraph, match: Mapping[GeometryId, Sequence[GeometryId]]) -> None:
        """Let the spheres meet what they are to; match: the engine's shapes first, by the oracle's."""
        filters = scene_graph.collision_filter_manager()
        inspector = scene_graph.model_inspector()
        everything = set(inspector.GetAllGeometryIds(Role.kProximity))
        terrain = match[self.contacts.terrain][0]
        of_shapes = self._partners
        for geometry, own in self.of_shape.items():
            partners = {match[other][0] for other in of_shapes[geometry]}
            others = everything.difference(partners)
            apart = CollisionFilterDeclaration().ExcludeBetween(
                GeometrySet(list(own)), GeometrySet(sorted(others, key=_number))
            )
            if terrain in partners and not isinstance(
                inspector.GetShape(match[geometry][0]), Cylinder
            ):
                apart.ExcludeBetween(GeometrySet([match[geometry][0]]), GeometrySet([terrain]))
            filters.Apply(apart)

    @property
    def _partners(self) -> Mapping[GeometryId, Sequence[GeometryId]]:
        """Planes, boxes and hulls fixed to the world that each shape may meet."""
        inspector = self.oracle.scene_graph.model_inspector()
        partners: dict[GeometryId, list[GeometryId]] = defaultdict(list)
        for shape in self.contacts.ground:
            partners[shape.geometry].append(self.contacts.terrain)
        for pair in self.contacts.pairs:
            sides = (pair.a, pair.body_b, pair.b), (pair.b, pair.body_a, pair.a)
            for own, body, other in sides:
                flat = isinstance(inspector.GetShape(other), Box | Convex | Mesh)
                if flat and self.oracle.plant.IsAnchored(body):
                    partners[own].append(other)
        return partners


def _number(geometry: GeometryId) -> int:
    return int(geometry.get_value())


def _points(inspector: SceneGraphInspector, geometry: GeometryId) -> tuple[Array, float]:
    """Points (k, 3) of a shape in its body's frame, and their radius."""
    shape, points = inspector.GetShape(geometry), points_of_shape(inspector, geometry)
    if not isinstance(shape, Cylinder):
        return points.fixed, points.radius
    angles = np.linspace(0.0, 2.0 * np.pi, _RIM, endpoint=False)
    across = _WITHIN_RIM * shape.radius()
    rim = np.column_stack((across * np.cos(angles), across * np.sin(angles), np.zeros(_RIM)))
    X_BG = inspector.GetPoseInFrame(geometry)
    ends = [rim + [0.0, 0.0, side * shape.length()] for side in (-0.5, 0.5)]
    return X_BG.multiply(np.vstack(ends).T).T, 0.0
