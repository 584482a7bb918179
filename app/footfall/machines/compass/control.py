"""The compass' controller in a scenario: to the energy of a limit cycle, by the hip alone."""

from dataclasses import dataclass

from footfall.control.controller import Controller, Reference, Wiring
from footfall.errors import ModelError, ScenarioError
from footfall.machines.compass.cycle import find_cycle
from footfall.machines.compass.model import FEET, parameters_of
from footfall.plants.contacts import ContactSet
from footfall.plants.loading.load import Model
from footfall_controllers.energy_shaping import EnergyShaping, EnergyShapingParameters, FootPoint


@dataclass
class HipEnergyShaping(Controller):
    """Drive the walker to the energy of its passive limit cycle by a hip torque (compass)."""

    # Gain [s]: the error of the energy decays at the rate gain times the hip's rate squared.
    gain: float = 0.15
    # Bound of the torque, approached smoothly [N m]; absent: none.
    most_torque: float | None = None
    # Energy about the standing foot to go to [J]; absent: that of the passive limit cycle.
    energy: float | None = None

    def __post_init__(self) -> None:
        """Refuse what the law refuses."""
        self._parameters(self.energy or 0.0)

    def connect(self, wiring: Wiring, _reference: Reference | None) -> None:
        """Connect the machine's state -> energy shaping -> its hip."""
        model, contacts = wiring.model, wiring.contacts
        law = self.law(model, contacts)
        feet = tuple(FootPoint.of_contact(contacts, name) for name in FEET)
        try:
            system = EnergyShaping(model.plant, (feet[0], feet[1]), law)
        except ValueError as error:
            raise ModelError(f"controller: {error}.") from error
        wiring.add_feedback("energy_shaping", system)

    def law(self, model: Model, contacts: ContactSet) -> EnergyShapingParameters:
        """The law with its energy; raises ModelError where the passive walker has no cycle."""
        energy = self.energy
        if energy is None:
            energy = find_cycle(parameters_of(model, contacts)).energy
        return self._parameters(energy)

    def _parameters(self, energy: float) -> EnergyShapingParameters:
        try:
            return EnergyShapingParameters(energy, self.gain, self.most_torque)
        except ValueError as error:
            raise ScenarioError(f"controller: {error}.") from error


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
