"""Poses of links, motions that unit velocities give them, and positions moved along velocities.

All comes from the flat arrays of a plant (`footfall.plants.flat`), in compiled kernels: reading a
pose or a Jacobian out of Drake costs about a microsecond each, more than to compute it. Where the
arrays cannot hold how a plant moves, plain Drake calls fill the same ones.

Frames: W world; a link is a body with all that is welded to it, link 0 the world.
"""

from functools import cached_property
from typing import NamedTuple

import numpy as np
from pydrake.math import RigidTransform, RotationMatrix
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import BodyIndex, Frame, JacobianWrtVariable, RigidBody
from pydrake.systems.framework import Context

from footfall.arrays import Array, Indices
from footfall.jit import njit
from footfall.plants.coordinates import normalise_quaternions, quaternion_places
from footfall.plants.flat.checked import links_of
from footfall.plants.flat.dynamics import (
    Scratch,
    add_wrench,
    advance,
    count_of,
    place,
    scratch_of,
    shared,
    twists,
    unit_velocity,
)
from footfall.plants.flat.tree import Tree


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
    """Links of a plant at the positions that they were placed at last.

    links, tree: the flat arrays, which all of a plant share; scratch: memory of their kernels.
    """

    def __init__(self, plant: MultibodyPlant) -> None:
        """Read the plant, unless that is done."""
        self._plant, self._field = plant, plant.gravity_field()
        self.links = links_of(plant)
        self.tree: Tree = self.links.tree
        self.scratch = scratch_of(self.tree)
        self._twists_there = False

    @property
    def poses(self) -> Array:
        """Poses (links, 3, 4) of the links in W, [R, p]; kept up to date in place."""
        return self.scratch.pose

    @property
    def twists(self) -> Array:
        """Twists (nv, 6) of unit velocities, [angular, of the point], where placed last.

        The point is the origin of the link ``tree.reference`` of any link of the same tree.
        """
        return self.moving.twist

    @property
    def moving(self) -> Scratch:
        """Poses and twists, where placed last; made when they are first asked for there."""
        if not self._twists_there:
            tree, work = self.tree, self.scratch
            first, reference, E = tree.velocity, tree.reference, tree.E
            twists(
                tree.kind,
                tree.parent,
                first,
                reference,
                E,
                tree.turn,
                tree.slide,
                work.pose,
                work.twist,
            )
            self._twists_there = True
        return self.scratch

    def link_of(self, body: RigidBody) -> int:
        """The link that a body belongs to; 0 is the world."""
        return self.links.of_body[int(body.index())]

    def within(self, frame: Frame) -> RigidTransform:
        """Pose of a frame that is fixed to a body, in the frame of its link."""
        return self._in_link(int(frame.body().index())) @ frame.GetFixedPoseInBodyFrame()

    def read_gravity(self) -> list[float]:
        """Put the plant's gravity [m/s^2], which may change, into the tree, and return it."""
        gravity: list[float] = self._field.gravity_vector().tolist()
        self.tree.gravity[:] = gravity
        return gravity

    def place(self, context: Context, q: Array) -> None:
        """Work out the poses at positions q (nq,).

        context: gets these positions where Drake has to be asked.
        """
        tree, self._twists_there = self.tree, not self.links.holds_motion
        if not self.links.holds_motion:
            self._ask(context, q)
            return
        place(
            tree.kind,
            tree.parent,
            tree.position,
            tree.E,
            tree.p,
            tree.turn,
            tree.slide,
            q,
            self.poses,
        )

    def advanced(self, q: Array, v: Array, dt: float) -> Array:
        """Return q + dt N(q) v, quaternions brought back to length one."""
        tree, moved = self.tree, np.empty_like(q)
        if self.links.holds_motion:
            advance(tree.kind, tree.position, tree.velocity, q, v, dt, moved)
            return moved
        self._plant.SetPositions(self._own_context, q)
        moved = q + dt * self._plant.MapVelocityToQDot(self._own_context, v)
        normalise_quaternions(moved, quaternion_places(self._plant))
        return moved

    def point_velocities(self, links: Indices, p_W: Array, v: Array) -> Array:
        """Velocities in W of points (k, 3) of the first of two links against the second, (k, 3).

        links (k, 2). v (nv,): where placed last.
        """
        tree, found = self.tree, np.zeros(p_W.shape)
        _point_velocities(
            tree.last,
            tree.reference,
            tree.depth,
            tree.path,
            self.twists,
            self.poses,
            links,
            p_W,
            v,
            found,
        )
        return found

    def add_wrench(
        self, body: RigidBody, p_W: Array, force_W: Array, torque_W: Array, total: Array
    ) -> None:
        """Add the generalized force (nv,) of a force at a point of a body, and of a torque."""
        tree, link = self.tree, self.link_of(body)
        last, reference = tree.last, tree.reference
        where = tree.depth, tree.path, self.twists, self.poses
        add_wrench(last, reference, *where, link, p_W, force_W, torque_W, total)

    def point(self, body: RigidBody, p_B: Array) -> Array:
        """Place in W of a point of a body, (3,)."""
        X_WL = self.poses[self.link_of(body)]
        R_LB, p_LB = self.links.pose[int(body.index())]
        return X_WL[:, :3] @ (R_LB @ p_B + p_LB) + X_WL[:, 3]

    @cached_property
    def trees(self) -> Trees:
        """The trees of links that hang on the world, by the joints that move."""
        of_velocity, last = self.tree.tree, self.tree.last
        sizes = np.bincount(of_velocity)
        of_link = np.full(len(last), -1)
        of_link[last >= 0] = of_velocity[last[last >= 0]]
        return Trees(np.cumsum(sizes) - sizes, sizes, of_link, of_velocity)

    @cached_property
    def _own_context(self) -> Context:
        return self._plant.CreateDefaultContext()

    def _in_link(self, body: int) -> RigidTransform:
        R, p = self.links.pose[body]
        return RigidTransform(RotationMatrix(R), p)

    def _ask(self, context: Context, q: Array) -> None:
        """Ask Drake for the poses of links that have a body, and for all twists."""
        plant, tree = self._plant, self.tree
        plant.SetPositions(context, q)
        world, bodies = plant.world_frame(), dict[int, RigidBody]()
        for index, link in self.links.of_body.items():
            bodies.setdefault(link, plant.get_body(BodyIndex(index)))
        for link, body in bodies.items():
            X_WB = plant.EvalBodyPoseInWorld(context, body)
            self.poses[link] = (X_WB @ self._in_link(int(body.index())).inverse()).GetAsMatrix34()
        for link, body in bodies.items():
            p_BO = (
                plant.EvalBodyPoseInWorld(context, body).inverse()
                @ (self.poses[tree.reference[link], :, 3])
            )
            jacobian = plant.CalcJacobianSpatialVelocity(
                context, JacobianWrtVariable.kV, body.body_frame(), p_BO, world, world
            )
            moving = tree.path[tree.last[link], : count_of(link, tree.last, tree.depth)]
            self.scratch.twist[moving] = jacobian[:, moving].T


@njit
def _point_velocities(
    last: Indices,
    reference: Indices,
    depth: Indices,
    path: Indices,
    twist: Array,
    pose: Array,
    links: Indices,
    p_W: Array,
    v: Array,
    velocities: Array,
) -> None:
    """See ``Kinematics.point_velocities``."""
    for i in range(p_W.shape[0]):
        x, y, z = p_W[i]
        alike = shared(links[i, 0], links[i, 1], last, depth, path)
        for side, sign in enumerate((1.0, -1.0)):
            link = links[i, side]
            for d in range(alike, count_of(link, last, depth)):
                k = path[last[link], d]
                unit = unit_velocity(twist, pose, reference[link], k, x, y, z)
                for axis in range(3):
                    velocities[i, axis] += sign * v[k] * unit[axis]
