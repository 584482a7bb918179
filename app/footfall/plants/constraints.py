"""Bilateral constraints of a machine, for closed loops and gears: ball, weld, distance, coupler.

They are declared in the scenario or in the model files (which footfall reads for them, because
Drake does not tell what a plant holds). Drake's engine gets them as Drake's own constraints, the
Moreau engine as equations g(q) = 0 with their Jacobian G, g' = G v, worked out in one compiled
loop: reading them out of Drake costs tens of microseconds a constraint.

Frames: W world; a link is a body with all that is welded to it; A and B the two frames of a
constraint, fixed to links, with the points P and Q in them.
"""

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from pydrake.math import RigidTransform
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import Frame
from pydrake.systems.framework import Context

from footfall.arrays import Array, Indices
from footfall.checked import Checked, positive
from footfall.errors import ModelError
from footfall.jit import njit
from footfall.plants.flat.dynamics import Three, count_of, unit_velocity
from footfall.plants.flat.tree import Tree
from footfall.plants.forces import Wrench
from footfall.plants.kinematics import Kinematics
from footfall.plants.names import require_frames, require_joints

BALL, DISTANCE, WELD, COUPLER = range(4)
_SIZES = (3, 1, 6, 1)  # equations of each kind
_NO_ANGLE = 1e-12  # sine of an angle of half a turn, whose axis has to be found otherwise


class LoopTable(NamedTuple):
    """Constraints, k of them.

    kinds (k,); firsts (k,): first equation of each. links (k, 2): of A and B. X (k, 2, 3, 4): poses
    in the frames of these links of A and B, with their origins at P and Q. numbers (k, 2): the
    distance [m], or the gear ratio and offset of a coupler; joints (k, 2, 2): places in q and v of
    its two joints.
    """

    kinds: Indices
    firsts: Indices
    links: Indices
    X: Array
    numbers: Array
    joints: Indices


@njit
def loop_rows(
    table: LoopTable,
    q: Array,
    poses: Array,
    twists: Array,
    tree: Tree,
    residual: Array,
    rows: Array,
) -> int:
    """Fill residuals (m,) [m or rad] and Jacobian (m, nv); rows holds zeros before.

    poses (links, 3, 4), twists (nv, 6): as of ``Kinematics``.
    Returns the constraint, a Distance, whose points coincide, or -1.
    """
    for k in range(table.kinds.size):
        first, kind = table.firsts[k], table.kinds[k]
        if kind == COUPLER:
            joints = table.joints[k]
            residual[first] = q[joints[0, 0]] - table.numbers[k, 0] * q[joints[1, 0]]
            residual[first] -= table.numbers[k, 1]
            rows[first, joints[0, 1]] = 1.0
            rows[first, joints[1, 1]] = -table.numbers[k, 0]
            continue
        X_WA = _placed(poses[table.links[k, 0]], table.X[k, 0])
        X_WB = _placed(poses[table.links[k, 1]], table.X[k, 1])
        apart = X_WA[:, 3] - X_WB[:, 3]
        length = math.sqrt((apart * apart).sum())
        if kind == DISTANCE and length == 0.0:
            return k
        if kind == DISTANCE:
            residual[first] = length - table.numbers[k, 0]
        elif kind == BALL:
            residual[first : first + 3] = apart
        else:
            residual[first : first + 3] = _rotation_vector_W(X_WA, X_WB)
            residual[first + 3 : first + 6] = apart
        at = rows[first : first + _SIZES[kind]]
        for side, sign, X in ((0, 1.0, X_WA), (1, -1.0, X_WB)):
            link = table.links[k, side]
            for d in range(count_of(link, tree.last, tree.depth)):
                v = tree.path[tree.last[link], d]
                x, y, z = X[:, 3]
                u = unit_velocity(twists, poses, tree.reference[link], v, x, y, z)
                _add_column(kind, sign, twists[v], u, apart, at[:, v])
    return -1


@njit
def _add_column(
    kind: int, sign: float, twist: Array, u: Three, apart: Array, column: Array
) -> None:
    """Add what a velocity does to a constraint by the velocity u of one of its points."""
    if kind == DISTANCE:
        length = math.sqrt((apart * apart).sum())
        column[0] += sign * (apart[0] * u[0] + apart[1] * u[1] + apart[2] * u[2]) / length
        return
    first = 0 if kind == BALL else 3
    for d in range(3):
        column[first + d] += sign * u[d]
        if kind == WELD:
            column[d] += sign * twist[d]


@njit
def _placed(X_WL: Array, X_LA: Array) -> Array:
    """X_WA = X_WL X_LA, (3, 4)."""
    X = np.empty((3, 4))
    for i in range(3):
        for j in range(4):
            X[i, j] = X_WL[i, 3] if j == 3 else 0.0
            for m in range(3):
                X[i, j] += X_WL[i, m] * X_LA[m, j]
    return X


