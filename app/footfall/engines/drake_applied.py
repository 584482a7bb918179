"""Work of what is applied to the links of a plant in continuous time.

A push may begin and end between two rows, and between two steps of the integrator its power is no
straight line. So the integrator has it as one more state, to its own accuracy.
"""

import numpy as np
from pydrake.common.value import Value
from pydrake.multibody.plant import ExternallyAppliedSpatialForce, MultibodyPlant
from pydrake.systems.framework import Context, ContinuousState, LeafSystem

from footfall.engines.ports import APPLIED_WRENCH, STATE
from footfall.plants.wrenches import applied_wrenches


class AppliedWork(LeafSystem):
    """Integrates the power of ``applied_wrench`` at the ``state`` of a plant; no outputs."""

    def __init__(self, plant: MultibodyPlant) -> None:
        """Take the plant, which must outlive this system."""
        super().__init__()
        self._plant, self._context = plant, plant.CreateDefaultContext()
        self._state = self.DeclareVectorInputPort(STATE, plant.num_multibody_states())
        self._wrench = self.DeclareAbstractInputPort(
            APPLIED_WRENCH, Value[list[ExternallyAppliedSpatialForce]]()
        )
        self.DeclareContinuousState(1)

    def start(self, context: Context) -> None:
        """Begin anew."""
        context.SetContinuousState(np.zeros(1))

    def sum(self, context: Context) -> float:
        """Work since the start [J]."""
        work: float = context.get_continuous_state_vector()[0]
        return work

    def DoCalcTimeDerivatives(self, context: Context, derivatives: ContinuousState) -> None:
        """Give the power [W]."""
        derivatives.get_mutable_vector().SetFromVector(np.array([self._power(context)]))

    def _power(self, context: Context) -> float:
        applied = self._wrench.Eval(context) if self._wrench.HasValue(context) else []
        if not applied:
            return 0.0
        plant, scratch = self._plant, self._context
        state = self._state.Eval(context)
        plant.SetPositionsAndVelocities(scratch, state)
        v = state[plant.num_positions() :]
        wrenches = applied_wrenches(plant, scratch, applied)
        return sum(float(v @ wrench.generalized(plant, scratch)) for wrench in wrenches)
