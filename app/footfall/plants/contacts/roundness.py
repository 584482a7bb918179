"""Signed distance of two solids of which one at least is round: a cylinder or an ellipsoid."""

import math

from footfall.jit import njit
from footfall.plants.contacts.outline import meet
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

_APART = 1e-5  # m: solids farther apart are not looked at more closely than hint does
_STEP = 1e-5  # rad: for the second derivative of the separation
_HALVINGS = 5
_NEAR = 1e-3  # rad: a shorter step of Newton's method needs no proof that it is uphill
_STRIDE = 0.2  # rad: longest step of Newton's method
_CLIMB = 15  # steps of Newton's method
_SHIFT = 0.2  # of the smaller solid's size
_SHIFTS = 4
_WALK = 60  # steps from support point to support point
_GAIN = 1e-4  # of the distance squared: what a step must promise
_NOWHERE = (0.0, 0.0, 0.0)


@njit
def separation_of_round(a: Solid, b: Solid, hint: Vector) -> tuple[float, Vector]:
    """Signed distance [m] and the unit vector from b to a along which it lies.

    hint: a direction near it, good where the solids are apart. Faces, edges and axes give a
    direction to rounding; where it is none of these, rims and ellipsoids are left to Newton's
    method, from hint and from a better start.
    """
    bias = rounding(a, b)
    best, n = best_face(a, b)
    best, n = better(a, b, between_cores(a, b), best, n, bias)
    best, n = all_edges(a, b, best, n, bias)
    best, n = better(a, b, hint, best, n, bias)
    if best > _APART or meet(a, b, n):
        return best, n
    best, n = _climbed_from(a, b, hint, best, n, bias)
    start = n
    for _ in range(_SHIFTS):
        start = _shifted_apart(a, b, start)
    best, n = _climbed_from(a, b, start, best, n, bias)
    return _climbed_from(a, b, n, best, n, bias)  # the corners that face n may be others


@njit
def _shifted_apart(a: Solid, b: Solid, n: Vector) -> Vector:
    """The direction between two solids after a has been shifted along n, until they are apart.

    The direction of their distance is one that comes back. Where they touch there is no distance
    to tell it; shifted apart they have one, which Gilbert's algorithm (1966) finds well enough for
    a start: it walks from support point to support point of their difference.
    """
    shift = _SHIFT * min(_reach(a), _reach(b))
    x = plus(minus(support(a, scaled(-1.0, n)), support(b, n)), shift, n)
    for _ in range(_WALK):
        d = unit(x)
        corner = plus(minus(support(a, scaled(-1.0, d)), support(b, d)), shift, n)
        along = minus(x, corner)
        gain = dot(x, along)
        if gain <= _GAIN * dot(x, x):
            break
        x = plus(x, -min(1.0, gain / dot(along, along)), along)
    return unit(x)


@njit
def _reach(solid: Solid) -> float:
    """Half the largest extent of a solid, about [m]."""
    size = solid.radius + max(solid.semi_axes[0], solid.semi_axes[1], solid.semi_axes[2])
    for i in range(1, solid.vertices.shape[0]):
        away = minus(row(solid.vertices, i), row(solid.vertices, 0))
        size = max(size, 0.5 * math.sqrt(dot(away, away)))
    return size


@njit
def _climbed_from(
    a: Solid, b: Solid, start: Vector, best: float, n: Vector, bias: float
) -> tuple[float, Vector]:
    """Try what Newton's method makes of a start, for every part of a polyhedron that lies there."""
    best, n = better(a, b, _climbed(a, b, start, 0, start, _NOWHERE), best, n, bias)
    for which, solid in ((1, a), (2, b)):
        if solid.kind == CYLINDER:  # along the line of its side, whose ends are alike there
            axis = column(solid.axes, 2)
            best, n = better(a, b, _climbed(a, b, start, 0, start, axis), best, n, bias)
        if solid.kind != HULL:
            continue
        corner = farthest(solid.vertices, scaled(-1.0 if which == 1 else 1.0, start))
        point = row(solid.vertices, corner)
        best, n = better(a, b, _climbed(a, b, start, which, point, _NOWHERE), best, n, bias)
        for i in range(solid.edges.shape[0]):
            first, end = solid.edges[i, 0], solid.edges[i, 1]
            if first != end and corner in (first, end):
                along = unit(minus(row(solid.vertices, end), row(solid.vertices, first)))
                best, n = better(a, b, _climbed(a, b, start, which, point, along), best, n, bias)
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
    here = _apart(a, b, n, which, point)
    for _ in range(_CLIMB):
        t, s = tangents(n)
        if held:
            t, s = cross(along, n), _NOWHERE
        at_t = minus(_apart(a, b, unit(plus(n, _STEP, t)), which, point), here)
        at_s = minus(_apart(a, b, unit(plus(n, _STEP, s)), which, point), here)
        level = dot(here, n)  # sigma itself, which bends the sphere's way
        tt, ss = dot(at_t, t) / _STEP - level, dot(at_s, s) / _STEP - level
        ts = 0.5 * (dot(at_t, s) + dot(at_s, t)) / _STEP
        if held:
            ss, ts = -1.0, 0.0
        gt, gs = dot(here, t), dot(here, s)
        determinant = tt * ss - ts * ts
        if tt < 0.0 and determinant > 0.0:
            x, y = (gs * ts - gt * ss) / determinant, (gt * ts - gs * tt) / determinant
        else:  # not bent like a hill: go uphill
            x, y = math.copysign(_STRIDE, gt), math.copysign(_STRIDE, gs)
        length = math.hypot(x, y)
        if length < 1e-15:
            break
        shorten = min(1.0, _STRIDE / length)
        x, y = shorten * x, shorten * y
        for _ in range(_HALVINGS):
            trial = unit(plus(plus(n, x, t), y, s))
            there = _apart(a, b, trial, which, point)
            if dot(there, trial) >= level or length < _NEAR:
                break
            x, y = 0.5 * x, 0.5 * y
        n, here = trial, there
    return n


@njit
def _apart(a: Solid, b: Solid, n: Vector, which: int, point: Vector) -> Vector:
    """Difference of the support points, one solid reduced to a point."""
    of_a = plus(point, -a.radius, n) if which == 1 else support(a, scaled(-1.0, n))
    of_b = plus(point, b.radius, n) if which == 2 else support(b, n)
    return minus(of_a, of_b)
