"""A finalised plant as flat arrays: links, joints, inertias, springs and dampers, read once.

Drake reads the file and is the judge: `flatten` asks it for all that there is, and what the arrays
give is held against Drake's (`footfall.plants.flat.checked`).

Frames: a link is a body with all that is welded to it, link 0 the world; A the inner link of a
joint, F the joint's frame on it. The frame of a link is that of its joint on its own side, turned
so that z is the axis of a hinge or a slide. Planar and universal joints are two or three hinges and
slides, with links without mass in between.
"""

import math
from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import (
    BallRpyJoint,
    BodyIndex,
    ForceElementIndex,
    Frame,
    JacobianWrtVariable,
    Joint,
    ModelInstanceIndex,
    PlanarJoint,
    PrismaticJoint,
    PrismaticSpring,
    QuaternionFloatingJoint,
    RevoluteJoint,
    RevoluteSpring,
    RigidBody,
    RpyFloatingJoint,
    ScrewJoint,
    UniformGravityFieldElement,
    UniversalJoint,
)

from footfall.arrays import Array, Indices
from footfall.plants.coordinates import actuators_of, joint_damping, joints_of


class Kind(IntEnum):
    """Kind of a joint: hinge, slide or screw; free by a quaternion or by angles; ball by angles.

    OTHER: one whose motion only Drake knows.
    """

    ONE, QUATERNION, ANGLES, BALL, OTHER = range(5)


_FREE = {
    QuaternionFloatingJoint: Kind.QUATERNION,
    RpyFloatingJoint: Kind.ANGLES,
    BallRpyJoint: Kind.BALL,
}
_X, _Y, _Z = np.eye(3)
SLOW_SPIN = 1e-3  # rad/s: a free body that spins slower has next to no gyroscopic torque


class Tree(NamedTuple):
    """Links (n, the world first) and velocities (nv) of a plant.

    Of links: kind of the joint; parent, the inner link; first position and velocity (-1: none);
    reference, the link about whose origin the tree of links is measured; E (n, 3, 3) and p (n, 3),
    pose of F in A; turn [rad] and slide [m] per unit of the position; last, the last velocity that
    moves it. Inertia in its frame: mass [kg], centre (n, 3) [m], and about it xx yy zz xy xz yz
    (n, 6) [kg m^2].

    Of velocities: depth, how many others move the inner link; path (nv, depths), these and itself;
    tree, the number of the tree of links; rotor, reflected inertia; damping; stiffness, and place
    where a spring is slack, of the position `sprung`. gravity (3,) [m/s^2].
    """

    kind: Indices
    parent: Indices
    position: Indices
    velocity: Indices
    reference: Indices
    last: Indices
    E: Array
    p: Array
    turn: Array
    slide: Array
    mass: Array
    centre: Array
    inertia: Array
    depth: Indices
    path: Indices
    tree: Indices
    sprung: Indices
    rotor: Array
    damping: Array
    stiffness: Array
    slack: Array
    gravity: Array


class Links(NamedTuple):
    """The links of a plant, and how far they say how it moves.

    of_body, pose: link of each body by its index, and pose (R, p) of the body in it. holds_motion:
    whether poses, twists, M, N and the forces of gravity and velocities follow from the tree;
    holds_forces: whether h does as well. What does not is asked of Drake, and why_not says in a
    line what it is that the tree cannot hold.
    """

    tree: Tree
    of_body: dict[int, int]
    pose: dict[int, tuple[Array, Array]]
    holds_motion: bool = True
    holds_forces: bool = True
    why_not: str = ""


class _Row(NamedTuple):
    kind: Kind
    parent: int
    position: int
    velocity: int
    velocities: int
    E: Array
    p: Array
    turn: float
    slide: float


