"""Joint reactions of a step of an engine, from its states and its contact impulses.

With q_M, v' = (v_E - v_A) / dt and h at v_A, as in ``footfall.engines.moreau``, the equations of
the bodies hold to rounding: forces are means over the step, an impact its impulse over dt. What a
step does not record, the forces of closed loops, follows from what is left of the equations,

    G^T lambda = M v' - h - B tau - J^T Lambda / dt.

By the implicit midpoint rule h has the mean velocity, and q_M is where the step has its middle.
Drake's steps take everything at q_A and v_A but for dampers in joints, which have v_E; a contact
acts where it is at q_A, and what a stop at a limit does is not recorded.
Where loops are redundant the shortest lambda is taken, as the engine does: then the reactions are
some of many that move the machine alike.
"""

from collections.abc import Sequence

import numpy as np
from pydrake.multibody.plant import ExternallyAppliedSpatialForce
from pydrake.multibody.tree import JacobianWrtVariable, RigidBody

from footfall.arrays import Array, Indices
from footfall.plants.contacts import BodyPair
from footfall.plants.coordinates import joint_damping
from footfall.plants.dynamics import Dynamics
from footfall.plants.forces import Wrench, applied_wrenches
from footfall.plants.implicit_forces import ImplicitForces
from footfall.plants.midpoint import Midpoint
from footfall.plants.reactions import BodyMotion, JointReactions
from footfall.trajectory.contact_table import ContactTable

_ITERATIONS = 6  # each comes nearer to q_M by dt times a rate of the machine
_RANK = 1e-12  # smaller singular values of the rows, relative to the largest, are rounding


class StepReactions:
    """Joint reactions of steps; sets the state of the dynamics' scratch context."""

    def __init__(
        self, dynamics: Dynamics, *, midpoint: bool = False, at_start: bool = False
    ) -> None:
        """Take the provider of M, h, contacts and loops.

        midpoint: the steps are of that rule; at_start: they are Drake's.
        """
        self._dynamics = dynamics
        self._midpoint = Midpoint(dynamics.plant) if midpoint else None
        self._at_start = at_start
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
        wrenches = applied_wrenches(self._plant, self._dynamics.context, applied)
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
        if self._midpoint is not None:
            return self._go_midpoint(self._midpoint, before, after, dt)
        dynamics.set_state(before)
        if self._at_start:
            return (after[nq:] - before[nq:]) / dt
        v = before[nq:].copy()
        q_m = dynamics.advance_positions(before[:nq], v, 0.5 * dt)
        dynamics.set_state(np.concatenate((q_m, v)))
        flies = dynamics.flying(v, active)
        if flies is not None:
            v[flies] = 0.5 * (before[nq:] + after[nq:])[flies]
            dynamics.set_velocities(v)
        return (after[nq:] - before[nq:]) / dt

    def _go_midpoint(self, midpoint: Midpoint, before: Array, after: Array, dt: float) -> Array:
        """Do the same in a step of the implicit midpoint rule."""
        nq = self._plant.num_positions()
        q_m, w = before[:nq], 0.5 * (before[nq:] + after[nq:])
        for _ in range(_ITERATIONS):
            q_m, _ = midpoint.positions(before[:nq], w, dt, q_m)
            ends = [midpoint.seen_from(q_m, end[:nq], end[nq:]) for end in (before, after)]
            w = 0.5 * (ends[0] + ends[1])
        self._dynamics.set_state(np.concatenate((q_m, w)))
        return (ends[1] - ends[0]) / dt + midpoint.turning(q_m, w)

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
        for wrench in wrenches:
            missing -= wrench.generalized(self._plant, context)
        held = dynamics.constraint_jacobian()
        found: Array = np.zeros(0)
        if len(held) or wide:
            rows = np.vstack((held, *(self._turning(pair) for pair in wide)))
            found = np.asarray(np.linalg.lstsq(rows.T, missing, rcond=_RANK)[0], dtype=np.float64)
            missing = missing - rows.T @ found
        unexplained = float(np.abs(missing).max(initial=0.0))
        if len(held):
            wrenches += dynamics.bilateral.wrenches(found[: len(held)])
        for pair, couple in zip(wide, found[len(held) :].reshape(-1, 3), strict=True):
            for body, torque_W in ((pair.body_a, couple), (pair.body_b, -couple)):
                wrenches.append(Wrench(body, np.zeros(3), np.zeros(3), torque_W))
        return self._reactions.motion(context, vdot, wrenches), unexplained

    def _taken_implicitly(self, before: Array, dt: float, vdot: Array) -> Array:
        """Force that a step takes from dampers and springs otherwise than h has it, (nv,)."""
        if self._at_start:
            return np.asarray(dt * self._damping * vdot, dtype=np.float64)
        if self._midpoint is not None:
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
