"""Torques that motors can give at a state, for a whole-body controller."""

from collections.abc import Mapping

import numpy as np
from pydrake.multibody.plant import MultibodyPlant

from footfall.arrays import Array
from footfall.plants.motors import Motor
from footfall.plants.patterns import broad_first, fitting
from footfall_controllers.controller import actuated_joints
from footfall_controllers.motor_limits import MotorLimits


class TorqueLimits:
    """Bounds of torques: constant ones, and those of motors at the speeds of their joints."""

    def __init__(self, plant: MultibodyPlant, constant: Array, motors: Mapping[str, Motor]) -> None:
        """Take constant limits (nu,) [N m], and motors as ``footfall.plants.motors`` reads them."""
        self._constant = constant
        limited = any(motor.is_limited for motor in motors.values())
        self._motors = MotorLimits(plant, motors) if limited else None

    def bounds(self, state: Array) -> tuple[Array, Array]:
        """Least and largest torques at a state [q; v], (nu,) each [N m].

        A motor that is driven faster than its no-load speed can only brake: both may have one sign.
        """
        constant = self._constant
        if self._motors is None:
            return -constant, constant
        least, most = self._motors.bounds(state)
        return np.clip(least, -constant, constant), np.clip(most, -constant, constant)


def by_actuator(
    plant: MultibodyPlant, values: Mapping[str, float], group: str, other: float
) -> Array:
    """Return numbers of the actuators (nu,) out of those by joint or pattern; other: of the rest.

    Raises ScenarioError, with the group's name in a controller, for patterns that fit no joint.
    """
    joints = actuated_joints(plant)
    known = {name: name for name in joints}
    numbers = dict.fromkeys(joints, other)
    for pattern in broad_first(values):
        fits = fitting(pattern, known, f"controller.{group}", "driven joint")
        numbers |= dict.fromkeys(fits, values[pattern])
    return np.array([numbers[name] for name in joints])
