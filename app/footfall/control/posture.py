"""A posture held by inverse dynamics, as scenarios describe it."""

from dataclasses import dataclass, field

import numpy as np
from pydrake.multibody.plant import MultibodyPlant

from footfall.control.controller import (
    TracksReference,
    actuated_joints,
    require_actuated,
    require_finite,
)
from footfall_controllers.inverse_dynamics import InverseDynamicsParameters
from footfall_controllers.posture import PostureParameters, PostureSystem, Sinusoid


@dataclass
class Wave:
    """A sinusoidal feed-forward acceleration of one joint."""

    # Amplitude as an angle [rad]: the acceleration is kp times it.
    amplitude: float = 0.0
    # Phase at time 0 [rad].
    phase: float = 0.0


@dataclass
class Posture(TracksReference):
    """Hold the actuated joints by inverse dynamics, with optional sinusoidal feed-forward.

    With gains_only it is PD control of each joint by itself.
    """

    # Joint positions to hold, by joint name [rad or m]; joints left out are held at 0.
    positions: dict[str, float] = field(default_factory=dict)
    # Feed-forward acceleration about the posture, by joint name.
    feedforward: dict[str, Wave] = field(default_factory=dict)
    # Period of the feed-forward [s].
    period: float = 1.0
    # Gains of the commanded acceleration [1/s^2] and [1/s].
    kp: float = 1e4
    kd: float = 100.0
    # Evaluate the law half a time step ahead, as the listing of the biped report does.
    at_midpoint: bool = False
    # Take the commanded acceleration as the torque, which makes kp and kd N m/rad and N m s/rad:
    # PD control, which knows neither inertia nor weight, the first stage of the biped report.
    gains_only: bool = False

    def __post_init__(self) -> None:
        """Refuse gains and periods that are not numbers or have the wrong sign."""
        require_finite("controller", positive=("period",), not_negative=("kp", "kd"), of=self)

    def reference(self, plant: MultibodyPlant) -> PostureSystem:
        """Make the reference source for the actuated joints of a plant; as ``source``."""
        return self.source(actuated_joints(plant))

    def source(self, joints: list[str]) -> PostureSystem:
        """Make the reference source for joints in this order.

        Raises ModelError when a joint that is named here is not among them.
        """
        require_actuated([*self.positions, *self.feedforward], joints)
        wave = None
        if self.feedforward:
            waves = [self.feedforward.get(name, Wave()) for name in joints]
            wave = Sinusoid(
                amplitude=self.kp * np.array([w.amplitude for w in waves]),
                phase=np.array([w.phase for w in waves]),
                period=self.period,
            )
        position = np.array([self.positions.get(name, 0.0) for name in joints])
        return PostureSystem(PostureParameters(position, wave))

    def law(self, time_step: float) -> InverseDynamicsParameters:
        """Parameters of the inverse-dynamics law that tracks the reference."""
        return InverseDynamicsParameters(
            self.kp,
            self.kd,
            lookahead=0.5 * time_step if self.at_midpoint else 0.0,
            gains_only=self.gains_only,
        )
