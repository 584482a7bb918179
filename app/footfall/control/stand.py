"""Standing on feet, as scenarios describe it."""

from dataclasses import dataclass

from pydrake.multibody.plant import MultibodyPlant

from footfall.errors import ScenarioError
from footfall.plants.coordinates import floating_joints
from footfall.plants.flat.standing import Standing
from footfall.plants.names import require_frames
from footfall_controllers.controller import (
    Controller,
    LawRequest,
    Wiring,
    actuated_joints,
    require_actuated,
)
from footfall_controllers.stand import Parameters
from footfall_controllers.stand import Stand as StandSystem


@dataclass
class Stand(Parameters, Controller):
    """Stand in a posture, with forces that the ground can give at points of the feet."""

    def system_for(self, wiring: Wiring) -> StandSystem:
        """Return the system of a robot; raises as `check`."""
        self.check(wiring.model.plant)
        return StandSystem(wiring.model.plant, self)

    def compiled_law(self, asked: LawRequest) -> Standing | None:
        """Return the law of the state; None for a plant that the flat arrays do not hold."""
        self.check(asked.model.plant)
        system = StandSystem(asked.model.plant, self)
        return None if system.frames is None else Standing(system.law, system.frames)

    def check(self, plant: MultibodyPlant) -> None:
        """Raise ModelError or ScenarioError for joints and links that a plant does not have."""
        require_actuated([*self.posture], actuated_joints(plant))
        require_frames(plant, self.feet)
        if not self.feet:
            raise ScenarioError(
                "controller.feet is empty: name points that stand, as footfall new writes them."
            )
        if not floating_joints(plant):
            raise ScenarioError("controller: !Stand is for a robot whose trunk is free in space.")
