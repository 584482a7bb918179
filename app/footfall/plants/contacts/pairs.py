"""Gaps, places and normals of the contacts between bodies, of which one may be fixed to the world.

Pairs that may be near are found by boxes along the axes of the world, then by planes: where two
solids have been apart there is a plane between them. Kept in the frame of one of them it goes on
separating the two for many steps, and says at little cost that they are far apart.

Of shapes with many edges, and of round ones, Drake is asked first for their distance: of convex
shapes it finds the direction quickly. The distance along that direction is then our own, as Drake's
may say too much; it is a lower bound. A direction serves for some steps, until what it shows has
fallen by a tenth. Only what touches, or where that distance is much less than Drake's, is measured
from edge to edge.

Frames: W world, A and B the links of the shapes of a pair.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from pydrake.geometry import QueryObject, SignedDistancePair
from pydrake.math import RigidTransform

from footfall.arrays import Array, Indices
from footfall.jit import njit
from footfall.plants.contacts.contact_set import BodyPair, GroundShape
from footfall.plants.contacts.patch import measure_pair
from footfall.plants.contacts.separation import support
from footfall.plants.contacts.shapes import NEAR
from footfall.plants.contacts.solid_table import SolidTable, solid_at, table_of_pairs
from footfall.plants.contacts.spheres import (
    between_spheres,
    is_far_sphere,
    is_of_sphere,
)
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
    row,
    scaled,
    turned,
    turned_back,
)
from footfall.plants.kinematics import Kinematics

_ANY = (0.0, 0.0, 1.0)  # a direction where none is known
_APART = 1e-5  # m: what is less apart is measured from edge to edge
_STILL = 0.9  # of a distance: what is left of it shows that its direction is a good one still
_SERVES = 10  # steps at most
# columns of a pair: its shapes, its first contact, the one behind its last, and how it is measured
_A, _B, _FIRST, _END, _HOW = range(5)
_OF_SPHERE, _SHARP, _ASKS_DRAKE = range(3)
_NEAR, _ASKED = range(2)  # places of counts


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
    """What a measure of gaps keeps from one call to the next, to be quicker; one for each thread.

    planes_A (p, 3): unit normals from b to a of planes between the solids of every pair, in the
    frame of a's link, zero where none is known; distances (p,) [m] as measured with them, served
    (p,): how many times since. low, high (solids, 3) [m]: boxes in W. near (p,): the pairs that
    were near in the last call, asked (p,): those of which Drake is to be asked; counts (2,): how
    many. room (n, 2): to write in.
    """

    planes_A: Array
    distances: Array
    served: Indices
    low: Array
    high: Array
    near: Indices
    asked: Indices
    counts: Indices
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
        distances=np.zeros(count),
        served=np.zeros(count, dtype=np.int64),
        low=np.zeros((solids, 3)),
        high=np.zeros((solids, 3)),
        near=np.zeros(count, dtype=np.int64),
        asked=np.zeros(count, dtype=np.int64),
        counts=np.zeros(2, dtype=np.int64),
        room=np.zeros(
            (int((pairs.rows[:, _END] - pairs.rows[:, _FIRST]).sum()), 2), dtype=np.int64
        ),
    )


def asks_drake(pairs: PairTable) -> bool:
    """Say whether there are pairs of which Drake is asked now and then."""
    return bool(np.any(pairs.rows[:, _HOW] == _ASKS_DRAKE))


def _how(pair: BodyPair) -> int:
    if is_of_sphere(pair):
        return _OF_SPHERE
    return _ASKS_DRAKE if pair.asks_drake else _SHARP


def lean_of(pair: BodyPair, kinematics: Kinematics) -> float:
    """Return the place of the contacts of a pair, as ``measure_pair`` wants it.

    Half-way between the surfaces the angular momentum of two moving bodies is kept; beside a body
    that is fixed to the world the moving one touches with its own surface.
    """
    link_a, link_b = (kinematics.link_of(body) for body in (pair.body_a, pair.body_b))
    return 0.5 * (link_b == 0) - 0.5 * (link_a == 0)


@njit
def measure_pairs(
    table: PairTable, scratch: GapScratch, poses: Array, gap: Array, place: Array, normals: Array
) -> int:
    """Fill in gaps [m], places [m] and normals of pairs that are near; see ``measure_gaps``.

    Returns how many pairs are left, in scratch.asked, of which Drake is to be asked before
    ``leave_out``.
    """
    _forget(table, scratch, gap, place, normals)
    _place_boxes(table.solids, poses, scratch.low, scratch.high)
    near, asked = 0, 0
    for k in range(table.rows.shape[0]):
        if _is_far(table, scratch, k, poses):
            continue
        scratch.near[near] = k
        near += 1
        if table.rows[k, _HOW] != _ASKS_DRAKE:
            measure_near(table, scratch, k, poses, _ANY, gap, place, normals)
        elif not _still_apart(table, scratch, k, poses, gap, place, normals):
            scratch.asked[asked] = k
            asked += 1
    scratch.counts[_NEAR], scratch.counts[_ASKED] = near, asked
    if asked == 0:
        leave_out(table, scratch, gap, place, normals)
    return asked


@njit
def leave_out(
    table: PairTable, scratch: GapScratch, gap: Array, place: Array, normals: Array
) -> None:
    """Give contacts that are hidden in the ground the gap infinity."""
    near = scratch.near[: scratch.counts[_NEAR]]
    if table.tiles.boxes.shape[0] > 0:
        leave_out_hidden(table.tiles, table.rows, near, normals, gap, place, scratch.room)
    if table.flush.rows.shape[0] > 0:
        leave_out_sides(table.flush, table.rows, near, normals, gap)


@njit
def _forget(
    table: PairTable, scratch: GapScratch, gap: Array, place: Array, normals: Array
) -> None:
    """Clear what was near in the last call."""
    for i in range(scratch.counts[_NEAR]):
        k = scratch.near[i]
        for d in range(3):
            normals[k, d] = 0.0
        for c in range(table.rows[k, _FIRST], table.rows[k, _END]):
            gap[c] = np.inf
            for d in range(3):
                place[c, d] = np.nan


@njit
def _place_boxes(solids: SolidTable, poses: Array, low: Array, high: Array) -> None:
    """Fill in lowest and highest coordinates in W of boxes around the solids' own ones, (n, 3)."""
    for k in range(solids.links.shape[0]):
        link = solids.links[k]
        for d in range(3):
            middle, half = poses[link, d, 3], 0.0
            for i in range(3):
                middle += poses[link, d, i] * solids.centres[k, i]
                half += abs(poses[link, d, i]) * solids.halves[k, i]
            low[k, d], high[k, d] = middle - half, middle + half


