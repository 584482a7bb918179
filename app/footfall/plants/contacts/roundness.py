"""Signed distance of two solids of which one at least is round: a cylinder or an ellipsoid."""

import math

from footfall.jit import njit
from footfall.plants.contacts.separation import (
    all_edges,
    best_face,
    better,
    between_cores,
    farthest,
    rounding,
    support,
)
from footfall.plants.contacts.solids import CYLINDER, HULL, Solid
from footfall.plants.contacts.vectors import (
    Vector,
    column,
    cross,
    dot,
    minus,
    plus,
    row,
    scaled,
    tangents,
    unit,
)

_STEP = 1e-5  # rad: for the second derivative of the separation
_STRIDE = 0.2  # rad: longest step of Newton's method
_NOWHERE = (0.0, 0.0, 0.0)


@njit
def separation_of_round(a: Solid, b: Solid, hint: Vector) -> tuple[float, Vector]:
    """Signed distance [m] and the unit vector from b to a along which it lies.

    hint: a direction near it. Faces, edges and axes give a direction to rounding; rims and
    ellipsoids are left to Newton's method, for every part of a polyhedron that lies towards hint.
    """
    bias = rounding(a, b)
    best, n = best_face(a, b)
    best, n = better(a, b, between_cores(a, b), best, n, bias)
    best, n = all_edges(a, b, best, n, bias)
    best, n = better(a, b, hint, best, n, bias)
    best, n = better(a, b, _climbed(a, b, hint, 0, hint, _NOWHERE), best, n, bias)
    for which, solid in ((1, a), (2, b)):
        if solid.kind == CYLINDER:  # along the line of its side, whose ends are alike there
            axis = column(solid.axes, 2)
            best, n = better(a, b, _climbed(a, b, hint, 0, hint, axis), best, n, bias)
        if solid.kind != HULL:
            continue
        corner = farthest(solid.vertices, scaled(-1.0 if which == 1 else 1.0, hint))
        point = row(solid.vertices, corner)
        best, n = better(a, b, _climbed(a, b, hint, which, point, _NOWHERE), best, n, bias)
        for i in range(solid.edges.shape[0]):
            start, end = solid.edges[i, 0], solid.edges[i, 1]
            if start != end and corner in (start, end):
                along = unit(minus(row(solid.vertices, end), row(solid.vertices, start)))
                best, n = better(a, b, _climbed(a, b, hint, which, point, along), best, n, bias)
    return best, n


@njit
def _climbed(a: Solid, b: Solid, start: Vector, which: int, point: Vector, along: Vector) -> Vector:
    """Newton's method for the largest sigma, with a (which = 1) or b (2) reduced to a point.

    along, if it is not zero, is an edge through the point: n stays perpendicular to it. The
    gradient of sigma is the difference of the support points, in the tangent plane of the sphere.
    """
    held = dot(along, along) > 0.5
    n = unit(plus(start, -dot(start, along), along))
    if dot(n, n) < 0.5:  # it starts along the edge
        return n
    for _ in range(20):
        t, s = tangents(n)
        if held:
            t, s = cross(along, n), _NOWHERE
        here = _apart(a, b, n, which, point)
        at_t = minus(_apart(a, b, unit(plus(n, _STEP, t)), which, point), here)
        at_s = minus(_apart(a, b, unit(plus(n, _STEP, s)), which, point), here)
        level = dot(here, n)  # sigma itself, which bends the sphere's way
        tt, ss = dot(at_t, t) / _STEP - level, dot(at_s, s) / _STEP - level
        ts = 0.5 * (dot(at_t, s) + dot(at_s, t)) / _STEP
        if held:
            ss, ts = 1.0, 0.0
        determinant = tt * ss - ts * ts
        if determinant == 0.0:
            break
        gt, gs = dot(here, t), dot(here, s)
        x, y = (gs * ts - gt * ss) / determinant, (gt * ts - gs * tt) / determinant
        length = math.hypot(x, y)
        shorten = min(1.0, _STRIDE / length) if length > 0.0 else 0.0
        n = unit(plus(plus(n, shorten * x, t), shorten * y, s))
        if length < 1e-15:
            break
    return n


@njit
def _apart(a: Solid, b: Solid, n: Vector, which: int, point: Vector) -> Vector:
    """Difference of the support points, one solid reduced to a point."""
    of_a = plus(point, -a.radius, n) if which == 1 else support(a, scaled(-1.0, n))
    of_b = plus(point, b.radius, n) if which == 2 else support(b, n)
    return minus(of_a, of_b)
