"""Gaps, places and normals of the contacts between bodies, of which one may be fixed to the world.

Pairs of spheres with spheres or polyhedra are looked at in a loop of their own. Of the others those
that may be near are found by boxes along the axes of the world, then by planes: where two solids
have been apart there is a plane between them. Kept in the frame of one of them it goes on
separating the two for many steps, and says at little cost that they are far apart.

Of shapes with many edges, and of round ones, Drake is asked first for their distance: of convex
shapes it finds the direction quickly. The distance along that direction is then our own, as Drake's
may say too much; it is a lower bound. A direction serves for some steps, until what it shows has
fallen by a tenth. Only what touches, or where that distance is much less than Drake's, is measured
from edge to edge.

Frames: W world, A and B the links of the shapes of a pair.
"""

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet

import numpy as np
import numpy.typing as npt
from pydrake.geometry import QueryObject, SignedDistancePair

from footfall.arrays import Array, Indices
from footfall.jit import njit
from footfall.plants.contacts.contact_set import BodyPair
from footfall.plants.contacts.patch import measure_pair
from footfall.plants.contacts.separation import support
from footfall.plants.contacts.shapes import NEAR
from footfall.plants.contacts.solid_table import SolidTable, solid_at, table_of_pairs
from footfall.plants.contacts.spheres import SpherePairs, is_of_sphere
from footfall.plants.contacts.tiles import TiledGround
from footfall.plants.contacts.vectors import Vector, dot, row, scaled
from footfall.plants.kinematics import Kinematics

_ANY = (0.0, 0.0, 1.0)  # a direction where none is known
_APART = 1e-5  # m: what is less apart is measured from edge to edge
_STILL = 0.9  # of a distance: what is left of it shows that its direction is a good one still
_SERVES = 10  # steps at most
# columns of a pair: its number, its shapes, its first contact and the one behind its last
_NUMBER, _A, _B, _FIRST, _END = range(5)


@njit
def near_pairs(
    table: SolidTable, pairs: Indices, planes_A: Array, poses: Array, reach: float
) -> Indices:
    """Indices of the pairs whose boxes overlap and of which no plane shows a distance above reach.

    pairs (p, 2): the solids a, b. planes_A (p, 3): unit normals from b to a in the frame of a's
    link, zero where none is known. poses (links, 3, 4).
    """
    low, high = _boxes(table, poses)
    near = np.empty(pairs.shape[0], dtype=np.int64)
    count = 0
    for k in range(pairs.shape[0]):
        a, b = pairs[k]
        overlap = True
        for d in range(3):
            overlap = overlap and low[a, d] <= high[b, d] and low[b, d] <= high[a, d]
        if not overlap:
            continue
        n_A = row(planes_A, k)
        if dot(n_A, n_A) > 0.5:
            n_W = turned(poses[table.links[a]], n_A)
            if separation_along(table, a, b, poses, n_W) > reach:
                continue
        near[count] = k
        count += 1
    return near[:count]


@njit
def separation_along(table: SolidTable, a: int, b: int, poses: Array, n_W: Vector) -> float:
    """By how much a plane across n_W separates solid a from b, (n_W from b to a) [m]."""
    X_WA, X_WB = poses[table.links[a]], poses[table.links[b]]
    n_A, n_B = turned_back(X_WA, n_W), turned_back(X_WB, n_W)
    on_a = support(solid_at(table, a), scaled(-1.0, n_A))
    on_b = support(solid_at(table, b), n_B)
    origins = (X_WA[0, 3] - X_WB[0, 3], X_WA[1, 3] - X_WB[1, 3], X_WA[2, 3] - X_WB[2, 3])
    return dot(n_W, origins) + dot(n_A, on_a) - dot(n_B, on_b)


@njit
def turned(X: Array, v: Vector) -> Vector:
    """A vector given in the frame of a pose (3, 4), in the frame in which the pose is given."""
    return (
        X[0, 0] * v[0] + X[0, 1] * v[1] + X[0, 2] * v[2],
        X[1, 0] * v[0] + X[1, 1] * v[1] + X[1, 2] * v[2],
        X[2, 0] * v[0] + X[2, 1] * v[1] + X[2, 2] * v[2],
    )


@njit
def turned_back(X: Array, v: Vector) -> Vector:
    """The other way round."""
    return (
        X[0, 0] * v[0] + X[1, 0] * v[1] + X[2, 0] * v[2],
        X[0, 1] * v[0] + X[1, 1] * v[1] + X[2, 1] * v[2],
        X[0, 2] * v[0] + X[1, 2] * v[1] + X[2, 2] * v[2],
    )


