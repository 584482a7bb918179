"""The part of a solid that faces a direction: a corner, an edge or a face."""

import math

import numpy as np

from footfall.arrays import Array
from footfall.jit import njit
from footfall.plants.contacts.separation import corners_of, farthest, support
from footfall.plants.contacts.solids import CYLINDER, ELLIPSOID, RIM, Solid
from footfall.plants.contacts.vectors import (
    Vector,
    across,
    column,
    cross,
    dot,
    minus,
    plus,
    row,
    unit,
)


@njit
def facing_part(solid: Solid, d: Vector, tilt: float) -> Array:
    """Corners of the part of a solid that faces a unit vector, on its surface, (k, 3).

    A face or an edge faces it if it leans by less than tilt [rad]. The corners of a face come in
    order, one way round or the other.
    """
    if solid.kind == CYLINDER:
        return _facing_part_of_cylinder(solid, d, tilt)
    corners = np.empty((1, 3))
    if solid.kind == ELLIPSOID:
        corners[0] = support(solid, d)
        return corners
    face = _facing_face(solid, d, tilt)
    if face >= 0:
        corners = np.empty((corners_of(solid, face), 3))
        for k in range(corners.shape[0]):
            corners[k] = solid.vertices[solid.loops[face, k]]
        return corners
    start, end = _facing_edge(solid, d, tilt)
    corners = np.empty((1 if start == end else 2, 3))
    corners[0] = plus(row(solid.vertices, start), solid.radius, d)
    corners[-1] = plus(row(solid.vertices, end), solid.radius, d)
    return corners


@njit
def middle_line(solid: Solid, d: Vector, tilt: float) -> tuple[Vector, Vector, float]:
    """Ends of the edge that faces a direction, and how far around it the surface lies [m]."""
    if solid.kind == CYLINDER:
        return row(solid.vertices, 0), row(solid.vertices, 1), solid.semi_axes[0]
    start, end = _facing_edge(solid, d, tilt)
    return row(solid.vertices, start), row(solid.vertices, end), solid.radius


@njit
def _facing_face(solid: Solid, d: Vector, tilt: float) -> int:
    """The face that faces a direction, -1 if all lean too much."""
    best, face = math.cos(tilt), -1
    for i in range(solid.normals.shape[0]):
        towards = dot(row(solid.normals, i), d)
        if towards > best:
            best, face = towards, i
    return face


@njit
def _facing_edge(solid: Solid, d: Vector, tilt: float) -> tuple[int, int]:
    """The vertices of the edge that faces a direction; twice the same one for a corner."""
    corner = farthest(solid.vertices, d)
    least, end = math.sin(tilt), corner
    for i in range(solid.edges.shape[0]):
        start, other = solid.edges[i, 0], solid.edges[i, 1]
        if corner == other:
            start, other = other, start
        if corner == start and corner != other:
            along = unit(minus(row(solid.vertices, other), row(solid.vertices, corner)))
            if -dot(along, d) < least:
                least, end = -dot(along, d), other
    return corner, end


@njit
def _facing_part_of_cylinder(solid: Solid, d: Vector, tilt: float) -> Array:
    """A lowest line, points of a rim from its lowest one on, or the lowest point."""
    radius, axis = solid.semi_axes[0], column(solid.axes, 2)
    along = dot(axis, d)
    radial = across(d, axis)
    end = row(solid.vertices, 1 if along > 0.0 else 0)
    if abs(along) < math.sin(tilt):
        corners = np.empty((2, 3))
        corners[0] = plus(row(solid.vertices, 0), radius, radial)
        corners[1] = plus(row(solid.vertices, 1), radius, radial)
    elif abs(along) < math.cos(tilt):
        corners = np.empty((1, 3))
        corners[0] = plus(end, radius, radial)
    else:
        x = radial if dot(radial, radial) > 0.5 else column(solid.axes, 0)
        y = cross(axis, x)
        corners = np.empty((RIM, 3))
        for k in range(RIM):
            angle = 2.0 * math.pi * k / RIM
            corners[k] = plus(plus(end, radius * math.cos(angle), x), radius * math.sin(angle), y)
    return corners
