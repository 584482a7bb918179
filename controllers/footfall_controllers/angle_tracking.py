"""Let the upper link of a two-link robot follow a motion, by the motor in its joint."""

from typing import Protocol

from pydrake.systems.framework import BasicVector, Context, LeafSystem

from footfall.arrays import Array


class FeedbackLaw(Protocol):
    """Torque of one joint by time and state."""

    def feedback(self, time: float, state: Array) -> float:
        """Return the torque [N m] at a time [s] and a state (8,)."""


class AngleTrackingSystem(LeafSystem):
    """Torque in the hopper's joint by a law of time and state.

    Input: ``state`` [q; v] of the machine, (x, z, theta1, theta2) and their rates. Output:
    ``actuation`` [N m].
    """

    def __init__(self, law: FeedbackLaw) -> None:
        """Take the law."""
        super().__init__()
        self._law = law
        self._state = self.DeclareVectorInputPort("state", 8)
        self.DeclareVectorOutputPort("actuation", 1, self._calc_actuation)

    def _calc_actuation(self, context: Context, output: BasicVector) -> None:
        output.SetFromVector([self._law.feedback(context.get_time(), self._state.Eval(context))])
