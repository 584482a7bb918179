"""Drake's contact results as the report that every engine gives.

Frames: W world, T terrain; contact axes [n, t, s] are T's [z, x, y].
"""

import numpy as np
import numpy.typing as npt
from pydrake.common.value import Value
from pydrake.geometry import GeometryId
from pydrake.multibody.plant import ContactResults
from pydrake.systems.framework import BasicVector, Context, LeafSystem

from footfall.contact import Mode
from footfall.engines.ports import CONTACT_IMPULSES, CONTACT_REPORT, ContactReport
from footfall.plants.contacts import ContactSet
from footfall.plants.dynamics import Dynamics
from footfall.plants.load import Model

Array = npt.NDArray[np.float64]

# Drake tells no impulses of joint limits
UNKNOWN_MODE = -1

_NTS = [2, 0, 1]


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
        self._X_WT = oracle.spec.terrain.X_WTerrain()
        self._R_TW = self._X_WT.rotation().matrix().T
        self._points_of: dict[GeometryId, list[int]] = {}
        for i, geometry in enumerate(contacts.geometries):
            self._points_of.setdefault(geometry, []).append(i)
        self._results = self.DeclareAbstractInputPort("contact_results", Value(ContactResults()))
        self._state = self.DeclareVectorInputPort("state", oracle.plant.num_multibody_states())
        self._acceleration = self.DeclareVectorInputPort(
            "acceleration", oracle.plant.num_velocities()
        )
        self.DeclareVectorOutputPort(CONTACT_IMPULSES, 3 * len(contacts), self._calc_impulses)
        self.DeclareAbstractOutputPort(
            CONTACT_REPORT, lambda: Value(ContactReport()), self._calc_report
        )

    def _forces(self, context: Context) -> Array:
        """Force on the machine at every contact in [n, t, s], shape (n, 3) [N]."""
        forces = np.zeros((len(self._contacts), 3))
        results = self._results.Eval(context)
        for k in range(results.num_point_pair_contacts()):
            info = results.point_pair_contact_info(k)
            pair = info.point_pair()
            first, second = self._to_oracle[pair.id_A], self._to_oracle[pair.id_B]
            if second in self._points_of:
                machine, force_W = second, info.contact_force()
            elif first in self._points_of:
                machine, force_W = first, -info.contact_force()
            else:
                continue
            i = self._nearest(machine, info.contact_point())
            forces[i] += (self._R_TW @ force_W)[_NTS]
        return forces

    def _nearest(self, geometry: GeometryId, point_W: Array) -> int:
        candidates = self._points_of[geometry]
        if len(candidates) == 1:
            return candidates[0]
        _, p_TC = self._dynamics.gaps()
        distance = np.linalg.norm(p_TC[candidates] - self._X_WT.inverse().multiply(point_W), axis=1)
        return candidates[int(distance.argmin())]

    def _calc_impulses(self, context: Context, output: BasicVector) -> None:
        self._dynamics.set_state(self._state.Eval(context))
        output.SetFromVector(self._time_step * self._forces(context).ravel())

    def _calc_report(self, context: Context, output: Value) -> None:
        state = self._state.Eval(context)
        dynamics = self._dynamics
        dynamics.set_state(state)
        gap, p_TC = dynamics.gaps()
        impulse = self._time_step * self._forces(context)
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
        mode[self._contacts.num_points :] = UNKNOWN_MODE
        output.set_value(
            ContactReport(
                names=self._contacts.names,
                point_W=self._X_WT.multiply(p_TC.T).T if len(gap) else np.zeros((0, 3)),
                gap=gap,
                impulse=impulse,
                velocity=velocity,
                mode=mode.astype(np.int8),
                work=np.einsum("ij,ij->i", impulse, mean_velocity),
                residual=np.nan,
            )
        )
