"""Gaps, places and normals of the contacts between bodies, of which one may be fixed to the world.

Pairs that may be near are found by boxes along the axes of the world, then by planes: where two
solids have been apart there is a plane between them. Kept in the frame of one of them it goes on
separating the two for many steps, and says at little cost that they are far apart.

Shapes are measured from edge to edge only where they touch; where they are apart, by the points in
which they are nearest to each other.

Frames: W world, A and B the links of the shapes of a pair.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from pydrake.math import RigidTransform

from footfall.arrays import Array, Flags, Indices
from footfall.jit import njit, scratch_njit
from footfall.plants.contacts.contact_set import BodyPair, GroundShape
from footfall.plants.contacts.distance import distance_of
from footfall.plants.contacts.patch import measure_pair
from footfall.plants.contacts.shapes import CYLINDER, HULL, NEAR
from footfall.plants.contacts.solid_table import SolidTable, solid_at, table_of_pairs
from footfall.plants.contacts.spheres import is_of_sphere, measure_sphere
from footfall.plants.contacts.tiles import (
    FlushTable,
    TileTable,
    flush_table,
    is_far_from_tile,
    leave_out_hidden,
    leave_out_sides,
    tile_table,
)
from footfall.plants.contacts.vectors import (
    Vector,
    carried,
    dot,
    minus,
    plus,
    row,
    scaled,
    turned,
    turned_back,
    unit,
)
from footfall.plants.kinematics import Kinematics

_ANY = (0.0, 0.0, 1.0)  # a direction where none is known
_APART = 1e-5  # m: what is less apart is measured from edge to edge
# columns of a pair: its shapes, its first contact, the one behind its last, and how it is measured
_A, _B, FIRST, END, _HOW = range(5)
_OF_SPHERE, _SHARP, _WALKS = range(3)


class PairTable(NamedTuple):
    """All p pairs of a contact set.

    rows (p, 5): the shapes a and b as numbers of solids, the first contact, the one behind the
    last, and how the pair is measured. leans (p,): see ``measure_pair``.
    """

    solids: SolidTable
    rows: Indices
    leans: Array
    tiles: TileTable
    flush: FlushTable


class GapScratch(NamedTuple):
    """Memory of a measure of gaps from one call to the next, to be quicker; one for each thread.

    planes_A (p, 3): unit normals from b to a of planes between the solids of every pair, in the
    frame of a's link, zero where none is known. touched (p,): pairs that touched when they were
    measured last, which are measured from edge to edge first. low, high (solids, 3) [m]: boxes in
    W. near (p,): the pairs that were near in the last call, num_near (1,): how many. corners
    (4, 7), room (n, 2): to write in.
    """

    planes_A: Array
    touched: Flags
    low: Array
    high: Array
    near: Indices
    num_near: Indices
    corners: Array
    room: Indices


def pair_table(
    pairs: Sequence[BodyPair],
    ground: Sequence[GroundShape],
    kinematics: Kinematics,
    X_WT: RigidTransform,
) -> PairTable:
    """Take all pairs, the shapes with points on the ground, and the pose of the ground."""
    solids, places = table_of_pairs(pairs, kinematics)
    rows = [
        (places[pair.a], places[pair.b], pair.first, pair.first + len(pair), _how(pair))
        for pair in pairs
    ]
    return PairTable(
        solids,
        np.array(rows, dtype=np.int64).reshape(-1, 5),
        np.array([lean_of(pair, kinematics) for pair in pairs]),
        tile_table(pairs, kinematics),
        flush_table(pairs, ground, kinematics, X_WT),
    )


def gap_scratch(pairs: PairTable) -> GapScratch:
    """Memory for one thread that measures gaps."""
    count, solids = len(pairs.rows), len(pairs.solids.links)
    return GapScratch(
        planes_A=np.zeros((count, 3)),
        touched=np.zeros(count, dtype=np.bool_),
        low=np.zeros((solids, 3)),
        high=np.zeros((solids, 3)),
        near=np.zeros(count, dtype=np.int64),
        num_near=np.zeros(1, dtype=np.int64),
        corners=np.zeros((4, 7)),
        room=np.zeros((int((pairs.rows[:, END] - pairs.rows[:, FIRST]).sum()), 2), dtype=np.int64),
    )


def _how(pair: BodyPair) -> int:
    if is_of_sphere(pair):
        return _OF_SPHERE
    return _WALKS if pair.is_intricate else _SHARP


def lean_of(pair: BodyPair, kinematics: Kinematics) -> float:
    """Return the place of the contacts of a pair, as ``measure_pair`` wants it.

    Half-way between the surfaces the angular momentum of two moving bodies is kept; beside a body
    that is fixed to the world the moving one touches with its own surface.
    """
    link_a, link_b = (kinematics.link_of(body) for body in (pair.body_a, pair.body_b))
    return 0.5 * (link_b == 0) - 0.5 * (link_a == 0)


@scratch_njit
def measure_pairs(
    table: PairTable, scratch: GapScratch, poses: Array, gap: Array, place: Array, normals: Array
) -> None:
    """Fill in gaps [m], places [m] and normals of pairs that are near; see ``measure_gaps``."""
    rows, near = table.rows, scratch.near
    _forget(rows, near[: scratch.num_near[0]], gap, place, normals)
    solids, far_tiles = table.solids, table.tiles.boxes.shape[0] > 0
    _place_boxes(solids.links, solids.centres, solids.halves, poses, scratch.low, scratch.high)
    count = _not_far(
        rows,
        scratch.low,
        scratch.high,
        scratch.planes_A,
        poses,
        solids.links,
        solids.begins,
        solids.kinds,
        solids.vertices,
        solids.radii,
        solids.semi_axes,
        solids.axes,
        solids.middles,
        solids.reaches,
        near,
    )
    left = 0
    for i in range(count):
        k = near[i]
        a, b, first, end, how = rows[k]
        X_WA, X_WB, lean = poses[solids.links[a]], poses[solids.links[b]], table.leans[k]
        done, distance = False, 0.0
        if how == _OF_SPHERE:
            of_a = solids.begins[a + 1, 0] - solids.begins[a, 0] == 1
            done, distance = measure_sphere(
                solids.begins,
                solids.normals,
                solids.heights,
                solids.radii,
                solids.middles,
                solids.reaches,
                a if of_a else b,
                b if of_a else a,
                X_WA if of_a else X_WB,
                X_WB if of_a else X_WA,
                1.0 if of_a else -1.0,
                lean,
                normals[k],
                place[first],
            )
            gap[first] = distance
        elif far_tiles and is_far_from_tile(table.tiles, k, solids, a, poses):
            continue
        if not done:
            distance = _measure(
                solids,
                a,
                b,
                how == _OF_SPHERE,
                how == _OF_SPHERE or (how == _SHARP and scratch.touched[k]),
                X_WA,
                X_WB,
                lean,
                scratch.planes_A[k],
                scratch.corners,
                normals[k],
                gap[first:end],
                place[first:end],
            )
            scratch.touched[k] = gap[first] <= _APART
        if distance <= NEAR:
            near[left] = k
            left += 1
    scratch.num_near[0] = left
    if table.tiles.boxes.shape[0] > 0:
        some = near[: scratch.num_near[0]]
        leave_out_hidden(table.tiles, rows, some, normals, gap, place, scratch.room)
    if table.flush.rows.shape[0] > 0:
        leave_out_sides(table.flush, rows, near[: scratch.num_near[0]], normals, gap)


@scratch_njit
def _forget(rows: Indices, near: Indices, gap: Array, place: Array, normals: Array) -> None:
    """Clear what was near in the last call."""
    for k in near:
        first, end = rows[k, FIRST], rows[k, END]
        _clear(normals[k], gap[first:end], place[first:end])


@scratch_njit
def _clear(normal: Array, gap: Array, place: Array) -> None:
    """Let a pair be far."""
    for d in range(3):
        normal[d] = 0.0
    for c in range(gap.size):
        gap[c] = np.inf
        for d in range(3):
            place[c, d] = np.nan


@scratch_njit
def _place_boxes(
    links: Indices, centres: Array, halves: Array, poses: Array, low: Array, high: Array
) -> None:
    """Fill in lowest and highest coordinates in W of boxes around the solids' own ones, (n, 3)."""
    for k in range(links.size):
        link = links[k]
        for d in range(3):
            middle, half = poses[link, d, 3], 0.0
            for i in range(3):
                middle += poses[link, d, i] * centres[k, i]
                half += abs(poses[link, d, i]) * halves[k, i]
            low[k, d], high[k, d] = middle - half, middle + half


