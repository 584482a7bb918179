"""A reference of the user's, tracked by inverse dynamics, as scenarios describe it."""

from dataclasses import dataclass

from footfall.control.controller import TracksReference, require_finite
from footfall_controllers.inverse_dynamics import InverseDynamicsParameters


@dataclass
class InverseDynamics(TracksReference):
    """Let the actuated joints track the scenario's `reference` by inverse dynamics."""

    takes_reference = True

    # Gains of the commanded acceleration [1/s^2] and [1/s].
    kp: float = 1e4
    kd: float = 100.0
    # Evaluate the law half a time step ahead, as the listing of the biped report does.
    at_midpoint: bool = False

    def __post_init__(self) -> None:
        """Refuse gains that are not numbers or have the wrong sign."""
        require_finite("controller", positive=(), not_negative=("kp", "kd"), of=self)

    def law(self, time_step: float) -> InverseDynamicsParameters:
        """Parameters of the inverse-dynamics law that tracks the reference."""
        return InverseDynamicsParameters(
            self.kp, self.kd, lookahead=0.5 * time_step if self.at_midpoint else 0.0
        )
