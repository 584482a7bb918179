"""The hopper's controllers in a scenario, and as its event-driven model takes them.

`AngleTracking` is the closed loop that the document names at the end of item 5 and leaves out.

It lets the upper link of the hopper follow a motion, by the motor in its joint. Frames, coordinates
and letters: `closed_form.model`; theta12 = theta1 + theta2 is the angle of link 2 from the ground.
"""

import math
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np
from scipy.interpolate import CubicSpline

from footfall.arrays import Array
from footfall.checked import not_negative
from footfall.errors import ModelError, ScenarioError
from footfall.hybrid.component_first import Number, State
from footfall.machines.hopper.closed_form.model import Hopper
from footfall.machines.hopper.closed_form.phases import (
    SIGMA,
    JumpPhase,
    acceleration,
    consistent_phases,
)
from footfall.machines.hopper.model import ACTUATOR, parameters_of
from footfall.machines.hopper.system import NO_TORQUE, TorqueLaw
from footfall.plants.contacts import ContactSet
from footfall.plants.loading.load import Model
from footfall_controllers.angle_tracking import AngleTrackingSystem
from footfall_controllers.controller import Controller, Wiring
from footfall_controllers.piecewise import Piecewise, Segment
from footfall_controllers.torque_profile import TorqueProfile, TorqueProfileParameters

# s: a time this short before a break belongs to what follows it, whatever the rounding of k * dt
_TIME_ROUNDING = 1e-9


@dataclass(frozen=True)
class AngleTrackingParameters:
    """The law: tau such that theta12'' = theta12_d'' + kd (theta12_d' - theta12') + kp (...).

    angle: theta12_d over time [rad]; after its last segment it rests where it ended. kp [1/s^2],
    kd [1/s]: gains of the error theta12_d - theta12, which then obeys e'' + kd e' + kp e = 0.
    """

    angle: Piecewise
    kp: float = 0.0
    kd: float = 0.0

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


# P is on the ground at rest within these: engines let it creep, sink and tremble. Above the height
# [m] it flies, however deep it may lie below; with more speed along the normal [m/s] it comes or
# goes and is not held by the ground; up to that along the ground [m/s] it may stand. Wide rather
# than narrow: P that is taken to be on the ground is still told to be leaving by the forces that
# its phases would need, whereas P that trembles on Drake's yielding ground and is taken to fly is
# driven with the wrong torque, which makes it tremble more.
_HEIGHT, _LIFT, _SLIDE = 1e-3, 0.1, 0.02


@dataclass(frozen=True)
class AngleTrackingLaw:
    """Torque that lets theta12 of a machine follow a motion: by its phase, or by its state alone.

    The event-driven model knows the phase of P, and limits the torque itself. By the state alone,
    which does not tell what the ground does, P flies if it is above the ground, and if it comes or
    goes faster than a point does that is held. Else it stands or slides, or is about to leave: that
    phase is taken whose own torque, limited as it is, lets it go on. As theta12'' is continuous in
    tau and grows with it, over all phases together, there is just one, unless there is so much
    friction that theta12'' does not grow with tau in slip, mu > 0.437: then none may be, and the
    torque of flight is given.

    Source: J. Oh, X. Huang, item 5 of the document, whose authors left the closed loop out.
    """

    machine: Hopper
    parameters: AngleTrackingParameters

    @property
    def breaks(self) -> tuple[float, ...]:
        """Knots [s]."""
        return self.parameters.breaks

    def torque(self, phase: JumpPhase, piece: int, t: Number, x: State) -> Number:
        """Torque that brings the acceleration about while P is in a phase [N m]; not limited.

        The document has tau = b theta12'' + a, with x'', y'' and theta1'' in a, which themselves
        depend on tau. In each phase theta12'' is affine in tau, so that two values of it give the
        tau that solves both at once. Analytic in the time and in x.

        In stick and in flight theta12'' grows with tau in every pose, in slip in every one up to
        mu = 0.437. With more friction there are poses in which the friction that a torque calls up
        turns the link back more than the torque turns it: there no phase may agree with the torque
        that this gives for it, and where the two are alike it is infinite.
        """
        free = _turn(self.machine, phase, x, 0.0)
        gain = _turn(self.machine, phase, x, 1.0) - free
        return (self.parameters.wanted(piece, t, x) - free) / gain

    def feedback(self, time: float, state: Array) -> float:
        """Torque within the motor's bound [N m] at a time [s] and a state (8,)."""
        return self.judge(time, state)[1]

    def judge(self, time: float, state: Array) -> tuple[JumpPhase, float]:
        """Phase in which P is taken to be at a time [s] and state (8,), and that torque [N m]."""
        piece = self.parameters.angle.piece(time + _TIME_ROUNDING)
        if state[1] <= _HEIGHT and abs(state[5]) <= _LIFT:
            x = state.copy()
            x[[1, 5]] = 0.0  # as the equations of these phases have it
            if abs(x[4]) <= _SLIDE:
                x[4] = 0.0
            for phase in (JumpPhase.STICK, *SIGMA):
                if phase is JumpPhase.STICK and x[4] != 0.0:
                    continue
                tau = self._limited(phase, piece, time, x)
                if phase in consistent_phases(self.machine, x, tau):
                    return phase, tau
        return JumpPhase.FLIGHT, self._limited(JumpPhase.FLIGHT, piece, time, state)

    def _limited(self, phase: JumpPhase, piece: int, time: float, x: Array) -> float:
        most = self.machine.parameters.tau_max
        return min(max(float(self.torque(phase, piece, time, x)), -most), most)


