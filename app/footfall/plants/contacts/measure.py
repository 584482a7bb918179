"""Gaps, places, axes and Jacobians of the contacts at the state of a context.

Frames: W world, T terrain, B body, C contact with the axes [n, t, s]; n points to the machine, or
to body a of a pair. On the ground [n, t, s] are T's [z, x, y].
"""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
from pydrake.geometry import GeometryId, QueryObject
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import Frame, JacobianWrtVariable, RigidBody
from pydrake.systems.framework import Context

from footfall.plants.contacts.contact_set import BodyPair, ContactSet, GroundShape
from footfall.plants.terrain import FRAME_NAME

Array = npt.NDArray[np.float64]

_FAR = np.inf
_SKIN = 1e-6  # m: what a distance query between convex shapes may be wrong by


class ContactMeasure:
    """Measures a contact set at the state that a plant's context holds.

    query: gives the QueryObject at that state; it is asked only when the set has pairs of bodies.
    """

    def __init__(
        self,
        plant: MultibodyPlant,
        contacts: ContactSet,
        context: Context,
        query: Callable[[], QueryObject],
    ) -> None:
        """Set up the scratch memory."""
        self._plant = plant
        self._contacts = contacts
        self._num_ground, self._num_touching = contacts.num_ground, contacts.num_touching
        self._context = context
        self._query = query
        self._world = plant.world_frame()
        self._terrain = plant.GetFrameByName(FRAME_NAME)
        X_WT = self._terrain.CalcPoseInWorld(context)
        self._R_WT, self._p_WT = X_WT.rotation().matrix(), X_WT.translation()
        self._ground = [_Shape(shape) for shape in contacts.ground]
        self._home = {
            shape.first + k: (place, k)
            for place, shape in enumerate(contacts.ground)
            for k in range(len(shape.points))
        }
        # of the contacts of pairs that are near: axes R_WC, columns n, t, s, and places p_WC
        self._axes: dict[int, Array] = {}
        self._places: dict[int, Array] = {}
        self._pair_of = {pair.first + k: pair for pair in contacts.pairs for k in range(len(pair))}

    def gaps(self) -> tuple[Array, Array]:
        """Gap of every contact, (n,) [m or rad], and where it would touch in W, (n, 3) [m].

        What is surely apart has the gap infinity; what has no place, such as a joint limit, NaN.
        """
        contacts = self._contacts
        p_WC = np.full((len(contacts), 3), np.nan)
        gap = np.full(len(contacts), _FAR)
        if self._ground:
            self._measure_ground(gap, p_WC)
        if contacts.pairs:
            self._measure_pairs(gap, p_WC)
        if contacts.limits or contacts.frictions:
            self._measure_joints(gap)
        return gap, p_WC

    def jacobian(self, active: Sequence[int]) -> Array:
        """Jacobian of the relative velocities of some contacts, (k, 3, nv), rows [n, t, s].

        To be asked after ``gaps`` at the same state. Joint limits have the row n alone, joint
        friction the row t alone.
        """
        rows = np.zeros((len(active), 3, self._plant.num_velocities()))
        wanted: dict[int, list[tuple[int, int]]] = {}
        for row, contact in enumerate(active):
            if contact < self._num_ground:
                place, column = self._home[contact]
                wanted.setdefault(place, []).append((row, column))
            elif contact < self._num_touching:
                if contact in self._axes:  # else the pair is far apart
                    rows[row] = self._pair_jacobian(contact)
            else:
                self._joint_row(rows[row], contact - self._num_touching)
        for place, points in wanted.items():
            self._ground_jacobian(rows, self._ground[place], points)
        return rows

    def axes_W(self, contact: int) -> Array:
        """Axes [n, t, s] of a contact as columns in W, (3, 3); the ground's but for a pair."""
        if contact in self._axes:
            return self._axes[contact]
        return self._R_WT[:, [2, 0, 1]]

    def _measure_ground(self, gap: Array, p_WC: Array) -> None:
        p_TC = np.empty((self._num_ground, 3))
        for shape in self._ground:
            if shape.moving:
                shape.look(self._down(shape.frame))
            p_TC[shape.place] = self._plant.CalcPointsPositions(
                self._context, shape.frame, shape.p_BC, self._terrain
            ).T
            if shape.radius:
                p_TC[shape.place, 2] -= shape.radius
        gap[: len(p_TC)] = p_TC[:, 2]
        p_WC[: len(p_TC)] = p_TC @ self._R_WT.T + self._p_WT

    def _down(self, frame: Frame) -> Array:
        """Direction into the ground, in a body's frame."""
        R_BT = self._plant.CalcRelativeRotationMatrix(self._context, frame, self._terrain)
        return -R_BT.matrix()[:, 2]

    def _ground_jacobian(
        self, rows: Array, shape: "_Shape", points: Sequence[tuple[int, int]]
    ) -> None:
        """Fill the rows of one shape's points; points are (row, column of p_BC)."""
        p_BQ = shape.p_BC[:, [column for _, column in points]]
        if shape.radius:
            # the lowest point of a sphere, not its centre, touches the ground
            p_BQ = p_BQ + shape.radius * self._down(shape.frame)[:, None]
        jacobian = self._plant.CalcJacobianTranslationalVelocity(
            self._context, JacobianWrtVariable.kV, shape.frame, p_BQ, self._world, self._terrain
        )
        for k, (row, _) in enumerate(points):
            rows[row, 0] = jacobian[3 * k + 2]
            rows[row, 1:] = jacobian[3 * k : 3 * k + 2]

    def _measure_pairs(self, gap: Array, p_WC: Array) -> None:
        self._axes.clear()
        self._places.clear()
        query = self._query()
        near = {frozenset(pair) for pair in query.FindCollisionCandidates()}
        for pair in self._contacts.pairs:
            if frozenset((pair.a, pair.b)) in near:
                self._measure_pair(query, pair, gap, p_WC)

    def _measure_pair(self, query: QueryObject, pair: BodyPair, gap: Array, p_WC: Array) -> None:
        """Measure the witness pair of two shapes, and the points that lie in the other shape.

        All of them share the witnesses' normal: that of a corner by itself would point sideways
        where the corner lies on an edge.
        """
        witness = query.ComputeSignedDistancePairClosestPoints(pair.a, pair.b)
        n_W = witness.nhat_BA_W
        p_WCa = query.GetPoseInWorld(pair.a).multiply(witness.p_ACa)
        p_WCb = query.GetPoseInWorld(pair.b).multiply(witness.p_BCb)
        axes = self.axes_about(n_W)
        self._put(pair.first, witness.distance, 0.5 * (p_WCa + p_WCb), axes, gap, p_WC)
        if witness.distance > 0.0:
            return
        slot = pair.first + 1
        for body, points, other, level, sign in (
            (pair.body_a, pair.points_a, pair.b, n_W @ p_WCb, 1.0),
            (pair.body_b, pair.points_b, pair.a, n_W @ p_WCa, -1.0),
        ):
            if len(points.fixed) > 1:  # the one point of a sphere is the witness already
                X_WB = self._plant.EvalBodyPoseInWorld(self._context, body)
                for k, p_BC in enumerate(points.fixed):
                    p_WQ = X_WB.multiply(p_BC)
                    if _lies_in(query, p_WQ, points.radius, other):
                        above = sign * (n_W @ p_WQ - level) - points.radius
                        self._put(slot + k, above, p_WQ, axes, gap, p_WC)
            slot += len(points.fixed)

    def _put(
        self, slot: int, distance: float, p_W: Array, axes: Array, gap: Array, p_WC: Array
    ) -> None:
        gap[slot], p_WC[slot] = distance, p_W
        self._places[slot], self._axes[slot] = p_W, axes

    def axes_about(self, n_W: Array) -> Array:
        """Axes [n, t, s] about a normal; s is the terrain's y where the normal allows it."""
        y_W = self._R_WT[:, 1]
        if self._contacts.dim == 2:
            n_W = n_W - (n_W @ y_W) * y_W
        n_W = n_W / np.linalg.norm(n_W)
        side = y_W if abs(n_W @ y_W) < 0.9 else self._R_WT[:, 0]
        t_W = np.cross(side, n_W)
        t_W /= np.linalg.norm(t_W)
        return np.column_stack((n_W, t_W, np.cross(n_W, t_W)))

    def _pair_jacobian(self, contact: int) -> Array:
        """Velocity of a's point over b's, in the contact's axes, (3, nv)."""
        pair = self._pair_of[contact]
        p_WC, R_WC = self._places[contact], self._axes[contact]
        of_a, of_b = (self._point_jacobian(body, p_WC) for body in (pair.body_a, pair.body_b))
        return R_WC.T @ (of_a - of_b)

    def _point_jacobian(self, body: RigidBody, p_WC: Array) -> Array:
        p_BC = self._plant.EvalBodyPoseInWorld(self._context, body).inverse().multiply(p_WC)
        return self._plant.CalcJacobianTranslationalVelocity(
            self._context, JacobianWrtVariable.kV, body.body_frame(), p_BC, self._world, self._world
        )

    def _measure_joints(self, gap: Array) -> None:
        q = self._plant.GetPositions(self._context)
        slot = self._num_touching
        for i, limit in enumerate(self._contacts.limits, start=slot):
            gap[i] = limit.sign * (q[limit.position] - limit.bound)
        gap[slot + len(self._contacts.limits) :] = 0.0  # dry joints always rub

    def _joint_row(self, row: Array, place: int) -> None:
        limits = self._contacts.limits
        if place < len(limits):
            row[0, limits[place].velocity] = limits[place].sign
        else:
            row[1, self._contacts.frictions[place - len(limits)].velocity] = 1.0


def _lies_in(query: QueryObject, p_WQ: Array, radius: float, geometry: GeometryId) -> bool:
    """Say whether a ball about a point reaches a geometry, a skin included."""
    found = query.ComputeSignedDistanceToPoint(p_WQ, radius + _SKIN)
    return any(distance.id_G == geometry for distance in found)


class _Shape:
    """A ground shape with its scratch memory."""

    def __init__(self, shape: GroundShape) -> None:
        self.frame = shape.body.body_frame()
        self.radius = shape.points.radius
        self.moving = shape.points.num_moving > 0
        self._points = shape.points
        self.place = slice(shape.first, shape.first + len(shape.points))
        self.p_BC = np.empty((3, len(shape.points)))
        self.p_BC[:, : len(shape.points.fixed)] = shape.points.fixed.T

    def look(self, direction_B: Array) -> None:
        """Choose the moving points that lie farthest along a direction."""
        self.p_BC[:, len(self._points.fixed) :] = self._points.moving_points(direction_B).T
