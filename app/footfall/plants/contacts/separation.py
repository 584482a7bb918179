"""Signed distance of two solids and its direction, to rounding.

With reach(S, d) = max of d . x over a solid, sigma(n) = -reach(A, -n) - reach(B, n) is by how much
a plane across n separates A from B. Its largest value over all unit vectors n, which point from B
to A, is the signed distance (Cameron and Culley 1986, on Minkowski differences). It is sought among
the directions that can be the largest: normals of faces, products of edges, lines between nearest
points; where a solid is round, Newton's method improves on a given direction.
"""

import math

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.jit import njit
from footfall.plants.contacts.shapes import CYLINDER, ELLIPSOID, HULL, MANY, NEAR, Solid
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
    unit,
)

PARALLEL = 1e-6  # sine of the angle below which two edges have no product
_FACES_FIRST = 1e-12  # of the size: by how much another direction must be better than a face's


@njit
def support(solid: Solid, d: Vector) -> Vector:
    """The point of a solid that lies farthest along a unit vector; of several, one."""
    return support_of(solid.vertices, solid.radius, solid.kind, solid.semi_axes, solid.axes, d)


@njit
def support_of(
    vertices: Array, radius: float, kind: int, semi_axes: Array, axes: Array, d: Vector
) -> Vector:
    """The same of what belongs to it, for loops: calls with a whole solid copy much."""
    if kind == CYLINDER:
        axis = column(axes, 2)
        end = row(vertices, 1 if dot(axis, d) > 0.0 else 0)
        return plus(end, semi_axes[0], across(d, axis))
    if kind == ELLIPSOID:
        a, b, c = row(axes, 0), row(axes, 1), row(axes, 2)
        x = semi_axes[0] ** 2 * (a[0] * d[0] + b[0] * d[1] + c[0] * d[2])
        y = semi_axes[1] ** 2 * (a[1] * d[0] + b[1] * d[1] + c[1] * d[2])
        z = semi_axes[2] ** 2 * (a[2] * d[0] + b[2] * d[1] + c[2] * d[2])
        outward = (dot(a, (x, y, z)), dot(b, (x, y, z)), dot(c, (x, y, z)))
        return plus(row(vertices, 0), 1.0 / math.sqrt(dot(outward, d)), outward)
    return plus(row(vertices, farthest(vertices, d)), radius, d)


@njit
def farthest(vertices: Array, d: Vector) -> int:
    """Index of the vertex farthest along a direction."""
    best, index = -math.inf, 0
    for i in range(vertices.shape[0]):
        reached = dot(row(vertices, i), d)
        if reached > best:
            best, index = reached, i
    return index


@njit
def sigma(a: Solid, b: Solid, n: Vector) -> float:
    """By how much a plane across n separates a from b [m]."""
    return dot(n, minus(support(a, scaled(-1.0, n)), support(b, n)))


@njit
def better(
    a: Solid, b: Solid, direction: Vector, best: float, n: Vector, bias: float
) -> tuple[float, Vector]:
    """Take a direction, if it has a length, in the place of n if it separates by more than best."""
    if dot(direction, direction) > 0.5:
        separation = sigma(a, b, direction)
        if separation > best + bias:
            return separation, direction
    return best, n


@njit
def rounding(a: Solid, b: Solid) -> float:
    """By how much another direction must be better than that of a face [m]."""
    size = 0.0
    for solid in (a, b):
        for i in range(solid.vertices.shape[0]):
            size = max(size, dot(row(solid.vertices, i), row(solid.vertices, i)))
    return _FACES_FIRST * math.sqrt(size)


@njit
def separation_of_hulls(a: Solid, b: Solid) -> tuple[float, Vector]:
    """Signed distance [m] of two hulls and the unit vector from b to a along which it lies.

    Of hulls with many edges that are apart it is a lower bound, that of their faces and edges; they
    must be no farther apart than NEAR.
    """
    bias = rounding(a, b)
    best, n = best_face(a, b)
    if a.radius + b.radius == 0.0 and a.normals.size > 0 and b.normals.size > 0:
        large = a.edges.shape[0] * b.edges.shape[0] > MANY
        best, n = _crossed_edges(a, b, best, n, bias, max(0.0, -best) + NEAR if large else math.inf)
        if best <= 0.0 or large:
            return best, n
    best, n = better(a, b, between_cores(a, b), best, n, bias)
    if best < -0.999 * (a.radius + b.radius) and (a.normals.size == 0 or b.normals.size == 0):
        best, n = all_edges(a, b, best, n, bias)
    if best == -math.inf:  # points in the same place: any direction will do
        best = sigma(a, b, n)
    return best, n


