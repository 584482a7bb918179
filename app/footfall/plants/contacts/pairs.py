"""Gaps, places and normals of the contacts between bodies, of which one may be fixed to the world.

Frames: W world, B the link of a body, S the body. Pairs of spheres with spheres or polyhedra are
looked at in a loop of their own; of the others only those whose bounding boxes overlap.
"""

from collections.abc import Callable, Sequence

import numpy as np
from pydrake.geometry import QueryObject, SignedDistancePair

from footfall.arrays import Array
from footfall.plants.contacts.contact_set import BodyPair
from footfall.plants.contacts.patch import measure_pair
from footfall.plants.contacts.solids import NEAR, posed
from footfall.plants.contacts.spheres import SpherePairs, is_of_sphere
from footfall.plants.contacts.tiles import TiledGround
from footfall.plants.kinematics import Kinematics

_ANY = (0.0, 0.0, 1.0)  # a direction where none is known


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
        self._query = query
        self.normals = np.zeros((len(pairs), 3))
        self._near: list[int] = []
        self._kinematics = kinematics
        of_spheres = [k for k, pair in enumerate(pairs) if is_of_sphere(pair)]
        leans = [_lean(pairs[k], kinematics) for k in of_spheres]
        self._spheres = SpherePairs(pairs, of_spheres, leans, kinematics) if of_spheres else None
        left = set(range(len(pairs))).difference(of_spheres)
        self._pairs = {k: _Pair(pairs[k], kinematics) for k in sorted(left)}
        self._tiled = TiledGround(pairs, kinematics)
        self._numbers = {(pair.a, pair.b): k for k, pair in self._pairs.items()}
        self._numbers |= {(pair.b, pair.a): k for k, pair in self._pairs.items()}
        # compiled now, so that the first touch takes no longer than others
        for pair in list(self._pairs.values())[:1]:
            pair.measure(kinematics.poses, _ANY, np.zeros(3))

    def __len__(self) -> int:
        """Count the pairs."""
        return len(self.normals)

    def measure(self, gap: Array, p_WC: Array) -> None:
        """Put in the gaps [m] and places [m] of pairs that are near; the rest is left."""
        self._measure_all(gap, p_WC)
        if len(self._tiled) > 0:
            self._tiled.leave_out_hidden(self.normals, gap, p_WC)

    def _measure_all(self, gap: Array, p_WC: Array) -> None:
        if self._spheres is not None:
            self._spheres.measure(self._kinematics.poses, self.normals, gap, p_WC)
        if not self._pairs:
            return
        query = self._query()
        self.normals[self._near] = 0.0
        found = (self._numbers.get(candidate) for candidate in query.FindCollisionCandidates())
        far = self._tiled.far(self._kinematics.poses)
        self._near = [number for number in found if number is not None and number not in far]
        for number in self._near:
            self._measure_pair(query, number, gap, p_WC)

    def _measure_pair(self, query: QueryObject, number: int, gap: Array, p_WC: Array) -> None:
        """Measure the points of two shapes, which share one normal."""
        pair = self._pairs[number]
        hint = _ANY
        witness = _witness(query, pair) if pair.asks_drake else None
        if witness is not None:
            n_W = witness.nhat_BA_W
            if witness.distance > 0.5 * NEAR:  # it may say too much
                self.normals[number], gap[pair.places.start] = n_W, witness.distance
                p_WCa = query.GetPoseInWorld(pair.a).multiply(witness.p_ACa)
                p_WC[pair.places.start] = p_WCa - 0.5 * witness.distance * n_W
                return
            if np.isfinite(n_W).all():  # where they exactly touch it may be no number
                hint = tuple(n_W.tolist())
        found = pair.measure(self._kinematics.poses, hint, self.normals[number])
        gap[pair.places], p_WC[pair.places] = found


def _witness(query: QueryObject, pair: "_Pair") -> SignedDistancePair | None:
    """Drake's distance of two shapes; its solver gives up now and then where they just touch."""
    try:
        return query.ComputeSignedDistancePairClosestPoints(pair.a, pair.b)
    except RuntimeError:
        return None


def _lean(pair: BodyPair, kinematics: Kinematics) -> float:
    """Return the place of the contacts of a pair, as ``measure_pair`` wants it.

    Half-way between the surfaces the angular momentum of two moving bodies is kept; beside a body
    that is fixed to the world the moving one touches with its own surface.
    """
    link_a, link_b = (kinematics.link_of(body) for body in (pair.body_a, pair.body_b))
    return 0.5 * (link_b == 0) - 0.5 * (link_a == 0)


class _Pair:
    """A pair of shapes a, b with their solids in the frames of their links."""

    def __init__(self, pair: BodyPair, kinematics: Kinematics) -> None:
        self.a, self.b, self.asks_drake = pair.a, pair.b, pair.asks_drake
        self.places = slice(pair.first, pair.first + len(pair))
        bodies = (pair.body_a, pair.body_b)
        X_BS = [kinematics.within(body.body_frame()) for body in bodies]
        self._solid_a, self._solid_b = posed(pair.solid_a, X_BS[0]), posed(pair.solid_b, X_BS[1])
        self._link_a, self._link_b = (kinematics.link_of(body) for body in bodies)
        self._lean = _lean(pair, kinematics)

    def measure(
        self, poses: Array, hint: tuple[float, float, float], n_W: Array
    ) -> tuple[Array, Array]:
        """Fill in the normal from b to a; return the gaps (k,) and places (k, 3) [m].

        What is surely apart has the gap infinity.
        """
        count = self.places.stop - self.places.start
        gap, p_WC = np.full(count, np.inf), np.full((count, 3), np.nan)
        measure_pair(
            self._solid_a,
            self._solid_b,
            poses[self._link_a],
            poses[self._link_b],
            hint,
            self._lean,
            n_W,
            gap,
            p_WC,
        )
        return gap, p_WC
