"""Spheres against polyhedra and other spheres: all such pairs in one compiled loop.

A wheel on a track of a thousand boxes is near to some of them only. How far a pair is apart at
least is told by the spheres around the two, then by the faces of the polyhedron; pairs that are
nearer than NEAR are measured as all others are.

Frames: W world, B the link of a shape.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from pydrake.geometry import GeometryId

from footfall.arrays import Array
from footfall.jit import njit
from footfall.plants.contacts.contact_set import BodyPair
from footfall.plants.contacts.patch import measure_pair
from footfall.plants.contacts.solids import HULL, NEAR, Solid, posed
from footfall.plants.contacts.vectors import Vector, dot, minus, row
from footfall.plants.kinematics import Kinematics

Indices = npt.NDArray[np.int64]

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


class _Solids(NamedTuple):
    """Solids behind each other; begins (n + 1, 3): where the vertices, faces and edges of each are.

    heights: of the faces along their normals. middles (n, 3) and reaches (n,): spheres around the
    solids. Everything in the frames of their links.
    """

    begins: Indices
    links: Indices
    vertices: Array
    normals: Array
    heights: Array
    loops: Indices
    edges: Indices
    sides: Indices
    radii: Array
    middles: Array
    reaches: Array
    axes: Array
    semi_axes: Array


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
        places: dict[GeometryId, int] = {}
        solids: list[Solid] = []
        links: list[int] = []
        rows = []
        for number in numbers:
            pair = pairs[number]
            shapes = ((pair.a, pair.body_a, pair.solid_a), (pair.b, pair.body_b, pair.solid_b))
            for geometry, body, solid in shapes:
                if geometry not in places:
                    places[geometry] = len(solids)
                    solids.append(posed(solid, kinematics.within(body.body_frame())))
                    links.append(kinematics.link_of(body))
            a, b = places[pair.a], places[pair.b]
            ordered = (a, b) if _is_sphere(pair.solid_a) else (b, a)
            rows.append((number, a, b, pair.first, *ordered))
        self._pairs = np.array(rows, dtype=np.int64).reshape(-1, 6)
        self._leans = np.array(leans, dtype=np.float64)
        self._solids = _tables(solids, links)
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


def _tables(solids: Sequence[Solid], links: Sequence[int]) -> _Solids:
    sizes = [(len(s.vertices), len(s.normals), len(s.edges)) for s in solids]
    widest = max((s.loops.shape[1] for s in solids), default=0)
    loops = np.full((sum(size[1] for size in sizes), widest), -1, dtype=np.int64)
    face = 0
    for solid in solids:
        loops[face : face + len(solid.loops), : solid.loops.shape[1]] = solid.loops
        face += len(solid.loops)
    middles = np.array([s.vertices.mean(axis=0) for s in solids]).reshape(-1, 3)
    around = [
        float(np.linalg.norm(s.vertices - middle, axis=1).max())
        for s, middle in zip(solids, middles, strict=True)
    ]
    radii = np.array([s.radius for s in solids], dtype=np.float64)
    heights = [
        np.einsum("ij,ij->i", s.normals, s.vertices[s.loops[:, 0]]) if len(s.normals) else []
        for s in solids
    ]
    return _Solids(
        begins=np.vstack(([0, 0, 0], np.cumsum(np.array(sizes).reshape(-1, 3), axis=0))),
        links=np.array(links, dtype=np.int64),
        vertices=np.vstack([s.vertices for s in solids]),
        normals=np.vstack([s.normals for s in solids]),
        heights=np.concatenate(heights),
        loops=loops,
        edges=np.vstack([s.edges for s in solids]),
        sides=np.vstack([s.sides for s in solids]),
        radii=radii,
        middles=middles,
        reaches=radii + around,
        axes=np.eye(3),
        semi_axes=np.zeros(3),
    )


@njit
def _measure(
    pairs: Indices,
    leans: Array,
    solids: _Solids,
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
        if bound <= NEAR and begins[other, 1] < begins[other + 1, 1]:
            p_B = _within(poses[links[other]], row(centres, sphere))
            above = _above(faces, heights, begins[other, 1], begins[other + 1, 1], p_B)
            bound = above - solids.radii[sphere] - solids.radii[other]
        if bound > NEAR:
            for d in range(3):
                normals[number, d] = 0.0
            continue
        measure_pair(
            _solid(solids, pairs[k, _A]),
            _solid(solids, pairs[k, _B]),
            poses[links[pairs[k, _A]]],
            poses[links[pairs[k, _B]]],
            _ANY,
            leans[k],
            normals[number],
            gap[first : first + 1],
            p_WC[first : first + 1],
        )


@njit
def _solid(solids: _Solids, k: int) -> Solid:
    """One of the solids, as a view."""
    v, f, e = solids.begins[k, 0], solids.begins[k, 1], solids.begins[k, 2]
    v_end, f_end, e_end = solids.begins[k + 1, 0], solids.begins[k + 1, 1], solids.begins[k + 1, 2]
    return Solid(
        solids.vertices[v:v_end],
        solids.normals[f:f_end],
        solids.loops[f:f_end],
        solids.edges[e:e_end],
        solids.sides[e:e_end],
        solids.radii[k],
        HULL,
        solids.semi_axes,
        solids.axes,
    )


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
