"""Contact patch of two solids: the corners of their common area, across their normal.

The part of each solid that faces the other is a corner, an edge or a face. Seen along the normal n
(from b to a) their outlines are cut with each other (Sutherland and Hodgman 1974); each corner of
the common outline becomes a contact, with a gap of its own along n.
"""

import math

import numpy as np

from footfall.arrays import Array
from footfall.jit import njit
from footfall.plants.contacts.outline import SAME, common_outline
from footfall.plants.contacts.parts import facing_part, middle_line
from footfall.plants.contacts.roundness import separation_of_round
from footfall.plants.contacts.separation import nearest_of_edges, separation_of_hulls, support
from footfall.plants.contacts.solids import HULL, Solid
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
    unit,
)

_TILT = 0.05  # rad: a face or an edge that leans by less still counts; its far corners are open
_CLOSE = 1e-6  # m: solids that are less apart have all their points, which may count as touching
_ROUNDING = 1e-12  # m
_CROSSING = 0.05  # rad: two edges at a larger angle touch in one point


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
