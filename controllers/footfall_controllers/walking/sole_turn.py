"""Turn of a sole in the air, from the ground that it left to the ground that it lands on."""

import numpy as np
from pydrake.common.eigen_geometry import AngleAxis
from pydrake.math import RotationMatrix

from footfall.arrays import Array
from footfall_controllers.walking.swing_foot import Motion, towards


def turn_between(start: Array, end: Array, length: float, time: float) -> Motion:
    """Return axes (3, 3), their angular velocity and its rate (3,) a time [s] after a turn began.

    The turn is about one axis, from rest to rest by least jerk in a length of time [s].
    """
    rest, still = np.zeros(1), np.zeros(3)
    if time >= length or np.array_equal(start, end):
        return end, still, still
    whole: AngleAxis = RotationMatrix(end @ start.T).ToAngleAxis()
    angle, rate, acceleration = towards((rest, rest, rest), np.array([whole.angle()]), length, time)
    axis = whole.axis()
    so_far = RotationMatrix(AngleAxis(float(angle[0]), axis)).matrix()
    return so_far @ start, rate * axis, acceleration * axis
