"""Contact patch of two solids: the corners of their common area, across their normal; round ones.

The part of each solid that faces the other is a corner, an edge or a face. Seen along the normal n
(from b to a) their outlines are cut with each other (Sutherland and Hodgman 1974); each corner of
the common outline becomes a contact, with a gap of its own along n.

Of two solids of which one at least is round (a cylinder, an ellipsoid) it is a signed distance.
"""

import math

import numpy as np

from footfall.arrays import Array
from footfall.jit import njit
from footfall.plants.contacts.outline import SAME, common_outline, facing_part, meet, middle_line
from footfall.plants.contacts.separation import (
    all_edges,
    best_face,
    better,
    between_cores,
    farthest,
    nearest_of_edges,
    rounding,
    separation_of_hulls,
    support,
)
from footfall.plants.contacts.shapes import CYLINDER, HULL, Solid
from footfall.plants.contacts.vectors import (
    Vector,
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
_TILT = 0.05  # rad: a face or an edge that leans by less still counts; its far corners are open
_CLOSE = 1e-6  # m: solids that are less apart have all their points, which may count as touching
_ROUNDING = 1e-12  # m
_CROSSING = 0.05  # rad: two edges at a larger angle touch in one point


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


@njit
def measure_pair(
    a: Solid,
    b: Solid,
    X_WA: Array,
    X_WB: Array,
    hint: Vector,
    lean: float,
    n_W: Array,
    gap: Array,
    p_WC: Array,
) -> None:
    """Fill in the normal from b to a, (3,), and first gaps and places of two solids, in W [m].

    a, b: in the frames of their links, whose poses (3, 4) are given. hint: as for
    ``touching_points``. lean: where the contacts are, as a share of the gap along the normal from
    half-way between the surfaces.
    """
    n, points, gaps = touching_points(placed(a, X_WA), placed(b, X_WB), hint)
    n_W[0], n_W[1], n_W[2] = n
    for k in range(gaps.size):
        gap[k] = gaps[k]
        for i in range(3):
            p_WC[k, i] = points[k, i] + lean * gaps[k] * n[i]


@njit
def placed(solid: Solid, X: Array) -> Solid:
    """Express a solid in another frame; X is the pose of its frame there, (3, 4)."""
    vertices, normals = np.empty_like(solid.vertices), np.empty_like(solid.normals)
    axes = np.empty((3, 3))
    for i in range(3):
        x = row(X, i)
        for k in range(vertices.shape[0]):
            vertices[k, i] = X[i, 3] + dot(x, row(solid.vertices, k))
        for k in range(normals.shape[0]):
            normals[k, i] = dot(x, row(solid.normals, k))
        for k in range(3):
            axes[i, k] = dot(x, column(solid.axes, k))
    return Solid(
        vertices,
        normals,
        solid.loops,
        solid.edges,
        solid.sides,
        solid.radius,
        solid.kind,
        solid.semi_axes,
        axes,
    )


@njit
def touching_points(a: Solid, b: Solid, hint: Vector) -> tuple[Vector, Array, Array]:
    """Normal from b to a, (3,), and the points where they touch with their gaps, (k, 3), (k,) [m].

    Solids that are apart have one point, half-way between them. hint: a direction near the normal;
    used where a solid is round.
    """
    if a.kind == HULL and b.kind == HULL:
        distance, n = separation_of_hulls(a, b)
    else:
        distance, n = separation_of_round(a, b, hint)
    of_a, of_b = facing_part(a, scaled(-1.0, n), _TILT), facing_part(b, n, _TILT)
    points, gaps = np.empty((0, 3)), np.empty(0)
    if distance <= _CLOSE:
        if of_a.shape[0] == 2 and of_b.shape[0] == 2:
            points, gaps = _edge_on_edge(a, b, n)
        elif of_a.shape[0] > 1 and of_b.shape[0] > 1:
            points, gaps = common_outline(of_a, of_b, n)
    deepest = math.inf
    for i in range(gaps.size):
        deepest = min(deepest, gaps[i])
    if deepest <= distance + 0.5 * abs(distance) + _ROUNDING:
        return n, points, gaps
    # apart, a corner, or no corner of the outline is where they touch
    points, gaps = np.empty((1, 3)), np.empty(1)
    points[0], gaps[0] = _middle(a, b, n, distance, of_a, of_b), distance
    return n, points, gaps


@njit
def _middle(a: Solid, b: Solid, n: Vector, distance: float, of_a: Array, of_b: Array) -> Vector:
    """The one point where solids touch or nearly do, half-way between their surfaces."""
    if of_a.shape[0] == 1:
        return plus(row(of_a, 0), -0.5 * distance, n)
    if of_b.shape[0] == 1:
        return plus(row(of_b, 0), 0.5 * distance, n)
    on_a, on_b = support(a, scaled(-1.0, n)), support(b, n)
    if of_a.shape[0] == 2 and of_b.shape[0] == 2:
        on_a, on_b = nearest_of_edges(row(of_a, 0), row(of_a, 1), row(of_b, 0), row(of_b, 1))
    return scaled(0.5, plus(on_a, 1.0, on_b))


@njit
def _edge_on_edge(a: Solid, b: Solid, n: Vector) -> tuple[Array, Array]:
    """The ends of the common stretch of two edges that are nearly parallel; else nothing.

    Where a solid is round its middle line counts: surfaces that curve away part faster. If the
    edges cross within the stretch, the crossing is a point as well.
    """
    a0, a1, thick_a = middle_line(a, scaled(-1.0, n), _TILT)
    b0, b1, thick_b = middle_line(b, n, _TILT)
    ea, eb = unit(minus(a1, a0)), unit(minus(b1, b0))
    first, second = dot(minus(b0, a0), ea), dot(minus(b1, a0), ea)
    low, high = max(0.0, min(first, second)), min(dot(minus(a1, a0), ea), max(first, second))
    if length_of(cross(ea, eb)) > _CROSSING or high <= low:
        return np.empty((0, 3)), np.empty(0)
    nearest = dot(minus(nearest_of_edges(a0, a1, b0, b1)[0], a0), ea)
    within = low + SAME * high < nearest < high - SAME * high
    count = 3 if within else 2
    points, gaps = np.empty((count, 3)), np.empty(count)
    for i in range(count):
        on_a = plus(a0, (low, high, nearest)[i], ea)
        on_b = plus(b0, dot(minus(on_a, b0), eb), eb)
        apart = minus(on_a, on_b)
        sharp = thick_a + thick_b == 0.0
        gaps[i] = dot(apart, n) if sharp else length_of(apart) - thick_a - thick_b
        middle = plus(plus(on_a, 1.0, on_b), thick_b - thick_a, n)
        points[i] = scaled(0.5, middle)
    return points, gaps
