"""Prices of a whole-body controller beside those of its tasks."""

from dataclasses import dataclass

import numpy as np

from footfall.errors import ScenarioError


@dataclass
class Weights:
    """Prices of contacts that move, forces, torques and accelerations, beside those of tasks."""

    # Of the square of the acceleration of a contact [s^4/m^2 and s^4/rad^2].
    stance: float = 1000.0
    # Of the square of the multiplier of an edge of a friction pyramid [1/N^2].
    force: float = 1e-5
    # Of the square of a torque [1/(N m)^2].
    torque: float = 0.0
    # Of the square of a joint's acceleration [s^4/rad^2].
    acceleration: float = 1e-4

    def __post_init__(self) -> None:
        """Refuse prices that leave the programme without a unique solution."""
        for name in ("stance", "force", "torque", "acceleration"):
            value = getattr(self, name)
            enough = value >= 0.0 if name == "torque" else value > 0.0
            if not (enough and value < np.inf):
                raise ScenarioError(f"weights.{name} is {value}: give a positive number.")