class _Builder:
    """Links in the making, inner ones before outer ones."""

    def __init__(self, plant: MultibodyPlant) -> None:
        self.plant = plant
        self.home = plant.CreateDefaultContext()
        self.rows = [_Row(Kind.ONE, 0, -1, -1, 0, np.eye(3), np.zeros(3), 0.0, 0.0)]
        models = (ModelInstanceIndex(k) for k in range(plant.num_model_instances()))
        everywhere = all(plant.is_gravity_enabled(model) for model in models)
        self.unknown = "" if everywhere else "gravity does not act on all models"
        self.of_body: dict[int, int] = {}
        self.pose: dict[int, tuple[Array, Array]] = {}
        for body in plant.GetBodiesWeldedTo(plant.world_body()):
            X_WB = body.EvalPoseInWorld(self.home)
            self._place(body, 0, X_WB.rotation().matrix(), X_WB.translation())

    def hangs(self, joint: Joint) -> bool:
        """Say whether a side of a joint is on a link that is there."""
        return any(int(frame.body().index()) in self.of_body for frame in _sides(joint))

    def add(self, joint: Joint) -> None:
        """Put the links that a joint moves behind the others."""
        inner, outer = _sides(joint)
        away = 1.0
        if int(inner.body().index()) not in self.of_body:
            inner, outer, away = outer, inner, -1.0  # the tree grows the other way
        parent = self.of_body[int(inner.body().index())]
        R, p = self._in_link(inner)
        first, velocity = joint.position_start(), joint.velocity_start()
        axes = self._axes(joint)
        if axes:
            for k, (axis, turn, slide) in enumerate(axes):
                Q = _to_z(axis)
                row = (Kind.ONE, parent, first + k, velocity + k, 1, R @ Q, p, away * turn)
                self.rows.append(_Row(*row, away * slide))
                parent, R, p = len(self.rows) - 1, Q.T, np.zeros(3)
        else:
            kind = _FREE.get(type(joint), Kind.OTHER)
            if kind == Kind.OTHER:
                self.unknown = f"joint '{joint.name()}' is a {joint.type_name()} joint"
            count = joint.num_velocities()
            self.rows.append(_Row(kind, parent, first, velocity, count, R, p, 1.0, 1.0))
            R = np.eye(3)
        X_BM = outer.GetFixedPoseInBodyFrame()
        R_LB = R @ X_BM.rotation().matrix().T
        p_LB = -R_LB @ X_BM.translation()
        body = outer.body()
        for welded in self.plant.GetBodiesWeldedTo(body):
            X = self.plant.CalcRelativeTransform(self.home, body.body_frame(), welded.body_frame())
            link = len(self.rows) - 1
            self._place(welded, link, R_LB @ X.rotation().matrix(), p_LB + R_LB @ X.translation())

    def _axes(self, joint: Joint) -> list[tuple[Array, float, float]]:
        """Axes of hinges and slides in F, with rad and m per unit of their position."""
        if isinstance(joint, RevoluteJoint):
            return [(joint.revolute_axis(), 1.0, 0.0)]
        if isinstance(joint, PrismaticJoint):
            return [(joint.translation_axis(), 0.0, 1.0)]
        if isinstance(joint, ScrewJoint):
            F, M = _sides(joint)
            column = self.plant.CalcJacobianSpatialVelocity(  # Python knows no axis of it
                self.home, JacobianWrtVariable.kV, M, np.zeros(3), F, F
            )[:3, joint.velocity_start()]
            return [(column, 1.0, joint.screw_pitch() / (2.0 * math.pi))]
        if isinstance(joint, PlanarJoint):
            return [(_X, 0.0, 1.0), (_Y, 0.0, 1.0), (_Z, 1.0, 0.0)]
        return [(_X, 1.0, 0.0), (_Y, 1.0, 0.0)] if isinstance(joint, UniversalJoint) else []

    def _place(self, body: RigidBody, link: int, R: Array, p: Array) -> None:
        self.of_body[int(body.index())], self.pose[int(body.index())] = link, (R, p)

    def _in_link(self, frame: Frame) -> tuple[Array, Array]:
        R, p = self.pose[int(frame.body().index())]
        X = frame.GetFixedPoseInBodyFrame()
        return R @ X.rotation().matrix(), p + R @ X.translation()


def spins_of(tree: Tree) -> Indices:
    """Return the velocities that turn free bodies."""
    first = tree.velocity[tree.kind == Kind.QUATERNION]
    return (first[:, None] + np.arange(3)).ravel()


def _sides(joint: Joint) -> tuple[Frame, Frame]:
    return joint.frame_on_parent(), joint.frame_on_child()


def _to_z(axis: Array) -> Array:
    """A rotation whose third column is a unit vector."""
    helper = np.eye(3)[np.argmin(np.abs(axis))]
    x = np.cross(helper, axis)
    x /= np.linalg.norm(x)
    return np.column_stack((x, np.cross(axis, x), axis))


def flatten(plant: MultibodyPlant) -> Links:
    """Read the links of a finalised plant, inner ones before outer ones."""
    builder = _Builder(plant)
    ahead = [joint for joint in joints_of(plant) if joint.num_velocities() > 0]
    ahead.sort(key=lambda joint: joint.velocity_start())
    while ahead:  # Drake leaves no joint that hangs on nothing
        joint = next(joint for joint in ahead if builder.hangs(joint))
        builder.add(joint)
        ahead.remove(joint)
    rows = builder.rows
    numbers = np.array([row[:5] for row in rows], dtype=np.int64).T
    kind, parent, position, velocity = np.ascontiguousarray(numbers[:4])
    inner, last = _inner_velocities(rows, plant.num_velocities())
    depth, path = _paths(inner)
    tree = np.unique(path[:, :1], return_inverse=True)[1].reshape(-1).astype(np.int64)
    mass, centre, inertia = _inertias(plant, builder, len(rows))
    springs, unknown = _springs(plant)
    rotor = np.zeros(plant.num_velocities())
    for actuator in actuators_of(plant):
        rotor[actuator.joint().velocity_start()] += actuator.default_reflected_inertia()
    return Links(
        Tree(
            kind,
            parent,
            position,
            velocity,
            _references(mass, last, tree),
            last,
            np.array([row.E for row in rows]),
            np.array([row.p for row in rows]),
            np.array([row.turn for row in rows]),
            np.array([row.slide for row in rows]),
            mass,
            centre,
            inertia,
            depth,
            path,
            tree,
            springs.sprung,
            rotor,
            joint_damping(plant),
            springs.stiffness,
            springs.slack,
            np.array(plant.gravity_field().gravity_vector()),
        ),
        builder.of_body,
        builder.pose,
        not builder.unknown,
        not (builder.unknown or unknown),
        builder.unknown or unknown,
    )