def _turn(machine: Hopper, phase: JumpPhase, x: State, torque: float) -> Number:
    """theta12'' of a phase [rad/s^2]."""
    second = acceleration(machine, phase, x, torque)
    return second[2] + second[3]


@dataclass
class AngleKnot:
    """Angle of link 2 at a time."""

    # Time [s]; the first one is 0.
    time: float = 0.0
    # Angle theta12 = theta1 + theta2 of link 2 from the ground [rad].
    angle: float = 0.0


@dataclass
class AngleTracking(Controller):
    """Let the hopper's link 2 follow a motion by the motor in its joint, within its bound.

    The loop goes through the force of the ground: beyond mu = 0.43 there are poses and velocities
    in which no torque does what it asks for, where the event-driven engine's run fails and says so.
    """

    # A cubic spline goes through these, at rest at the first and at the last one, and stays there.
    knots: list[AngleKnot] = field(default_factory=lambda: [AngleKnot(), AngleKnot(time=1.0)])
    # Gains of the error e, which obeys e'' + kd e' + kp e = 0 within the bound [1/s^2] and [1/s].
    kp: float = not_negative(0.0)
    kd: float = not_negative(0.0)

    def __post_init__(self) -> None:
        """Refuse knots through which no spline goes, and gains that are none."""
        super().__post_init__()
        self.law()

    def law(self) -> AngleTrackingParameters:
        """The law, to be evaluated; raises ScenarioError, one line."""
        times, angles = [knot.time for knot in self.knots], [knot.angle for knot in self.knots]
        _check_knots(times, angles)
        try:
            return AngleTrackingParameters(_spline(times, angles), self.kp, self.kd)
        except ValueError as error:
            raise ScenarioError(f"controller: {error}.") from error

    def system_for(self, wiring: Wiring) -> AngleTrackingSystem:
        """Return what tracks, for the machine's joint; raises ModelError for another machine."""
        machine = _machine_of(wiring.model, wiring.contacts)
        return AngleTrackingSystem(AngleTrackingLaw(machine, self.law()))


@dataclass(frozen=True)
class ProfileTorque:
    """A prescribed torque as a drive of the event-driven hopper."""

    profile: TorqueProfileParameters

    @property
    def breaks(self) -> tuple[float, ...]:
        """Ends of the segments [s]."""
        return self.profile.breaks

    def torque(self, _phase: JumpPhase, piece: int, t: Number, _x: State) -> Number:
        """Torque of a piece [N m], whatever the machine does."""
        return self.profile.torque(piece, t)


def torque_law_of(controller: Controller | None, model: Model, contacts: ContactSet) -> TorqueLaw:
    """The drive that a scenario's controller is; without one no torque acts.

    Raises ScenarioError for a controller that the event-driven hopper does not know, and for
    torques of other actuators than the hopper's or beyond its limit.
    """
    if controller is None:
        return NO_TORQUE
    if isinstance(controller, TorqueProfile):
        profile = controller.profiles_of(model.plant).get(ACTUATOR)
        return NO_TORQUE if profile is None else ProfileTorque(profile)
    if isinstance(controller, AngleTracking):
        return AngleTrackingLaw(_machine_of(model, contacts), controller.law())
    raise ScenarioError(
        f"engine hybrid: the hopper does not know the controller {type(controller).__name__}; "
        "choose moreau or drake, or a controller TorqueProfile or AngleTracking."
    )


def _machine_of(model: Model, contacts: ContactSet) -> Hopper:
    """The hopper in closed form; raises ModelError for a model that is none."""
    try:
        return Hopper(parameters_of(model, contacts))
    except ModelError as error:
        raise ModelError(f"controller AngleTracking: {error}") from error


def _spline(times: list[float], angles: list[float]) -> Piecewise:
    """The cubic spline through knots, at rest at both ends; raises ValueError if it overflows."""
    with np.errstate(over="ignore", invalid="ignore"):
        spline = CubicSpline(times, angles, bc_type="clamped")
    cubics = spline.c[::-1].T.tolist()
    return Piecewise(
        tuple(
            Segment(start, end, tuple(cubic))
            for (start, end), cubic in zip(pairwise(times), cubics, strict=True)
        )
    )


def _check_knots(times: list[float], angles: list[float]) -> None:
    """Raise ScenarioError, one line, for knots that are no function of time."""
    where = "controller.knots"
    if len(times) < 2:
        raise ScenarioError(f"{where} has {len(times)}: give at least two.")
    for k, numbers in enumerate(zip(times, angles, strict=True)):
        for name, value in zip(("time", "angle"), numbers, strict=True):
            if not math.isfinite(value):
                raise ScenarioError(f"{where}.{k}.{name} is {value}: give a finite number.")
    if times[0] != 0.0:
        raise ScenarioError(f"{where}.0.time is {times[0]:g}: let the first knot be at time 0.")
    for k in range(1, len(times)):
        if times[k] <= times[k - 1]:
            raise ScenarioError(
                f"{where}.{k}.time is {times[k]:g}, which is not after {times[k - 1]:g}: give "
                "times that grow."
            )