@scratch_njit
def _not_far(
    rows: Indices,
    low: Array,
    high: Array,
    planes_A: Array,
    poses: Array,
    links: Indices,
    begins: Indices,
    kinds: Indices,
    vertices: Array,
    radii: Array,
    semi_axes: Array,
    axes: Array,
    middles: Array,
    reaches: Array,
    near: Indices,
) -> int:
    """Find the pairs that are not shown to be apart by their boxes, nor to be far by a plane."""
    count = 0
    for k in range(rows.shape[0]):
        a, b = rows[k, _A], rows[k, _B]
        margin = NEAR if rows[k, _HOW] == _OF_SPHERE else 0.0
        if low[a, 0] > high[b, 0] + margin or low[b, 0] > high[a, 0] + margin:
            continue
        if low[a, 1] > high[b, 1] + margin or low[b, 1] > high[a, 1] + margin:
            continue
        if low[a, 2] > high[b, 2] + margin or low[b, 2] > high[a, 2] + margin:
            continue
        n_A = row(planes_A, k)
        if dot(n_A, n_A) > 0.5:
            X_WA, X_WB = poses[links[a]], poses[links[b]]
            n_W = turned(X_WA, n_A)
            n_B = turned_back(X_WB, n_W)
            origins = X_WA[0, 3] - X_WB[0, 3], X_WA[1, 3] - X_WB[1, 3], X_WA[2, 3] - X_WB[2, 3]
            between = dot(n_W, origins)
            apart = between + dot(n_A, row(middles, a)) - dot(n_B, row(middles, b))
            if apart - reaches[a] - reaches[b] > NEAR:
                continue
            for solid, d in ((a, scaled(-1.0, n_A)), (b, n_B)):
                between -= _reached(vertices, begins[solid, 0], begins[solid + 1, 0], d)
                if kinds[solid] == HULL:
                    between -= radii[solid]
                else:
                    between -= _bulge(kinds[solid], semi_axes, axes, solid, d)
            if between > NEAR:
                continue
        near[count] = k
        count += 1
    return count


