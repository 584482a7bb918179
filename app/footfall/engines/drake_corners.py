"""Points by which shapes meet the ground in Drake's plant, as they do in the rigid engine.

Drake's point contact gives two shapes one point. A box that lies flat then rests on a point that
wanders, and tips about it. So small spheres are put where the rigid engine lets a shape touch. They
meet planes, boxes and hulls that are fixed to the world, and nothing else: no pieces of uneven
ground, which shapes meet as the file has them.

Against a plane they are all that a shape needs. Corners and edges of fixed boxes may reach between
them: there a core, the shape less a skin, holds, which does not touch where the points bear. A
cylinder, whose deepest point moves, meets the ground itself as well. Links meet links by the shapes
of the files.

Frames: B body, G geometry, C contact point.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from pydrake.geometry import (
    Box,
    Capsule,
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
    Shape,
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
# m, and of the smallest half size, around a core: deeper than points lie that stand near-rigidly
_SKIN, _OF_HALF = 2e-4, 0.05


@dataclass
class Corners:
    """Spheres at points of shapes.

    of_shape: the engine's geometries by the oracle's shape, in the order of its points; behind them
    the core of a shape that may meet boxes and hulls.
    """

    oracle: Model
    contacts: ContactSet
    of_shape: dict[GeometryId, tuple[GeometryId, ...]] = field(default_factory=dict)

    def register(self, plant: MultibodyPlant) -> None:
        """Add the spheres to a plant that is not finalized, with the materials of the shapes."""
        inspector = self.oracle.scene_graph.model_inspector()
        for geometry, partners in self._partners.items():
            points, radius = _points(inspector, geometry)
            if len(points) < 2:
                continue
            frame = inspector.GetFrameId(geometry)
            body = plant.get_body(self.oracle.plant.GetBodyFromFrameId(frame).index())
            name = inspector.GetName(geometry).rpartition("::")[2]
            properties = ProximityProperties(inspector.GetProximityProperties(geometry))
            added = [
                (RigidTransform(p_BC), Sphere(radius), f"{name}/corner_{k}")
                for k, p_BC in enumerate(points)
            ]
            core = _core(inspector, geometry)
            if core is not None and set(partners) != {self.contacts.terrain}:
                added.append((inspector.GetPoseInFrame(geometry), core, f"{name}/core"))
            self.of_shape[geometry] = tuple(
                plant.RegisterCollisionGeometry(body, *each, properties) for each in added
            )

    def filter(self, scene_graph: SceneGraph, match: Mapping[GeometryId, GeometryId]) -> None:
        """Let the spheres meet what they are to; match: the engine's shapes by the oracle's."""
        filters = scene_graph.collision_filter_manager()
        inspector = scene_graph.model_inspector()
        everything = set(inspector.GetAllGeometryIds(Role.kProximity))
        terrain = match[self.contacts.terrain]
        of_shapes = self._partners
        for geometry, own in self.of_shape.items():
            partners = {match[other] for other in of_shapes[geometry]}
            others = everything.difference(partners)
            apart = CollisionFilterDeclaration().ExcludeBetween(
                GeometrySet(list(own)), GeometrySet(sorted(others, key=_number))
            )
            if not isinstance(inspector.GetShape(match[geometry]), Cylinder):
                met = GeometrySet(sorted(partners, key=_number))
                apart.ExcludeBetween(GeometrySet([match[geometry]]), met)
                if isinstance(inspector.GetShape(own[-1]), Box | Capsule | Convex):  # a core
                    apart.ExcludeBetween(GeometrySet([own[-1]]), GeometrySet([terrain]))
            filters.Apply(apart)

    @property
    def _partners(self) -> Mapping[GeometryId, Sequence[GeometryId]]:
        """Planes, boxes and hulls fixed to the world that each shape may meet, but no pieces."""
        inspector = self.oracle.scene_graph.model_inspector()
        partners: dict[GeometryId, list[GeometryId]] = defaultdict(list)
        for shape in self.contacts.ground:
            partners[shape.geometry].append(self.contacts.terrain)
        for pair in self.contacts.pairs:
            if pair.on_surface:  # a point would meet the sides of pieces that adjoin
                continue
            sides = (pair.a, pair.body_b, pair.b), (pair.b, pair.body_a, pair.a)
            for own, body, other in sides:
                flat = isinstance(inspector.GetShape(other), Box | Convex | Mesh)
                if flat and self.oracle.plant.IsAnchored(body):
                    partners[own].append(other)
        return partners


def _number(geometry: GeometryId) -> int:
    return int(geometry.get_value())


def _core(inspector: SceneGraphInspector, geometry: GeometryId) -> Shape | None:
    """A shape less a skin, in its own frame; None for a cylinder."""
    shape = inspector.GetShape(geometry)
    if isinstance(shape, Box):
        half = 0.5 * np.asarray(shape.size())
        return Box(*(2.0 * (half - _skin(half.min()))))
    if isinstance(shape, Capsule):
        return Capsule(shape.radius() - _skin(shape.radius()), shape.length())
    if isinstance(shape, Convex | Mesh):
        hull = inspector.GetConvexHull(geometry)
        vertices = np.array([hull.vertex(i) for i in range(hull.num_vertices())])
        middle = vertices.mean(axis=0)
        half = 0.5 * np.ptp(vertices, axis=0).min()
        share = 1.0 - _skin(half) / half
        return Convex((middle + share * (vertices - middle)).T, "core")
    return None


def _skin(half: float) -> float:
    """Thickness of the skin of a shape by its smallest half size [m]."""
    return min(_SKIN, _OF_HALF * half)


def _points(inspector: SceneGraphInspector, geometry: GeometryId) -> tuple[Array, float]:
    """Points (k, 3) of a shape in its body's frame, and their radius."""
    shape, points = inspector.GetShape(geometry), points_of_shape(inspector, geometry)
    if not isinstance(shape, Cylinder):
        return points.fixed, points.radius
    angles = np.linspace(0.0, 2.0 * np.pi, _RIM, endpoint=False)
    across = _WITHIN_RIM * shape.radius()
    rim = np.column_stack((across * np.cos(angles), across * np.sin(angles), np.zeros(_RIM)))
    X_BG = inspector.GetPoseInFrame(geometry)
    ends = [rim + np.array([0.0, 0.0, side * shape.length()]) for side in (-0.5, 0.5)]
    return X_BG.multiply(np.vstack(ends).T).T, 0.0
