"""Walking: targets of feet, trunk and centre of mass, step by step, for a whole-body controller."""

import numpy as np
from pydrake.common.value import AbstractValue, Value
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import Context, DiscreteValues, LeafSystem

from footfall_controllers.controller import declare_ticks
from footfall_controllers.walking.walk import WalkParameters
from footfall_controllers.walking.walk_reach import WalkReach
from footfall_controllers.walking.walk_references import WalkReferences
from footfall_controllers.walking.walk_state import WalkState
from footfall_controllers.whole_body.tasks import Targets
from footfall_controllers.whole_body.terms import RobotTerms

_FELT = 0.5  # of the port of contacts


class WalkPattern(LeafSystem):
    """Targets of a whole-body controller that let a robot walk.

    Input ``state`` ([q; v]) and, where touch-downs end swings, ``contact`` (feet,), above 0.5 for a
    foot that is felt. Output ``targets`` (abstract, `Targets`): tasks ``com`` (acceleration of the
    centre of mass, along x and y), ``height``, ``trunk``, and of each foot ``place/NAME`` and
    ``turn/NAME``, with contacts by link; or these as points, see `predicted_points`.
    """

    def __init__(
        self, plant: MultibodyPlant, parameters: WalkParameters, reach: WalkReach | None = None
    ) -> None:
        """Look links up; raises ModelError for those that the plant does not have.

        reach: that lowers the walk as its legs need it; None: it keeps the height at the start.
        """
        super().__init__()
        self._p, self._reach = parameters, reach
        self._nq, self._feet = plant.num_positions(), len(parameters.feet)
        self.references = WalkReferences(RobotTerms(plant, parameters.links), parameters)
        self._state = self.DeclareVectorInputPort("state", plant.num_multibody_states())
        self._contact = self.DeclareVectorInputPort("contact", self._feet)
        # none before the simulation begins
        self._walk = self.DeclareDiscreteState(
            np.full(WalkState.size(self._feet, self._nq), np.nan)
        )
        self.DeclareInitializationDiscreteUpdateEvent(self._begin)
        declare_ticks(self, parameters.period, self._tick)
        self.DeclareAbstractOutputPort("targets", lambda: Value(Targets()), self._calc_targets)

    def walk(self, context: Context) -> WalkState:
        """State of the walk in a context; one that has not begun begins with the robot's state."""
        vector = context.get_discrete_state(self._walk).value()
        if np.isnan(vector).any():
            return self._fresh(context)
        return WalkState.from_vector(vector, self._feet)

    def _begin(self, context: Context, discrete: DiscreteValues) -> None:
        discrete.set_value(self._walk, self._fresh(context).to_vector())

    def _fresh(self, context: Context) -> WalkState:
        q = self._state.Eval(context)[: self._nq]
        height = 0.0 if self._reach is None else self._reach.height(q)
        return self.references.fresh(q, context.get_time(), height)

    def _tick(self, context: Context, discrete: DiscreteValues) -> None:
        walk, now, references = self.walk(context), context.get_time(), self.references
        references.terms.set_state(self._state.Eval(context))
        if self._p.gait.by_contact is not None:
            references.cycle.feel(walk, self._contact.Eval(context) > _FELT, now)
        references.follow(walk, now)
        discrete.set_value(self._walk, walk.to_vector())

    def _calc_targets(self, context: Context, output: AbstractValue) -> None:
        walk, references = self.walk(context), self.references
        references.terms.set_state(self._state.Eval(context))
        output.set_value(references.targets(walk, context.get_time()))
