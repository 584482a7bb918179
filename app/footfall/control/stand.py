"""Standing on feet, as scenarios describe it."""

from dataclasses import dataclass

from pydrake.multibody.plant import MultibodyPlant

from footfall.errors import ScenarioError
from footfall.plants.coordinates import floating_joints
from footfall.plants.plant_check import require_frames
from footfall_controllers.controller import (
    Controller,
    Wiring,
    actuated_joints,
    require_actuated,
)
from footfall_controllers.stand import Stand as StandSystem


@dataclass
class Stand(StandSystem.Parameters, Controller):
    """Stand in a posture, with forces that the ground can give at points of the feet."""

    def system(self, wiring: Wiring) -> StandSystem:
        """Return the system of a robot; raises as `check`."""
        self.check(wiring.model.plant)
        return StandSystem(wiring.model.plant, self)

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