@njit
def _rotation_vector_W(X_WA: Array, X_WB: Array) -> Array:
    """Rotation that turns B into A, as a vector in W [rad]."""
    turn = np.empty((3, 3))
    for i in range(3):
        for j in range(3):
            turn[i, j] = 0.0
            for m in range(3):
                turn[i, j] += X_WA[i, m] * X_WB[j, m]
    vector = 0.5 * np.array(
        [turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]]
    )
    sine = math.sqrt((vector * vector).sum())
    cosine = 0.5 * (turn[0, 0] + turn[1, 1] + turn[2, 2] - 1.0)
    if sine > _NO_ANGLE:
        return vector * (math.atan2(sine, cosine) / sine)
    if cosine > 0.0:
        return vector
    # half a turn: R = 2 a a^T - 1
    largest = 0
    for d in range(3):
        if turn[d, d] > turn[largest, largest]:
            largest = d
    axis = turn[:, largest].copy()
    axis[largest] += 1.0
    return axis * (math.pi / math.sqrt((axis * axis).sum()))


@dataclass
class Ball:
    """Two points stay together: p_AP of frame a and p_BQ of frame b."""

    # Frames or bodies, as "model::name".
    a: str = ""
    b: str = ""
    # Points in these frames [m].
    p_AP: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0])
    p_BQ: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0])


@dataclass
class Weld:
    """Two frames stay together."""

    # Frames or bodies, as "model::name".
    a: str = ""
    b: str = ""


@dataclass
class Distance(Checked, at="constraints: "):
    """Two points keep their distance."""

    # Frames or bodies, as "model::name".
    a: str = ""
    b: str = ""
    # Points in these frames [m].
    p_AP: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0])
    p_BQ: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0])
    # Their distance [m].
    distance: float = positive(1.0, "give a length > 0, or a Ball")


@dataclass
class Coupler:
    """Two joints move together: q0 = gear_ratio q1 + offset."""

    # Joints with one degree of freedom.
    joint0: str = ""
    joint1: str = ""
    gear_ratio: float = 1.0
    # [rad or m].
    offset: float = 0.0


Constraint = Ball | Weld | Distance | Coupler


class BilateralRows:
    """The equations of a list of constraints at the state of a plant's context."""

    def __init__(
        self, plant: MultibodyPlant, constraints: Sequence[Constraint], context: Context
    ) -> None:
        """Resolve names; raises ModelError for frames and joints that are not there."""
        self._plant = plant
        self._context = context
        self._rows = [_resolved(plant, constraint) for constraint in constraints]
        self._size = sum(row.size for row in self._rows)
        if self._rows:
            self._kinematics = Kinematics(plant)
            self._table = _table(self._rows, self._kinematics)

    def __len__(self) -> int:
        """Count the equations."""
        return self._size

    def evaluate(self) -> tuple[Array, Array]:
        """Residual g (m,) [m or rad] and Jacobian G (m, nv)."""
        residual = np.empty(self._size)
        jacobian = np.zeros((self._size, self._plant.num_velocities()))
        if not self._rows:
            return residual, jacobian
        q, moved = self._plant.GetPositions(self._context), self._kinematics
        moved.place(self._context, q)
        table, motion = self._table, (moved.poses, moved.twists, moved.tree)
        if loop_rows(table, q, *motion, residual, jacobian) >= 0:
            message = "constraints: the points of a Distance coincide, so it has no direction."
            raise ModelError(message)
        return residual, jacobian

    def wrenches(self, multipliers: Array) -> list[Wrench]:
        """Loads of the multipliers (m,) [N or N m] on the bodies; a coupler acts in its joints."""
        loads: list[Wrench] = []
        start = 0
        for row in self._rows:
            loads += row.wrenches(self._plant, self._context, multipliers[start : start + row.size])
            start += row.size
        return loads


def add_to_drake(plant: MultibodyPlant, constraints: Sequence[Constraint]) -> None:
    """Declare the constraints in a discrete plant that is not finalized."""
    for constraint in constraints:
        if isinstance(constraint, Coupler):
            joint0, joint1 = require_joints(plant, [constraint.joint0, constraint.joint1])
            plant.AddCouplerConstraint(joint0, joint1, constraint.gear_ratio, constraint.offset)
            continue
        a, b = _frames(plant, constraint)
        for frame in (a, b):
            if frame.body().index() == plant.world_body().index():
                raise ModelError(
                    f"constraints: '{frame.scoped_name()}' belongs to the world itself, which "
                    "Drake cannot constrain: use a link that is welded to the world."
                )
        X_A, X_B = (frame.GetFixedPoseInBodyFrame() for frame in (a, b))
        if isinstance(constraint, Weld):
            plant.AddWeldConstraint(a.body(), X_A, b.body(), X_B)
            continue
        p_A, p_B = X_A.multiply(constraint.p_AP), X_B.multiply(constraint.p_BQ)
        if isinstance(constraint, Ball):
            plant.AddBallConstraint(a.body(), p_A, b.body(), p_B)
        else:
            plant.AddDistanceConstraint(a.body(), p_A, b.body(), p_B, constraint.distance)


