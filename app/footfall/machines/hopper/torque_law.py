"""Torque laws of the hinge of the event-driven hopper, smooth by pieces."""

from dataclasses import dataclass
from typing import Protocol

from footfall.hybrid.component_first import Number, State
from footfall.machines.hopper.closed_form.phases import JumpPhase


class TorqueLaw(Protocol):
    """Law of the torque tau on theta2.

    breaks: times at which the torque or its law jumps [s], increasing, positive. Piece k holds from
    breaks[k - 1] to breaks[k], piece 0 from the start, the last one for ever; each is analytic, and
    is asked a little beyond its ends.
    """

    @property
    def breaks(self) -> tuple[float, ...]:
        """Times at which one piece follows another [s]."""

    def torque(self, phase: JumpPhase, piece: int, t: Number, x: State) -> Number:
        """Torque that a piece commands, whatever the motor can give [N m].

        phase: what P does. t [s]: of one state a number, of k states one too or (k,). x: (8, ...)
        as in `closed_form.model`. Real or complex. A number, also for k states, if it
        depends on neither.
        """


@dataclass(frozen=True)
class ConstantTorque:
    """One torque for ever [N m]."""

    value: float = 0.0

    @property
    def breaks(self) -> tuple[float, ...]:
        """No time at which it jumps."""
        return ()

    def torque(self, _phase: JumpPhase, _piece: int, _t: Number, _x: State) -> Number:
        """The torque [N m]."""
        return self.value


NO_TORQUE = ConstantTorque()
