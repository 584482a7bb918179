"""Prices of a whole-body controller beside those of its tasks."""

from dataclasses import dataclass

from footfall.checked import Checked, not_negative, positive


@dataclass
class Weights(Checked, at="controller.weights."):
    """Prices of contacts that move, forces, torques and accelerations, beside those of tasks."""

    # Of the square of the acceleration of a contact [s^4/m^2 and s^4/rad^2].
    stance: float = positive(1000.0)
    # Of the square of the multiplier of an edge of a friction pyramid [1/N^2].
    force: float = positive(1e-5)
    # Of the square of a torque [1/(N m)^2].
    torque: float = not_negative(0.0)
    # Of the square of a joint's acceleration [s^4/rad^2].
    acceleration: float = positive(1e-4)