@njit
def best_face(a: Solid, b: Solid) -> tuple[float, Vector]:
    """The best of the normals of faces and of the ends of cylinders."""
    best, n = -math.inf, (0.0, 0.0, 1.0)
    if a.kind == HULL and b.kind == HULL:
        best, n = _best_normal(a.normals, -1.0, a.vertices, b.vertices, a.radius, b.radius, best, n)
        return _best_normal(b.normals, 1.0, a.vertices, b.vertices, a.radius, b.radius, best, n)
    for i in range(a.normals.shape[0]):
        best, n = better(a, b, scaled(-1.0, row(a.normals, i)), best, n, 0.0)
    for i in range(b.normals.shape[0]):
        best, n = better(a, b, row(b.normals, i), best, n, 0.0)
    return best, n


@njit
def _best_normal(
    normals: Array,
    sign: float,
    of_a: Array,
    of_b: Array,
    radius_a: float,
    radius_b: float,
    best: float,
    n: Vector,
) -> tuple[float, Vector]:
    """The same for the faces of one of two hulls, without the copies of solids that calls make."""
    for i in range(normals.shape[0]):
        d = scaled(sign, row(normals, i))
        on_a = row(of_a, farthest(of_a, scaled(-1.0, d)))
        on_b = row(of_b, farthest(of_b, d))
        separation = dot(d, minus(plus(on_a, -radius_a, d), plus(on_b, radius_b, d)))
        if separation > best:
            best, n = separation, d
    return best, n


@njit
def _crossed_edges(
    a: Solid, b: Solid, best: float, n: Vector, bias: float, reach: float
) -> tuple[float, Vector]:
    """Try the products of the edges of two polyhedra that are faces of their difference.

    An edge of a and one of b make a face if the arcs of their normals cross on the Gauss sphere
    (Gregorius, The separating axis test between convex polyhedra, 2013). Only edges within reach of
    the other solid are tried: where their product is the answer, they pass each other as near as
    the solids are, or as deep.
    """
    near_a, near_b = _edges_near(a, b, reach), _edges_near(b, a, reach)
    for i in near_a:
        pa = row(a.vertices, a.edges[i, 0])
        ea = minus(row(a.vertices, a.edges[i, 1]), pa)
        a0, a1 = row(a.normals, a.sides[i, 0]), row(a.normals, a.sides[i, 1])
        for k in near_b:
            cba = -dot(row(b.normals, b.sides[k, 0]), ea)
            dba = -dot(row(b.normals, b.sides[k, 1]), ea)
            if cba * dba >= 0.0:
                continue
            pb = row(b.vertices, b.edges[k, 0])
            eb = minus(row(b.vertices, b.edges[k, 1]), pb)
            adc, bdc = dot(a0, eb), dot(a1, eb)
            if adc * bdc >= 0.0 or cba * bdc <= 0.0:
                continue
            product = cross(ea, eb)
            length = length_of(product)
            if length <= PARALLEL * length_of(ea) * length_of(eb):
                continue
            outward = dot(product, a0) + dot(product, a1)
            product = scaled((-1.0 if outward > 0.0 else 1.0) / length, product)
            separation = dot(product, minus(pa, pb))
            if separation > best + bias:
                best, n = separation, product
    return best, n


@njit
def _edges_near(a: Solid, b: Solid, reach: float) -> npt.NDArray[np.int64]:
    """Indices of the edges of a whose box comes within reach of the box of b."""
    low, high = np.full(3, math.inf), np.full(3, -math.inf)
    for i in range(b.vertices.shape[0]):
        for d in range(3):
            low[d], high[d] = min(low[d], b.vertices[i, d]), max(high[d], b.vertices[i, d])
    near = np.empty(a.edges.shape[0], dtype=np.int64)
    count = 0
    for i in range(a.edges.shape[0]):
        apart = -math.inf
        for d in range(3):
            p, q = a.vertices[a.edges[i, 0], d], a.vertices[a.edges[i, 1], d]
            apart = max(apart, min(p, q) - high[d], low[d] - max(p, q))
        if apart <= reach:
            near[count] = i
            count += 1
    return near[:count]


