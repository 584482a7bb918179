"""Impulses and works of a plant in continuous time between two rows.

A push may begin and end there, a controller may change its phase, and between two steps of the
integrator their power is no straight line. So the integrator has the works of actuators, of dampers
and of what is applied to the links as states of its own, to its own accuracy.

Of contacts such a plant knows forces, not impulses, and a touch may begin and end between two rows.
The integrator's own steps are short where a contact is stiff: from each to the next, the force and
its power are summed by the trapezoidal rule. As a system inside a diagram cannot hear of these
steps, the monitor of the simulator tells it, as it does with feet that take turns.
"""

import numpy as np
from pydrake.common.value import Value
from pydrake.multibody.plant import ExternallyAppliedSpatialForce, MultibodyPlant
from pydrake.systems.framework import BasicVector, Context, ContinuousState, LeafSystem

from footfall.arrays import Array
from footfall.engines.ports import ACTUATION, APPLIED_WRENCH, STATE
from footfall.errors import RunError
from footfall.plants.coordinates import actuators_of, joint_damping

_SAME = 1e-9  # of a row's time step: rounding


class ContactSums(LeafSystem):
    """Sums since the last row: output ``sums`` is impulses (n, 3) [N s], then works (n,) [J].

    Everything is in the context: when it was looked at last, and at the start, how often since,
    force and power there, and the sums.
    """

    def __init__(self, contacts: int, time_step: float) -> None:
        """Take the number of contacts and the time between two rows [s]."""
        super().__init__()
        self.size, self._time_step = 4 * contacts, time_step
        self._clock = self.DeclareDiscreteState(3)  # last look, start, looks
        self._rates = self.DeclareDiscreteState(self.size)
        self._sums = self.DeclareDiscreteState(self.size)
        self.DeclareVectorOutputPort("sums", self.size, self._calc_sums)

    def start(self, context: Context, rates: Array) -> None:
        """Begin anew at the context's time, with forces (n, 3) and powers (n,) there, flat."""
        time = context.get_time()
        context.SetDiscreteState(self._clock, np.array([time, time, 0.0]))
        context.SetDiscreteState(self._rates, rates)
        context.SetDiscreteState(self._sums, np.zeros(self.size))

    def look(self, context: Context, rates: Array) -> None:
        """Add what came since the last look; rates as in ``start``, at the context's time."""
        last, start, looks = context.get_discrete_state(self._clock).get_value()
        time = context.get_time()
        before = context.get_discrete_state(self._rates).get_value()
        sums = context.get_discrete_state(self._sums).get_value().copy()
        rows = last / self._time_step
        if time > last and abs(rows - round(rows)) < _SAME * max(1.0, rows):
            sums[:] = 0.0  # the row that ended with the last look has been reported
        sums += 0.5 * (time - last) * (before + rates)
        context.SetDiscreteState(self._clock, np.array([time, start, looks + 1.0]))
        context.SetDiscreteState(self._rates, rates)
        context.SetDiscreteState(self._sums, sums)

    def read(self, context: Context) -> Array:
        """The sums in a context of this system."""
        sums: Array = context.get_discrete_state(self._sums).CopyToVector()
        return sums

    def write(self, context: Context, sums: Array) -> None:
        """Let the sums up to a context's time be these."""
        time = context.get_time()
        context.SetDiscreteState(self._clock, np.array([time, time, 0.0]))
        context.SetDiscreteState(self._sums, sums)

    def _calc_sums(self, context: Context, output: BasicVector) -> None:
        _, start, looks = context.get_discrete_state(self._clock).get_value()
        if looks == 0.0 and context.get_time() > start:
            raise RunError(
                "nobody sums contact impulses up in Drake's engine in continuous time: call "
                "engine.watch(simulator) before the simulation starts."
            )
        output.SetFromVector(context.get_discrete_state(self._sums).get_value())


WORKS = ("actuator_work", "damping_work", "push_work")
"""Variables of a trajectory that are integrated."""


class AppliedWork(LeafSystem):
    """Integrates the powers of ``actuation``, dampers and ``applied_wrench`` at a ``state``.

    effort: the actuation (num_actuators,) with which the integration from the time of
    ``begin_step`` began, behind the events of that time. It serves who records, and no simulation:
    there are no outputs.
    """

    def __init__(self, plant: MultibodyPlant) -> None:
        """Take the plant, which must outlive this system."""
        super().__init__()
        self._plant, self._context = plant, plant.CreateDefaultContext()
        self._state = self.DeclareVectorInputPort(STATE, plant.num_multibody_states())
        self._actuation = self.DeclareVectorInputPort(ACTUATION, plant.num_actuators())
        self._wrench = self.DeclareAbstractInputPort(
            APPLIED_WRENCH, Value[list[ExternallyAppliedSpatialForce]]()
        )
        self._limits = np.array([actuator.effort_limit() for actuator in actuators_of(plant)])
        self._inputs, self._damping = plant.MakeActuationMatrix(), joint_damping(plant)
        self._begins: float | None = None
        self.effort = np.zeros(plant.num_actuators())
        self.DeclareContinuousState(len(WORKS))

    def start(self, context: Context) -> None:
        """Begin anew."""
        context.SetContinuousState(np.zeros(len(WORKS)))

    def begin_step(self, context: Context) -> None:
        """Take the effort in a context of this system, and that which its events make of it."""
        self.effort, self._begins = self._effort(context), context.get_time()

    def sums(self, context: Context) -> Array:
        """Works since the start, as ``WORKS`` names them [J]."""
        works: Array = context.get_continuous_state_vector().CopyToVector()
        return works

    def DoCalcTimeDerivatives(self, context: Context, derivatives: ContinuousState) -> None:
        """Give the powers [W]."""
        effort = self._effort(context)
        if context.get_time() == self._begins:  # the first one: an integrator may vary the state
            self.effort, self._begins = effort, None
        v = self._state.Eval(context)[self._plant.num_positions() :]
        given = float(v @ self._inputs @ np.clip(effort, -self._limits, self._limits))
        powers = np.array([given, -self._damping @ v**2, self._pushed(context)])
        derivatives.get_mutable_vector().SetFromVector(powers)

    def _effort(self, context: Context) -> Array:
        """The actuation, (num_actuators,)."""
        effort: Array = self._actuation.Eval(context) if len(self.effort) else self.effort
        return effort

    def _pushed(self, context: Context) -> float:
        """Power of what is applied [W]."""
        applied = self._wrench.Eval(context) if self._wrench.HasValue(context) else []
        if not applied:
            return 0.0
        plant, scratch = self._plant, self._context
        plant.SetPositionsAndVelocities(scratch, self._state.Eval(context))
        power = 0.0
        for each in applied:
            body = plant.get_body(each.body_index)
            arm_W = body.EvalPoseInWorld(scratch).rotation().multiply(each.p_BoBq_B)
            power += each.F_Bq_W.dot(body.EvalSpatialVelocityInWorld(scratch).Shift(arm_W))
        return power
