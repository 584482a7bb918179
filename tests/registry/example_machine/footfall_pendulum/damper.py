"""A motor that brakes: torque against the rate."""

from dataclasses import dataclass

from pydrake.systems.framework import BasicVector, Context, LeafSystem

from footfall.control.controller import Controller, Reference, Wiring, require_finite


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
    damping: float = 0.1

    def __post_init__(self) -> None:
        """Refuse a damping that drives."""
        require_finite("controller", positive=(), not_negative=("damping",), of=self)

    def connect(self, wiring: Wiring, _reference: Reference | None) -> None:
        """Connect state -> damper -> motor, whichever engine the machine is."""
        wiring.add_feedback("damper", DamperSystem(self.damping))
