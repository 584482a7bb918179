"""The compass' controller in a scenario: to the energy of a limit cycle, by the hip alone."""

from dataclasses import dataclass

from footfall.checked import finite, not_negative, positive
from footfall.errors import ScenarioError
from footfall.machines.compass.cycle import find_cycle
from footfall.machines.compass.model import FEET, parameters_of
from footfall.plants.contacts import ContactSet
from footfall.plants.flat.shaping import EnergyLaw
from footfall.plants.loading.load import Model
from footfall_controllers.controller import Controller, LawRequest, Wiring
from footfall_controllers.energy_shaping import EnergyShaping, EnergyShapingParameters, FootPoint


@dataclass
class HipEnergyShaping(Controller):
    """Drive the walker to the energy of its passive limit cycle by a hip torque (compass)."""

    # Gain [s]: the error of the energy decays at the rate gain times the hip's rate squared.
    gain: float = not_negative(0.15)
    # Bound of the torque, approached smoothly [N m]; absent: none.
    most_torque: float | None = positive(None)
    # Energy about the standing foot to go to [J]; absent: that of the passive limit cycle.
    energy: float | None = finite(None)

    def system_for(self, wiring: Wiring) -> EnergyShaping:
        """Return the system of a walker; raises as `law`, and ValueError for another machine."""
        return self._system(wiring.model, wiring.contacts)

    def compiled_law(self, asked: LawRequest) -> EnergyLaw | None:
        """Return the law of the state; None for a plant that the flat arrays do not hold."""
        return self._system(asked.model, asked.contacts).law

    def _system(self, model: Model, contacts: ContactSet) -> EnergyShaping:
        law = self.law(model, contacts)
        feet = tuple(FootPoint.of_contact(contacts, name) for name in FEET)
        return EnergyShaping(model.plant, (feet[0], feet[1]), law)

    def law(self, model: Model, contacts: ContactSet) -> EnergyShapingParameters:
        """The law with its energy; raises ModelError where the passive walker has no cycle."""
        energy = self.energy
        if energy is None:
            energy = find_cycle(parameters_of(model, contacts)).energy
        return EnergyShapingParameters(energy, self.gain, self.most_torque)


def law_of(
    controller: Controller | None, model: Model, contacts: ContactSet
) -> EnergyShapingParameters | None:
    """The law of a scenario's controller, None without one.

    Raises ScenarioError for a controller that the event-driven walker does not know.
    """
    if controller is None:
        return None
    if not isinstance(controller, HipEnergyShaping):
        raise ScenarioError(
            f"engine hybrid: the compass does not know the controller {type(controller).__name__}; "
            "choose moreau or drake, or the controller HipEnergyShaping."
        )
    return controller.law(model, contacts)
