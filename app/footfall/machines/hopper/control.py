"""The hopper's controllers in a scenario, and as its event-driven model takes them.

`AngleTracking` is the closed loop that the document names at the end of item 5 and leaves out.
"""

import math
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from scipy.interpolate import CubicSpline

from footfall.control.controller import Controller, Reference, Wiring
from footfall.control.torque_profile import TorqueProfile
from footfall.errors import ModelError, ScenarioError
from footfall.hybrid.component_first import Number, State
from footfall.machines.hopper.angle_tracking_law import AngleTrackingLaw, AngleTrackingParameters
from footfall.machines.hopper.closed_form.model import Hopper
from footfall.machines.hopper.closed_form.phases import JumpPhase
from footfall.machines.hopper.model import ACTUATOR, parameters_of
from footfall.machines.hopper.torque_law import NO_TORQUE, TorqueLaw
from footfall.plants.contacts import ContactSet
from footfall.plants.load import Model
from footfall_controllers.angle_tracking import AngleTrackingSystem
from footfall_controllers.piecewise import Piecewise, Segment
from footfall_controllers.torque_profile import TorqueProfileParameters


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
    kp: float = 0.0
    kd: float = 0.0

    def __post_init__(self) -> None:
        """Refuse knots through which no spline goes, and gains that are none."""
        self.law()

    def law(self) -> AngleTrackingParameters:
        """The law, to be evaluated; raises ScenarioError, one line."""
        times, angles = [knot.time for knot in self.knots], [knot.angle for knot in self.knots]
        _check_knots(times, angles)
        try:
            return AngleTrackingParameters(_spline(times, angles), self.kp, self.kd)
        except ValueError as error:
            raise ScenarioError(f"controller: {error}.") from error

    def connect(self, wiring: Wiring, _reference: Reference | None) -> None:
        """Connect the machine's state -> tracking -> its joint."""
        machine = _machine_of(wiring.model, wiring.contacts)
        wiring.add_feedback(
            "angle_tracking", AngleTrackingSystem(AngleTrackingLaw(machine, self.law()))
        )


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


@dataclass(frozen=True)
class TrackingTorque:
    """Angle tracking as a drive of the event-driven hopper, which knows its phase."""

    machine: Hopper
    law: AngleTrackingParameters

    @property
    def breaks(self) -> tuple[float, ...]:
        """Knots [s]."""
        return self.law.breaks

    def torque(self, phase: JumpPhase, piece: int, t: Number, x: State) -> Number:
        """Torque that the law asks for in a phase [N m], whatever the motor can give."""
        return self.law.torque(self.machine, phase, piece, t, x)


def torque_law_of(controller: Controller | None, model: Model, contacts: ContactSet) -> TorqueLaw:
    """The drive that a scenario's controller is; without one no torque acts.

    Raises ScenarioError for a controller that the event-driven hopper does not know, and for
    torques of other actuators than the hopper's or beyond its limit.
    """
    if controller is None:
        return NO_TORQUE
    if isinstance(controller, TorqueProfile):
        profile = controller.profiles_of(model).get(ACTUATOR)
        return NO_TORQUE if profile is None else ProfileTorque(profile)
    if isinstance(controller, AngleTracking):
        return TrackingTorque(_machine_of(model, contacts), controller.law())
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
