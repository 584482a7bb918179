"""The motor of PASIBOT's crank in a scenario.

A prescribed torque T8(t) is a `TorqueProfile` of the actuator `motor`.
"""

import math
from dataclasses import dataclass

import numpy as np

from footfall.arrays import Array
from footfall.errors import ModelError
from footfall.machines.pasibot.closed_form.motion import STEP_BEGINS, fold
from footfall.machines.pasibot.closed_form.parameters import PasibotParameters
from footfall.machines.pasibot.closed_form.sliding_profile import SlidingProfile
from footfall.machines.pasibot.closed_form.two_freedoms import two_freedoms
from footfall.machines.pasibot.coordinates import state_of
from footfall.machines.pasibot.model import parameters_of
from footfall.plants.contacts import ContactSet
from footfall.plants.loading.load import Model
from footfall_controllers.controller import Controller, Wiring
from footfall_controllers.crank_motor import CrankMotorSystem, CrankSpeeds


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
class CrankMotor(CrankSpeeds, Controller):
    """Let PASIBOT's crank turn at a prescribed speed, by feedback from its angle.

    What the motor can give is for the scenario's `motors` to say.
    """

    def system_for(self, wiring: Wiring) -> CrankMotorSystem:
        """Return the motor of a machine's crank; raises ModelError for another machine."""
        try:
            machine = parameters_of(wiring.model, wiring.contacts)
        except ModelError as error:
            raise ModelError(f"controller CrankMotor: {error}") from error
        return CrankMotorSystem(wiring.model.plant, ReducedCrank(machine), self, wiring.time_step)


def gait(model: Model, contacts: ContactSet, controller: Controller | None) -> Array:
    """State [q; v] of the machine where its crank motor is at time 0, all loops closed.

    Without a crank motor it stands on both feet at rest, where foot 1 begins to support.
    """
    crank = controller if isinstance(controller, CrankMotor) else CrankMotor()
    angle, speed, _ = crank.motion(0.0)
    parameters = parameters_of(model, contacts)
    return state_of(model.plant, parameters, STEP_BEGINS + angle, speed)
