"""Forces that the joints of a machine transmit, by Newton's and Euler's equations of its bodies.

What a joint transmits is what the bodies beyond it need for their motion and do not get otherwise,
from gravity, contacts, loops and springs. Whatever acts inside joints (motors, damping, reflected
rotor inertia, stops, dry friction, gears) is part of what they transmit and need not be known.

Of a step: with q_M, v' = (v_E - v_A) / dt and h at v_A, as in ``footfall.engines.moreau``, the
equations of the bodies hold to rounding: forces are means over the step, an impact its impulse over
dt. What a step does not record, the forces of closed loops, follows from what is left,

    G^T lambda = M v' - h - B tau - J^T Lambda / dt.

By the implicit midpoint rule h has the mean velocity, and q_M is where the step has its middle.
Drake's steps take everything at q_A and v_A but for dampers in joints, which have v_E; a contact
acts where it is at q_A, and what a stop at a limit does is not recorded.
Where loops are redundant the shortest lambda is taken, as the engine does: then the reactions are
some of many that move the machine alike.

Frames: W world, B body, C child body of a joint, Jc its frame on the child, O a common point.
Source: the recursion of R. Featherstone, Rigid Body Dynamics Algorithms (2008), section 5.3, summed
over the tree; the convention is that of MultibodyPlant.get_reaction_forces_output_port.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import xarray as xr
from pydrake.multibody.plant import ExternallyAppliedSpatialForce, MultibodyPlant
from pydrake.multibody.tree import JacobianWrtVariable, Joint, RigidBody
from pydrake.systems.framework import Context

from footfall.arrays import Array, Flags, Indices
from footfall.plants.contacts import BodyPair
from footfall.plants.coordinates import bodies_of, joint_damping, joints_of
from footfall.plants.dynamics import Dynamics
from footfall.plants.flat.midpoint import middle_of
from footfall.plants.flat.tree import SLOW_SPIN, spins_of
from footfall.plants.forces import ImplicitForces, Wrench, element_wrenches
from footfall.trajectory.contact_table import ContactTable

COMPONENTS = ("mx", "my", "mz", "fx", "fy", "fz")
JOINT_REACTION, UNEXPLAINED = "joint_reaction", "reaction_unexplained"
"""Variables of a trajectory whose engine records what the joints carry."""
_ITERATIONS = 6  # each comes nearer to q_M by dt times a rate of the machine
_RANK = 1e-12  # smaller singular values of the rows, relative to the largest, are rounding


@dataclass(frozen=True, eq=False)
class BodyMotion:
    """Motion of all bodies at an instant and the forces on them, from which reactions follow.

    All in W. pose (bodies, 3, 4): X_WB. velocity, acceleration (bodies, 6): [angular; of Bo]. load
    (bodies, 6): forces other than weights, [moment about the last body's origin; force].
    """

    pose: Array
    velocity: Array
    acceleration: Array
    load: Array


class JointReactions:
    """Joint reactions of a finalized plant whose mass properties stay as they are."""

    def __init__(self, plant: MultibodyPlant) -> None:
        """Read masses, and which bodies lie beyond which joint."""
        self._plant = plant
        self._bodies = bodies_of(plant)
        context = plant.CreateDefaultContext()
        self.joints = joints_of(plant)
        self._beyond = _beyond(self.joints, len(self._bodies))
        self._child = [int(joint.child_body().index()) for joint in self.joints]
        X_CJc = [joint.frame_on_child().GetFixedPoseInBodyFrame() for joint in self.joints]
        self._R_CJc = np.array([X.rotation().matrix() for X in X_CJc]).reshape(-1, 3, 3)
        self._p_CJc = np.array([X.translation() for X in X_CJc]).reshape(-1, 3)
        count = len(self._bodies)
        self._mass, self._p_BBcm = np.zeros(count), np.zeros((count, 3))
        self._I_BBo, self._g_W = np.zeros((count, 3, 3)), np.zeros((count, 3))
        for i, body in enumerate(self._bodies[1:], start=1):
            M = body.CalcSpatialInertiaInBodyFrame(context)
            self._mass[i], self._p_BBcm[i] = M.get_mass(), M.get_com()
            self._I_BBo[i] = M.CalcRotationalInertia().CopyToFullMatrix3()
            if plant.is_gravity_enabled(body.model_instance()):
                self._g_W[i] = plant.gravity_field().gravity_vector()

    def motion(self, context: Context, vdot: Array, wrenches: Iterable[Wrench] = ()) -> BodyMotion:
        """Read what ``carried`` needs of a state.

        context: holds q and v; vdot (nv,): rates of v; wrenches: of contacts and loops (gravity,
        springs and bushings are known here). Raises ModelError for a force element whose forces
        are not known.
        """
        plant, bodies = self._plant, self._bodies
        pose = np.array([body.EvalPoseInWorld(context).GetAsMatrix34() for body in bodies])
        O = pose[-1, :, 3]
        load = np.zeros((len(bodies), 6))
        for wrench in (*wrenches, *element_wrenches(plant, context)):
            row = load[int(wrench.body.index())]
            row[:3] += wrench.torque_W + _cross(wrench.p_W - O, wrench.force_W)
            row[3:] += wrench.force_W
        velocity = [body.EvalSpatialVelocityInWorld(context).get_coeffs() for body in bodies]
        A = plant.CalcSpatialAccelerationsFromVdot(context, vdot)
        acceleration = [A[body.index()].get_coeffs() for body in bodies]
        return BodyMotion(pose, np.array(velocity), np.array(acceleration), load)

    def carried(self, motions: Sequence[BodyMotion]) -> Array:
        """Return spatial forces F_CJc_Jc on the children, [moment; force] (motions, joints, 6).

        In N m and N; joints are in the order of their indices. All motions at once are many times
        as fast as one by one.
        """
        if not motions:
            return np.zeros((0, len(self.joints), 6))
        pose, velocity, acceleration = (
            np.array([getattr(motion, part) for motion in motions])
            for part in ("pose", "velocity", "acceleration")
        )
        R_WB, p_WB = pose[..., :3], pose[..., 3]
        O = p_WB[:, -1:]
        needed = self._inertial(velocity[..., :3], acceleration, R_WB, p_WB - O)
        needed -= np.array([motion.load for motion in motions])
        through = self._beyond @ needed
        R_WC, p_WC = R_WB[:, self._child], p_WB[:, self._child]
        p_WJc = p_WC + _turned(R_WC, self._p_CJc)
        through[..., :3] -= _cross(p_WJc - O, through[..., 3:])
        R_JcW = np.swapaxes(R_WC @ self._R_CJc, -1, -2)
        parts = _turned(R_JcW, through[..., :3]), _turned(R_JcW, through[..., 3:])
        return np.concatenate(parts, axis=-1)

    def _inertial(self, w: Array, acceleration: Array, R_WB: Array, p_OB: Array) -> Array:
        """Return inertial wrenches less weights, [moment about O; force] (..., bodies, 6)."""
        alpha, a_Bo = acceleration[..., :3], acceleration[..., 3:]
        p_BBcm_W = _turned(R_WB, self._p_BBcm)
        I_BBo_W = R_WB @ self._I_BBo @ np.swapaxes(R_WB, -1, -2)
        a_Bcm = a_Bo + _cross(alpha, p_BBcm_W) + _cross(w, _cross(w, p_BBcm_W))
        force = self._mass[:, None] * (a_Bcm - self._g_W)
        about_Bo = _turned(I_BBo_W, alpha) + _cross(w, _turned(I_BBo_W, w))
        about_Bo += self._mass[:, None] * _cross(p_BBcm_W, a_Bo - self._g_W)
        return np.concatenate((about_Bo + _cross(p_OB, force), force), axis=-1)


def reaction_variables(joints: Sequence[str], carried: Array, unexplained: Array) -> xr.Dataset:
    """Return what an engine that knows the reactions of its joints adds to its trajectory.

    joints: their names, n of them; carried (N, n, 6): as `JointReactions` has it; unexplained (N,):
    by how much the equations of motion are not met [N or N m]; N rows of time.
    """
    attrs = {"units": "N m (mx, my, mz), N (fx, fy, fz)", "long_name": "joint reaction"}
    left = {"units": "N or N m", "long_name": "what joint reactions leave unexplained"}
    return xr.Dataset(
        {
            JOINT_REACTION: (("time", "joint", "component"), carried, attrs),
            UNEXPLAINED: ("time", unexplained, left),
        },
        {"joint": list(joints), "component": list(COMPONENTS)},
    )


def _turned(matrices: Array, vectors: Array) -> Array:
    """Products of (..., 3, 3) with (..., 3)."""
    products: Array = (matrices @ vectors[..., None])[..., 0]
    return products


def _cross(a: Array, b: Array) -> Array:
    """Cross products of (..., 3) with (..., 3), several times as fast as numpy's."""
    product = np.empty(np.broadcast_shapes(a.shape, b.shape))
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        product[..., i] = a[..., j] * b[..., k] - a[..., k] * b[..., j]
    return product


def _beyond(joints: Sequence[Joint], bodies: int) -> Array:
    """Say which bodies hang on the world by a joint, (joints, bodies).

    1 where the joint's child is the nearest of them, -1 where its parent is: then the force on the
    child is the opposite of what the bodies get.
    """
    ends = [(int(j.parent_body().index()), int(j.child_body().index())) for j in joints]
    by: dict[int, int] = {}  # body -> the joint by which it hangs
    below: dict[int, int] = {}  # body -> the body it hangs on
    order = [0]
    for body in order:
        for k, (parent, child) in enumerate(ends):
            for near, far in ((parent, child), (child, parent)):
                if near == body and far != 0 and far not in by:
                    by[far], below[far] = k, near
                    order.append(far)
    table = np.zeros((len(joints), bodies))
    for body in order[1:]:
        hanging = body
        while hanging != 0:
            k = by[hanging]
            table[k, body] = 1.0 if ends[k][1] == hanging else -1.0
            hanging = below[hanging]
    return table


class StepReactions:
    """Joint reactions of steps; sets the state of the dynamics' scratch context."""

    def __init__(
        self, dynamics: Dynamics, *, midpoint: bool = False, at_start: bool = False
    ) -> None:
        """Take the provider of M, h, contacts and loops.

        midpoint: the steps are of that rule; at_start: they are Drake's.
        """
        self._dynamics = dynamics
        self._midpoint, self._at_start = midpoint, at_start
        self._plant, self._contacts = dynamics.plant, dynamics.contacts
        self._reactions = JointReactions(dynamics.plant)
        self._implicit: dict[float, ImplicitForces] = {}  # by the length of the step
        self._damping = joint_damping(dynamics.plant)
        self._one_of_each = np.unique(self._contacts.reported_as, return_index=True)[1]
        self.joints = self._reactions.joints
        self._bodies: dict[int, tuple[RigidBody, ...]] = {}
        self._pairs: dict[str, list[BodyPair]] = {}  # of a reported contact
        for shape in self._contacts.ground:
            for k in range(len(shape.points)):
                self._bodies[shape.first + k] = (shape.body,)
        for pair in self._contacts.pairs:
            for k in range(len(pair)):
                self._bodies[pair.first + k] = (pair.body_a, pair.body_b)
            self._pairs.setdefault(pair.name, []).append(pair)

    def carried(self, motions: Sequence[BodyMotion]) -> Array:
        """Reactions of steps that ``of_contacts`` looked at, (motions, joints, 6)."""
        return self._reactions.carried(motions)

    def of_contacts(
        self,
        before: Array,
        after: Array,
        dt: float,
        touches: ContactTable,
        actuation: Array | None = None,
        applied: Sequence[ExternallyAppliedSpatialForce] = (),
    ) -> tuple[BodyMotion, float]:
        """Return the motion from which ``carried`` goes on, and what it leaves unexplained.

        before, after: [q; v]. actuation: that acts; none is zero. applied: pushes and their like.
        touches: the reported contacts of the step, of which a pair of bodies is one with all its
        points, as is a shape with all pieces of a surface. The moment of a pair's forces about its
        place follows from the equations of motion, as the forces of loops do. What these are short
        of is the largest generalized force [N or N m]: rounding, unless something acted that is
        not known here.
        """
        contacts, known = self._contacts, touches.columns
        closed = touches.contact[known["gap"] <= 0.0]
        vdot = self._go_to_middle(before, after, dt, self._one_of_each[closed])
        p_WC = self._dynamics.gaps()[1] if self._at_start and len(touches.contact) else None
        wrenches = self._dynamics.wrenches(applied)
        touching: list[list[BodyPair]] = []
        joints = len(contacts.limits) + len(contacts.frictions)
        surfaces = len(contacts.names) - joints
        in_joints = np.zeros((joints, 3))
        for row in np.flatnonzero(known["impulse"].any(axis=1)):
            k, impulse = int(touches.contact[row]), known["impulse"][row]
            if k >= surfaces:
                in_joints[k - surfaces] = impulse / dt
                continue
            pairs = self._pairs.get(contacts.names[k], [])
            if pairs:
                touching.append(pairs)
            point = pairs[0].first if pairs else k
            axes_W = self._axes_of(point, known["contact_normal"][row] if pairs else None)
            force_W = axes_W @ impulse / dt
            place = known["contact_point"][row] if p_WC is None or pairs else p_WC[point]
            for body, sign in zip(self._bodies[point], (1.0, -1.0), strict=False):
                wrenches.append(Wrench(body, place, sign * force_W))
        # a contact can have several points, unless it is a sphere's: one for each shape
        wide = [pairs[0] for pairs in touching if len(pairs) > 1 or len(pairs[0]) > 1]
        return self._balance(before, dt, vdot, wrenches, in_joints, wide, actuation)

    def _axes_of(self, point: int, normal_W: Array | None) -> Array:
        """Axes [n, t, s] of a contact as columns in W; normal_W: of a pair, NaN where unknown."""
        if normal_W is None:
            return self._dynamics.axes.on_ground()
        if np.isfinite(normal_W).all():
            return self._dynamics.axes.about(normal_W)
        self._dynamics.gaps()
        return self._dynamics.measure.axes_W(point)

    def _go_to_middle(self, before: Array, after: Array, dt: float, active: Indices) -> Array:
        """Set the posture and the velocity that h has, and return the mean rate of v, (nv,).

        active: one point at least of each contact that is closed.
        """
        dynamics, nq = self._dynamics, self._plant.num_positions()
        if self._midpoint:
            middle, rate = middle_of(dynamics.kinematics.tree, before, after, dt, _ITERATIONS)
            dynamics.set_state(middle)
            return rate
        dynamics.set_state(before)
        if self._at_start:
            return (after[nq:] - before[nq:]) / dt
        v = before[nq:].copy()
        q_m = dynamics.advance_positions(before[:nq], v, 0.5 * dt)
        flies = self._flying(v, active)
        v[flies] = 0.5 * (before[nq:] + after[nq:])[flies]
        dynamics.set_state(np.concatenate((q_m, v)))
        return (after[nq:] - before[nq:]) / dt

    def _flying(self, v: Array, active: Indices) -> Flags:
        """Velocities (nv,) of the trees of links that spin and that no active contact touches."""
        tree, surfaces = self._dynamics.kinematics.tree, self._dynamics.measure.surfaces
        first, spins = len(surfaces.links), spins_of(tree)
        moving = tree.last[surfaces.links[active[active < first]]]
        joints = surfaces.columns[active[active >= first] - first, 1]
        touched = tree.tree[np.concatenate((moving[moving >= 0], joints))]
        spinning = tree.tree[spins[np.abs(v[spins]) > SLOW_SPIN]]
        return np.isin(tree.tree, np.setdiff1d(spinning, touched))

    def _balance(
        self,
        before: Array,
        dt: float,
        vdot: Array,
        wrenches: list[Wrench],
        in_joints: Array,
        wide: list[BodyPair],
        actuation: Array | None,
    ) -> tuple[BodyMotion, float]:
        """Find the forces of loops and the moments of pairs, then all that moves the bodies."""
        dynamics, context = self._dynamics, self._dynamics.context
        missing: Array = dynamics.mass_matrix() @ vdot - dynamics.h()
        missing += self._taken_implicitly(before, dt, vdot)
        if actuation is not None:
            missing -= dynamics.actuation_matrix @ actuation
        if in_joints.any():
            missing -= self._joint_force(in_joints)
        missing -= dynamics.generalized(wrenches)
        held = dynamics.constraint_jacobian()
        multipliers: Array = np.zeros(0)
        if len(held) or wide:
            rows = np.vstack((held, *(self._turning(pair) for pair in wide)))
            multipliers = np.asarray(
                np.linalg.lstsq(rows.T, missing, rcond=_RANK)[0], dtype=np.float64
            )
            missing = missing - rows.T @ multipliers
        unexplained = float(np.abs(missing).max(initial=0.0))
        if len(held):
            wrenches += dynamics.bilateral.wrenches(multipliers[: len(held)])
        for pair, couple in zip(wide, multipliers[len(held) :].reshape(-1, 3), strict=True):
            for body, torque_W in ((pair.body_a, couple), (pair.body_b, -couple)):
                wrenches.append(Wrench(body, np.zeros(3), np.zeros(3), torque_W))
        return self._reactions.motion(context, vdot, wrenches), unexplained

    def _taken_implicitly(self, before: Array, dt: float, vdot: Array) -> Array:
        """Force that a step takes from dampers and springs otherwise than h has it, (nv,)."""
        if self._at_start:
            return np.asarray(dt * self._damping * vdot, dtype=np.float64)
        if self._midpoint:
            return np.zeros(len(vdot))
        # what the engine takes at the end of a step (``implicit_forces``), of which h holds v
        context = self._dynamics.context
        v = self._plant.GetVelocities(context)
        if dt not in self._implicit:
            self._implicit[dt] = ImplicitForces(self._plant, dt)
        added = self._implicit[dt].added_mass(context) @ vdot
        return np.asarray(
            added - self._damping * (v - before[self._plant.num_positions() :]), dtype=np.float64
        )

    def _joint_force(self, in_joints: Array) -> Array:
        """Generalized force (nv,) of stops, along n, and of dry joints, along t."""
        force: Array = np.zeros(self._plant.num_velocities())
        limits, frictions = self._contacts.limits, self._contacts.frictions
        for limit, effort in zip(limits, in_joints[:, 0], strict=False):
            force[limit.velocity] += limit.sign * effort
        for friction, effort in zip(frictions, in_joints[len(limits) :, 1], strict=True):
            force[friction.velocity] += effort
        return force

    def _turning(self, pair: BodyPair) -> Array:
        """Jacobian (3, nv) of the angular velocity of a pair's first body in its second."""
        world = self._plant.world_frame()
        of_a, of_b = (
            self._plant.CalcJacobianAngularVelocity(
                self._dynamics.context, JacobianWrtVariable.kV, body.body_frame(), world, world
            )
            for body in (pair.body_a, pair.body_b)
        )
        rows: Array = of_a - of_b
        return rows
