"""Bilateral constraints of a machine, for closed loops and gears: ball, weld, distance, coupler.

They are declared in the scenario or in the model files (which footfall reads for them, because
Drake does not tell what a plant holds). Drake's engine gets them as Drake's own constraints, the
Moreau engine as equations g(q) = 0 with their Jacobian G, g' = G v.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from pydrake.math import RigidTransform
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import Frame
from pydrake.systems.framework import Context

from footfall.arrays import Array
from footfall.errors import ModelError, ScenarioError
from footfall.plants.forces import Wrench
from footfall.plants.kinematics import Kinematics
from footfall.plants.loops import BALL, COUPLER, DISTANCE, WELD, LoopTable, loop_rows
from footfall.plants.names import require_frames, require_joints


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
class Distance:
    """Two points keep their distance."""

    # Frames or bodies, as "model::name".
    a: str = ""
    b: str = ""
    # Points in these frames [m].
    p_AP: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0])
    p_BQ: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0])
    # Their distance [m].
    distance: float = 1.0

    def __post_init__(self) -> None:
        """Refuse a distance that gives no direction."""
        if not 0.0 < self.distance < np.inf:
            message = f"constraints: distance is {self.distance}: give a length > 0, or a Ball."
            raise ScenarioError(message)


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
        twists = moved.twists(self._context)
        table, poses = self._table, moved.poses
        if loop_rows(table, q, poses, twists, moved.mover, moved.carries, residual, jacobian) >= 0:
            message = "constraints: the points of a Distance coincide, so it has no direction."
            raise ModelError(message)
        return residual, jacobian

    def wrenches(self, multipliers: Array) -> list[Wrench]:
        """Loads of the multipliers (m,) [N or N m] on the bodies; a coupler acts in its joints."""
        found: list[Wrench] = []
        start = 0
        for row in self._rows:
            found += row.wrenches(self._plant, self._context, multipliers[start : start + row.size])
            start += row.size
        return found


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


class _Row:
    """One constraint with its names resolved: ``size`` equations."""

    @property
    def size(self) -> int:
        """Count the equations."""
        raise NotImplementedError

    def entry(self, kinematics: Kinematics) -> "_Entry":
        """Row of the table for the kernel."""
        raise NotImplementedError

    def wrenches(self, plant: MultibodyPlant, context: Context, multipliers: Array) -> list[Wrench]:
        """Loads of the multipliers (size,) on the bodies."""
        raise NotImplementedError


@dataclass(frozen=True)
class _Points(_Row):
    """p_WP - p_WQ = 0, or |p_WP - p_WQ| = distance."""

    a: Frame
    b: Frame
    p_AP: Array
    p_BQ: Array
    distance: float | None

    @property
    def size(self) -> int:
        return 3 if self.distance is None else 1

    def _places(self, plant: MultibodyPlant, context: Context) -> tuple[Array, Array]:
        p_WP, p_WQ = (
            plant.CalcPointsPositions(context, frame, p, plant.world_frame())[:, 0]
            for frame, p in ((self.a, self.p_AP), (self.b, self.p_BQ))
        )
        return p_WP, p_WQ

    def wrenches(self, plant: MultibodyPlant, context: Context, multipliers: Array) -> list[Wrench]:
        p_WP, p_WQ = self._places(plant, context)
        apart = p_WP - p_WQ
        force = multipliers
        if self.distance is not None:
            force = multipliers[0] * apart / np.linalg.norm(apart)
        return [Wrench(self.a.body(), p_WP, force), Wrench(self.b.body(), p_WQ, -force)]

    def entry(self, kinematics: Kinematics) -> "_Entry":
        kind = BALL if self.distance is None else DISTANCE
        places = RigidTransform(self.p_AP), RigidTransform(self.p_BQ)
        return _between(kinematics, kind, (self.a, self.b), places, self.distance or 0.0)


@dataclass(frozen=True)
class _Frames(_Row):
    """Two frames coincide: origins, and the rotation vector between them."""

    a: Frame
    b: Frame

    @property
    def size(self) -> int:
        return 6

    def wrenches(self, plant: MultibodyPlant, context: Context, multipliers: Array) -> list[Wrench]:  # noqa: ARG002 (signature of a row)
        torque, force = multipliers[:3], multipliers[3:]
        p_WA, p_WB = (frame.CalcPoseInWorld(context).translation() for frame in (self.a, self.b))
        return [
            Wrench(self.a.body(), p_WA, force, torque),
            Wrench(self.b.body(), p_WB, -force, -torque),
        ]

    def entry(self, kinematics: Kinematics) -> "_Entry":
        none = RigidTransform()
        return _between(kinematics, WELD, (self.a, self.b), (none, none), 0.0)


@dataclass(frozen=True)
class _Gear(_Row):
    """q0 - gear_ratio q1 - offset = 0."""

    position: tuple[int, int]
    velocity: tuple[int, int]
    gear_ratio: float
    offset: float

    @property
    def size(self) -> int:
        return 1

    def wrenches(self, plant: MultibodyPlant, context: Context, multipliers: Array) -> list[Wrench]:  # noqa: ARG002 (signature of a row)
        return []  # it acts within the joints

    def entry(self, kinematics: Kinematics) -> "_Entry":  # noqa: ARG002 (signature of a row)
        joints = tuple(zip(self.position, self.velocity, strict=True))
        return _Entry(COUPLER, numbers=(self.gear_ratio, self.offset), joints=joints)


@dataclass(frozen=True)
class _Entry:
    """A row of a ``LoopTable``."""

    kind: int
    links: tuple[int, int] = (0, 0)
    X: tuple[Array, Array] = (np.eye(3, 4), np.eye(3, 4))
    numbers: tuple[float, float] = (0.0, 0.0)
    joints: tuple[tuple[int, int], ...] = ((0, 0), (0, 0))


def _between(
    kinematics: Kinematics,
    kind: int,
    frames: tuple[Frame, Frame],
    places: tuple[RigidTransform, RigidTransform],
    number: float,
) -> _Entry:
    X_LA, X_LB = (
        kinematics.within(frame).multiply(place).GetAsMatrix34()
        for frame, place in zip(frames, places, strict=True)
    )
    a, b = (kinematics.link_of(frame.body()) for frame in frames)
    return _Entry(kind, (a, b), (X_LA, X_LB), (number, 0.0))


def _table(rows: Sequence[_Row], kinematics: Kinematics) -> LoopTable:
    entries = [row.entry(kinematics) for row in rows]
    sizes = np.array([row.size for row in rows])
    return LoopTable(
        kinds=np.array([entry.kind for entry in entries]),
        firsts=np.cumsum(sizes) - sizes,
        links=np.array([entry.links for entry in entries]),
        X=np.array([entry.X for entry in entries]),
        numbers=np.array([entry.numbers for entry in entries]),
        joints=np.array([entry.joints for entry in entries]),
    )


def _frames(plant: MultibodyPlant, constraint: Ball | Weld | Distance) -> tuple[Frame, Frame]:
    a, b = require_frames(plant, [constraint.a, constraint.b])
    return a, b


def _resolved(plant: MultibodyPlant, constraint: Constraint) -> _Row:
    if isinstance(constraint, Coupler):
        return _gear(plant, constraint)
    a, b = _frames(plant, constraint)
    if isinstance(constraint, Weld):
        return _Frames(a, b)
    distance = constraint.distance if isinstance(constraint, Distance) else None
    return _Points(a, b, np.array(constraint.p_AP), np.array(constraint.p_BQ), distance)


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
    found, known = values.copy(), set(named)
    laws = [(*(gear.velocity if rates else gear.position), gear) for gear in gears]
    roots = {leader for _, leader, _ in laws} - {follower for follower, _, _ in laws}
    for more in (set[int](), roots):  # who is named decides before who merely leads
        known |= more
        for follower, leader, gear in [*laws] * len(laws):  # a chain may be listed from its end
            offset = 0.0 if rates else gear.offset
            if leader in known and follower not in known:
                found[follower] = gear.gear_ratio * found[leader] + offset
                known.add(follower)
            elif follower in known and leader not in known and gear.gear_ratio != 0.0:
                found[leader] = (found[follower] - offset) / gear.gear_ratio
                known.add(leader)
    return found