@dataclass(frozen=True)
class _Row:
    """One constraint with its names resolved, as a row of a ``LoopTable``; a gear has no frames."""

    kind: int
    frames: tuple[Frame, ...] = ()
    points: tuple[Array, Array] = (np.zeros(3), np.zeros(3))
    numbers: tuple[float, float] = (0.0, 0.0)
    joints: tuple[tuple[int, int], ...] = ((0, 0), (0, 0))

    @property
    def size(self) -> int:
        """Count the equations."""
        return _SIZES[self.kind]

    def wrenches(self, plant: MultibodyPlant, context: Context, multipliers: Array) -> list[Wrench]:
        """Loads of the multipliers (size,) on the bodies."""
        if not self.frames:
            return []  # a gear acts within the joints
        p_WP, p_WQ = (
            plant.CalcPointsPositions(context, frame, p, plant.world_frame())[:, 0]
            for frame, p in zip(self.frames, self.points, strict=True)
        )
        torque, force = np.zeros(3), multipliers
        if self.kind == WELD:
            torque, force = multipliers[:3], multipliers[3:]
        elif self.kind == DISTANCE:
            force = multipliers[0] * (p_WP - p_WQ) / np.linalg.norm(p_WP - p_WQ)
        a, b = (frame.body() for frame in self.frames)
        return [Wrench(a, p_WP, force, torque), Wrench(b, p_WQ, -force, -torque)]


def _table(rows: Sequence[_Row], kinematics: Kinematics) -> LoopTable:
    sizes = np.array([row.size for row in rows])
    links = np.zeros((len(rows), 2), dtype=np.int64)
    X = np.tile(np.eye(3, 4), (len(rows), 2, 1, 1))
    for k, row in enumerate(rows):
        for side, frame in enumerate(row.frames):
            X_LA = kinematics.within(frame).multiply(RigidTransform(row.points[side]))
            links[k, side], X[k, side] = kinematics.link_of(frame.body()), X_LA.GetAsMatrix34()
    return LoopTable(
        kinds=np.array([row.kind for row in rows]),
        firsts=np.cumsum(sizes) - sizes,
        links=links,
        X=X,
        numbers=np.array([row.numbers for row in rows]),
        joints=np.array([row.joints for row in rows]),
    )


class _Gear(NamedTuple):
    """q0 - gear_ratio q1 - offset = 0."""

    position: tuple[int, int]
    velocity: tuple[int, int]
    gear_ratio: float
    offset: float


def _frames(plant: MultibodyPlant, constraint: Ball | Weld | Distance) -> tuple[Frame, Frame]:
    a, b = require_frames(plant, [constraint.a, constraint.b])
    return a, b


def _resolved(plant: MultibodyPlant, constraint: Constraint) -> _Row:
    if isinstance(constraint, Coupler):
        gear = _gear(plant, constraint)
        joints = tuple(zip(gear.position, gear.velocity, strict=True))
        return _Row(COUPLER, numbers=(gear.gear_ratio, gear.offset), joints=joints)
    frames = _frames(plant, constraint)
    if isinstance(constraint, Weld):
        return _Row(WELD, frames)
    points = np.array(constraint.p_AP), np.array(constraint.p_BQ)
    if isinstance(constraint, Distance):
        return _Row(DISTANCE, frames, points, (constraint.distance, 0.0))
    return _Row(BALL, frames, points)


def _gear(plant: MultibodyPlant, coupler: Coupler) -> _Gear:
    joint0, joint1 = require_joints(plant, [coupler.joint0, coupler.joint1])
    if joint0.num_velocities() != 1 or joint1.num_velocities() != 1:
        raise ModelError(
            f"constraints: a Coupler needs joints with one degree of freedom, not "
            f"'{coupler.joint0}' and '{coupler.joint1}'."
        )
    return _Gear(
        (joint0.position_start(), joint1.position_start()),
        (joint0.velocity_start(), joint1.velocity_start()),
        coupler.gear_ratio,
        coupler.offset,
    )


def gears_of(plant: MultibodyPlant, constraints: Iterable[Constraint | None]) -> list[_Gear]:
    """Return the gears among constraints; raises ModelError for joints that cannot be coupled."""
    return [_gear(plant, each) for each in constraints if isinstance(each, Coupler)]


def geared(
    gears: Sequence[_Gear], values: Array, named: Collection[int], *, rates: bool = False
) -> Array:
    """Return positions (nq,), or velocities (nv,) as rates, that gears agree with.

    named: places that stay. Followers (joint0) follow named leaders (joint1), leaders named
    followers; where neither is named, the leader stays. What is named beside may contradict this.
    """
    geared_values, known = values.copy(), set(named)
    laws = [(*(gear.velocity if rates else gear.position), gear) for gear in gears]
    roots = {leader for _, leader, _ in laws} - {follower for follower, _, _ in laws}
    for more in (set[int](), roots):  # who is named decides before who merely leads
        known |= more
        for follower, leader, gear in [*laws] * len(laws):  # a chain may be listed from its end
            offset = 0.0 if rates else gear.offset
            if leader in known and follower not in known:
                geared_values[follower] = gear.gear_ratio * geared_values[leader] + offset
                known.add(follower)
            elif follower in known and leader not in known and gear.gear_ratio != 0.0:
                geared_values[leader] = (geared_values[follower] - offset) / gear.gear_ratio
                known.add(leader)
    return geared_values
