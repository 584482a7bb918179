"""A motor that brakes: torque against the rate."""

from dataclasses import dataclass

from pydrake.systems.framework import BasicVector, Context, LeafSystem

from footfall.checked import not_negative
from footfall_controllers.controller import Controller, Wiring


class DamperSystem(LeafSystem):
    """Output ``actuation`` = -damping * rate [N m], of one joint with input ``state``."""

    def __init__(self, damping: float) -> None:
        """Take the damping [N m s/rad]."""
        super().__init__()
        self._damping = damping
        self._state = self.DeclareVectorInputPort("state", 2)
        self.DeclareVectorOutputPort("actuation", 1, self._calc_actuation)

    def _calc_actuation(self, context: Context, output: BasicVector) -> None:
        _, rate = self._state.Eval(context)
        output.SetFromVector([-self._damping * rate])


@dataclass
class Damper(Controller):
    """Brake the swing by a torque against its rate; ``!Damper`` in a scenario."""

    # Torque over rate [N m s/rad].
    damping: float = not_negative(0.1)

    def system(self, _wiring: Wiring) -> DamperSystem:
        """Return the damper of the motor, whichever engine the machine is."""
        return DamperSystem(self.damping)
