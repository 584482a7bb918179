"""Spheres against polyhedra and other spheres, which are measured without a search.

How far a pair is apart at least is told by the spheres around the two, then by the faces of the
polyhedron. Other spheres, and polyhedra of which a face or an edge is the nearest, are measured in
closed form; where it is a corner, or the centre is within, the pair is measured as all others.

Frames: W world, B the link of a shape.
"""

import math

from footfall.arrays import Array, Indices
from footfall.jit import njit
from footfall.plants.contacts.contact_set import BodyPair
from footfall.plants.contacts.shapes import HULL, NEAR, Solid
from footfall.plants.contacts.vectors import (
    Vector,
    carried,
    dot,
    length_of,
    minus,
    plus,
    row,
    scaled,
    turned,
    unit,
)

_ON = 1e-12  # m: rounding
_PARALLEL = 1e-9  # sine squared of the angle of two faces that meet in no edge


def is_of_sphere(pair: BodyPair) -> bool:
    """Return whether one shape of a pair is a sphere, the other a sphere or a polyhedron."""
    solids = (pair.solid_a, pair.solid_b)
    known = all(solid.kind == HULL and (is_sphere(solid) or solid.normals.size) for solid in solids)
    return known and any(is_sphere(solid) for solid in solids) and not pair.is_intricate


def is_sphere(solid: Solid) -> bool:
    """Return whether a hull is a single point, grown by a radius."""
    return len(solid.vertices) == 1


@njit
def measure_sphere(
    begins: Indices,
    normals: Array,
    heights: Array,
    radii: Array,
    middles: Array,
    reaches: Array,
    sphere: int,
    other: int,
    X_WA: Array,
    X_WB: Array,
    out: float,
    lean: float,
    n_W: Array,
    p_WC: Array,
) -> tuple[bool, float]:
    """Say whether a sphere and another solid are done, and their gap [m], infinity above NEAR.

    Fills in the normal (3,) and the place (3,) in W of a pair that is near. The arrays are those of
    a ``SolidTable``. X_WA, X_WB: of the sphere's link and the other's. out: 1 where the pair's
    normal points from the other to the sphere, else -1. lean: see ``measure_pair``.
    """
    p_W = carried(X_WA, row(middles, sphere))
    apart = minus(p_W, carried(X_WB, row(middles, other)))
    gap = length_of(apart) - reaches[sphere] - reaches[other]
    if gap > NEAR:
        return True, math.inf
    n, radius = unit(apart), radii[sphere]
    far = NEAR + radius + radii[other]
    first, end = begins[other, 1], begins[other + 1, 1]
    if first < end:
        p_B = _within(X_WB, p_W)
        above, n_B, exact = _above(normals, heights, first, end, p_B, far)
        gap = above - radius - radii[other]
        if gap > NEAR:
            return True, math.inf
        if not exact:
            return False, gap
        n = turned(X_WB, n_B)
    elif dot(n, n) < 0.5:  # one centre in the other
        return False, gap
    place = plus(p_W, -radius + (out * lean - 0.5) * gap, n)
    for i in range(3):
        n_W[i], p_WC[i] = out * n[i], place[i]
    return True, gap


@njit
def _within(X: Array, p: Vector) -> Vector:
    """A point in a frame whose pose, (3, 4), is given in the frame that the point is in."""
    x, y, z = p[0] - X[0, 3], p[1] - X[1, 3], p[2] - X[2, 3]
    return (
        X[0, 0] * x + X[1, 0] * y + X[2, 0] * z,
        X[0, 1] * x + X[1, 1] * y + X[2, 1] * z,
        X[0, 2] * x + X[1, 2] * y + X[2, 2] * z,
    )


@njit
def _above(
    normals: Array, heights: Array, first: int, end: int, p: Vector, far: float
) -> tuple[float, Vector, bool]:
    """Return a lower bound of the distance [m] of a point to a polyhedron, and its direction.

    The bound is by the nearest face or two that meet; inside, the depth below that face, negative.
    Behind them is whether it is the distance itself: not if a corner is nearest, and not inside,
    nor above ``far`` [m], where the height over one face is enough.
    """
    best, face = -math.inf, first
    for i in range(first, end):
        height = dot(row(normals, i), p) - heights[i]
        if height > best:
            best, face = height, i
    n = row(normals, face)
    if best > far:
        return best, n, False
    bound, x, y, other = best, best, 0.0, face
    for i in range(first, end if best > 0.0 else first):
        height = dot(row(normals, i), p) - heights[i]
        cosine = dot(row(normals, i), n)
        sine2 = 1.0 - cosine * cosine
        if height > cosine * best and sine2 > _PARALLEL:  # its foot on the face is off the other
            over = best * best + height * height - 2.0 * cosine * best * height
            if math.sqrt(over / sine2) > bound + _ON:  # else the face's own
                bound, other = math.sqrt(over / sine2), i
                x, y = (best - cosine * height) / sine2, (height - cosine * best) / sine2
    if best <= 0.0 or other == face:
        return bound, n, best > 0.0
    apart = plus(scaled(x, n), y, row(normals, other))
    foot = minus(p, apart)
    for i in range(first, end):
        if dot(row(normals, i), foot) - heights[i] > _ON:
            return bound, n, False
    return bound, unit(apart), True
