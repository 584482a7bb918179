"""Gaps, places and normals of the contacts between moving bodies, by Drake's distance queries.

Frames: W world, B the link of a body, S the body, C contact. Only pairs whose bounding boxes
overlap are asked for.
"""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
from pydrake.geometry import GeometryId, QueryObject, SceneGraphInspector
from pydrake.multibody.tree import RigidBody

from footfall.jit import njit
from footfall.plants.contacts.contact_set import BodyPair
from footfall.plants.contacts.shapes import ShapePoints
from footfall.plants.kinematics import Kinematics

Array = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]

_SKIN = 1e-6  # m: what a distance query between convex shapes may be wrong by


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
        self._ends = np.zeros((2, 3))  # p_WCa, p_WCb: scratch
        self._kinematics = kinematics
        self._pairs = [_Pair(pair, kinematics, query().inspector()) for pair in pairs]
        self._numbers = {(pair.a, pair.b): k for k, pair in enumerate(pairs)}
        self._numbers |= {(pair.b, pair.a): k for k, pair in enumerate(pairs)}

    def __len__(self) -> int:
        """Count the pairs."""
        return len(self._pairs)

    def measure(self, gap: Array, p_WC: Array) -> None:
        """Put in the gaps [m] and places [m] of pairs that are near; the rest is left."""
        query = self._query()
        self.normals[self._near] = 0.0
        found = (self._numbers.get(candidate) for candidate in query.FindCollisionCandidates())
        self._near = [number for number in found if number is not None]
        for number in self._near:
            self._measure_pair(query, number, gap, p_WC)

    def _measure_pair(self, query: QueryObject, number: int, gap: Array, p_WC: Array) -> None:
        """Measure the witness pair of two shapes, and the points that lie in the other shape.

        All of them share the witnesses' normal: that of a corner by itself would point sideways
        where the corner lies on an edge.
        """
        pair = self._pairs[number]
        witness = query.ComputeSignedDistancePairClosestPoints(pair.a, pair.b)
        n_W = self.normals[number] = witness.nhat_BA_W
        gap[pair.first] = witness.distance
        ends = self._ends
        _to_world(self._kinematics.poses, pair.links, pair.X_BG, witness.p_ACa, witness.p_BCb, ends)
        p_WC[pair.first] = 0.5 * (ends[0] + ends[1])
        if witness.distance <= 0.0:
            self._measure_points(query, pair.of_a, pair.b, n_W, n_W @ ends[1], gap, p_WC)
            self._measure_points(query, pair.of_b, pair.a, -n_W, -n_W @ ends[0], gap, p_WC)

    def _measure_points(
        self,
        query: QueryObject,
        points: "_Points",
        other: GeometryId,
        n_W: Array,
        level: float,
        gap: Array,
        p_WC: Array,
    ) -> None:
        """Put in the points of a shape that lie in the other: their depth along n_W below a level.

        level: n_W times a point of the other shape's surface.
        """
        if len(points.p_BC) < 2:  # the one point of a sphere is the witness already
            return
        X_WB = self._kinematics.poses[points.link]
        p_WQ = points.p_BC @ X_WB[:, :3].T + X_WB[:, 3]
        above = p_WQ @ n_W - level - points.radius
        for k in np.flatnonzero(above < _SKIN):
            if _lies_in(query, p_WQ[k], points.radius, other):
                gap[points.first + k], p_WC[points.first + k] = above[k], p_WQ[k]


class _Points:
    """Points of one shape of a pair, fixed to its link; the first is contact ``first``."""

    def __init__(
        self, shape: ShapePoints, body: RigidBody, first: int, kinematics: Kinematics
    ) -> None:
        X_BS = kinematics.within(body.body_frame())
        self.link = kinematics.link_of(body)
        self.p_BC = X_BS.multiply(shape.fixed.T).T.reshape(-1, 3)
        self.radius = shape.radius
        self.first = first


class _Pair:
    """A pair of shapes a, b with the points, the links and the places X_BG in them of either."""

    def __init__(
        self, pair: BodyPair, kinematics: Kinematics, inspector: SceneGraphInspector
    ) -> None:
        self.a, self.b, self.first = pair.a, pair.b, pair.first
        self.of_a = _Points(pair.points_a, pair.body_a, pair.first + 1, kinematics)
        behind = pair.first + 1 + len(pair.points_a.fixed)
        self.of_b = _Points(pair.points_b, pair.body_b, behind, kinematics)
        self.links = np.array([self.of_a.link, self.of_b.link])
        self.X_BG = np.array(
            [
                (kinematics.within(body.body_frame()) @ X_SG).GetAsMatrix34()
                for body, X_SG in (
                    (pair.body_a, inspector.GetPoseInFrame(pair.a)),
                    (pair.body_b, inspector.GetPoseInFrame(pair.b)),
                )
            ]
        )


@njit
def _to_world(
    poses: Array, links: Indices, X_BG: Array, p_GCa: Array, p_GCb: Array, p_WC: Array
) -> None:
    """Fill in where a point of shape a and one of shape b are, (2, 3)."""
    for side in range(2):
        p_GC = p_GCa if side == 0 else p_GCb
        X_WB = poses[links[side]]
        for i in range(3):
            p_WC[side, i] = X_WB[i, 3]
            for j in range(3):
                p_B = X_BG[side, j, 3]
                for k in range(3):
                    p_B += X_BG[side, j, k] * p_GC[k]
                p_WC[side, i] += X_WB[i, j] * p_B


def _lies_in(query: QueryObject, p_WQ: Array, radius: float, geometry: GeometryId) -> bool:
    """Say whether a ball about a point reaches a geometry, a skin included."""
    found = query.ComputeSignedDistanceToPoint(p_WQ, radius + _SKIN)
    return any(distance.id_G == geometry for distance in found)