def _inner_velocities(rows: Sequence[_Row], nv: int) -> tuple[Indices, Indices]:
    """The velocity before each on the way from the world, -1 for none; the last of each link."""
    inner, last = np.full(nv, -1, dtype=np.int64), np.full(len(rows), -1, dtype=np.int64)
    for link, row in enumerate(rows):
        last[link] = last[row.parent]
        for k in range(row.velocity, row.velocity + row.velocities):
            inner[k], last[link] = last[link], k
    return inner, last


def _paths(inner: Indices) -> tuple[Indices, Indices]:
    """Depth of every velocity, and the velocities from the world to it, itself last."""
    paths: list[list[int]] = []
    for k, before in enumerate(inner.tolist()):
        paths.append([*(paths[before] if before >= 0 else []), k])
    depth = np.array([len(path) - 1 for path in paths], dtype=np.int64)
    table = np.zeros((len(paths), int(depth.max(initial=0)) + 1), dtype=np.int64)
    for k, path in enumerate(paths):
        table[k, : len(path)] = path
    return depth, table


def _references(mass: Array, last: Indices, tree: Indices) -> Indices:
    """The heaviest link of every link's tree, about whose origin rounding is least."""
    reference = np.zeros(len(mass), dtype=np.int64)
    for number in range(int(tree.max(initial=-1)) + 1):
        links = np.flatnonzero((last >= 0) & (tree[last] == number))
        reference[links] = links[mass[links].argmax()]
    return reference


def _inertias(plant: MultibodyPlant, builder: _Builder, count: int) -> tuple[Array, Array, Array]:
    """Mass, centre and inertia about the centre of every link, in its frame."""
    mass, moment, about_origin = np.zeros(count), np.zeros((count, 3)), np.zeros((count, 3, 3))
    for index, link in builder.of_body.items():
        if link == 0:
            continue
        M_B = plant.get_body(BodyIndex(index)).CalcSpatialInertiaInBodyFrame(builder.home)
        R, p = builder.pose[index]
        own = M_B.CalcRotationalInertia().CopyToFullMatrix3()  # about the body's origin
        m, com_B = M_B.get_mass(), M_B.get_com()
        c = p + R @ com_B
        mass[link] += m
        moment[link] += m * c
        about_origin[link] += R @ (own - m * _spread(com_B)) @ R.T + m * _spread(c)
    heavy = np.where(mass > 0.0, mass, 1.0)[:, None]
    centre = moment / heavy
    about = [I - m * _spread(c) for I, m, c in zip(about_origin, mass, centre, strict=True)]
    six = [[I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]] for I in about]
    return mass, centre, np.array(six)


def _spread(c: Array) -> Array:
    """Inertia of a unit mass at a place about the origin."""
    return np.asarray(c @ c * np.eye(3) - np.outer(c, c))


class _Springs(NamedTuple):
    sprung: Indices
    stiffness: Array
    slack: Array


def _springs(plant: MultibodyPlant) -> tuple[_Springs, str]:
    """Springs in joints, by velocities, and what other force there is for Drake to work out."""
    nv, unknown = plant.num_velocities(), ""
    springs = _Springs(np.zeros(nv, dtype=np.int64), np.zeros(nv), np.zeros(nv))
    for k in range(plant.num_force_elements()):
        element = plant.get_force_element(ForceElementIndex(k))
        if isinstance(element, RevoluteSpring):
            stiffness, slack = element.default_stiffness(), element.default_nominal_angle()
        elif isinstance(element, PrismaticSpring):
            stiffness, slack = element.stiffness(), element.nominal_position()
        else:
            if not isinstance(element, UniformGravityFieldElement):
                unknown = f"the model has a {type(element).__name__}"
            continue
        if stiffness == 0.0:
            continue
        joint = element.joint()
        at, before = joint.velocity_start(), springs.stiffness[joint.velocity_start()]
        springs.sprung[at], springs.stiffness[at] = joint.position_start(), before + stiffness
        springs.slack[at] = (before * springs.slack[at] + stiffness * slack) / (before + stiffness)
    return springs, unknown
