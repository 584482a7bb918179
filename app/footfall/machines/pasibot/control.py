"""The motor of PASIBOT's crank in a scenario.

A prescribed torque T8(t) is a `TorqueProfile` of the actuator `motor`.
"""

import math
from dataclasses import dataclass, field

import numpy as np

from footfall.arrays import Array
from footfall.control.controller import Controller, Reference, Wiring
from footfall.errors import ModelError, ScenarioError
from footfall.machines.pasibot.closed_form.motion import STEP_BEGINS, fold
from footfall.machines.pasibot.closed_form.parameters import PasibotParameters
from footfall.machines.pasibot.closed_form.sliding_profile import SlidingProfile
from footfall.machines.pasibot.closed_form.two_freedoms import two_freedoms
from footfall.machines.pasibot.coordinates import state_of
from footfall.machines.pasibot.model import parameters_of
from footfall.plants.contacts import ContactSet
from footfall.plants.load import Model
from footfall_controllers.crank_motor import CrankMotorParameters, CrankMotorSystem


class ReducedCrank:
    """Inertia and torque of a machine that stands on one foot, by the angle of its crank.

    mean_inertia: of the crank over a step [kg m^2].
    """

    def __init__(self, parameters: PasibotParameters) -> None:
        self._profile = SlidingProfile(parameters)
        step = np.linspace(0.0, math.pi, 65)[:-1] + STEP_BEGINS
        self.mean_inertia = float(two_freedoms(parameters, step).inertia.mean())

    def torque(self, angle: float, rate: float, acceleration: float) -> float:
        """Return the torque of a motion [N m] at an angle [rad] from where the step begins.

        Beyond a step the feet have changed their parts.
        """
        folded, _ = fold(np.array(angle + STEP_BEGINS))
        return float(self._profile(float(folded)).inverse(rate, acceleration).torque)


@dataclass
class CrankSpeed:
    """A speed of the crank at a time."""

    # Time [s].
    time: float = 0.0
    # Speed th8' [rad/s]; positive ahead.
    speed: float = 0.0


@dataclass
class CrankMotor(Controller):
    """Let PASIBOT's crank turn at a prescribed speed, by feedback from its angle.

    What the motor can give is for the scenario's `motors` to say.
    """

    # Speeds in the order of time: straight between them, the first one before, the last one after.
    speeds: list[CrankSpeed] = field(default_factory=lambda: [CrankSpeed()])
    # Gains of the angle's error e, e'' + kd e' + kp e = 0 [1/s^2] and [1/s]. Drake's constraints
    # give way a little within a step, and kd times the step has to stay below 0.15 with them.
    kp: float = 400.0
    kd: float = 40.0
    # Crank at time 0, from where the first step begins [rad].
    angle: float = 0.0
    # Add the torque that the motion itself takes where no foot slips. Without it the gains are
    # those of the mean inertia over a step, and the speed varies.
    feedforward: bool = True

    def __post_init__(self) -> None:
        """Refuse what is no law."""
        self.law()

    def law(self) -> CrankMotorParameters:
        """The law, to be evaluated; raises ScenarioError, one line."""
        try:
            return CrankMotorParameters(
                tuple(knot.time for knot in self.speeds),
                tuple(knot.speed for knot in self.speeds),
                self.kp,
                self.kd,
                self.angle,
                self.feedforward,
            )
        except ValueError as error:
            raise ScenarioError(f"controller: {error}.") from error

    def connect(self, wiring: Wiring, _reference: Reference | None) -> None:
        """Connect the machine's state -> motor -> its crank."""
        try:
            machine = parameters_of(wiring.model, wiring.contacts)
        except ModelError as error:
            raise ModelError(f"controller CrankMotor: {error}") from error
        system = CrankMotorSystem(
            wiring.model.plant, ReducedCrank(machine), self.law(), wiring.time_step
        )
        wiring.add_feedback("crank_motor", system)


def gait(model: Model, contacts: ContactSet, controller: Controller | None) -> Array:
    """State [q; v] of the machine where its crank motor is at time 0, all loops closed.

    Without a crank motor it stands on both feet at rest, where foot 1 begins to support.
    """
    crank = controller.law() if isinstance(controller, CrankMotor) else CrankMotorParameters()
    angle, speed, _ = crank.motion(0.0)
    parameters = parameters_of(model, contacts)
    return state_of(model.plant, parameters, STEP_BEGINS + angle, speed)