@njit
def _is_far(table: PairTable, scratch: GapScratch, k: int, poses: Array) -> bool:
    """Return whether a pair is apart, by its boxes, or by a plane and then more than NEAR."""
    a, b = table.rows[k, _A], table.rows[k, _B]
    solids = table.solids
    if table.rows[k, _HOW] == _OF_SPHERE:
        if solids.begins[a + 1, 0] - solids.begins[a, 0] == 1:
            return is_far_sphere(solids, a, b, poses)
        return is_far_sphere(solids, b, a, poses)
    for d in range(3):
        if scratch.low[a, d] > scratch.high[b, d] or scratch.low[b, d] > scratch.high[a, d]:
            return True
    n_A = row(scratch.planes_A, k)
    if dot(n_A, n_A) > 0.5:
        n_W = turned(poses[solids.links[a]], n_A)
        if separation_along(solids, a, b, poses, n_W) > NEAR:
            return True
    piece = table.tiles.piece_of[k]
    return piece >= 0 and is_far_from_tile(table.tiles, piece, solids, a, poses)


@njit
def separation_along(solids: SolidTable, a: int, b: int, poses: Array, n_W: Vector) -> float:
    """By how much a plane across n_W separates solid a from b, (n_W from b to a) [m]."""
    X_WA, X_WB = poses[solids.links[a]], poses[solids.links[b]]
    n_A, n_B = turned_back(X_WA, n_W), turned_back(X_WB, n_W)
    on_a = support(solid_at(solids, a), scaled(-1.0, n_A))
    on_b = support(solid_at(solids, b), n_B)
    origins = (X_WA[0, 3] - X_WB[0, 3], X_WA[1, 3] - X_WB[1, 3], X_WA[2, 3] - X_WB[2, 3])
    return dot(n_W, origins) + dot(n_A, on_a) - dot(n_B, on_b)


