"""Drake's contact results as the report that every engine gives."""

from collections.abc import Iterator, Mapping

import numpy as np
from pydrake.common.value import Value
from pydrake.geometry import GeometryId
from pydrake.multibody.plant import ContactResults
from pydrake.systems.framework import BasicVector, Context, LeafSystem

from footfall.arrays import Array
from footfall.engines.ports import CONTACT_IMPULSES, CONTACT_REPORT, ContactReport
from footfall.engines.touches import Happened, Touch, Touches, TouchReporter
from footfall.plants.contacts import ContactSet
from footfall.plants.dynamics import Dynamics
from footfall.plants.loading.load import Model


class ContactReporter(LeafSystem):
    """Turns Drake's contact results into the engines' report."""

    def __init__(
        self,
        oracle: Model,
        contacts: ContactSet,
        to_oracle: Mapping[GeometryId, tuple[GeometryId, int]],
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
        self._to_oracle = to_oracle
        self._time_step, self._nv = time_step, oracle.plant.num_velocities()
        self._reporter = TouchReporter(Dynamics(oracle, contacts), stick_speed)
        self._results = self.DeclareAbstractInputPort("contact_results", Value(ContactResults()))
        self._state = self.DeclareVectorInputPort("state", oracle.plant.num_multibody_states())
        self._acceleration = self.DeclareVectorInputPort("acceleration", self._nv)
        count = 4 * len(contacts) if continuous else 0
        self._sums = self.DeclareVectorInputPort("sums", count) if continuous else None
        self.DeclareVectorOutputPort(CONTACT_IMPULSES, 3 * len(contacts.names), self._calc_impulses)
        self.DeclareAbstractOutputPort(
            CONTACT_REPORT, lambda: Value(ContactReport()), self._calc_report
        )

    def _touches(self, context: Context) -> Touches:
        """Return Drake's results for its contacts."""
        self._reporter.measure(self._state.Eval(context))
        results = self._results.Eval(context)
        return self._reporter.touches(results.num_point_pair_contacts(), self._each(results))

    def _each(self, results: ContactResults) -> Iterator[Touch]:
        for k in range(results.num_point_pair_contacts()):
            info = results.point_pair_contact_info(k)
            ids = info.point_pair()
            A, corner_A = self._to_oracle[ids.id_A]
            B, corner_B = self._to_oracle[ids.id_B]
            yield Touch(
                A,
                B,
                info.contact_point(),
                info.contact_force(),
                ids.nhat_BA_W,
                max(corner_A, corner_B),
            )

    def rates(self, context: Context) -> Array:
        """Forces (n, 3) in [n, t, s] [N] and powers (n,) [W] of the contacts now, flat."""
        v = self._state.Eval(context)[-self._nv :]
        forces, powers = self._reporter.during(1.0, self._touches(context), v)
        return np.concatenate((forces.ravel(), powers))

    def _calc_impulses(self, context: Context, output: BasicVector) -> None:
        touches = self._touches(context)
        total = self._reporter.impulses(touches, self._happened(context, touches))
        output.SetFromVector(total.ravel())

    def _happened(self, context: Context, touches: Touches) -> Happened:
        """Return what happened since the last row."""
        if self._sums is not None:
            sums = self._sums.Eval(context)
            count = len(sums) // 4
            return Happened(sums[: 3 * count].reshape(count, 3), sums[3 * count :])
        v = self._state.Eval(context)[-self._nv :]
        v_mean = v - 0.5 * self._time_step * self._acceleration.Eval(context)
        return self._reporter.during(self._time_step, touches, v_mean)

    def _calc_report(self, context: Context, output: Value) -> None:
        touches = self._touches(context)
        output.set_value(self._reporter.report(touches, self._happened(context, touches)))
