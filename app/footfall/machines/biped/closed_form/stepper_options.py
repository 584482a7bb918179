"""Settings of the report's time-stepping loop."""

import math
from dataclasses import asdict, dataclass
from typing import NamedTuple


class PackedOptions(NamedTuple):
    """The options as the kernels take them, which know named tuples but no dataclasses."""

    mu: float
    e_n: float
    r: float
    tolerance: float
    max_iterations: int
    kp: float
    kd: float
    approach_at_start: bool
    control_at_midpoint: bool
    internal_torques_only: bool
    gains_only: bool


@dataclass(frozen=True)
class StepperOptions:
    """Settings that the report fixes in its main script or that its text leaves open.

    mu, e_n: friction and restitution of all contacts. r [kg], tolerance [N s] and max_iterations
    are those of the fixed point. kp [1/s^2], kd [1/s]: gains of the commanded acceleration.

    Raises ValueError for numbers that make no step.
    """

    mu: float = 1.0
    e_n: float = 0.0
    r: float = 0.5
    tolerance: float = 1e-12
    max_iterations: int = 200_000
    kp: float = 1e4
    kd: float = 100.0
    # Take gamma_NA with W_N at q_A, as the text says; the listing takes it at q_M.
    approach_at_start: bool = False
    # Evaluate the control law at (q_M, u_A), as the listing does; else at (q_A, u_A).
    control_at_midpoint: bool = True
    # Remove the external pitch moment tau_3 + tau_5: only (tau_3 - tau_5)/2 and its opposite stay.
    internal_torques_only: bool = False
    # PD control, tau = a_q: the line of the listing that is commented out.
    gains_only: bool = False

    def __post_init__(self) -> None:
        """Refuse coefficients that no contact law takes, and a fixed point without an end."""
        if not (0.0 <= self.mu < math.inf and 0.0 <= self.e_n <= 1.0):
            raise ValueError(f"mu = {self.mu}, e_n = {self.e_n}: give mu >= 0 and e_n from 0 to 1")
        if not (0.0 < self.r < math.inf and self.tolerance > 0.0 and self.max_iterations > 0):
            raise ValueError(
                f"r = {self.r}, tolerance = {self.tolerance}, max_iterations = "
                f"{self.max_iterations}: give positive numbers"
            )
        if not (math.isfinite(self.kp) and math.isfinite(self.kd)):
            raise ValueError(f"kp = {self.kp}, kd = {self.kd}: give finite gains")

    def packed(self) -> PackedOptions:
        """Return the same for the kernels."""
        return PackedOptions(**asdict(self))
