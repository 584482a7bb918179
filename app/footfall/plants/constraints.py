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
from footfall.jit import scratch_njit
from footfall.plants.flat.dynamics import Scratch, Three, count_of
from footfall.plants.forces import Wrench
from footfall.plants.kinematics import Kinematics
from footfall.plants.names import require_frames, require_joints

BALL, DISTANCE, WELD, COUPLER = range(4)
_SIZES = (3, 1, 6, 1)  # equations of each kind
COINCIDE = "constraints: the points of a Distance coincide, so it has no direction."
_NO_ANGLE = 1e-12  # sine of an angle of half a turn, whose axis has to be found otherwise


# columns of a LoopTable's whole numbers
_KIND, _FIRST, _A, _B, _ABOUT_A, _ABOUT_B, _Q0, _Q1, _V0, _V1, _ONLY_A, _ONLY_B, _BOTH, _LIST = (
    range(14)
)


class LoopTable(NamedTuple):
    """Constraints, k of them.

    whole (k, columns): kind and first equation; the links of A and B and those about whose origins
    their twists are taken; places in q and in v of a coupler's joints; how many velocities move A
    alone, B alone and both, and behind them which. X (k, 2, 3, 4): poses in the frames of the links
    of A and B, with their origins at P and Q. numbers (k, 2): the distance [m], or the gear ratio
    and offset of a coupler.
    """

    whole: Indices
    X: Array
    numbers: Array


@scratch_njit
def loop_rows(loops: LoopTable, q: Array, links: Scratch, residual: Array, rows: Array) -> int:
    """Fill residuals (m,) [m or rad] and Jacobian (m, nv), without allocation.

    links: as they are placed. rows: zero at the first call, since what no constraint moves is left
    as it is.

    Returns the constraint, a Distance, whose points coincide, or -1.
    """
    whole, X, numbers, pose, twist = loops.whole, loops.X, loops.numbers, links.pose, links.twist
    for k in range(whole.shape[0]):
        first, kind = whole[k, _FIRST], whole[k, _KIND]
        if kind == COUPLER:
            ratio = numbers[k, 0]
            residual[first] = q[whole[k, _Q0]] - ratio * q[whole[k, _Q1]] - numbers[k, 1]
            rows[first, whole[k, _V0]] = 1.0
            rows[first, whole[k, _V1]] = -ratio
            continue
        p, r = _point(pose, whole[k, _A], X, k, 0), _point(pose, whole[k, _B], X, k, 1)
        x, y, z = p[0] - r[0], p[1] - r[1], p[2] - r[2]
        along = x, y, z
        if kind == DISTANCE:
            length = math.sqrt(x * x + y * y + z * z)
            if length == 0.0:
                return k
            residual[first] = length - numbers[k, 0]
            along = x / length, y / length, z / length
        else:
            at = first + _SIZES[kind] - 3
            residual[at], residual[at + 1], residual[at + 2] = along
        if kind == WELD:
            of_a, of_b = (
                _rotation(pose, whole[k, _A], X, k, 0),
                _rotation(pose, whole[k, _B], X, k, 1),
            )
            residual[first], residual[first + 1], residual[first + 2] = _rotation_vector_W(
                of_a, of_b
            )
        begin, end = _LIST, _LIST + whole[k, _ONLY_A]
        a, b = whole[k, _ABOUT_A], whole[k, _ABOUT_B]
        u, v, w = p[0] - pose[a, 0, 3], p[1] - pose[a, 1, 3], p[2] - pose[a, 2, 3]
        _fill(whole, k, begin, end, 1.0, u, v, w, along, twist, rows)
        begin, end = end, end + whole[k, _ONLY_B]
        u, v, w = r[0] - pose[b, 0, 3], r[1] - pose[b, 1, 3], r[2] - pose[b, 2, 3]
        _fill(whole, k, begin, end, -1.0, u, v, w, along, twist, rows)
        _fill(whole, k, end, end + whole[k, _BOTH], 0.0, x, y, z, along, twist, rows)
    return -1


@scratch_njit
def _fill(
    whole: Indices,
    k: int,
    begin: int,
    end: int,
    sign: float,
    x: float,
    y: float,
    z: float,
    along: Three,
    twist: Array,
    rows: Array,
) -> None:
    """Fill in what some velocities do to a constraint.

    sign: 1 for those that move A, -1 for B and 0 for both. x, y, z: of the point from where twists
    are taken, or from the other point. along: the direction of a Distance.
    """
    kind, first = whole[k, _KIND], whole[k, _FIRST]
    at = first + _SIZES[kind] - 3
    spin = 1.0 if sign == 0.0 else sign
    for column in range(begin, end):
        j = whole[k, column]
        a, b, c = spin * twist[j, 0], spin * twist[j, 1], spin * twist[j, 2]
        u = sign * twist[j, 3] + b * z - c * y
        v = sign * twist[j, 4] + c * x - a * z
        w = sign * twist[j, 5] + a * y - b * x
        if kind == DISTANCE:
            rows[first, j] = along[0] * u + along[1] * v + along[2] * w
            continue
        rows[at, j], rows[at + 1, j], rows[at + 2, j] = u, v, w
        if kind == WELD and sign != 0.0:
            rows[first, j], rows[first + 1, j], rows[first + 2, j] = a, b, c


