"""Standing on feet, as scenarios describe it."""

from dataclasses import dataclass, field

import numpy as np
from pydrake.multibody.plant import MultibodyPlant

from footfall.control.controller import (
    Controller,
    Reference,
    Wiring,
    actuated_joints,
    require_actuated,
    require_finite,
)
from footfall.errors import ScenarioError
from footfall.plants.coordinates import floating_joints
from footfall.plants.names import require_frames
from footfall_controllers.stand import Stand as StandSystem


@dataclass
class Stand(Controller):
    """Stand in a posture, with forces that the ground can give at points of the feet."""

    # Gains of positions [1/s^2] and velocities [1/s] of joints and trunk.
    kp: float = 100.0
    kd: float = 20.0
    # Friction coefficient that forces of the ground stay below.
    friction: float = 0.5
    # Joint positions to hold, by joint name [rad or m]; joints left out are held at 0.
    posture: dict[str, float] = field(default_factory=dict)
    # Points that stand, by link: lists of x, y and z in its frame [m].
    feet: dict[str, list[list[float]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse gains that are not numbers or have the wrong sign, and points that are none."""
        require_finite("controller", positive=("friction",), not_negative=("kp", "kd"), of=self)
        for link, points in self.feet.items():
            if not points or not all(len(p) == 3 and np.isfinite(p).all() for p in points):
                raise ScenarioError(f"controller.feet.{link}: give points as [[x, y, z], ...] [m].")

    def connect(self, wiring: Wiring, _reference: Reference | None) -> None:
        """Connect the machine's state -> the controller -> the machine's actuation."""
        plant = wiring.model.plant
        self.check(plant)
        parameters = StandSystem.Parameters(
            self.kp, self.kd, self.friction, self.posture, self.feet
        )
        wiring.add_feedback("stand", StandSystem(plant, parameters))

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
