"""Shapes of Drake as geometries of the PyPI package meshcat.

Frames: G a shape of Drake; Y the same as three.js has it, whose cylinders lie along y.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from pydrake.geometry import (
    Box,
    Capsule,
    Convex,
    Cylinder,
    Ellipsoid,
    HalfSpace,
    Mesh,
    Shape,
    Sphere,
)
from pydrake.math import RigidTransform, RotationMatrix

MESHES = (".obj", ".stl", ".dae", ".gltf", ".glb", ".ply")
"""Endings of meshes that can be drawn."""

Placed = tuple[Any, RigidTransform]
"""A geometry of meshcat and its X_GY."""

_GROUND = (40.0, 40.0, 0.02)  # m: a half-space is drawn as a slab
_SAME = RigidTransform()
_ALONG_Y = RigidTransform(RotationMatrix.MakeXRotation(0.5 * np.pi))


def meshcat_shapes(shape: Shape) -> list[Placed]:
    """Return what looks like a shape of Drake; nothing for one that cannot be drawn."""
    make = _MAKERS.get(type(shape))
    return make(shape) if make is not None else []


def _sphere(shape: Sphere) -> list[Placed]:
    import meshcat.geometry as g

    return [(g.Sphere(shape.radius()), _SAME)]


def _box(shape: Box) -> list[Placed]:
    import meshcat.geometry as g

    return [(g.Box(shape.size().tolist()), _SAME)]


def _ellipsoid(shape: Ellipsoid) -> list[Placed]:
    import meshcat.geometry as g

    return [(g.Ellipsoid([shape.a(), shape.b(), shape.c()]), _SAME)]


def _cylinder(shape: Cylinder) -> list[Placed]:
    import meshcat.geometry as g

    return [(g.Cylinder(shape.length(), shape.radius()), _ALONG_Y)]


def _capsule(shape: Capsule) -> list[Placed]:
    import meshcat.geometry as g

    ends = [RigidTransform([0.0, 0.0, sign * 0.5 * shape.length()]) for sign in (-1.0, 1.0)]
    balls = [(g.Sphere(shape.radius()), X_GE) for X_GE in ends]
    return [(g.Cylinder(shape.length(), shape.radius()), _ALONG_Y), *balls]


def _half_space(_shape: HalfSpace) -> list[Placed]:
    import meshcat.geometry as g

    return [(g.Box(list(_GROUND)), RigidTransform([0.0, 0.0, -0.5 * _GROUND[2]]))]


def _mesh(shape: Mesh | Convex) -> list[Placed]:
    """Return the triangles of a mesh file, to scale; nothing for a mesh in memory."""
    import meshcat.geometry as g
    import trimesh

    if not shape.source().is_path():
        return []
    mesh: Any = trimesh.load(shape.source().path(), force="mesh")
    vertices = np.asarray(mesh.vertices) * shape.scale3()
    return [(g.TriangularMeshGeometry(vertices, mesh.faces), _SAME)]


_MAKERS: Mapping[type[Shape], Callable[[Any], list[Placed]]] = {
    Sphere: _sphere,
    Box: _box,
    Ellipsoid: _ellipsoid,
    Cylinder: _cylinder,
    Capsule: _capsule,
    HalfSpace: _half_space,
    Mesh: _mesh,
    Convex: _mesh,
}
