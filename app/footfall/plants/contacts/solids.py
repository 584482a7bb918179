"""Collision shapes as solids whose surfaces are known exactly, for contact between bodies.

A solid is the convex hull of some vertices, grown by a radius (sphere, capsule, box, convex mesh),
a cylinder or an ellipsoid. Frames: W world, B body, G geometry.
"""

import itertools
from collections.abc import Sequence
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

HULL, CYLINDER, ELLIPSOID = 0, 1, 2
MANY = 4096  # pairs of edges: of hulls with more, only those that are near are tried
NEAR = 0.02  # m: such hulls are not looked at when they are farther apart
RIM = 8  # points of an end of a cylinder, the lowest one among them


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
