"""Drake's contact results as the report that every engine gives.

Frames: W world; contact axes [n, t, s] as in ``footfall.plants.contacts.measure``.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from pydrake.common.value import Value
from pydrake.geometry import GeometryId
from pydrake.multibody.plant import ContactResults
from pydrake.multibody.tree import RigidBody
from pydrake.systems.framework import BasicVector, Context, LeafSystem

from footfall.arrays import Array
from footfall.contact import Mode
from footfall.engines.ports import CONTACT_IMPULSES, CONTACT_REPORT, ContactReport
from footfall.engines.summary import impulses_of_contacts, summary
from footfall.plants.contacts import ContactSet
from footfall.plants.dynamics import Dynamics
from footfall.plants.load import Model
from footfall.trajectory.variables import UNKNOWN_MODE


class _Touch(NamedTuple):
    """One of Drake's contacts: ours that it belongs to, its place and axes, what it does to whom.

    bodies: the machine's, or a and b of a pair; force_W on the first of them.
    """

    contact: int
    p_WQ: Array
    axes_W: Array
    force_W: Array
    bodies: tuple[RigidBody, ...]


class ContactReporter(LeafSystem):
    """Turns Drake's contact results into the engines' report."""

    def __init__(
        self,
        oracle: Model,
        contacts: ContactSet,
        to_oracle: dict[GeometryId, GeometryId],
        time_step: float,
        stick_speed: float,
        *,
        continuous: bool = False,
    ) -> None:
        """Take the continuous model that measures the contacts, the step [s], a speed [m/s].

        continuous: the plant has no steps; what happened since the last row comes through the input
        ``sums``, as `ContactSums` gives it.
        """
        super().__init__()
        self._contacts = contacts
        self._to_oracle = to_oracle
        self._time_step = time_step
        self._stick_speed = stick_speed
        self._dynamics = Dynamics(oracle, contacts)
        self._ground = {shape.geometry: shape for shape in contacts.ground}
        self._pairs = {frozenset((pair.a, pair.b)): pair for pair in contacts.pairs}
        self._results = self.DeclareAbstractInputPort("contact_results", Value(ContactResults()))
        self._state = self.DeclareVectorInputPort("state", oracle.plant.num_multibody_states())
        self._acceleration = self.DeclareVectorInputPort(
            "acceleration", oracle.plant.num_velocities()
        )
        count = 4 * len(contacts) if continuous else 0
        self._sums = self.DeclareVectorInputPort("sums", count) if continuous else None
        self.DeclareVectorOutputPort(CONTACT_IMPULSES, 3 * len(contacts.names), self._calc_impulses)
        self.DeclareAbstractOutputPort(
            CONTACT_REPORT, lambda: Value(ContactReport()), self._calc_report
        )

    def _touches(self, context: Context, p_WC: Array) -> "list[_Touch]":
        """Return Drake's results for its contacts; p_WC: as the dynamics measured them."""
        touches = []
        results = self._results.Eval(context)
        for k in range(results.num_point_pair_contacts()):
            info = results.point_pair_contact_info(k)
            ids = info.point_pair()
            first, second = self._to_oracle[ids.id_A], self._to_oracle[ids.id_B]
            pair = self._pairs.get(frozenset((first, second)))
            p_WQ = info.contact_point()
            if pair is not None:
                contact, on_b = pair.first, pair.a == second
                sign = 1.0 if on_b else -1.0
                axes_W = self._dynamics.measure.axes_about(sign * -ids.nhat_BA_W)
                bodies: tuple[RigidBody, ...] = (pair.body_a, pair.body_b)
            else:
                on_b = second in self._ground
                geometry = second if on_b else first
                contact = self._nearest(geometry, p_WQ, p_WC)
                axes_W = self._dynamics.measure.axes_W(contact)
                bodies = (self._ground[geometry].body,)
            force_W = info.contact_force() if on_b else -info.contact_force()
            touches.append(_Touch(contact, p_WQ, axes_W, force_W, bodies))
        return touches

    def _forces(self, touches: "list[_Touch]") -> Array:
        """Force on the machine at every contact in [n, t, s], shape (n, 3) [N]."""
        forces = np.zeros((len(self._contacts), 3))
        for touch in touches:
            forces[touch.contact] += touch.axes_W.T @ touch.force_W
        return forces

    def _velocities(self, touches: "list[_Touch]", v: Array) -> Array:
        """Relative velocity where Drake's contacts act, at velocities v, (n, 3) in [n, t, s]."""
        dynamics = self._dynamics
        dynamics.plant.SetVelocities(dynamics.context, v)
        velocities = np.zeros((len(self._contacts), 3))
        for touch in touches:
            of_bodies = [self._velocity_at(body, touch.p_WQ) for body in touch.bodies]
            velocity_W = of_bodies[0] - of_bodies[1] if len(of_bodies) > 1 else of_bodies[0]
            velocities[touch.contact] = touch.axes_W.T @ velocity_W
        return velocities

    def _velocity_at(self, body: RigidBody, p_WQ: Array) -> Array:
        plant, context = self._dynamics.plant, self._dynamics.context
        V_WB = plant.EvalBodySpatialVelocityInWorld(context, body)
        arm = p_WQ - plant.EvalBodyPoseInWorld(context, body).translation()
        velocity: Array = V_WB.translational() + _cross(V_WB.rotational(), arm)
        return velocity

    def _nearest(self, geometry: GeometryId, p_WQ: Array, p_WC: Array) -> int:
        """The point of a ground shape that a contact of Drake's is nearest to."""
        shape = self._ground[geometry]
        if len(shape.points) == 1:
            return shape.first
        places = p_WC[shape.first : shape.first + len(shape.points)]
        return shape.first + int(np.linalg.norm(places - p_WQ, axis=1).argmin())

    def rates(self, context: Context) -> Array:
        """Forces (n, 3) in [n, t, s] [N] and powers (n,) [W] of the contacts now, flat."""
        state = self._state.Eval(context)
        self._dynamics.set_state(state)
        _, p_WC = self._dynamics.gaps()
        touches = self._touches(context, p_WC)
        forces = self._forces(touches)
        velocities = self._velocities(touches, state[-self._dynamics.plant.num_velocities() :])
        return np.concatenate((forces.ravel(), np.einsum("ij,ij->i", forces, velocities)))

    def _calc_impulses(self, context: Context, output: BasicVector) -> None:
        self._dynamics.set_state(self._state.Eval(context))
        gap, p_WC = self._dynamics.gaps()
        touches = self._touches(context, p_WC)
        impulse, _ = self._happened(context, touches)
        which, axes_W = self._known(gap, impulse, touches)
        total = impulses_of_contacts(impulse[which], gap[which], axes_W, self._contacts, which)
        output.SetFromVector(total.ravel())

    def _known(
        self, gap: Array, impulse: Array, touches: "list[_Touch]"
    ) -> tuple[npt.NDArray[np.int64], Array]:
        """Contacts that are near or have an impulse, (k,), and their axes in W, (k, 3, 3)."""
        known = np.isfinite(gap) | impulse.any(axis=1)
        known[[touch.contact for touch in touches]] = True
        which = np.flatnonzero(known)
        measure = self._dynamics.measure
        axes_W = measure.all_axes_about(measure.normals_W(which))
        for touch in touches:
            axes_W[np.searchsorted(which, touch.contact)] = touch.axes_W
        return which, axes_W

    def _happened(self, context: Context, touches: "list[_Touch]") -> tuple[Array, Array]:
        """Impulses (n, 3) [N s] and works (n,) [J] since the last row."""
        if self._sums is not None:
            count = len(self._contacts)
            sums = self._sums.Eval(context)
            return sums[: 3 * count].reshape(count, 3), sums[3 * count :]
        impulse = self._time_step * self._forces(touches)
        v = self._state.Eval(context)[-self._dynamics.plant.num_velocities() :]
        v_mean = v - 0.5 * self._time_step * self._acceleration.Eval(context)
        return impulse, np.einsum("ij,ij->i", impulse, self._velocities(touches, v_mean))

    def _calc_report(self, context: Context, output: Value) -> None:
        state = self._state.Eval(context)
        dynamics = self._dynamics
        dynamics.set_state(state)
        gap, p_WC = dynamics.gaps()
        touches = self._touches(context, p_WC)
        impulse, work = self._happened(context, touches)
        which, axes_W = self._known(gap, impulse, touches)
        gap[np.isinf(gap)] = np.nan
        # lagged may leave friction where the normal force is gone
        touching: npt.NDArray[np.bool_] = np.any(impulse != 0.0, axis=1)
        v_end = state[-dynamics.plant.num_velocities() :]
        velocity = self._velocities(touches, v_end)
        slipping = np.linalg.norm(velocity[:, 1:], axis=1) > self._stick_speed
        mode = np.where(touching, np.where(slipping, Mode.SLIP, Mode.STICK), Mode.OPEN)
        mode[self._contacts.num_touching :] = UNKNOWN_MODE
        points = ContactReport(
            names=self._contacts.names,
            p_WC=p_WC[which],
            gap=gap[which],
            impulse=impulse[which],
            velocity=velocity[which],
            mode=mode[which].astype(np.int8),
            work=work[which],
            residual=np.nan,
            constraint_work=0.0,  # of a plant without loops; of others the balance tells it
            energy_residual=np.nan,
        )
        output.set_value(summary(points, axes_W, self._contacts, which))


def _cross(a: Array, b: Array) -> Array:
    """Product a x b of two vectors; numpy's own takes ten times as long for so little."""
    (a_0, a_1, a_2), (b_0, b_1, b_2) = a.tolist(), b.tolist()
    return np.array((a_1 * b_2 - a_2 * b_1, a_2 * b_0 - a_0 * b_2, a_0 * b_1 - a_1 * b_0))