@njit
def _boxes(table: SolidTable, poses: Array) -> tuple[Array, Array]:
    """Lowest and highest coordinates in W of boxes around the solids' own ones, (n, 3) each."""
    low, high = np.empty_like(table.centres), np.empty_like(table.centres)
    for k in range(table.links.shape[0]):
        X = poses[table.links[k]]
        for d in range(3):
            middle, half = X[d, 3], 0.0
            for i in range(3):
                middle += X[d, i] * table.centres[k, i]
                half += abs(X[d, i]) * table.halves[k, i]
            low[k, d], high[k, d] = middle - half, middle + half
    return low, high


class OtherPairs:
    """The contacts of some of the pairs of a machine."""

    def __init__(
        self,
        pairs: Sequence[BodyPair],
        numbers: Sequence[int],
        leans: Sequence[float],
        kinematics: Kinematics,
        query: Callable[[], QueryObject],
    ) -> None:
        """Take those of the pairs that have these numbers; leans: of all, see ``measure_pair``."""
        self._query = query
        self._bodies = [pairs[number] for number in numbers]
        self._table, places = table_of_pairs(self._bodies, kinematics)
        self._pairs = np.array(
            [
                (k, places[pairs[k].a], places[pairs[k].b], pairs[k].first, _end(pairs[k]))
                for k in numbers
            ]
        )
        self._leans = np.array([leans[k] for k in numbers])
        self._asks_drake = np.array([pair.asks_drake for pair in self._bodies])
        self._planes_A = np.zeros((len(numbers), 3))
        self._distances = np.zeros(len(numbers))  # as measured with these planes
        self._served = np.zeros(len(numbers), dtype=np.int64)
        self._near = np.zeros(0, dtype=np.int64)
        # compiled now, so that the first touch takes no longer than others
        poses, one = kinematics.poses, np.zeros(1, dtype=np.int64)
        room = np.zeros(self._pairs[0, _END]), np.zeros((self._pairs[0, _END], 3))
        normals = np.zeros((self._pairs[0, _NUMBER] + 1, 3))
        self._measure_some(one, poses, normals, *room)
        self._look_again(one, poses, normals, *room)
        self._planes_A[:] = 0.0

    def measure(
        self, poses: Array, far: AbstractSet[int], normals: Array, gap: Array, p_WC: Array
    ) -> None:
        """Put in the normals, gaps [m] and places [m] of pairs that are near.

        The normals of the others become 0, their gaps and places are left. far: numbers of pairs
        that are known to be far apart.
        """
        normals[self._pairs[self._near, _NUMBER]] = 0.0
        near = near_pairs(self._table, self._pairs[:, _A : _B + 1], self._planes_A, poses, NEAR)
        if far:
            is_far = [number in far for number in self._pairs[near, _NUMBER].tolist()]
            near = near[~np.array(is_far, dtype=np.bool_)]
        self._near = near
        asked = self._asks_drake[near]
        self._measure_some(near[~asked], poses, normals, gap, p_WC)
        left = self._look_again(near[asked], poses, normals, gap, p_WC)
        for k in left.tolist():
            self._ask(k, poses, normals, gap, p_WC)

    def _measure_some(
        self, which: Indices, poses: Array, normals: Array, gap: Array, p_WC: Array
    ) -> None:
        if len(which) > 0:
            _measure(
                which,
                self._pairs,
                self._leans,
                self._table,
                poses,
                _ANY,
                self._planes_A,
                normals,
                gap,
                p_WC,
            )

    def _look_again(
        self, which: Indices, poses: Array, normals: Array, gap: Array, p_WC: Array
    ) -> Indices:
        """Measure pairs along the directions of before; return those for which these do not do."""
        if len(which) == 0:
            return which
        done = _still_apart(
            which,
            self._pairs,
            self._table,
            poses,
            self._planes_A,
            self._distances,
            normals,
            gap,
            p_WC,
        )
        done &= self._served[which] < _SERVES
        self._served[which] += 1
        return which[~done]

    def _ask(self, k: int, poses: Array, normals: Array, gap: Array, p_WC: Array) -> None:
        """Measure a pair from the direction that Drake finds."""
        self._served[k] = 0
        number, a, b, first, _ = self._pairs[k].tolist()
        query, pair = self._query(), self._bodies[k]
        witness, hint = _witness(query, pair), _ANY
        # where they exactly touch the direction may be no number
        if witness is not None and np.isfinite(witness.nhat_BA_W).all():
            hint = tuple(witness.nhat_BA_W.tolist())
            distance = separation_along(self._table, a, b, poses, hint)
            if distance > max(_APART, _STILL * witness.distance):
                n_W = witness.nhat_BA_W
                self._planes_A[k] = turned_back(poses[self._table.links[a]], hint)
                self._distances[k] = distance
                if distance <= NEAR:
                    p_WCa = query.GetPoseInWorld(pair.a).multiply(witness.p_ACa)
                    normals[number], gap[first] = n_W, distance
                    p_WC[first] = p_WCa - 0.5 * distance * n_W
                return
        _measure(
            np.array([k]),
            self._pairs,
            self._leans,
            self._table,
            poses,
            hint,
            self._planes_A,
            normals,
            gap,
            p_WC,
        )
        self._distances[k] = max(0.0, gap[first])