@scratch_njit
def _point(pose: Array, link: int, X: Array, k: int, side: int) -> Three:
    """Place in W of the point of a constraint on a link."""
    x, y, z = X[k, side, 0, 3], X[k, side, 1, 3], X[k, side, 2, 3]
    return (
        pose[link, 0, 0] * x + pose[link, 0, 1] * y + pose[link, 0, 2] * z + pose[link, 0, 3],
        pose[link, 1, 0] * x + pose[link, 1, 1] * y + pose[link, 1, 2] * z + pose[link, 1, 3],
        pose[link, 2, 0] * x + pose[link, 2, 1] * y + pose[link, 2, 2] * z + pose[link, 2, 3],
    )


@scratch_njit
def _rotation(pose: Array, link: int, X: Array, k: int, side: int) -> tuple[Three, Three, Three]:
    """Rotation matrix, by rows, of the frame of a constraint on a link."""
    return (
        _turned_row(pose, link, X, k, side, 0),
        _turned_row(pose, link, X, k, side, 1),
        _turned_row(pose, link, X, k, side, 2),
    )


@scratch_njit
def _turned_row(pose: Array, link: int, X: Array, k: int, side: int, i: int) -> Three:
    a, b, c = pose[link, i, 0], pose[link, i, 1], pose[link, i, 2]
    return (
        a * X[k, side, 0, 0] + b * X[k, side, 1, 0] + c * X[k, side, 2, 0],
        a * X[k, side, 0, 1] + b * X[k, side, 1, 1] + c * X[k, side, 2, 1],
        a * X[k, side, 0, 2] + b * X[k, side, 1, 2] + c * X[k, side, 2, 2],
    )


@scratch_njit
def _dot(a: Three, b: Three) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@scratch_njit
def _rotation_vector_W(A: tuple[Three, Three, Three], B: tuple[Three, Three, Three]) -> Three:
    """Rotation that turns B into A, as a vector in W [rad]; both by rows."""
    xx, yy, zz = _dot(A[0], B[0]), _dot(A[1], B[1]), _dot(A[2], B[2])
    xy, yx = _dot(A[0], B[1]), _dot(A[1], B[0])
    xz, zx = _dot(A[0], B[2]), _dot(A[2], B[0])
    yz, zy = _dot(A[1], B[2]), _dot(A[2], B[1])
    x, y, z = 0.5 * (zy - yz), 0.5 * (xz - zx), 0.5 * (yx - xy)
    sine = math.sqrt(x * x + y * y + z * z)
    cosine = 0.5 * (xx + yy + zz - 1.0)
    if sine > _NO_ANGLE:
        factor = math.atan2(sine, cosine) / sine
    elif cosine > 0.0:
        factor = 1.0
    else:  # half a turn: R = 2 a a^T - 1
        if xx >= yy and xx >= zz:
            x, y, z = xx + 1.0, yx, zx
        elif yy >= zz:
            x, y, z = xy, yy + 1.0, zy
        else:
            x, y, z = xz, yz, zz + 1.0
        factor = math.pi / math.sqrt(x * x + y * y + z * z)
    return factor * x, factor * y, factor * z


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
    """The equations of a list of constraints at the state of a plant's context.

    kinematics, table: as ``loop_rows`` takes them.
    """

    def __init__(
        self, plant: MultibodyPlant, constraints: Sequence[Constraint], context: Context
    ) -> None:
        """Resolve names; raises ModelError for frames and joints that are not there."""
        self._plant = plant
        self._context = context
        self._rows = [_resolved(plant, constraint) for constraint in constraints]
        self._size = sum(row.size for row in self._rows)
        self.kinematics = Kinematics(plant)
        self.table = _table(self._rows, self.kinematics)

    def __len__(self) -> int:
        """Count the equations."""
        return self._size

    def evaluate(self) -> tuple[Array, Array]:
        """Residual g (m,) [m or rad] and Jacobian G (m, nv)."""
        residual = np.empty(self._size)
        jacobian = np.zeros((self._size, self._plant.num_velocities()))
        if self._rows:
            q, placed = self._plant.GetPositions(self._context), self.kinematics
            placed.place(self._context, q)
            if loop_rows(self.table, q, placed.moving, residual, jacobian) >= 0:
                raise ModelError(COINCIDE)
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


def _table(rows: Sequence[_Row], placed: Kinematics) -> LoopTable:
    X, tree = np.tile(np.eye(3, 4), (len(rows), 2, 1, 1)), placed.tree
    whole = np.zeros((len(rows), _LIST + len(tree.depth)), dtype=np.int64)
    first = 0
    for k, row in enumerate(rows):
        whole[k, [_KIND, _FIRST]] = row.kind, first
        whole[k, _Q0 : _V1 + 1] = np.ravel(row.joints, order="F")
        first += row.size
        moving: list[set[int]] = []
        for side, frame in enumerate(row.frames):
            X_LA = placed.within(frame).multiply(RigidTransform(row.points[side]))
            link, X[k, side] = placed.link_of(frame.body()), X_LA.GetAsMatrix34()
            whole[k, [_A + side, _ABOUT_A + side]] = link, tree.reference[link]
            count = count_of(link, tree.last, tree.depth)
            moving.append(set(tree.path[tree.last[link], :count].tolist()))
        if moving:
            a, b = moving
            parts = [sorted(part) for part in (a - b, b - a, a & b)]
            whole[k, _ONLY_A : _BOTH + 1] = [len(part) for part in parts]
            velocities = [j for part in parts for j in part]
            whole[k, _LIST : _LIST + len(velocities)] = velocities
    numbers = np.array([row.numbers for row in rows], dtype=np.float64).reshape(-1, 2)
    return LoopTable(whole, X, numbers)


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
