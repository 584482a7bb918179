"""Poses of bodies, motions that velocities give them and Jacobians of points, in compiled kernels.

Reading a pose or a Jacobian out of Drake costs about a microsecond each, more than to compute it.
What a kernel has to know of a joint is asked of Drake when the plant is taken: how fast each of its
velocities moves the joint's outer frame, seen from the inner one. A joint for which that depends on
its position, or whose pose does not follow from it, is asked again at every state.

Frames: W world; a link is a body with all that is welded to it, link 0 the world; A the inner link
of a joint, B the outer one, F and O the joint's frames on them.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from pydrake.math import RigidTransform
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import Frame, JacobianWrtVariable, RigidBody
from pydrake.systems.framework import Context

from footfall.arrays import Array, Indices
from footfall.jit import njit
from footfall.plants.coordinates import somewhere

_SAME = 1e-12  # m or rad: what poses and hinge columns of two computations may differ by


class Moved(NamedTuple):
    """Links as they were placed last, and how joints move them, in a form that kernels take.

    poses (links, 3, 4): X_WB. carries (links, links): whether the joint of one link carries
    another. parent (links,): the inner link. mover (nv,): the link that each velocity moves first.
    origin (links, 3): of the joint's frame O in B. hinge (nv, 6): velocity of O in A, in A's axes,
    at unit velocities, [angular, translational].
    """

    poses: Array
    carries: npt.NDArray[np.bool_]
    parent: Indices
    mover: Indices
    origin: Array
    hinge: Array


@njit
def twists_of(moved: Moved) -> Array:
    """See ``Kinematics.twists``."""
    poses, mover, origin, hinge = moved.poses, moved.mover, moved.origin, moved.hinge
    twists = np.zeros((mover.shape[0], 9))
    for v in range(mover.shape[0]):
        X_WA, X_WB = poses[moved.parent[mover[v]]], poses[mover[v]]
        for i in range(3):
            twists[v, 6 + i] = X_WB[i, 3]
            for k in range(3):
                twists[v, i] += X_WA[i, k] * hinge[v, k]
                twists[v, 3 + i] += X_WA[i, k] * hinge[v, 3 + k]
                twists[v, 6 + i] += X_WB[i, k] * origin[mover[v], k]
    return twists


@njit
def velocity_of(twist: Array, p_W: Array) -> tuple[float, float, float]:
    """Velocity of a point that a twist moves: w, v and the point o with this velocity."""
    x, y, z = p_W[0] - twist[6], p_W[1] - twist[7], p_W[2] - twist[8]
    return (
        twist[3] + twist[1] * z - twist[2] * y,
        twist[4] + twist[2] * x - twist[0] * z,
        twist[5] + twist[0] * y - twist[1] * x,
    )


@njit
def relative_velocities(moved: Moved, links: Indices, p_W: Array, v: Array) -> Array:
    """Velocities (k, 3) in W of points p_W (k, 3) of the first of two links against the second.

    links (k, 2). v (nv,): at the poses placed last.
    """
    twists, carries = twists_of(moved), moved.carries
    velocities = np.zeros(p_W.shape)
    for k in range(p_W.shape[0]):
        for column, mover in enumerate(moved.mover):
            moves_first = carries[mover, links[k, 0]]
            if moves_first == carries[mover, links[k, 1]]:
                continue
            speed = v[column] if moves_first else -v[column]
            unit = velocity_of(twists[column], p_W[k])
            for d in range(3):
                velocities[k, d] += speed * unit[d]
    return velocities


@njit
def place_links(
    q: Array,
    parent: Indices,
    position: Indices,
    free: npt.NDArray[np.bool_],
    shape: Array,
    poses: Array,
) -> None:
    """Fill the poses of links on joints whose positions start at position >= 0, inner ones first.

    X_AB = (rotation by q about the axis, slide q) X_AB(0), about the joint's place p_AF; or, for a
    free joint, (rotation by the quaternion q[:4], slide q[4:]) X_AB(0).
    """
    R_WA_turn, turn, slide = np.empty((3, 3)), np.empty((3, 3)), np.empty(3)
    for link in range(1, poses.shape[0]):
        if position[link] < 0:
            continue
        inner, first = parent[link], position[link]
        if free[link]:
            rotate_by_quaternion(q[first : first + 4], turn)
            slide[:] = q[first + 4 : first + 7]
        else:
            _rotate(shape[link, 0], shape[link, 1], shape[link, 2], q[first], turn)
            slide[:] = shape[link, 3:6] * q[first]
        for i in range(3):
            p_W = poses[inner, i, 3]
            for j in range(3):
                turned = 0.0
                for k in range(3):
                    turned += poses[inner, i, k] * turn[k, j]
                slid = shape[link, 6 + j] + slide[j]
                p_W += poses[inner, i, j] * slid + turned * shape[link, 9 + j]
                R_WA_turn[i, j] = turned
            poses[link, i, 3] = p_W
        _multiply(R_WA_turn, shape[link, 12:], poses[link])


@njit
def _multiply(R: Array, other: Array, product: Array) -> None:
    """Fill in a rotation times another one, whose nine entries come row by row."""
    for i in range(3):
        for j in range(3):
            product[i, j] = 0.0
            for k in range(3):
                product[i, j] += R[i, k] * other[3 * k + j]


@njit
def rotate_by_quaternion(e: Array, R: Array) -> None:
    """Fill in the rotation of a quaternion [w, x, y, z] of any length but zero."""
    w, x, y, z = e[0], e[1], e[2], e[3]
    s = 2.0 / (w * w + x * x + y * y + z * z)
    R[0, 0], R[1, 1] = 1.0 - s * (y * y + z * z), 1.0 - s * (x * x + z * z)
    R[2, 2] = 1.0 - s * (x * x + y * y)
    R[0, 1], R[1, 0] = s * (x * y - w * z), s * (x * y + w * z)
    R[2, 0], R[0, 2] = s * (x * z - w * y), s * (x * z + w * y)
    R[1, 2], R[2, 1] = s * (y * z - w * x), s * (y * z + w * x)


@njit
def _rotate(x: float, y: float, z: float, angle: float, R: Array) -> None:
    """Fill in the rotation by an angle [rad] about a unit axis, or none about (0, 0, 0)."""
    sine, versine = np.sin(angle), 1.0 - np.cos(angle)
    rest = 1.0 - versine * (x * x + y * y + z * z)
    R[0, 0], R[1, 1] = rest + versine * x * x, rest + versine * y * y
    R[2, 2] = rest + versine * z * z
    R[0, 1], R[1, 0] = versine * x * y - sine * z, versine * x * y + sine * z
    R[2, 0], R[0, 2] = versine * x * z - sine * y, versine * x * z + sine * y
    R[1, 2], R[2, 1] = versine * y * z - sine * x, versine * y * z + sine * x


@dataclass(frozen=True)
class _Joint:
    """A joint with its inner frame F and its outer frame O; places of its q and v."""

    F: Frame
    O: Frame
    position: slice
    velocity: slice
    carried: frozenset[int]


class Trees(NamedTuple):
    """Trees of links, n of them; the velocities of one lie side by side, so M is block-diagonal.

    starts, sizes (n,): of their velocities. of_link (links,), of_velocity (nv,): the tree that each
    belongs to; -1 for the world.
    """

    starts: Indices
    sizes: Indices
    of_link: Indices
    of_velocity: Indices


class Kinematics:
    """Poses of the links of a plant, and Jacobians of their points.

    carries (links, links): whether the joint of one link carries another. poses (links, 3, 4): X_WB
    of every link, as ``place`` left them.
    """

    def __init__(self, plant: MultibodyPlant) -> None:
        """Ask the plant for what does not depend on its state."""
        self._plant = plant
        self._home = plant.CreateDefaultContext()
        joints = _moving_joints(plant)
        bodies = [plant.world_body(), *(joint.O.body() for joint in joints)]
        self._bodies = bodies
        self._link_of = {
            int(welded.index()): link
            for link, body in enumerate(bodies)
            for welded in plant.GetBodiesWeldedTo(body)
        }
        count = len(bodies)
        self.poses = np.tile(np.eye(3, 4), (count, 1, 1))
        self.carries = np.zeros((count, count), dtype=np.bool_)
        self._parent = np.zeros(count, dtype=np.int64)
        self._position = np.full(count, -1, dtype=np.int64)
        self._free = np.zeros(count, dtype=np.bool_)
        self._shape = np.zeros((count, 21))
        self._origin = np.zeros((count, 3))
        self._mover = np.zeros(plant.num_velocities(), dtype=np.int64)
        self._hinge = np.zeros((plant.num_velocities(), 6))
        self._turning: list[tuple[_Joint, Frame]] = []
        contexts = somewhere(plant)
        for link, joint in enumerate(joints, start=1):
            self._parent[link] = self._link_of[int(joint.F.body().index())]
            inner = bodies[self._parent[link]].body_frame()
            self.carries[link, [self._link_of[body] for body in joint.carried]] = True
            self._origin[link] = self.within(joint.O).translation()
            self._mover[joint.velocity] = link
            columns = [self._columns(context, joint, inner) for context in contexts]
            self._hinge[joint.velocity] = columns[0]
            if not all(np.allclose(columns[0], other, rtol=0.0, atol=_SAME) for other in columns):
                self._turning.append((joint, inner))
            elif (positions := joint.position.stop - joint.position.start) in (1, 7):
                self._shape[link] = self._shape_of(joint, columns[0][0])
                self._position[link] = joint.position.start
                self._free[link] = positions == 7
                if not all(self._foretells(link, context) for context in contexts):
                    self._position[link] = -1
        self._read = [link for link in range(1, count) if self._position[link] < 0]
        self._moved = Moved(
            self.poses, self.carries, self._parent, self._mover, self._origin, self._hinge
        )

    def link_of(self, body: RigidBody) -> int:
        """The link that a body belongs to; 0 is the world."""
        return self._link_of[int(body.index())]

    def within(self, frame: Frame) -> RigidTransform:
        """Pose of a frame that is fixed to a body, in the body that stands for its link."""
        body = self._bodies[self.link_of(frame.body())]
        return self._plant.CalcRelativeTransform(self._home, body.body_frame(), frame)

    def place(self, context: Context, q: Array) -> None:
        """Work out the poses at the positions q that the context holds as well."""
        for link in self._read:
            pose = self._plant.EvalBodyPoseInWorld(context, self._bodies[link])
            self.poses[link] = pose.GetAsMatrix34()
        place_links(q, self._parent, self._position, self._free, self._shape, self.poses)

    def moved(self, context: Context) -> Moved:
        """Return the links as placed last; kept up to date in place."""
        for joint, inner in self._turning:
            self._hinge[joint.velocity] = self._columns(context, joint, inner)
        return self._moved

    def twists(self, context: Context) -> Array:
        """Return the motion that each velocity gives its link, (nv, 9), at the poses placed last.

        Angular velocity, velocity of a point and this point, all in W.
        """
        return twists_of(self.moved(context))

    @property
    def is_steady(self) -> bool:
        """Say that no joint's hinge columns depend on its position."""
        return not self._turning

    @property
    def mover(self) -> Indices:
        """The link that each velocity moves first, (nv,)."""
        return self._mover

    @cached_property
    def trees(self) -> Trees:
        """The trees of links that hang on the world, by the joints that move."""
        root = np.arange(len(self._bodies))
        for link in range(1, len(root)):
            if self._parent[link] > 0:
                root[link] = root[self._parent[link]]
        moved, of_velocity = np.unique(root[self._mover], return_inverse=True)
        of_link = np.full(len(root), -1)
        for tree, link in enumerate(moved):
            of_link[root == link] = tree
        if np.any(np.diff(of_velocity) < 0):  # velocities of one tree are not side by side
            of_velocity[:] = 0
            of_link[1:] = 0
        sizes = np.bincount(of_velocity)
        return Trees(np.cumsum(sizes) - sizes, sizes, of_link, of_velocity)

    def _columns(self, context: Context, joint: _Joint, inner: Frame) -> Array:
        """Velocity of O in A, in A's axes, at unit velocities: [angular, translational] rows."""
        jacobian: Array = self._plant.CalcJacobianSpatialVelocity(
            context, JacobianWrtVariable.kV, joint.O, np.zeros(3), inner, inner
        )
        return jacobian[:, joint.velocity].T

    def _shape_of(self, joint: _Joint, hinge: Array) -> Array:
        """Shape of a joint for ``place_links``: axis, slide, p_AF, p_AB - p_AF, R_AB at 0.

        Axis and slide say nothing of a free joint.
        """
        X_AF, X_BO = self.within(joint.F), self.within(joint.O)
        X_AB = X_AF @ X_BO.inverse()
        p_AF = X_AF.translation()
        rotation = X_AB.rotation().matrix().ravel()
        return np.concatenate((hinge, p_AF, X_AB.translation() - p_AF, rotation))

    def _foretells(self, link: int, context: Context) -> bool:
        """Say whether ``place_links`` finds the pose of a link in its parent that Drake has."""
        poses = np.tile(np.eye(3, 4), (2, 1, 1))
        q = self._plant.GetPositions(context)
        some = [0, link]
        inner_links = np.zeros(2, dtype=np.int64)
        place_links(
            q, inner_links, self._position[some], self._free[some], self._shape[some], poses
        )
        inner, outer = (self._bodies[k].body_frame() for k in (self._parent[link], link))
        X_AB = self._plant.CalcRelativeTransform(context, inner, outer).GetAsMatrix34()
        return bool(np.allclose(poses[1], X_AB, rtol=0.0, atol=_SAME))


def _moving_joints(plant: MultibodyPlant) -> list[_Joint]:
    """The joints that move, inner ones before outer ones."""
    joints = []
    for index in plant.GetJointIndices():
        joint = plant.get_joint(index)
        if joint.num_velocities() == 0:
            continue
        carried = frozenset(int(body) for body in plant.GetBodiesKinematicallyAffectedBy([index]))
        F, O = joint.frame_on_parent(), joint.frame_on_child()
        if int(joint.child_body().index()) not in carried:
            F, O = O, F  # the tree grows the other way
        position, velocity = joint.position_start(), joint.velocity_start()
        joints.append(
            _Joint(
                F,
                O,
                slice(position, position + joint.num_positions()),
                slice(velocity, velocity + joint.num_velocities()),
                carried,
            )
        )
    return sorted(joints, key=lambda joint: -len(joint.carried))
