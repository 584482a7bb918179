"""The motor of PASIBOT's crank in a scenario.

A prescribed torque T8(t) is a `TorqueProfile` of the actuator `motor`.
"""

from dataclasses import dataclass

from footfall.arrays import Array
from footfall.errors import ModelError
from footfall.machines.pasibot.closed_form.motion import STEP_BEGINS
from footfall.machines.pasibot.coordinates import state_of
from footfall.machines.pasibot.model import parameters_of
from footfall.machines.pasibot.reduced_crank import ReducedCrank
from footfall.plants.contacts import ContactSet
from footfall.plants.load import Model
from footfall_controllers.controller import Controller, Wiring
from footfall_controllers.crank_motor import CrankMotorSystem, CrankSpeeds


@dataclass
class CrankMotor(CrankSpeeds, Controller):
    """Let PASIBOT's crank turn at a prescribed speed, by feedback from its angle.

    What the motor can give is for the scenario's `motors` to say.
    """

    def system(self, wiring: Wiring) -> CrankMotorSystem:
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