@njit
def _reached(vertices: Array, first: int, end: int, d: Vector) -> float:
    """Reach of some vertices along a direction."""
    best = -np.inf
    for i in range(first, end):
        best = max(best, dot(row(vertices, i), d))
    return best


@njit
def _bulge(kind: int, semi_axes: Array, axes: Array, k: int, d: Vector) -> float:
    """Reach of a round solid along a unit vector beyond its axis or centre."""
    total = 0.0
    for i in range(2 if kind == CYLINDER else 3):
        total += (
            semi_axes[k, i] * (axes[k, 0, i] * d[0] + axes[k, 1, i] * d[1] + axes[k, 2, i] * d[2])
        ) ** 2
    return math.sqrt(total)


@scratch_njit
def _measure(
    solids: SolidTable,
    a: int,
    b: int,
    of_sphere: bool,
    touched: bool,
    X_WA: Array,
    X_WB: Array,
    lean: float,
    plane_A: Array,
    corners: Array,
    normal: Array,
    gap: Array,
    place: Array,
) -> float:
    """Measure a pair that its box and its plane do not show to be far; return its distance.

    Its normal, or that along which it is far, becomes the normal of its plane. gap and place are
    filled in where it is near. touched: edges are looked at first.
    """
    solid_a, solid_b = solid_at(solids, a), solid_at(solids, b)
    measured, distance = False, 0.0
    if touched:
        measure_pair(solid_a, solid_b, X_WA, X_WB, _ANY, lean, normal, gap, place)
        least = np.inf
        for value in gap:
            least = min(least, value)
        measured = of_sphere or least <= _APART
    if not measured:
        middle_b = carried(X_WB, row(solids.middles, b))
        hint = unit(minus(carried(X_WA, row(solids.middles, a)), middle_b))
        distance, n_W, on_a = distance_of(solid_a, solid_b, X_WA, X_WB, hint, corners)
        if distance > _APART:
            plane_A[0], plane_A[1], plane_A[2] = turned_back(X_WA, n_W)
            _clear(normal, gap, place)
            if distance <= NEAR:
                gap[0] = distance
                at_c = plus(on_a, (lean - 0.5) * distance, n_W)
                for d in range(3):
                    normal[d], place[0, d] = n_W[d], at_c[d]
            return distance
        measure_pair(solid_a, solid_b, X_WA, X_WB, hint, lean, normal, gap, place)
    plane_A[0], plane_A[1], plane_A[2] = turned_back(X_WA, (normal[0], normal[1], normal[2]))
    if gap[0] > NEAR:  # apart, by one point
        _clear(normal, gap, place)
        return np.inf
    return 0.0