def _end(pair: BodyPair) -> int:
    return pair.first + len(pair)


def _witness(query: QueryObject, pair: BodyPair) -> SignedDistancePair | None:
    """Drake's distance of two shapes; its solver gives up now and then where they just touch."""
    try:
        return query.ComputeSignedDistancePairClosestPoints(pair.a, pair.b)
    except RuntimeError:
        return None


@njit
def _measure(
    which: Indices,
    pairs: Indices,
    leans: Array,
    table: SolidTable,
    poses: Array,
    hint: Vector,
    planes_A: Array,
    normals: Array,
    gap: Array,
    p_WC: Array,
) -> None:
    """Measure pairs from edge to edge; planes_A receives their normals as planes between them."""
    for k in which:
        number, a, b = pairs[k, _NUMBER], pairs[k, _A], pairs[k, _B]
        first, end = pairs[k, _FIRST], pairs[k, _END]
        measure_pair(
            solid_at(table, a),
            solid_at(table, b),
            poses[table.links[a]],
            poses[table.links[b]],
            hint,
            leans[k],
            normals[number],
            gap[first:end],
            p_WC[first:end],
        )
        n_A = turned_back(poses[table.links[a]], row(normals, number))
        planes_A[k, 0], planes_A[k, 1], planes_A[k, 2] = n_A


@njit
def _still_apart(
    which: Indices,
    pairs: Indices,
    table: SolidTable,
    poses: Array,
    planes_A: Array,
    distances: Array,
    normals: Array,
    gap: Array,
    p_WC: Array,
) -> npt.NDArray[np.bool_]:
    """Measure pairs along their planes' normals; say for which this is good enough."""
    done = np.zeros(which.size, dtype=np.bool_)
    for at in range(which.size):
        k = which[at]
        number, a, b, first = pairs[k, _NUMBER], pairs[k, _A], pairs[k, _B], pairs[k, _FIRST]
        n_A = row(planes_A, k)
        if dot(n_A, n_A) < 0.5:
            continue
        X_WA = poses[table.links[a]]
        n_W = turned(X_WA, n_A)
        distance = separation_along(table, a, b, poses, n_W)
        if distance > max(_APART, _STILL * distances[k]):
            done[at] = True
            on_a = turned(X_WA, support(solid_at(table, a), scaled(-1.0, n_A)))
            gap[first] = distance
            for d in range(3):
                normals[number, d] = n_W[d]
                p_WC[first, d] = X_WA[d, 3] + on_a[d] - 0.5 * distance * n_W[d]
    return done


class PairPoints:
    """The contacts of pairs of bodies.

    normals (pairs, 3): unit normals n_W from b to a of the pairs that are near, else 0.
    """

    def __init__(
        self,
        pairs: Sequence[BodyPair],
        kinematics: Kinematics,
        query: Callable[[], QueryObject],
    ) -> None:
        """Take the pairs and the kinematics of their bodies.

        query: gives the QueryObject at the state that the poses of the kinematics belong to.
        """
        self.normals = np.zeros((len(pairs), 3))
        self._kinematics = kinematics
        of_spheres = [k for k, pair in enumerate(pairs) if is_of_sphere(pair)]
        leans = [_lean(pair, kinematics) for pair in pairs]
        own = [leans[k] for k in of_spheres]
        self._spheres = SpherePairs(pairs, of_spheres, own, kinematics) if of_spheres else None
        left = sorted(set(range(len(pairs))).difference(of_spheres))
        self._others = OtherPairs(pairs, left, leans, kinematics, query) if left else None
        self._tiled = TiledGround(pairs, kinematics)

    def __len__(self) -> int:
        """Count the pairs."""
        return len(self.normals)

    def measure(self, gap: Array, p_WC: Array) -> None:
        """Put in the gaps [m] and places [m] of pairs that are near; the rest is left."""
        poses = self._kinematics.poses
        if self._spheres is not None:
            self._spheres.measure(poses, self.normals, gap, p_WC)
        if self._others is not None:
            self._others.measure(poses, self._tiled.far(poses), self.normals, gap, p_WC)
        if len(self._tiled) > 0:
            self._tiled.leave_out_hidden(self.normals, gap, p_WC)


def _lean(pair: BodyPair, kinematics: Kinematics) -> float:
    """Return the place of the contacts of a pair, as ``measure_pair`` wants it.

    Half-way between the surfaces the angular momentum of two moving bodies is kept; beside a body
    that is fixed to the world the moving one touches with its own surface.
    """
    link_a, link_b = (kinematics.link_of(body) for body in (pair.body_a, pair.body_b))
    return 0.5 * (link_b == 0) - 0.5 * (link_a == 0)
