"""Spheres against polyhedra and other spheres, which are measured without a search.

How far a pair is apart at least is told by the spheres around the two, then by the faces of the
polyhedron; pairs that are nearer than NEAR are measured as all others are.

Frames: W world, B the link of a shape.
"""

import math

from footfall.arrays import Array
from footfall.jit import njit
from footfall.plants.contacts.contact_set import BodyPair
from footfall.plants.contacts.shapes import HULL, NEAR, Solid
from footfall.plants.contacts.solid_table import SolidTable
from footfall.plants.contacts.vectors import Vector, carried, dot, length_of, minus, plus, row, unit

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
def is_far_sphere(solids: SolidTable, sphere: int, other: int, poses: Array) -> bool:
    """Return whether a sphere is farther than NEAR from another one or a polyhedron."""
    X_WB = poses[solids.links[other]]
    p_W = carried(poses[solids.links[sphere]], row(solids.middles, sphere))
    apart = minus(p_W, carried(X_WB, row(solids.middles, other)))
    if length_of(apart) - solids.reaches[sphere] - solids.reaches[other] > NEAR:
        return True
    first, end = solids.begins[other, 1], solids.begins[other + 1, 1]
    if first == end:
        return False
    above = _above(solids.normals, solids.heights, first, end, _within(X_WB, p_W))
    return above - solids.radii[sphere] - solids.radii[other] > NEAR


@njit
def between_spheres(
    a: Vector, b: Vector, reach_a: float, reach_b: float, lean: float, n_W: Array, p_WC: Array
) -> float:
    """Gap [m] of two spheres; fills in the normal from b to a and the place of the contact in W.

    a, b: their centres, which are not in the same place. lean: see ``measure_pair``.
    """
    apart = minus(a, b)
    gap = length_of(apart) - reach_a - reach_b
    n = unit(apart)
    place = plus(b, reach_b + (0.5 + lean) * gap, n)
    for i in range(3):
        n_W[i], p_WC[i] = n[i], place[i]
    return gap


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
def _above(normals: Array, heights: Array, first: int, end: int, p: Vector) -> float:
    """Return a lower bound of the distance [m] of a point to a polyhedron.

    It is by the nearest face or two that meet; inside, the depth below that face, negative.
    """
    best, face = -math.inf, first
    for i in range(first, end):
        height = dot(row(normals, i), p) - heights[i]
        if height > best:
            best, face = height, i
    if best <= 0.0:
        return best
    bound = best
    for i in range(first, end):
        height = dot(row(normals, i), p) - heights[i]
        cosine = dot(row(normals, i), row(normals, face))
        sine2 = 1.0 - cosine * cosine
        if height > cosine * best and sine2 > _PARALLEL:  # its foot on the face is off the other
            over = best * best + height * height - 2.0 * cosine * best * height
            bound = max(bound, math.sqrt(over / sine2))
    return bound
