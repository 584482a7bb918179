"""Collision shapes as points that can touch the ground, and as solids for contact between bodies.

Points: corners, vertices and centres are fixed to the body. A rim or an ellipsoid touches with
whichever point lies farthest towards the other surface; it is chosen anew for every direction.

Solids have surfaces that are known exactly: the convex hull of some vertices, grown by a radius
(sphere, capsule, box, convex mesh), a cylinder or an ellipsoid.

Frames: W world, B body, G geometry, C contact point.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from pydrake.geometry import (
    Box,
    Capsule,
    Convex,
    Cylinder,
    Ellipsoid,
    GeometryId,
    Mesh,
    SceneGraphInspector,
    Sphere,
)
from pydrake.math import RigidTransform

from footfall.arrays import Array, Indices
from footfall.errors import ModelError
from footfall.jit import njit

# Points of a rim: the lowest one, and others at equal angles from it, for a cylinder that stands on
# its end. None is fixed to the body: a fixed one would be a bump when the cylinder rolls over it.
_RIM = 4
# share of a direction across the axis of a cylinder, below which the cylinder stands upright
_UPRIGHT = 1e-9
HULL, CYLINDER, ELLIPSOID = 0, 1, 2
MANY = 4096  # pairs of edges: of hulls with more, only those that are near are tried
NEAR = 0.02  # m: such hulls are not looked at when they are farther apart
RIM = 8  # points of an end of a cylinder, the lowest one among them


@dataclass(frozen=True)
class ShapePoints:
    """Points p_BC of one shape with a common radius [m].

    fixed: (k, 3). semi_axes: of an ellipsoid, or (r, r, half length) of a cylinder, whose supports
    are found by ``find_supports``; X_BG places them. kind: "", "ellipsoid" or "cylinder".
    """

    fixed: Array
    radius: float
    kind: str = ""
    semi_axes: Array | None = None
    X_BG: RigidTransform | None = None

    @property
    def num_moving(self) -> int:
        """Count the points that depend on the direction."""
        return {"": 0, "ellipsoid": 1, "cylinder": 2 * _RIM}[self.kind]

    def __len__(self) -> int:
        """Count all points, the moving ones behind the fixed ones."""
        return len(self.fixed) + self.num_moving


@njit
def find_supports(
    semi_axes: Array, direction_G: tuple[float, float, float], X_BG: Array, p_BC: Array
) -> None:
    """Fill in the points that lie farthest along a direction in G, and what belongs to them.

    Of an ellipsoid with these semi-axes it is one point, (1, 3); of a cylinder, (r, r, half
    length), the rims follow each other, each with its farthest point first.
    """
    dx, dy, dz = direction_G
    a, b, c = semi_axes[0], semi_axes[1], semi_axes[2]
    across = np.hypot(dx, dy)
    stretch = np.sqrt((a * dx) ** 2 + (b * dy) ** 2 + (c * dz) ** 2)
    for point in range(p_BC.shape[0]):
        if p_BC.shape[0] == 1:
            x, y, z = a**2 * dx / stretch, b**2 * dy / stretch, c**2 * dz / stretch
        else:
            upright = across <= _UPRIGHT  # then all of the rim is equally far
            x = a * (1.0 if upright else dx / across)
            y = a * (0.0 if upright else dy / across)
            for _ in range(point % _RIM):  # quarter turns
                x, y = -y, x
            z = c * (2 * (point // _RIM) - 1)
        for i in range(3):
            p_BC[point, i] = X_BG[i, 3] + X_BG[i, 0] * x + X_BG[i, 1] * y + X_BG[i, 2] * z


def points_of_shape(inspector: SceneGraphInspector, geometry: GeometryId) -> ShapePoints:
    """Reduce a collision shape to the points with which it can touch.

    Raises ModelError for a shape that has none, such as a mesh that is no convex hull.
    """
    shape = inspector.GetShape(geometry)
    X_BG = inspector.GetPoseInFrame(geometry)
    if isinstance(shape, Sphere):
        return _fixed(X_BG, np.zeros((1, 3)), shape.radius())
    if isinstance(shape, Capsule):
        half = 0.5 * shape.length()
        return _fixed(X_BG, np.array([[0.0, 0.0, -half], [0.0, 0.0, half]]), shape.radius())
    if isinstance(shape, Box):
        signs = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))
        return _fixed(X_BG, 0.5 * np.asarray(shape.size()) * signs, 0.0)
    if isinstance(shape, Convex | Mesh):
        hull = inspector.GetConvexHull(geometry)
        vertices = np.array([hull.vertex(i) for i in range(hull.num_vertices())])
        return _fixed(X_BG, vertices, 0.0)
    if isinstance(shape, Ellipsoid):
        axes = np.array([shape.a(), shape.b(), shape.c()])
        return ShapePoints(np.zeros((0, 3)), 0.0, "ellipsoid", axes, X_BG)
    if isinstance(shape, Cylinder):
        axes = np.array([shape.radius(), shape.radius(), 0.5 * shape.length()])
        return ShapePoints(np.zeros((0, 3)), 0.0, "cylinder", axes, X_BG)
    raise ModelError(
        f"collision geometry '{inspector.GetName(geometry)}' is a {type(shape).__name__}, which "
        "the Moreau engine cannot put on the ground: use a sphere, capsule, cylinder, ellipsoid, "
        "box or convex mesh."
    )


def _fixed(X_BG: RigidTransform, p_GC: Array, radius: float) -> ShapePoints:
    return ShapePoints(np.array([X_BG.multiply(p) for p in p_GC]).reshape(-1, 3), radius)


class Solid(NamedTuple):
    """A convex solid in some frame; a named tuple, because compiled code takes those.

    vertices (k, 3) [m]: of a hull; the ends of a cylinder's axis; the centre of an ellipsoid.
    normals (f, 3): outward, of the faces of a hull or the ends of a cylinder. loops (f, m):
    vertices of each face, counter-clockwise seen from outside, -1 behind the last. edges (e, 2):
    vertices; a point has one edge from itself to itself. sides (e, 2): the faces i, j at an edge,
    with n_j x n_i along it, -1 where there are none. radius [m]: of a hull, what it is grown by.
    kind: HULL, CYLINDER, ELLIPSOID. semi_axes (3,) [m] along axes (3, 3), columns; of a cylinder
    (r, r, half length).
    """

    vertices: Array
    normals: Array
    loops: Indices
    edges: Indices
    sides: Indices
    radius: float
    kind: int
    semi_axes: Array
    axes: Array


def most_corners(solid: Solid) -> int:
    """Count the corners that the part of a solid which touches can have."""
    if solid.kind == CYLINDER:
        return RIM
    return max(solid.loops.shape[1], min(2, len(solid.vertices)))


def posed(solid: Solid, X_WB: RigidTransform) -> Solid:
    """Express a solid, given in the frame of its body, in the world."""
    R_WB, p_WB = X_WB.rotation().matrix(), X_WB.translation()
    return solid._replace(
        vertices=solid.vertices @ R_WB.T + p_WB,
        normals=solid.normals @ R_WB.T,
        axes=np.ascontiguousarray(R_WB @ solid.axes),
    )


def solid_of_shape(inspector: SceneGraphInspector, geometry: GeometryId) -> Solid:
    """Make the solid of a collision shape, in the frame of its body.

    The shape must be one that ``points_of_shape`` accepts.
    """
    shape = inspector.GetShape(geometry)
    if isinstance(shape, Sphere):
        solid = _bare([[0.0, 0.0, 0.0]], radius=shape.radius())
    elif isinstance(shape, Capsule):
        half = 0.5 * shape.length()
        solid = _bare([[0.0, 0.0, -half], [0.0, 0.0, half]], radius=shape.radius())
    elif isinstance(shape, Ellipsoid):
        semi_axes = [shape.a(), shape.b(), shape.c()]
        solid = _bare([[0.0, 0.0, 0.0]], kind=ELLIPSOID, semi_axes=semi_axes)
    elif isinstance(shape, Cylinder):
        half = 0.5 * shape.length()
        solid = _bare(
            [[0.0, 0.0, -half], [0.0, 0.0, half]],
            kind=CYLINDER,
            semi_axes=[shape.radius(), shape.radius(), half],
        )._replace(
            normals=np.array([[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]]),
            loops=np.zeros((2, 0), dtype=np.int64),
        )
    elif isinstance(shape, Box):
        solid = _box(*(0.5 * np.asarray(shape.size())).tolist())
    elif isinstance(shape, Convex | Mesh):
        hull = inspector.GetConvexHull(geometry)
        vertices = np.array([hull.vertex(i) for i in range(hull.num_vertices())])
        faces = (hull.element(i) for i in range(hull.num_elements()))
        solid = _hull(vertices, [[f.vertex(k) for k in range(f.num_vertices())] for f in faces])
    else:
        raise TypeError(f"no solid is made of a {type(shape).__name__}")
    return posed(solid, inspector.GetPoseInFrame(geometry))


def _bare(
    vertices: Sequence[Sequence[float]],
    radius: float = 0.0,
    kind: int = HULL,
    semi_axes: Sequence[float] = (0.0, 0.0, 0.0),
) -> Solid:
    """A solid without faces: a grown point or segment, or one that is round."""
    return Solid(
        vertices=np.array(vertices),
        normals=np.zeros((0, 3)),
        loops=np.zeros((0, 0), dtype=np.int64),
        edges=np.array([[0, len(vertices) - 1]]),
        sides=np.full((1, 2), -1),
        radius=radius,
        kind=kind,
        semi_axes=np.array(semi_axes, dtype=np.float64),
        axes=np.eye(3),
    )


@cache
def _box(*half: float) -> Solid:
    """Make the solid of a box of half lengths; tracks have hundreds of boxes, of a few sizes."""
    vertices = np.array(half) * np.array(list(itertools.product((-1.0, 1.0), repeat=3)))
    faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    return _hull(vertices, faces)


def _hull(vertices: Array, faces: Sequence[Sequence[int]]) -> Solid:
    """The solid of a convex polyhedron; its faces may run either way round."""
    inside = vertices.mean(axis=0)
    loops: list[list[int]] = []
    normals = []
    for face in faces:
        normal = _area(vertices[list(face)])
        outward = float(normal @ (vertices[face[0]] - inside)) > 0.0
        loops.append(list(face) if outward else list(face)[::-1])
        normals.append(normal / np.linalg.norm(normal) * (1.0 if outward else -1.0))
    # an edge runs forward in one face and backward in its neighbour
    runs = {(a, b): f for f, loop in enumerate(loops) for a, b in _around(loop)}
    edges = [(a, b) for a, b in runs if a < b and (b, a) in runs]
    padded = np.full((len(loops), max(len(loop) for loop in loops)), -1)
    for f, loop in enumerate(loops):
        padded[f, : len(loop)] = loop
    return _bare(vertices.tolist())._replace(
        normals=np.array(normals),
        loops=padded,
        edges=np.array(edges),
        # along an edge with its own face to the left there points n_left x n_right
        sides=np.array([(runs[b, a], runs[a, b]) for a, b in edges]),
    )


def _around(loop: Sequence[int]) -> list[tuple[int, int]]:
    return list(zip(loop, [*loop[1:], loop[0]], strict=True))


def _area(corners: Array) -> Array:
    """Twice the area vector of a plane polygon."""
    first = corners[0]
    total: Array = np.cross(corners[1:-1] - first, corners[2:] - first).sum(axis=0)
    return total
