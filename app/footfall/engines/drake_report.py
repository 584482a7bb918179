"""Drake's contact results as the report that every engine gives.

Frames: W world; contact axes [n, t, s] as in ``footfall.plants.contacts.measure``.
"""

import numpy as np
import numpy.typing as npt
from pydrake.common.value import Value
from pydrake.geometry import GeometryId
from pydrake.multibody.plant import ContactResults
from pydrake.systems.framework import BasicVector, Context, LeafSystem

from footfall.contact import Mode
from footfall.engines.ports import CONTACT_IMPULSES, CONTACT_REPORT, ContactReport
from footfall.engines.summary import summary, summed
from footfall.plants.contacts import ContactSet
from footfall.plants.dynamics import Dynamics
from footfall.plants.load import Model
from footfall.trajectory.variables import UNKNOWN_MODE

Array = npt.NDArray[np.float64]


class ContactReporter(LeafSystem):
    """Turns Drake's contact results into the engines' report."""

    def __init__(
        self,
        oracle: Model,
        contacts: ContactSet,
        to_oracle: dict[GeometryId, GeometryId],
        time_step: float,
        stick_speed: float,
    ) -> None:
        """Take the continuous model that measures the contacts, the step [s], a speed [m/s]."""
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
        self.DeclareVectorOutputPort(CONTACT_IMPULSES, 3 * len(contacts.names), self._calc_impulses)
        self.DeclareAbstractOutputPort(
            CONTACT_REPORT, lambda: Value(ContactReport()), self._calc_report
        )

    def _forces(self, context: Context, p_WC: Array) -> Array:
        """Force on the machine at every contact in [n, t, s], shape (n, 3) [N].

        p_WC: places of the contacts, as the dynamics measured them at the state.
        """
        forces = np.zeros((len(self._contacts), 3))
        results = self._results.Eval(context)
        for k in range(results.num_point_pair_contacts()):
            info = results.point_pair_contact_info(k)
            ids = info.point_pair()
            first, second = self._to_oracle[ids.id_A], self._to_oracle[ids.id_B]
            pair = self._pairs.get(frozenset((first, second)))
            if pair is not None:
                contact, on_b = pair.first, pair.a == second
                sign = 1.0 if on_b else -1.0
                axes_W = self._dynamics.measure.axes_about(sign * -ids.nhat_BA_W)
            else:
                on_b = second in self._ground
                contact = self._nearest(second if on_b else first, info.contact_point(), p_WC)
                axes_W = self._dynamics.measure.axes_W(contact)
            force_W = info.contact_force() if on_b else -info.contact_force()
            forces[contact] += axes_W.T @ force_W
        return forces

    def _nearest(self, geometry: GeometryId, p_WQ: Array, p_WC: Array) -> int:
        """The point of a ground shape that a contact of Drake's is nearest to."""
        shape = self._ground[geometry]
        if len(shape.points) == 1:
            return shape.first
        places = p_WC[shape.first : shape.first + len(shape.points)]
        return shape.first + int(np.linalg.norm(places - p_WQ, axis=1).argmin())

    def _calc_impulses(self, context: Context, output: BasicVector) -> None:
        self._dynamics.set_state(self._state.Eval(context))
        _, p_WC = self._dynamics.gaps()
        forces = summed(self._forces(context, p_WC), self._contacts)
        output.SetFromVector(self._time_step * forces.ravel())

    def _calc_report(self, context: Context, output: Value) -> None:
        state = self._state.Eval(context)
        dynamics = self._dynamics
        dynamics.set_state(state)
        gap, p_WC = dynamics.gaps()
        gap[np.isinf(gap)] = np.nan
        impulse = self._time_step * self._forces(context, p_WC)
        # lagged may leave friction where the normal force is gone
        touching: npt.NDArray[np.bool_] = np.any(impulse != 0.0, axis=1)
        velocity, mean_velocity = np.zeros((2, len(gap), 3))
        if touching.any():
            v_end = state[-dynamics.plant.num_velocities() :]
            v_mean = v_end - 0.5 * self._time_step * self._acceleration.Eval(context)
            jacobian = dynamics.contact_jacobian(touching)
            velocity[touching], mean_velocity[touching] = jacobian @ v_end, jacobian @ v_mean
        slipping = np.linalg.norm(velocity[:, 1:], axis=1) > self._stick_speed
        mode = np.where(touching, np.where(slipping, Mode.SLIP, Mode.STICK), Mode.OPEN)
        mode[self._contacts.num_touching :] = UNKNOWN_MODE
        points = ContactReport(
            names=self._contacts.names,
            p_WC=p_WC,
            gap=gap,
            impulse=impulse,
            velocity=velocity,
            mode=mode.astype(np.int8),
            work=np.einsum("ij,ij->i", impulse, mean_velocity),
            residual=np.nan,
            constraint_work=np.nan,
            energy_residual=np.nan,
        )
        output.set_value(summary(points, self._contacts))