@njit
def all_edges(a: Solid, b: Solid, best: float, n: Vector, bias: float) -> tuple[float, Vector]:
    """Try the products of all edges, the axes of cylinders among them."""
    for i in range(a.edges.shape[0]):
        ea = unit(minus(row(a.vertices, a.edges[i, 1]), row(a.vertices, a.edges[i, 0])))
        for k in range(b.edges.shape[0]):
            eb = unit(minus(row(b.vertices, b.edges[k, 1]), row(b.vertices, b.edges[k, 0])))
            product = cross(ea, eb)
            if length_of(product) > PARALLEL:
                product = unit(product)
                best, n = better(a, b, product, best, n, bias)
                best, n = better(a, b, scaled(-1.0, product), best, n, bias)
    return best, n


@njit
def between_cores(a: Solid, b: Solid) -> Vector:
    """Direction between the nearest points of the vertices' hulls; zero if they touch."""
    best, n = _vertices_over_faces(a, b, math.inf, (0.0, 0.0, 0.0), 1.0)
    best, n = _vertices_over_faces(b, a, best, n, -1.0)
    for i in range(a.edges.shape[0]):
        p0, p1 = row(a.vertices, a.edges[i, 0]), row(a.vertices, a.edges[i, 1])
        for k in range(b.edges.shape[0]):
            q0, q1 = row(b.vertices, b.edges[k, 0]), row(b.vertices, b.edges[k, 1])
            on_a, on_b = nearest_of_edges(p0, p1, q0, q1)
            difference = minus(on_a, on_b)
            distance = length_of(difference)
            if 0.0 < distance < best:
                best, n = distance, scaled(1.0 / distance, difference)
    return n


@njit
def _vertices_over_faces(
    a: Solid, b: Solid, best: float, n: Vector, sign: float
) -> tuple[float, Vector]:
    """Nearest vertex of a above the inside of a face of b."""
    for face in range(b.loops.shape[0]):
        normal, count = row(b.normals, face), corners_of(b, face)
        for i in range(a.vertices.shape[0] if count > 0 else 0):
            p = row(a.vertices, i)
            height = dot(normal, minus(p, row(b.vertices, b.loops[face, 0])))
            inside = 0.0 < height < best
            k = 0
            while inside and k < count:
                start = row(b.vertices, b.loops[face, k])
                along = minus(row(b.vertices, b.loops[face, (k + 1) % count]), start)
                inside = dot(cross(normal, along), minus(p, start)) >= 0.0
                k += 1
            if inside:
                best, n = height, scaled(sign, normal)
    return best, n


@njit
def corners_of(solid: Solid, face: int) -> int:
    """Count the vertices of a face."""
    count = 0
    while count < solid.loops.shape[1] and solid.loops[face, count] >= 0:
        count += 1
    return count


@njit
def nearest_of_edges(p0: Vector, p1: Vector, q0: Vector, q1: Vector) -> tuple[Vector, Vector]:
    """Nearest points of two segments (Ericson, Real-Time Collision Detection, 2005, 5.1.9)."""
    d1, d2, r = minus(p1, p0), minus(q1, q0), minus(p0, q0)
    a, b, e = dot(d1, d1), dot(d1, d2), dot(d2, d2)
    c, f = dot(d1, r), dot(d2, r)
    s, t = 0.0, 0.0
    if a == 0.0:
        t = _share(f, e)
    else:
        if a * e - b * b > 1e-14 * a * e:
            s = _share(b * f - c * e, a * e - b * b)
        t = _share(b * s + f, e)
        s = _share(b * t - c, a)
    return plus(p0, s, d1), plus(q0, t, d2)


@njit
def _share(part: float, whole: float) -> float:
    return min(max(part / whole, 0.0), 1.0) if whole > 0.0 else 0.0
