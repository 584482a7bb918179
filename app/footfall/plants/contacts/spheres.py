"""Spheres against polyhedra and other spheres: all such pairs in one compiled loop.

A wheel on a track of a thousand boxes is near to some of them only. How far a pair is apart at
least is told by the spheres around the two, then by the faces of the polyhedron; pairs that are
nearer than NEAR are measured as all others are.

Frames: W world, B the link of a shape.
"""

import math
from collections.abc import Sequence

import numpy as np

from footfall.arrays import Array, Indices
from footfall.jit import njit
from footfall.plants.contacts.contact_set import BodyPair
from footfall.plants.contacts.patch import measure_pair
from footfall.plants.contacts.shapes import HULL, NEAR, Solid
from footfall.plants.contacts.solid_table import SolidTable, solid_at, table_of_pairs
from footfall.plants.contacts.vectors import Vector, dot, minus, plus, row, unit
from footfall.plants.kinematics import Kinematics

_ANY = (0.0, 0.0, 1.0)  # hulls need no direction to begin with
_PARALLEL = 1e-9  # sine squared of the angle of two faces that meet in no edge
# columns of a pair: its number, its shapes, its contact, and which of the shapes is the sphere
_NUMBER, _A, _B, _FIRST, _SPHERE, _OTHER = range(6)


def is_of_sphere(pair: BodyPair) -> bool:
    """Return whether one shape of a pair is a sphere, the other a sphere or a polyhedron."""
    solids = (pair.solid_a, pair.solid_b)
    known = all(
        solid.kind == HULL and (_is_sphere(solid) or solid.normals.size) for solid in solids
    )
    return known and any(_is_sphere(solid) for solid in solids) and not pair.asks_drake


def _is_sphere(solid: Solid) -> bool:
    return len(solid.vertices) == 1


class SpherePairs:
    """Pairs of spheres and polyhedra, and of two spheres."""

    def __init__(
        self,
        pairs: Sequence[BodyPair],
        numbers: Sequence[int],
        leans: Sequence[float],
        kinematics: Kinematics,
    ) -> None:
        """Take those of the pairs that have these numbers; leans: see ``measure_pair``."""
        self._solids, places = table_of_pairs((pairs[k] for k in numbers), kinematics)
        rows = []
        for number in numbers:
            pair = pairs[number]
            a, b = places[pair.a], places[pair.b]
            ordered = (a, b) if _is_sphere(pair.solid_a) else (b, a)
            rows.append((number, a, b, pair.first, *ordered))
        self._pairs = np.array(rows, dtype=np.int64).reshape(-1, 6)
        self._leans = np.array(leans, dtype=np.float64)
        # compiled now, so that the first touch takes no longer than others
        none = np.zeros((0, 3))
        _measure(
            self._pairs[:0], self._leans, self._solids, kinematics.poses, none, np.zeros(0), none
        )

    def __len__(self) -> int:
        """Count the pairs."""
        return len(self._pairs)

    def measure(self, poses: Array, normals: Array, gap: Array, p_WC: Array) -> None:
        """Put in the normals, gaps [m] and places [m] of pairs that are near.

        The normals of the others become 0, their gaps and places are left.
        """
        _measure(self._pairs, self._leans, self._solids, poses, normals, gap, p_WC)


@njit
def _measure(
    pairs: Indices,
    leans: Array,
    solids: SolidTable,
    poses: Array,
    normals: Array,
    gap: Array,
    p_WC: Array,
) -> None:
    """See ``SpherePairs.measure``."""
    links, middles, reaches = solids.links, solids.middles, solids.reaches
    begins, faces, heights = solids.begins, solids.normals, solids.heights
    centres = np.empty_like(middles)
    for i in range(links.shape[0]):
        for d in range(3):
            X = poses[links[i], d]
            centres[i, d] = X[3] + dot((X[0], X[1], X[2]), row(middles, i))
    for k in range(pairs.shape[0]):
        number, first = pairs[k, _NUMBER], pairs[k, _FIRST]
        sphere, other = pairs[k, _SPHERE], pairs[k, _OTHER]
        apart = minus(row(centres, sphere), row(centres, other))
        bound = math.sqrt(dot(apart, apart)) - reaches[sphere] - reaches[other]
        faceted = begins[other, 1] < begins[other + 1, 1]
        if bound <= NEAR and faceted:
            p_B = _within(poses[links[other]], row(centres, sphere))
            above = _above(faces, heights, begins[other, 1], begins[other + 1, 1], p_B)
            bound = above - solids.radii[sphere] - solids.radii[other]
        if bound > NEAR:
            for d in range(3):
                normals[number, d] = 0.0
            continue
        a, b = pairs[k, _A], pairs[k, _B]
        if not faceted and dot(apart, apart) > 0.0:
            gap[first] = bound
            _between(
                row(centres, a),
                row(centres, b),
                solids.radii[b],
                bound,
                leans[k],
                normals[number],
                p_WC[first],
            )
            continue
        measure_pair(
            solid_at(solids, a),
            solid_at(solids, b),
            poses[links[a]],
            poses[links[b]],
            _ANY,
            leans[k],
            normals[number],
            gap[first : first + 1],
            p_WC[first : first + 1],
        )


@njit
def _between(
    a: Vector, b: Vector, radius_b: float, gap: float, lean: float, n_W: Array, p_WC: Array
) -> None:
    """Fill in the normal from b to a and the place of the contact of two spheres, in W [m].

    a, b: their centres, which are not in the same place. lean: see ``measure_pair``.
    """
    n = unit(minus(a, b))
    place = plus(b, radius_b + (0.5 + lean) * gap, n)
    for i in range(3):
        n_W[i], p_WC[i] = n[i], place[i]


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
