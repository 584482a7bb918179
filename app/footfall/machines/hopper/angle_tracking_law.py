"""Law that lets the upper link of the hopper follow a motion, by the motor in its joint.

Frames, coordinates and letters: `closed_form.model`; theta12 = theta1 + theta2 is the angle of
link 2 from the ground.
"""

import math
from dataclasses import dataclass
from functools import cached_property

from footfall.arrays import Array
from footfall.hybrid.component_first import Number, State
from footfall.machines.hopper.closed_form.model import Hopper
from footfall.machines.hopper.closed_form.phases import (
    SIGMA,
    JumpPhase,
    acceleration,
    consistent_phases,
)
from footfall_controllers.piecewise import Piecewise, Segment

# s: a time this short before a break belongs to what follows it, whatever the rounding of k * dt
_TIME_ROUNDING = 1e-9


@dataclass(frozen=True)
class AngleTrackingParameters:
    """The law: tau such that theta12'' = theta12_d'' + kd (theta12_d' - theta12') + kp (...).

    angle: theta12_d over time [rad]; after its last segment it rests where it ended. kp [1/s^2],
    kd [1/s]: gains of the error theta12_d - theta12, which then obeys e'' + kd e' + kp e = 0.
    Raises ValueError for no segments, and for gains that are negative or not finite.
    """

    angle: Piecewise
    kp: float = 0.0
    kd: float = 0.0

    def __post_init__(self) -> None:
        """Refuse what is no law."""
        if not self.angle.segments:
            raise ValueError("there is no angle to follow: give at least one segment")
        for name in ("kp", "kd"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value >= 0.0):
                raise ValueError(f"{name} is {value}: give a finite number that is not negative")

    @property
    def breaks(self) -> tuple[float, ...]:
        """Times at which the law changes [s], increasing."""
        return self.angle.breaks

    @cached_property
    def _motions(self) -> tuple[tuple[Segment, Segment, Segment], ...]:
        """Angle, rate and acceleration of every segment."""
        rates = [segment.derivative() for segment in self.angle.segments]
        return tuple(
            (segment, rate, rate.derivative())
            for segment, rate in zip(self.angle.segments, rates, strict=True)
        )

    def desired(self, piece: int, time: Number) -> tuple[Number, Number, Number]:
        """Angle [rad], its rate and acceleration in a piece, at times of any shape."""
        if piece >= len(self._motions):
            last = self.angle.segments[-1]
            return last.value(last.end) + 0.0 * time, 0.0 * time, 0.0 * time
        angle, rate, second = self._motions[piece]
        return angle.value(time), rate.value(time), second.value(time)

    def wanted(self, piece: int, time: Number, x: State) -> Number:
        """Acceleration theta12'' that the law asks for at states x (8, ...) [rad/s^2]."""
        angle, rate, second = self.desired(piece, time)
        return second + self.kd * (rate - x[6] - x[7]) + self.kp * (angle - x[2] - x[3])

    def torque(
        self, machine: Hopper, phase: JumpPhase, piece: int, time: Number, x: State
    ) -> Number:
        """Torque that brings the acceleration about while P is in a phase [N m]; not limited.

        The document has tau = b theta12'' + a, with x'', y'' and theta1'' in a, which themselves
        depend on tau. In each phase theta12'' is affine in tau, so that two values of it give the
        tau that solves both at once. Analytic in the time and in x.

        In stick and in flight theta12'' grows with tau in every pose, in slip in every one up to
        mu = 0.437. With more friction there are poses in which the friction that a torque calls up
        turns the link back more than the torque turns it: there no phase may agree with the torque
        that this gives for it, and where the two are alike it is infinite.
        """
        free = _turn(machine, phase, x, 0.0)
        gain = _turn(machine, phase, x, 1.0) - free
        return (self.wanted(piece, time, x) - free) / gain


@dataclass(frozen=True)
class Closeness:
    """Limits below which P is on the ground at rest: engines let it creep, sink and tremble.

    height [m]: above which it flies, however deep it may lie below. lift, slide [m/s]: speed along
    the normal with which it comes or goes and is not held by the ground; speed along the ground up
    to which it may stand.

    Wide rather than narrow: P that is taken to be on the ground is still told to be leaving by the
    forces that its phases would need, whereas P that trembles on Drake's yielding ground and is
    taken to fly is driven with the wrong torque, which makes it tremble more.
    """

    height: float = 1e-3
    lift: float = 0.1
    slide: float = 0.02


class AngleTrackingLaw:
    """Torque that lets theta12 follow a motion, within the motor's bound, by the state alone.

    Only the state is known here, not what the ground does. P flies if it is above the ground, and
    if it comes or goes faster than a point does that is held (`Closeness`). Else it stands or
    slides, or is about to leave: that phase is taken whose own torque, limited as it is, lets it go
    on. As theta12'' is continuous in tau and grows with it, over all phases together, there is just
    one, unless there is so much friction that theta12'' does not grow with tau in slip, mu > 0.437:
    then none may be, and the torque of flight is given.

    Source: J. Oh, X. Huang, item 5 of the document, whose authors left the closed loop out.
    """

    def __init__(
        self,
        machine: Hopper,
        parameters: AngleTrackingParameters,
        closeness: Closeness | None = None,
    ) -> None:
        """Take the machine in closed form, and the law."""
        self._machine, self._parameters = machine, parameters
        self._closeness = closeness if closeness is not None else Closeness()

    def torque(self, time: float, state: Array) -> float:
        """Return the torque [N m] at a time [s] and a state (8,)."""
        return self.judge(time, state)[1]

    def judge(self, time: float, state: Array) -> tuple[JumpPhase, float]:
        """Phase in which P is taken to be at a time [s] and state (8,), and the torque [N m]."""
        piece = self._parameters.angle.piece(time + _TIME_ROUNDING)
        near = self._closeness
        if state[1] <= near.height and abs(state[5]) <= near.lift:
            x = state.copy()
            x[[1, 5]] = 0.0  # as the equations of these phases have it
            if abs(x[4]) <= near.slide:
                x[4] = 0.0
            for phase in (JumpPhase.STICK, *SIGMA):
                if phase is JumpPhase.STICK and x[4] != 0.0:
                    continue
                tau = self._limited(phase, piece, time, x)
                if phase in consistent_phases(self._machine, x, tau):
                    return phase, tau
        return JumpPhase.FLIGHT, self._limited(JumpPhase.FLIGHT, piece, time, state)

    def _limited(self, phase: JumpPhase, piece: int, time: float, x: Array) -> float:
        most = self._machine.parameters.tau_max
        tau = self._parameters.torque(self._machine, phase, piece, time, x)
        return min(max(float(tau), -most), most)


def _turn(machine: Hopper, phase: JumpPhase, x: State, torque: float) -> Number:
    """theta12'' of a phase [rad/s^2]."""
    second = acceleration(machine, phase, x, torque)
    return second[2] + second[3]
