"""What a time stepper asks a plant for: M, h, gaps, contact Jacobians and energies at a state.

Sign: ``M v' = h + B u + J^T lambda``; h gathers gravity, Coriolis terms, springs and dampers.
Frames: T terrain; contact axes [n, t, s] are T's [z, x, y].
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from pydrake.multibody.tree import JacobianWrtVariable, MultibodyForces, QuaternionFloatingJoint
from pydrake.systems.framework import Context

from footfall.plants.contacts import BodyPoints, ContactSet
from footfall.plants.load import Model
from footfall.plants.terrain import FRAME_NAME

Array = npt.NDArray[np.float64]


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
        self._has_radius = bool(contacts.radius.any())
        self._places = [(group, _as_slice(group.indices)) for group in contacts.bodies]
        self._home = {
            contact: (body, column)
            for body, group in enumerate(contacts.bodies)
            for column, contact in enumerate(group.indices)
        }

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
        """Gap of every contact, shape (n,) [m or rad], and where it would touch in T, shape (n, 3).

        The point of a sphere is its lowest one; joint limits have no point (NaN).
        """
        p_TC = np.full((len(self.contacts), 3), np.nan)
        for group, place in self._places:
            p_TC[place] = self.plant.CalcPointsPositions(
                self.context, group.body.body_frame(), group.p_BC, self._terrain
            ).T
        points = self.contacts.num_points
        p_TC[:points, 2] -= self.contacts.radius
        gap = p_TC[:, 2].copy()
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
        contacts = np.flatnonzero(active).tolist()
        rows = np.zeros((len(contacts), 3, self.plant.num_velocities()))
        wanted: dict[int, list[tuple[int, int]]] = {}
        for row, contact in enumerate(contacts):
            if contact < self.contacts.num_points:
                body, column = self._home[contact]
                wanted.setdefault(body, []).append((row, column))
            else:
                limit = self.contacts.limits[contact - self.contacts.num_points]
                rows[row, 0, limit.velocity] = limit.sign
        for body, places in wanted.items():
            self._fill_jacobian(rows, self.contacts.bodies[body], places)
        return rows

    def _fill_jacobian(
        self, rows: Array, group: BodyPoints, places: Sequence[tuple[int, int]]
    ) -> None:
        """Fill the rows of one body's points; places are (row, column of p_BC)."""
        frame = group.body.body_frame()
        columns = [column for _, column in places]
        p_BQ = group.p_BC[:, columns]
        if self._has_radius:
            # the lowest point of the sphere, not its centre, touches the ground
            radius = self.contacts.radius[[group.indices[column] for column in columns]]
            R_BT = self.plant.CalcRelativeRotationMatrix(self.context, frame, self._terrain)
            p_BQ = p_BQ - np.outer(R_BT.matrix()[:, 2], radius)
        jacobian = self.plant.CalcJacobianTranslationalVelocity(
            self.context, JacobianWrtVariable.kV, frame, p_BQ, self._world, self._terrain
        )
        for k, (row, _) in enumerate(places):
            rows[row, 0] = jacobian[3 * k + 2]
            rows[row, 1:] = jacobian[3 * k : 3 * k + 2]

    def kinetic_energy(self) -> float:
        """T = 1/2 v^T M v [J]; unlike Drake's own figure it counts reflected rotor inertia."""
        v = self.plant.GetVelocities(self.context)
        return float(0.5 * v @ self.mass_matrix() @ v)

    def potential_energy(self) -> float:
        """V(q) [J]: gravity and springs."""
        return float(self.plant.CalcPotentialEnergy(self.context))


def _as_slice(indices: tuple[int, ...]) -> slice | list[int]:
    """Indices as a slice where they follow each other, which is cheaper to write to."""
    first, count = indices[0], len(indices)
    if indices == tuple(range(first, first + count)):
        return slice(first, first + count)
    return list(indices)


def _quaternion_starts(model: Model) -> tuple[int, ...]:
    plant = model.plant
    joints = [plant.get_joint(index) for index in plant.GetJointIndices()]
    return tuple(
        joint.position_start() for joint in joints if isinstance(joint, QuaternionFloatingJoint)
    )
