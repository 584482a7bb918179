"""The part of a solid that faces a direction, and the outline that two parts have in common."""

import math

import numpy as np

from footfall.arrays import Array
from footfall.jit import njit
from footfall.plants.contacts.separation import corners_of, farthest, nearest_of_edges, support
from footfall.plants.contacts.shapes import CYLINDER, ELLIPSOID, RIM, Solid
from footfall.plants.contacts.vectors import (
    Vector,
    across,
    column,
    cross,
    dot,
    length_of,
    minus,
    plus,
    row,
    scaled,
    tangents,
    unit,
)

SAME = 1e-9  # of the size: corners nearer than this are one
# of the size, likewise, in an outline: edges of two faces that lie along each other cross anywhere
_ONE_CORNER = 1e-6
_LEVEL = 1e-6  # rad: what leans by less faces a direction as a whole


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


@njit
def meet(a: Solid, b: Solid, n: Vector) -> bool:
    """Say whether the points of b that lie farthest along n are below such points of a.

    Then n is the direction of the signed distance: to turn it away lessens what separates them.
    """
    of_a, of_b = facing_part(a, scaled(-1.0, n), _LEVEL), facing_part(b, n, _LEVEL)
    if min(of_a.shape[0], of_b.shape[0]) > 2 or max(of_a.shape[0], of_b.shape[0]) > 2:
        t, s = tangents(n)
        flat_a, flat_b = seen(of_a, t, s, n), seen(of_b, t, s, n)
        cut = clipped(flat_b, flat_a) if flat_b.shape[0] <= 2 else clipped(flat_a, flat_b)
        return cut.shape[0] > 0
    on_a, on_b = nearest_of_edges(row(of_a, 0), row(of_a, -1), row(of_b, 0), row(of_b, -1))
    between = minus(on_a, on_b)
    aside = length_of(plus(between, -dot(between, n), n))
    return aside <= SAME * (length_of(on_a) + length_of(on_b))


@njit
def common_outline(of_a: Array, of_b: Array, n: Vector) -> tuple[Array, Array]:
    """Corners that the outlines of two parts have in common, one of which is a face, with gaps."""
    t, s = tangents(n)
    flat_a, flat_b = seen(of_a, t, s, n), seen(of_b, t, s, n)
    cut = clipped(flat_b, flat_a) if flat_b.shape[0] == 2 else clipped(flat_a, flat_b)
    count = cut.shape[0]
    size = 0.0
    for i in range(count):
        size = max(size, abs(cut[i, 0]), abs(cut[i, 1]))
    points, gaps = np.empty((count, 3)), np.empty(count)
    left = 0
    for i in range(count):
        x, y = cut[i, 0], cut[i, 1]
        step = math.hypot(x - cut[i - 1, 0], y - cut[i - 1, 1])
        if count > 2 and step <= _ONE_CORNER * size:
            continue
        above, below = _height(flat_a, x, y), _height(flat_b, x, y)
        gaps[left] = above - below
        points[left] = plus(plus(scaled(x, t), y, s), 0.5 * (above + below), n)
        left += 1
    return points[:left], gaps[:left]


@njit
def seen(corners: Array, t: Vector, s: Vector, n: Vector) -> Array:
    """Coordinates of corners along t, s and n; a face comes counter-clockwise about n."""
    count = corners.shape[0]
    flat = np.empty((count, 3))
    area = 0.0
    for i in range(count):
        p = row(corners, i)
        flat[i, 0], flat[i, 1], flat[i, 2] = dot(p, t), dot(p, s), dot(p, n)
    for i in range(1, count - 1):
        ax, ay = flat[i, 0] - flat[0, 0], flat[i, 1] - flat[0, 1]
        bx, by = flat[i + 1, 0] - flat[0, 0], flat[i + 1, 1] - flat[0, 1]
        area += ax * by - ay * bx
    if area < 0.0:
        turned = np.empty((count, 3))
        for i in range(count):
            turned[i] = flat[count - 1 - i]
        return turned
    return flat


@njit
def clipped(subject: Array, window: Array) -> Array:
    """A convex polygon or a segment cut by the lines of a convex polygon, (k, 2).

    window runs counter-clockwise.
    """
    closed = subject.shape[0] > 2
    room = subject.shape[0] + window.shape[0] + 1
    current, following = np.empty((room, 2)), np.empty((room, 2))
    count = subject.shape[0]
    for j in range(count):
        current[j, 0], current[j, 1] = subject[j, 0], subject[j, 1]
    for i in range(window.shape[0]):
        k = (i + 1) % window.shape[0]
        px, py = window[i, 0], window[i, 1]
        ex, ey = window[k, 0] - px, window[k, 1] - py
        size = 0
        for j in range(count):
            x, y = current[j, 0], current[j, 1]
            here = ex * (y - py) - ey * (x - px)
            if here >= 0.0 and size < room:
                following[size, 0], following[size, 1] = x, y
                size += 1
            if j + 1 < count or closed:
                nx, ny = current[(j + 1) % count, 0], current[(j + 1) % count, 1]
                there = ex * (ny - py) - ey * (nx - px)
                if here * there < 0.0 and size < room:
                    share = here / (here - there)
                    following[size, 0], following[size, 1] = (
                        x + share * (nx - x),
                        y + share * (ny - y),
                    )
                    size += 1
        current, following, count = following, current, size
    return current[:count]


@njit
def _height(flat: Array, x: float, y: float) -> float:
    """Height along n of the plane or the line of a part, over a point of its outline."""
    x0, y0, z0 = flat[0, 0], flat[0, 1], flat[0, 2]
    if flat.shape[0] == 2:
        dx, dy = flat[1, 0] - x0, flat[1, 1] - y0
        return z0 + ((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy) * (flat[1, 2] - z0)
    # the area vector of a polygon is normal to it, however its corners lie
    normal = (0.0, 0.0, 0.0)
    for i in range(1, flat.shape[0] - 1):
        one, two = minus(row(flat, i), (x0, y0, z0)), minus(row(flat, i + 1), (x0, y0, z0))
        normal = plus(normal, 1.0, cross(one, two))
    if normal[2] == 0.0:  # a face without area
        return z0
    return z0 - (normal[0] * (x - x0) + normal[1] * (y - y0)) / normal[2]