@njit
def measure_near(
    table: PairTable,
    scratch: GapScratch,
    k: int,
    poses: Array,
    hint: Vector,
    gap: Array,
    place: Array,
    normals: Array,
) -> None:
    """Measure a pair from edge to edge, and keep its normal as a plane between the two."""
    solids, lean = table.solids, table.leans[k]
    a, b, first, end, how = table.rows[k]
    X_WA, X_WB = poses[solids.links[a]], poses[solids.links[b]]
    faces = solids.begins[a + 1, 1] + solids.begins[b + 1, 1] - solids.begins[a, 1]
    if how == _OF_SPHERE and faces == solids.begins[b, 1]:
        p_a, p_b = carried(X_WA, row(solids.middles, a)), carried(X_WB, row(solids.middles, b))
        apart, reach_a, reach_b = minus(p_a, p_b), solids.reaches[a], solids.reaches[b]
        if dot(apart, apart) > 0.0:
            to, at = normals[k], place[first]
            gap[first] = between_spheres(p_a, p_b, reach_a, reach_b, lean, to, at)
            return
    measure_pair(
        solid_at(solids, a),
        solid_at(solids, b),
        X_WA,
        X_WB,
        hint,
        lean,
        normals[k],
        gap[first:end],
        place[first:end],
    )
    n_A = turned_back(X_WA, row(normals, k))
    scratch.planes_A[k, 0], scratch.planes_A[k, 1], scratch.planes_A[k, 2] = n_A


@njit
def _still_apart(
    table: PairTable,
    scratch: GapScratch,
    k: int,
    poses: Array,
    gap: Array,
    place: Array,
    normals: Array,
) -> bool:
    """Measure a pair along its plane's normal, if this is still good enough."""
    scratch.served[k] += 1
    n_A = row(scratch.planes_A, k)
    if scratch.served[k] > _SERVES or dot(n_A, n_A) < 0.5:
        return False
    a, b, first = table.rows[k, _A], table.rows[k, _B], table.rows[k, _FIRST]
    X_WA = poses[table.solids.links[a]]
    n_W = turned(X_WA, n_A)
    distance = separation_along(table.solids, a, b, poses, n_W)
    if distance <= max(_APART, _STILL * scratch.distances[k]):
        return False
    on_a = carried(X_WA, support(solid_at(table.solids, a), scaled(-1.0, n_A)))
    gap[first] = distance
    for d in range(3):
        normals[k, d], place[first, d] = n_W[d], on_a[d] - 0.5 * distance * n_W[d]
    return True


class AskedPairs:
    """The pairs of which Drake is asked, where their planes do not do any more."""

    def __init__(self, pairs: Sequence[BodyPair], query: Callable[[], QueryObject]) -> None:
        """Take all pairs; query: gives the QueryObject at the state that the poses belong to."""
        self._pairs, self._query = pairs, query

    def measure(
        self,
        table: PairTable,
        scratch: GapScratch,
        poses: Array,
        gap: Array,
        place: Array,
        normals: Array,
    ) -> None:
        """Measure the pairs that ``measure_pairs`` has left, and do what it does then."""
        for k in scratch.asked[: scratch.counts[_ASKED]].tolist():
            self._measure(table, scratch, k, poses, gap, place, normals)
        leave_out(table, scratch, gap, place, normals)

    def _measure(
        self,
        table: PairTable,
        scratch: GapScratch,
        k: int,
        poses: Array,
        gap: Array,
        place: Array,
        normals: Array,
    ) -> None:
        scratch.served[k] = 0
        a, b, first = table.rows[k, :_END].tolist()
        query, pair = self._query(), self._pairs[k]
        witness, hint = _witness(query, pair), _ANY
        # where they exactly touch the direction may be no number
        if witness is not None and np.isfinite(witness.nhat_BA_W).all():
            hint = tuple(witness.nhat_BA_W.tolist())
            distance = separation_along(table.solids, a, b, poses, hint)
            if distance > max(_APART, _STILL * witness.distance):
                n_W = witness.nhat_BA_W
                scratch.planes_A[k] = turned_back(poses[table.solids.links[a]], hint)
                scratch.distances[k] = distance
                if distance <= NEAR:
                    p_WCa = query.GetPoseInWorld(pair.a).multiply(witness.p_ACa)
                    normals[k], gap[first] = n_W, distance
                    place[first] = p_WCa - 0.5 * distance * n_W
                return
        measure_near(table, scratch, k, poses, hint, gap, place, normals)
        scratch.distances[k] = max(0.0, gap[first])


def _witness(query: QueryObject, pair: BodyPair) -> SignedDistancePair | None:
    """Drake's distance of two shapes; its solver gives up now and then where they just touch."""
    try:
        return query.ComputeSignedDistancePairClosestPoints(pair.a, pair.b)
    except RuntimeError:
        return None
