"""Works of actuators, of dampers and of what is applied to the links of a plant in continuous time.

Between two rows a push may begin and end, a controller may change its phase, and between two steps
of the integrator their power is no straight line. So the integrator has these works as states of
its own, to its own accuracy.
"""

import numpy as np
from pydrake.common.value import Value
from pydrake.multibody.plant import ExternallyAppliedSpatialForce, MultibodyPlant
from pydrake.systems.framework import Context, ContinuousState, LeafSystem

from footfall.arrays import Array
from footfall.engines.ports import ACTUATION, APPLIED_WRENCH, STATE
from footfall.plants.coordinates import actuators_of, joint_damping
from footfall.plants.forces import applied_wrenches

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
        powers = np.array([given, -self._damping @ v**2, self._pushed(context, v)])
        derivatives.get_mutable_vector().SetFromVector(powers)

    def _effort(self, context: Context) -> Array:
        """The actuation, (num_actuators,)."""
        effort: Array = self._actuation.Eval(context) if len(self.effort) else self.effort
        return effort

    def _pushed(self, context: Context, v: Array) -> float:
        """Power of what is applied [W]."""
        applied = self._wrench.Eval(context) if self._wrench.HasValue(context) else []
        if not applied:
            return 0.0
        plant, scratch = self._plant, self._context
        plant.SetPositionsAndVelocities(scratch, self._state.Eval(context))
        wrenches = applied_wrenches(plant, scratch, applied)
        return sum(float(v @ wrench.generalized(plant, scratch)) for wrench in wrenches)
