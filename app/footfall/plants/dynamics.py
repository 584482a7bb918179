"""What a time stepper asks a plant for: M, h, gaps, contact Jacobians and energies at a state.

Sign: ``M v' = h + B u + J^T lambda``; h gathers gravity, Coriolis terms, springs and dampers.
Frames: T terrain; contact axes [n, t, s] are T's [z, x, y].
"""

import numpy as np
import numpy.typing as npt
from pydrake.multibody.tree import JacobianWrtVariable, MultibodyForces, QuaternionFloatingJoint
from pydrake.systems.framework import Context

from footfall.plants.contacts import BodyPoints, ContactSet
from footfall.plants.load import Model
from footfall.plants.terrain import FRAME_NAME

Array = npt.NDArray[np.float64]

_NTS = [2, 0, 1]  # rows of a vector in T, in the order n, t, s


class Dynamics:
    """The plant of a model as provider of its equations of motion; owns a scratch context."""

    def __init__(self, model: Model, contacts: ContactSet) -> None:
        """Keep the model alive and set up the scratch memory."""
        self.model = model
        self.plant = model.plant
        self.contacts = contacts
        self.context: Context = model.plant.CreateDefaultContext()
        self.identity_kinematics = bool(model.plant.IsVelocityEqualToQDot())
        self.actuation_matrix: Array = np.ascontiguousarray(model.plant.MakeActuationMatrix())
        self.effort_limits: Array = np.array(
            [
                model.plant.get_joint_actuator(i).effort_limit()
                for i in model.plant.GetJointActuatorIndices()
            ]
        )
        self._terrain = model.plant.GetFrameByName(FRAME_NAME)
        self._world = model.plant.world_frame()
        self._forces = MultibodyForces(model.plant)
        self._still = np.zeros(model.plant.num_velocities())
        self._quaternions = _quaternion_starts(model)

    def set_state(self, state: Array) -> None:
        """Put [q; v] into the scratch context."""
        self.plant.SetPositionsAndVelocities(self.context, state)

    def advance_positions(self, q: Array, v: Array, dt: float) -> Array:
        """Return q + dt N(q) v, quaternions brought back to length one.

        The scratch context must hold q already when the plant has quaternions.
        """
        if self.identity_kinematics:
            return q + dt * v
        moved: Array = q + dt * self.plant.MapVelocityToQDot(self.context, v)
        for start in self._quaternions:
            moved[start : start + 4] /= np.linalg.norm(moved[start : start + 4])
        return moved

    def mass_matrix(self) -> Array:
        """M(q), shape (nv, nv), reflected rotor inertia included."""
        mass: Array = self.plant.CalcMassMatrix(self.context)
        return mass

    def h(self) -> Array:
        """Generalized force h(q, v), shape (nv,)."""
        self.plant.CalcForceElementsContribution(self.context, self._forces)
        force: Array = self.plant.CalcInverseDynamics(self.context, self._still, self._forces)
        return -force

    def gravity_force(self) -> Array:
        """Generalized gravity force, shape (nv,)."""
        force: Array = self.plant.CalcGravityGeneralizedForces(self.context)
        return force

    def gaps(self) -> tuple[Array, Array]:
        """Gap of every contact, shape (n,) [m or rad].

        The points' centres in T, (n, 3), NaN for joint limits.
        """
        p_TC = np.full((len(self.contacts), 3), np.nan)
        for group in self.contacts.bodies:
            p_TC[list(group.indices)] = self.plant.CalcPointsPositions(
                self.context, group.body.body_frame(), group.p_BC, self._terrain
            ).T
        gap = np.empty(len(self.contacts))
        points = self.contacts.num_points
        gap[:points] = p_TC[:points, 2] - self.contacts.radius
        if self.contacts.limits:
            q = self.plant.GetPositions(self.context)
            for i, limit in enumerate(self.contacts.limits, start=points):
                gap[i] = limit.sign * (q[limit.position] - limit.bound)
        return gap, p_TC

    def contact_jacobian(self, active: npt.NDArray[np.bool_]) -> Array:
        """Jacobian of the active contacts' velocities, shape (k, 3, nv), rows [n, t, s] of T.

        ``active`` is a boolean array (n,); the k active ones come in the order of the contact set.
        Joint limits have the row n alone.
        """
        rows = np.zeros((len(self.contacts), 3, self.plant.num_velocities()))
        for group in self.contacts.bodies:
            here = [j for j, i in enumerate(group.indices) if active[i]]
            if here:
                self._fill_jacobian(rows, group, here)
        for i, limit in enumerate(self.contacts.limits, start=self.contacts.num_points):
            rows[i, 0, limit.velocity] = limit.sign
        return rows[active]

    def _fill_jacobian(self, rows: Array, group: BodyPoints, here: list[int]) -> None:
        frame = group.body.body_frame()
        p_BQ = group.p_BC[:, here]
        indices = [group.indices[j] for j in here]
        radius = self.contacts.radius[indices]
        if radius.any():
            # the lowest point of the sphere, not its centre, touches the ground
            normal_B = self.plant.CalcRelativeRotationMatrix(
                self.context, frame, self._terrain
            ).matrix()[:, 2]
            p_BQ = p_BQ - np.outer(normal_B, radius)
        jacobian = self.plant.CalcJacobianTranslationalVelocity(
            self.context, JacobianWrtVariable.kV, frame, p_BQ, self._world, self._terrain
        )
        for k, i in enumerate(indices):
            rows[i] = jacobian[3 * k : 3 * k + 3][_NTS]

    def kinetic_energy(self) -> float:
        """T = 1/2 v^T M v [J]; unlike Drake's own figure it counts reflected rotor inertia."""
        v = self.plant.GetVelocities(self.context)
        return float(0.5 * v @ self.mass_matrix() @ v)

    def potential_energy(self) -> float:
        """V(q) [J]: gravity and springs."""
        return float(self.plant.CalcPotentialEnergy(self.context))


def _quaternion_starts(model: Model) -> tuple[int, ...]:
    plant = model.plant
    joints = [plant.get_joint(index) for index in plant.GetJointIndices()]
    return tuple(
        joint.position_start() for joint in joints if isinstance(joint, QuaternionFloatingJoint)
    )
